"""Write a sheet of boards, ours, published and Loopy's, at random places, to guess the source.

    python scripts/layout_sheet.py published.jsonl sheet.html --seed 1

Eight of each, 10x10 cells, without names. The key goes to another file, ``sheet.html.key``. No
other file has parts of the published puzzles.
"""

from __future__ import annotations

from pathlib import Path

import click

from layout_statistics import loopy
from linkoracle.core import shuffled, source
from linkoracle.formats import read_all
from linkoracle.generate import slitherlinks
from linkoracle.render import picture, svg

#: Boards of each source, and the size of a board.
EACH, SIZE = 8, (10, 10)


@click.command()
@click.argument("published", type=click.Path(exists=True))
@click.argument("sheet", type=click.Path(path_type=Path))
@click.option("--seed", default=0, show_default=True)
def main(published: str, sheet: Path, seed: int) -> None:
    """Write the sheet and its key."""
    rng = source(seed, 0)
    known = [entry.puzzle for entry in read_all(Path(published), kind="slitherlink")]
    known = [one for one in known if (one.rows, one.cols) == SIZE]
    collections = {
        "published": shuffled(rng, known)[:EACH],
        "Loopy": loopy(SIZE, EACH),
        "ours": [made.puzzle for made in slitherlinks(*SIZE, seed=seed, limit=EACH)],
    }
    boards = shuffled(rng, [(who, one) for who, every in collections.items() for one in every])
    cells = "".join(
        f"<figure>{svg(picture(one))}<figcaption>{number}</figcaption></figure>"
        for number, (_, one) in enumerate(boards, start=1)
    )
    style = "body{display:grid;grid-template-columns:repeat(6,1fr);gap:8px;font:14px sans-serif}"
    more = "figure{margin:0;text-align:center}svg{width:100%;height:auto}"
    page = (
        f"<!doctype html><meta charset=utf-8><title>24 boards</title><style>{style}{more}</style>"
    )
    sheet.write_text(f"{page}{cells}\n", encoding="utf-8")
    key = "".join(f"{number} {who}\n" for number, (who, _) in enumerate(boards, start=1))
    Path(f"{sheet}.key").write_text(key, encoding="utf-8")


if __name__ == "__main__":
    main()
