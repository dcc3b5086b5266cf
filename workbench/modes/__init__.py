"""How a unit comes about: plain samples and repair episodes."""
