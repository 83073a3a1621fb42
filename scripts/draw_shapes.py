"""Draw a loop of each shape, for docs/generating.md.

    python scripts/draw_shapes.py docs/pictures

Writes `shape-NAME.svg` for every shape, and for the open path, on 20x20 cells with seed 1; the
shape `uniform` on 10x10, where its diagram takes a second.
"""

from __future__ import annotations

from pathlib import Path

import click

from linkoracle import Solution
from linkoracle.generate.randomness import source
from linkoracle.generate.shapes import SHAPES, two_colour

#: Pixels from dot to dot, and around the board.
STEP, MARGIN = 12, 9


def svg(line: Solution, title: str) -> str:
    """A picture of a line among its dots."""
    lattice = line.lattice
    width = (lattice.cols - 1) * STEP + 2 * MARGIN
    height = (lattice.rows - 1) * STEP + 2 * MARGIN

    def place(dot: tuple[int, int]) -> str:
        return f"{MARGIN + dot[1] * STEP},{MARGIN + dot[0] * STEP}"

    dots = "".join(
        f"M{place((row, col))}h0" for row in range(lattice.rows) for col in range(lattice.cols)
    )
    walk = line.paths()[0]
    end = "Z" if walk[0] == walk[-1] else ""
    path = "M" + "L".join(map(place, walk[:-1] if end else walk)) + end
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}">\n'
        f"<title>{title}</title>\n"
        f'<rect width="{width}" height="{height}" fill="#fff"/>\n'
        '<g fill="none" stroke-linecap="round" stroke-linejoin="round">\n'
        f'<path d="{dots}" stroke="#999" stroke-width="2"/>\n'
        f'<path d="{path}" stroke="#111" stroke-width="2.5"/>\n'
        "</g>\n</svg>\n"
    )


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, shape in SHAPES.items():
        side = 10 if name == "uniform" else 20
        line = shape(source(1, 0), side, side)
        (folder / f"shape-{name}.svg").write_text(
            svg(line, f"{name}, {side}x{side} cells, seed 1"), encoding="utf-8"
        )
    path = two_colour(source(1, 0), 20, 20, ends=((6, 0), (13, 20)))
    text = svg(path, "two_colour, an open path, 20x20 cells, seed 1")
    (folder / "shape-two_colour-path.svg").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
