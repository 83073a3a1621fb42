"""Puzzle files and strings: `read` and `read_all` detect the format, `write` takes its name.

``docs/reference/file-formats.md`` describes every format; `FORMATS` lists them.
"""

from typing import TYPE_CHECKING

from linkoracle.core import loader
from linkoracle.formats.reading import FORMATS, About, Entry, Format, read, read_all, read_file

if TYPE_CHECKING:
    from linkoracle.formats.writing import write

__all__ = ["FORMATS", "About", "Entry", "Format", "read", "read_all", "read_file", "write"]

if not TYPE_CHECKING:
    __getattr__ = loader(__name__, {"write": "writing"})
