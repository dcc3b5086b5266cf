"""Tables and exports of what a session measured."""
