"""Links of SudokuPad: ``https://sudokupad.app/scl...``, with the whole puzzle in them.

After ``scl`` comes a text, packed by lz-string in base64. It is JSON with fewer quotes and short
names (``ce`` for cells, ``o`` for overlays ...): cells with given numbers, and texts and circles at
places. Only the title or the rules may name the kind. Sources:
https://github.com/pieroxy/lz-string and https://sudokupad.app/puzzlezipper.js
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

from linkoracle.core import FormatError
from linkoracle.formats import reading as doc
from linkoracle.formats.penpa import of_words
from linkoracle.kinds import KINDS, Figure, refuse

_LINK = re.compile(r"[ \t]*\S*?(?:/|puzzleid=)(?:scl|ctc)([A-Za-z0-9+/=%_-]+?)(?:[?&#]\S*)?[ \t]*")
_SITE = "https://sudokupad.app/scl"
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
#: The most characters of a text.
_MOST = 1_000_000
#: The short and long names of the members that are read.
_NAMES = {"ce": "cells", "v": "value", "o": "overlays", "u": "underlays", "ct": "center"}
_NAMES |= {"te": "text", "t": "title", "c2": "backgroundColor", "r": "rounded", "re": "regions"}
_NAMES |= {"l": "lines", "a": "arrows", "ca": "cages", "w": "width", "h": "height"}
#: Members that are refused, as no kind has them.
_LOST = ("lines", "arrows")


def unpacked(text: str) -> str:
    """Return the text that lz-string packed in base64; raise ``ValueError`` if invalid.

    >>> unpacked("IYlA")
    'aaaaa'
    """
    # A letter has six bits; the first bit of a number is its lowest bit.
    values = map(_LETTERS.index, text.rstrip("="))
    bits = [value >> place & 1 for value in values for place in range(5, -1, -1)]
    at = 0

    def take(width: int) -> int:
        nonlocal at
        at += width
        if at > len(bits):
            raise ValueError("a text that is cut short")
        return sum(bit << place for place, bit in enumerate(bits[at - width : at]))

    words: list[str | None] = [None] * 3
    made: list[str] = []
    word, length = "", 0
    while True:
        code = take(len(words).bit_length())
        if code == 2:
            return "".join(made)
        if code < 2:
            words.append(chr(take(16 if code else 8)))
            code = len(words) - 1
        entry = words[code] if code < len(words) else None
        if entry is None:
            if code != len(words) or not word:
                raise ValueError("a word that is not known yet")
            entry = word + word[0]
        made.append(entry)
        length += len(entry)
        if length > _MOST:
            raise ValueError("a text that is too long")
        if word:
            words.append(word + entry[0])
        word = entry


def packed(text: str) -> str:
    """Return a text as lz-string packs it in base64: the inverse of `unpacked`.

    >>> packed("aaaaa"), unpacked(packed("to be or not to be"))
    ('IYlA', 'to be or not to be')
    """
    bits: list[int] = []
    #: The codes of words; three codes have other meanings, and a new letter is sent once.
    words: dict[str, int] = {}
    unsent: set[str] = set()
    width, left = 2, 2

    def put(value: int, size: int) -> None:
        bits.extend(value >> place & 1 for place in range(size))

    def grow() -> None:
        nonlocal width, left
        left -= 1
        if not left:
            left, width = 1 << width, width + 1

    def send(word: str) -> None:
        if word in unsent:
            wide = ord(word) > 255
            put(int(wide), width)
            put(ord(word), 16 if wide else 8)
            unsent.discard(word)
            grow()
        else:
            put(words[word], width)
        grow()

    before = ""
    for letter in text:
        if letter not in words:
            words[letter] = len(words) + 3
            unsent.add(letter)
        if before + letter in words:
            before += letter
            continue
        send(before)
        words[before + letter] = len(words) + 3
        before = letter
    if before:
        send(before)
    put(2, width)
    bits += [0] * (-len(bits) % 6)
    groups = (bits[at : at + 6] for at in range(0, len(bits), 6))
    letters = "".join(_LETTERS[int("".join(map(str, group)), 2)] for group in groups)
    return letters + "=" * (-len(letters) % 4)


_TOKEN = re.compile(
    r"""\s*(?:([{}\[\],:])|'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|([^\s{}\[\],:'"]+))""", re.DOTALL
)
_BARE = {"t": "true", "f": "false"} | {word: word for word in ("true", "false", "null")}
_ESCAPED = {"n": "\n", "t": "\t"}


def _as_json(text: str) -> Iterator[str]:
    """Yield the tokens of a text in JSON: with quotes, and with the braces of empty objects."""
    tokens = [found.groups() for found in _TOKEN.finditer(text)]
    before = ""
    for (sign, *quoted, bare), after in zip(tokens, [*tokens[1:], (None,) * 4], strict=True):
        string = next((part for part in quoted if part is not None), None)
        if sign is not None:
            if sign in ",]}" and (before in (",", ":") or (before, sign) == ("[", ",")):
                yield "{}"
            yield sign
        elif string is not None:
            whole = re.sub(r"\\(.)", lambda one: _ESCAPED.get(one[1], one[1]), string, flags=re.S)
            yield json.dumps(whole)
        elif after[0] == ":":
            yield json.dumps(bare)
        elif re.fullmatch(r"-?[\d.]+", bare) and not re.fullmatch(r"\d{6}", bare):
            yield repr(float(bare))
        else:
            yield _BARE.get(bare, json.dumps(bare))
        before = sign or "value"


