"""Draw an example of each technique, for docs/explanation/solving.md.

    python scripts/draw_techniques.py docs/explanation/solving.md docs/pictures

The page names the examples: each call of ``show`` there has a technique and the URL of a
puzzle. Writes `technique-NAME.svg` with the board before the first step by that technique in grey,
what follows in red, and the cells of the argument in yellow.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import click

from linkoracle import read
from linkoracle.deduce import Step, deduced
from linkoracle.render import Marks, marked, svg

#: Pixels of a cell.
CELL = 26
#: A call in the page: the technique, a URL or a file, and whether there is but one solution.
EXAMPLE = re.compile(r'show\(\s*"(\w+)",\s*"([^"]+)"(,\s*uniqueness=True)?')


def examples(page: Path) -> Iterator[tuple[str, str, bool]]:
    """Yield the techniques of a page, each with its URL or file, and whether one is unique."""
    # A long call goes on in further lines of the example.
    text = page.read_text(encoding="utf-8").replace("\n... ", " ")
    for technique, source, unique in EXAMPLE.findall(text):
        yield technique, source, bool(unique)


def drawn(technique: str, source: str, unique: bool) -> str:
    """Return the first step by a technique as SVG."""
    puzzle = read(Path(source) if source.endswith(".txt") else source)
    before: list[Step] = []
    for step in deduced(puzzle, None, uniqueness=unique or None).steps(puzzle):
        if step.technique == technique:
            break
        before.append(step)
    else:
        raise ValueError(f"the path of the puzzle has no step {technique}")
    known = {
        name: [one for made in before for one in getattr(made, name)]
        for name in ("lines", "crosses", "visited", "unvisited")
    }
    marks = Marks(
        **known,
        new_lines=step.lines,
        new_crosses=step.crosses,
        new_visited=step.visited,
        new_unvisited=step.unvisited,
        new_inside=step.inside,
        new_outside=step.outside,
        cells=step.cells,
    )
    return svg(marked(puzzle, marks), cell=CELL)


@click.command()
@click.argument("page", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
def main(page: Path, folder: Path) -> None:
    """Write the pictures."""
    for technique, source, unique in examples(page):
        text = drawn(technique, source, unique)
        (folder / f"technique-{technique}.svg").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
