"""Options that choose puzzles of a catalogue, and warnings about damaged puzzles."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

import linkoracle.cli.values  # noqa: F401 - adds the types of some options
from linkoracle.catalogue import GRADES, OUTDATED, UNGRADED, Filter
from linkoracle.catalogue.filter import named_grades
from linkoracle.cli import options as opt
from linkoracle.cli.options import FILE, FORMS, ReadParam
from linkoracle.cli.program import DONE, NO, report
from linkoracle.core.arguments import declare
from linkoracle.core.errors import CatalogueError
from linkoracle.core.limits import Deadline
from linkoracle.core.randomness import seed_or_fresh

if TYPE_CHECKING:
    from linkoracle.catalogue import Catalogue, Record


def _grade(text: str) -> str:
    named_grades(text)
    return text


FORMS["LABEL[..LABEL] GRADE"] = ReadParam(
    "LABEL[..LABEL]",
    f"expected one of {', '.join((*GRADES, OUTDATED, UNGRADED))}, or a range such as normal..hard, "
    "found",
    _grade,
)


@dataclass(frozen=True)
class Picked(opt.Seeded):
    """How many of the matching puzzles."""

    limit: int | None = declare(None, "Only the first N.", least=1)
    sample: int | None = declare(None, "Only N, chosen at random.", least=1)

    def __post_init__(self) -> None:
        if self.limit is not None and self.sample is not None:
            raise click.UsageError("expected --limit or --sample, not both")
        if self.seed is not None and self.sample is None:
            raise click.UsageError("--seed goes with --sample")


#: The catalogue, as ``file``, and which of its puzzles, as ``criteria``.
choosing_options = opt.together(
    click.argument("file", metavar="CATALOGUE", type=FILE), opt.packed(Filter, "criteria")
)
#: How many of the matching puzzles, as ``picked``.
picking_options = opt.packed(
    Picked,
    "picked",
    seed=opt.seed_help("For --sample: the same seed chooses the same puzzles."),
)


class Skipping:
    """Warns of each row that cannot be read, and sets the exit ``status``."""

    def __init__(self, timeout: float | None = None) -> None:
        self.status = DONE
        self._deadline = Deadline(timeout)

    def __call__(self, error: CatalogueError) -> None:
        report(f"warning: {error}")
        self.status = NO

    def readable(
        self, file: str, records: Iterator[Record], read: Callable[[Record], Any]
    ) -> Iterator[tuple[Record, Any]]:
        """Yield the records, each with the result of ``read``; skip those for which it fails.

        Raises `SearchTimeout` at the deadline.
        """
        for record in records:
            self._deadline.check()
            try:
                value = read(record)
            except ValueError as error:
                self(CatalogueError(f"{file}: puzzle {record.id}: {error}"))
            else:
                yield record, value

    def picked(self, kept: Catalogue, criteria: Filter, picked: Picked) -> Iterator[Record]:
        """Return the puzzles that `choosing_options` and `picking_options` describe."""
        drawn = seed_or_fresh(picked.seed)
        how = {"limit": picked.limit, "sample": picked.sample}
        found = kept.find(criteria, seed=drawn, skipped=self, **how)
        if picked.sample is not None:
            opt.show_seed(picked.seed, drawn)
        return found
