"""`linkoracle dataset`: puzzles with twins, proofs and paths, in a folder."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import click

from linkoracle import dataset as library
from linkoracle import generate
from linkoracle.cli import options as opt
from linkoracle.cli.program import end_interrupted, report
from linkoracle.cli.values import FILE, OUTPUT, arguments
from linkoracle.cli.work import Spread, jobs_help, working
from linkoracle.core import counted, declare, seed_or_fresh

#: The options of generators that a data set takes.
_OF_PUZZLES = (
    *("difficulty", "score", "techniques", "no_trial", "steps", "uses", "widest", "narrowest"),
)


@dataclass(frozen=True)
class _Contents(Spread, opt.Seeded, opt.Timed):
    """What the data set holds, and its files."""

    kinds: str | None = declare(
        None, "The kinds, with commas between them.  [default: slitherlink]", form="NAMES"
    )
    sizes: str | None = declare(
        None,
        "The sizes, with commas between them, such as 6x6,8x8 or 'honeycomb 5 5'.  [default: 6x6]",
        form="TEXT",
    )
    count: int = declare(100, "How many triples of each kind and size.", least=1, most=10**9)
    least_steps: int = declare(
        3, "Steps until a contradiction is seen, at least.", least=0, most=1000
    )
    differ: str = declare(
        "any", "In how many lines two solutions differ.", words=("any", "few", "many")
    )
    test_sizes: str | None = declare(
        None, "Sizes kept for the test of the split by size.  [default: the last one]", form="TEXT"
    )
    test_kinds: str | None = declare(
        None, "Kinds kept for the test of the split by kind.", form="NAMES"
    )
    shard: int = declare(1000, "How many triples a file has.", least=1, most=10**6)
    target: str = declare(
        "jsonl",
        "JSON lines, or tables of Apache Parquet (needs the extra linkoracle[dataset]).",
        words=("jsonl", "parquet"),
        flag="--format",
    )
    resume: bool = declare(False, "Go on with the data set in FOLDER, if there is one.")


def _names(text: str | None, default: tuple[str, ...]) -> tuple[str, ...]:
    return default if text is None else tuple(one.strip() for one in text.split(","))


@click.command(short_help="Make data sets of puzzles with twins.")
@click.argument("folder", type=OUTPUT)
@opt.packed(
    _Contents,
    "contents",
    seed=opt.seed_help("The same options and seed give the same bytes."),
    jobs=jobs_help("all processors"),
    timeout="Stop after this time; --resume goes on (exit status 3).",
)
@opt.options(generate.PuzzleRequest, *_OF_PUZZLES)
@opt.option(
    "--avoid",
    FILE,
    "Leave out puzzles that are in this file or folder. May be repeated.",
    multiple=True,
)
def dataset(folder: str, contents: _Contents, avoid: tuple[str, ...], **options: Any) -> None:
    """Make a data set in FOLDER: triples of a unique puzzle and two twins of it.

    A twin differs from its puzzle in one clue: one has no solution, the other exactly two. Each
    record has the puzzle, its solutions, a certificate, the path by which a person solves it, and
    the split to which it belongs. `linkoracle.dataset.score` grades answers.

    Ctrl-C ends the program; with --resume it goes on later, and the files become the same.

    \b
    Examples:
      linkoracle dataset out --kinds slitherlink,masyu --sizes 6x6,8x8 --seed 1
      linkoracle dataset out --kinds yajilin --no-trial --format parquet
    """
    given = {name: value for name, value in options.items() if value not in (None, False, ())}
    seed = seed_or_fresh(contents.seed)
    sizes = _names(contents.sizes, ("6x6",))
    with working("dataset", contents.timeout) as work:
        with arguments():
            data = library.DataSet(
                _names(contents.kinds, ("slitherlink",)),
                sizes,
                count=contents.count,
                seed=seed,
                options=given,
                least_steps=contents.least_steps,
                differ=contents.differ,  # type: ignore[arg-type]
                test_sizes=None if contents.test_sizes is None else _names(contents.test_sizes, ()),
                test_kinds=_names(contents.test_kinds, ()),
                avoid=library.hashes_in(avoid),
            )
        opt.show_seed(contents.seed, seed)
        try:
            with contents.executor(alone=False) as executor:
                shards = library.write_dataset(
                    data,
                    folder,
                    file_format=contents.target,  # type: ignore[arg-type]
                    shard=contents.shard,
                    resume=contents.resume,
                    executor=executor,
                    progress=work,
                )
        except KeyboardInterrupt:
            if work.limit.over:
                raise
            end_interrupted(f"interrupted: --resume goes on with {folder}")
    triples = len(data.kinds) * len(data.sizes) * data.count
    report(f"{counted(triples, 'triple')} in {counted(len(shards), 'file')} of {folder}")
