"""Counts over blank boards without a hash table: see `docs/explanation/frontier.md`."""

from linkoracle.core import exports

__all__, __getattr__, __dir__ = exports(__name__, {})
