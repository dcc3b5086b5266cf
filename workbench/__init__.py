"""A terminal workbench for evaluating code models across languages."""

__version__ = "0.1.0"
