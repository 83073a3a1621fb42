"""Counts over blank boards without a hash table: see `docs/explanation/frontier.md`."""

from typing import TYPE_CHECKING

from linkoracle.core import loader

if not TYPE_CHECKING:
    __getattr__ = loader(__name__)
