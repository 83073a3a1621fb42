"""The command line: `count-solutions`, and `linkoracle` with its commands."""

from linkoracle.core import exports

__all__, __getattr__, __dir__ = exports(__name__, {})
