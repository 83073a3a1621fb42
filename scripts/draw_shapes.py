"""Draw a loop of each shape, for docs/how-to/generate.md.

    python scripts/draw_shapes.py docs/pictures

Writes `shape-NAME.svg` for every shape, and for the open path, on 20x20 cells with seed 1; the
shape `uniform` on 10x10, where its diagram takes a second.
"""

from __future__ import annotations

from pathlib import Path

import click

from linkoracle import Slitherlink, Solution
from linkoracle.core import source
from linkoracle.generate import SHAPES
from linkoracle.generate.loops.colouring import Ends
from linkoracle.generate.loops.shapes import two_colour
from linkoracle.render import picture, svg

#: Pixels from dot to dot.
CELL = 13


def drawn(line: Solution, ends: Ends = None) -> str:
    """Return a picture of a line among its dots, as SVG."""
    board = Slitherlink.blank(line.lattice.rows - 1, line.lattice.cols - 1, ends)
    return svg(picture(board, line), cell=CELL)


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, shape in SHAPES.items():
        side = 10 if name == "uniform" else 20
        line = shape(source(1, 0), side, side)
        (folder / f"shape-{name}.svg").write_text(drawn(line), encoding="utf-8")
    ends = (6, 0), (13, 20)
    path = two_colour(source(1, 0), 20, 20, ends=ends)
    text = drawn(path, ends)
    (folder / "shape-two_colour-path.svg").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
