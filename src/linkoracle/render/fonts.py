"""The fonts of PNG and PDF: Open Sans, whose licence allows to embed it in documents.

Open Sans has the letters of Latin, Greek and Cyrillic scripts, and comes with the package
ttf-opensans. Without the package, the font is Bitstream Vera Sans, which comes with reportlab and
has Latin letters only.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from linkoracle.core.errors import PictureError


class Fonts(NamedTuple):
    """A font: its name, and its files in the regular weight and in a heavy one."""

    family: str
    regular: Path
    heavy: Path


@cache
def fonts() -> Fonts:
    """Return the font of this installation. Requires reportlab."""
    found = _folder("ttf_opensans")
    if found is not None:
        files = (found / "ttf" / f"OpenSans-{weight}.ttf" for weight in ("Regular", "SemiBold"))
        return Fonts("Open Sans", *files)
    found = _folder("reportlab")
    assert found is not None
    files = (found / "fonts" / name for name in ("Vera.ttf", "VeraBd.ttf"))
    return Fonts("Bitstream Vera Sans", *files)


def _folder(package: str) -> Path | None:
    spec = find_spec(package)
    return None if spec is None or spec.origin is None else Path(spec.origin).parent


@cache
def embedded(*, heavy: bool) -> Any:
    """Return the font of this weight, registered with reportlab under its ``fontName``."""
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont

    path = fonts().heavy if heavy else fonts().regular
    font = TTFont(path.stem, path)
    pdfmetrics.registerFont(font)
    return font


def lacked(text: str, *, heavy: bool) -> list[str]:
    """Return the letters of a text that the font lacks."""
    letters = embedded(heavy=heavy).face.charToGlyph
    return [letter for letter in text if ord(letter) not in letters]


def printable(text: str, *, heavy: bool) -> str:
    """Return the text with composed letters: ``u`` and two dots as ``ü``.

    Raises `PictureError` for letters that the font lacks.
    """
    composed = unicodedata.normalize("NFC", text)
    missing = lacked(composed, heavy=heavy)
    if missing:
        reason = f"the font of PDF files lacks {missing[0]!r}, in {text!r}"
        raise PictureError(f"{reason}. Use other letters, or write SVG or HTML")
    return composed
