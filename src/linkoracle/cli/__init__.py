"""The command line: `count-solutions`, and `linkoracle` with its commands."""

from typing import TYPE_CHECKING

from linkoracle.core import loader

if not TYPE_CHECKING:
    __getattr__ = loader(__name__)
