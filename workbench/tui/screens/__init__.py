"""One module a screen: where the cursor goes and what keys do. What it looks like is in `draw`."""
