"""Links of our own page: a puzzle of any kind with its name, author and rules, packed.

``lo:`` and the JSON of the puzzle, compressed (raw deflate, RFC 1951) and in the alphabet of base64
for addresses (RFC 4648, section 5) without padding. It may stand behind the ``#``, or the
``#play=``, of any address.
"""

from __future__ import annotations

import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode

from linkoracle.core import FormatError
from linkoracle.formats import json_format
from linkoracle.formats.reading import MAX_TEXT, About, Document, Entry
from linkoracle.kinds import Puzzle

_MARK = "lo:"


def read(document: Document, index: int) -> tuple[list[Entry], int]:
    """Read the link on line ``index`` (from 0); return the puzzle and the next index."""
    packed = document.lines[index].strip(" \t").rpartition(_MARK)[2]
    try:
        data = urlsafe_b64decode(packed + "=" * (-len(packed) % 4))
        unpacker = zlib.decompressobj(-15)
        text = unpacker.decompress(data, MAX_TEXT).decode()
        if not unpacker.eof:
            raise ValueError("a part")
    except (ValueError, zlib.error):
        reason = "expected a whole link of linkoracle, found a damaged or a shortened one"
        raise document.error(reason, index + 1, 1) from None
    inner = Document(text, document.name, document.kind, document.variant)
    try:
        found, end = json_format.read(inner, 0)
    except FormatError as error:
        raise document.error(f"in the link: {error.reason}", index + 1, 1) from None
    if len(found) != 1 or end != len(inner.lines):
        raise document.error("expected one puzzle in the link", index + 1, 1)
    return [Entry(found[0].puzzle, index + 1, found[0].about)], index + 1


def write(puzzle: Puzzle, about: About) -> str:
    """Return the link without an address.

    >>> from linkoracle import Slitherlink
    >>> link = write(Slitherlink([[3, None], [None, 2]]), About())
    >>> link[:3], len(link) < 150
    ('lo:', True)
    """
    data = zlib.compress(json_format.write(puzzle, about).encode(), 9, wbits=-15)
    return _MARK + urlsafe_b64encode(data).decode().rstrip("=")
