"""Draw a puzzle on each tiling, for docs/reference/boards.md.

    python scripts/draw_boards.py docs/pictures

Writes `board-NAME.svg` for every board that `linkoracle.boards` names: a generated Slitherlink with
its solution. Prints the table of the page.
"""

from __future__ import annotations

from pathlib import Path

import click

from linkoracle import generate, is_unique
from linkoracle.boards import TILINGS, named
from linkoracle.render import picture, svg

#: The boards to draw, in a size that shows the tiling.
DRAWN = """
square 6 6, triangular 6 5, honeycomb 6 6, snub_square 5 5, cairo 5 5, great_hexagonal 4 4,
octagonal 5 5, kites 3 3, floret 4 3, dodecagonal 3 3, great_dodecagonal 3 3,
penrose_kite_dart 11 11 G5991;217;72, penrose_rhombs 9 9 G-4366;-1718;72,
great_great_dodecagonal 3 3, kagome 5 5, compass_dodecagonal 3 3,
hats 8 8 5;1;8;0;1;H, spectres 7 7 8024025P
"""


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for words in DRAWN.split(","):
        board = named(words.replace(";", ","))
        name = words.split()[0]
        made = generate.slitherlink(board, seed=1)
        if not is_unique(made.puzzle, engine="plain"):
            raise SystemExit(f"the puzzle on {words} has several solutions")
        text = svg(picture(made.puzzle, made.solution), cell=24)
        (folder / f"board-{name}.svg").write_text(text, encoding="utf-8")
        what = f"`t{TILINGS[name].loopy_type}` | ![{name}](../pictures/board-{name}.svg) |"
        click.echo(f"| `{words.replace(';', ',').strip()}` | {what}")


if __name__ == "__main__":
    main()
