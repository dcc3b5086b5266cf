"""The command line: thin commands that parse, call and print."""

from workbench.cli.main import main

__all__ = ["main"]
