"""Draw the example of each kind with its solution, for docs/puzzles.md.

    python scripts/draw_kinds.py docs/pictures

Writes `kind-NAME.svg` for every built-in kind. Prints the table of the page.
"""

from __future__ import annotations

from pathlib import Path

import click

from linkoracle.kinds import KINDS
from linkoracle.kinds.puzzle import Puzzle
from linkoracle.render import picture, svg

#: The pictures in a row, and the side of a cell.
ACROSS, CELL = 5, 20


def drawing(kind: type[Puzzle]) -> str:
    """Return the picture of the example of a kind, in its first variant."""
    variant = next(iter(kind.variants))
    return svg(picture(*kind.examples[variant].of(kind, variant)), cell=CELL)


def table() -> list[str]:
    """Return the rows of the table of pictures."""
    cells = [
        f"![{kind.title}](pictures/kind-{name}.svg)<br>{kind.title}: `{name}`"
        for name, kind in KINDS.items()
    ]
    rows = [cells[at : at + ACROSS] for at in range(0, len(cells), ACROSS)]
    rows[-1] += [""] * (ACROSS - len(rows[-1]))
    lines = [" | ".join(row) for row in ([""] * ACROSS, ["---"] * ACROSS, *rows)]
    return [f"| {line} |" for line in lines]


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, kind in KINDS.items():
        (folder / f"kind-{name}.svg").write_text(drawing(kind), encoding="utf-8")
    click.echo("\n".join(table()))


if __name__ == "__main__":
    main()