def _named(members: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object with the long names of its members."""
    return {_NAMES.get(name, name): value for name, value in members}


_DECODER = json.JSONDecoder(object_pairs_hook=_named)


def read(document: doc.Document, index: int) -> tuple[list[doc.Entry], int]:
    """Read the link on line ``index`` (from 0); return the puzzle and the next index."""
    line = index + 1

    def fail(reason: str) -> FormatError:
        return document.error(reason, line, 1)

    found = _LINK.fullmatch(document.lines[index])
    try:
        packed = unquote(found[1]).replace("-", "+").replace("_", "/") if found else ""
        decoded, _ = _DECODER.raw_decode("".join(_as_json(unpacked(packed))))
        rows, cols = len(decoded["cells"]), len(decoded["cells"][0])
        about, words = _about(decoded), list(_words(decoded))
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        raise fail(
            "expected a link of SudokuPad with its puzzle, found one that cannot be read"
        ) from None
    if lost := next((name for name in _LOST if decoded.get(name)), None):
        raise fail(f"expected numbers, texts and circles in a link, found {lost}")
    said = " ".join(filter(None, about)).lower()
    titles = {one.title.lower(): name for name, one in KINDS.items() if one.title.lower() in said}
    # A Vertex Slitherlink is no Slitherlink.
    named = [
        name
        for title, name in titles.items()
        if not any(title in other and title != other for other in titles)
    ]
    stated = named[0] if len(named) == 1 else None
    kind = doc.decide_kind(document, stated, line, advice="Name")
    doc.checked_size(document, rows, cols, line, 1)
    return [of_words(doc.Draft(document, line, kind, about=about), rows, cols, words)], line


def write(puzzle: Any, about: doc.About) -> str:
    """Return a link with numbers and circles as texts and circles over empty cells.

    The title names the kind. Raises `FormatError` for what such a link does not hold.
    """
    if puzzle.variant != next(iter(puzzle.variants)):
        raise FormatError(f"a link of SudokuPad cannot say the variant {puzzle.variant!r}")
    refuse(puzzle, "a link of SudokuPad")
    shapes = [_drawn(figure) for figure in puzzle.figures()]
    title, name = puzzle.title, about.name or puzzle.title
    content = {
        "cells": [[{}] * puzzle.cols for _ in range(puzzle.rows)],
        "overlays": shapes,
        "metadata": {
            "title": name if title.lower() in name.lower() else f"{name} ({title})",
            "author": about.author or "",
            "rules": about.rules or "",
        },
    }
    return f"{_SITE}{packed(json.dumps(content, separators=(',', ':'), ensure_ascii=False))}"


def _drawn(figure: Figure) -> dict[str, Any]:
    """Return a text or a circle; raise `FormatError` for another figure."""
    look, (row, col), text, _ = figure
    shape = {"center": [row + 0.5, col + 0.5], "width": 0.8, "height": 0.8}
    if look in ("white", "black"):
        colours = ("#FFFFFF", "#000000") if look == "white" else ("#000000", "#FFFFFF")
        shape |= {"rounded": True, "backgroundColor": colours[0], "borderColor": "#000000"}
        shape["color"] = colours[1]
    elif look not in ("text", "label"):
        raise FormatError(f"a link of SudokuPad has no place for the figure {look!r}")
    return shape | ({"text": text, "fontSize": 28} if text else {})


def _about(decoded: dict[str, Any]) -> doc.About:
    more = decoded.get("metadata") or {}
    found = (more.get(name, decoded.get(name)) for name in ("title", "author", "rules"))
    return doc.About(*(doc.clean_name(one) if isinstance(one, str) else None for one in found))


def _words(decoded: dict[str, Any]) -> Iterator[tuple[tuple[int, int], str]]:
    """Yield cells and the parts of words in them: given numbers, circles, texts."""
    for row, cells in enumerate(decoded["cells"]):
        for col, cell in enumerate(cells):
            if (value := (cell or {}).get("value")) not in (None, ""):
                yield (row, col), _plain(value)
    for one in [*decoded.get("underlays", ()), *decoded.get("overlays", ())]:
        place = one["center"]
        row, col = (int(at // 1) for at in place)
        if any(at % 1 != 0.5 for at in place):
            raise ValueError("beside the cells")
        if one.get("rounded") and (colour := str(one.get("backgroundColor", ""))):
            yield (row, col), "b" if _is_dark(colour) else "w"
        if (text := _plain(one.get("text", ""))) != "":
            yield (row, col), text


def _plain(value: Any) -> str:
    return str(int(value)) if isinstance(value, float) else str(value).strip()


def _is_dark(colour: str) -> bool:
    digits = {"#0": "000000", "#F": "FFFFFF"}.get(colour, colour.lstrip("#"))[:6]
    return sum(int(digits[at : at + 2], 16) for at in (0, 2, 4)) < 3 * 128
