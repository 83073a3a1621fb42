"""Which puzzles of a catalogue a command is about, and what it says of those that are damaged."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import click

from linkoracle.cli import options as opt
from linkoracle.cli.options import GRADES, choice, option
from linkoracle.cli.program import DONE, NO
from linkoracle.core.errors import CatalogueError
from linkoracle.core.limits import Deadline
from linkoracle.core.randomness import seed_or_fresh
from linkoracle.kinds import KINDS

if TYPE_CHECKING:
    from linkoracle.catalogue import Catalogue, Filter, Record

_SIZE = opt.ReadParam(
    "ROWSxCOLS",
    "expected a size such as 10x10 or 8-12x10, found",
    opt.matching(
        f"{opt.SPAN}x{opt.SPAN}", lambda *ends: (opt.span(*ends[:2]), opt.span(*ends[2:]))
    ),
)
_LOOKS = opt.ReadParam(
    "NAME=LOW-HIGH",
    "expected a measure of looks and a number or a range, such as density=0.4-0.45, found",
    opt.matching(
        f"([a-z]+)={opt.NUMBER}(?:-{opt.NUMBER})?",
        lambda name, low, high: (name, (float(low), float(high or low))),
    ),
)
_RULES = dict.fromkeys(rule for kind in KINDS.values() for rule in kind.rules)
#: The catalogue, and options that say which of its puzzles; `_wanted` takes all but ``file``.
choosing_options = opt.together(
    click.argument("file", metavar="CATALOGUE"),
    choice("--kind", KINDS, "Only these puzzles."),
    choice("--rule", _RULES, "Only puzzles under this rule."),
    option("--size", _SIZE, "Only boards of this size, such as 10x10 or 8-12x10."),
    choice(
        "--grade grades",
        [*GRADES, "gave up", "none"],
        "Only puzzles of this grade; none: without one. May be repeated: one must fit.",
        multiple=True,
    ),
    option("--score", opt.RANGE, "Only puzzles whose grade has a score such as 200-300."),
    option("--clues --pairs clues", opt.RANGE, "Only puzzles with so many clues, or pairs."),
    option(
        "--looks",
        _LOOKS,
        "Only puzzles that look so, such as density=0.4-0.45 or turns=3-5. May be repeated.",
        multiple=True,
    ),
    click.option(
        "--maker",
        "makers",
        multiple=True,
        metavar="WORD|NAME=VALUE",
        help="Only puzzles of commands with this word, such as generate, or of requests with "
        "this value, such as shape=uniform. May be repeated: all must fit.",
    ),
)
#: Options that say how many of the puzzles that fit.
picking_options = opt.together(
    option("--limit", click.IntRange(1), "Only the first N."),
    option("--sample", click.IntRange(1), "Only N, chosen at random."),
    opt.seed_option("For --sample: the same seed chooses the same puzzles."),
)


def opened(file: str, **how: bool) -> Catalogue:
    """The catalogue; SQLite need not be loaded for --help."""
    from linkoracle.catalogue import Catalogue

    return Catalogue(file, **how)


def wanted(size: Any, looks: Any, **asked: Any) -> Filter:
    """The filter that `choosing_options` describe."""
    from linkoracle.catalogue import Filter

    rows, cols = size or (None, None)
    with opt.arguments():
        return Filter(rows=rows, cols=cols, looks=dict(looks), **asked)


class Skipping:
    """Warns of each row that cannot be read; ``status`` is the exit status then."""

    def __init__(self, timeout: float | None = None) -> None:
        self.status = DONE
        self._deadline = Deadline(timeout)

    def __call__(self, error: CatalogueError) -> None:
        click.echo(f"warning: {error}", err=True)
        self.status = NO

    def readable(
        self, file: str, records: Iterator[Record], read: Callable[[Record], Any]
    ) -> Iterator[tuple[Record, Any]]:
        """The records with what is read of them, without those for which that fails.

        Raises `SearchTimeout` when the time is over.
        """
        for record in records:
            self._deadline.check()
            try:
                told = read(record)
            except ValueError as error:
                self(CatalogueError(f"{file}: puzzle {record.id}: {error}"))
            else:
                yield record, told

    def picked(
        self, kept: Catalogue, limit: int | None, sample: int | None, seed: int | None, **asked: Any
    ) -> Iterator[Record]:
        """The puzzles that `choosing_options` and `picking_options` describe."""
        if limit is not None and sample is not None:
            raise click.UsageError("expected --limit or --sample, not both")
        if seed is not None and sample is None:
            raise click.UsageError("--seed goes with --sample")
        drawn = seed_or_fresh(seed)
        found = kept.find(wanted(**asked), limit=limit, sample=sample, seed=drawn, skipped=self)
        if sample is not None:
            opt.tell_seed(seed, drawn)
        return found
