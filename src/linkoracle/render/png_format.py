"""Pictures as PNG: the SVG, drawn by resvg in a font that comes with reportlab."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from linkoracle.errors import MissingExtra, PictureError
from linkoracle.render.shapes import Picture
from linkoracle.render.svg_format import svg

#: A picture of more pixels is refused: it would take gigabytes.
MAX_PIXELS = 100_000_000

#: Pixels of a PNG for each of an SVG, as a bitmap cannot be enlarged later.
_FINER = 2


def png(picture: Picture, theme: str = "light", *, cell: float | None = None) -> bytes:
    """The picture as a PNG file, ``cell`` pixels to a cell.

    Raises `MissingExtra` without the extra ``pictures``, `PictureError` for more than `MAX_PIXELS`,
    ``ValueError`` for an unknown theme.
    """
    available("png")
    import resvg_py

    scale = picture.cell * _FINER if cell is None else cell
    pixels = picture.width * scale * picture.height * scale
    if pixels > MAX_PIXELS:
        raise PictureError(
            f"{pixels:.0f} pixels are too many, expected at most {MAX_PIXELS}: "
            "a smaller cell makes a smaller picture"
        )
    written = svg(picture, theme, cell=scale)
    # Only letters that the font lacks need the fonts of this computer.
    foreign = any(ord(character) > 255 for character in written)
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=written,
            font_files=[str(font_file())],
            sans_serif_family="Bitstream Vera Sans",
            font_family="Bitstream Vera Sans",
            skip_system_fonts=not foreign,
        )
    )


def available(suffix: str) -> None:
    """Raise `MissingExtra` unless files of this kind (``svg``, ``png``, ``pdf``) can be made."""
    needed = {"svg": (), "png": ("reportlab", "resvg_py"), "pdf": ("reportlab",)}[suffix]
    if any(find_spec(module) is None for module in needed):
        raise MissingExtra(f"{suffix.upper()} files", "pictures")


def font_file() -> Path:
    """Bitstream Vera Sans, which may be passed on and put into documents."""
    spec = find_spec("reportlab")
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent / "fonts" / "Vera.ttf"
