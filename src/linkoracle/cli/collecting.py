"""The catalogue beside a stream of generated puzzles: takes those that are new to it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import click

from linkoracle.model import Solution
from linkoracle.puzzles import Puzzle

if TYPE_CHECKING:
    from linkoracle.catalogue import Catalogue
    from linkoracle.deduce import Grade

#: Options that say where puzzles go and what making them may cost, not which puzzles are made.
_NOT_OF_THE_MAKER = frozenset(
    (
        *("count", "target", "output", "show", "ascii_only", "into", "grade", "seed"),
        *("memory", "jobs", "dask"),
    )
)


def refuse_to_replace(catalogue: str, output: str | None) -> None:
    """Stop a user who would write puzzles over the catalogue that they come from or go to."""
    if output is not None and Path(output).resolve() == Path(catalogue).resolve():
        raise click.UsageError(f"-o would replace the catalogue {catalogue}: name another FILE")


class Collection:
    """A catalogue that puzzles are made into, or nothing: then every puzzle is new.

    A catalogue that exists is opened at once, so that a file that is none ends the program before
    work is done; a new one is made when the first puzzle is there.
    """

    def __init__(self, into: str | None, grade: bool) -> None:
        self._into = into
        self._grade = grade
        self._catalogue: Catalogue | None = None
        self._taken = 0
        self._passed = 0
        self._request: tuple[dict[str, Any], int | None] | None = None

    def __enter__(self) -> Self:
        if self._into is not None and Path(self._into).exists():
            self._open()
        return self

    def __exit__(self, *_: object) -> None:
        if self._catalogue is not None:
            self._catalogue.close()
        if self._passed:
            plural = "puzzle was" if self._passed == 1 else "puzzles were"
            click.echo(f"{self._passed} {plural} in {self._into} already", err=True)

    def grade(self, puzzle: Puzzle) -> Grade | None:
        """The grade to take a puzzle with, if grades are wanted and it is new."""
        if not self._grade or (self._catalogue is not None and puzzle in self._catalogue):
            return None
        from linkoracle.deduce import grade

        return grade(puzzle)

    def take(self, puzzle: Puzzle, solution: Solution, grade: Grade | None) -> bool:
        """Whether a puzzle is new; it is in the catalogue when this returns."""
        if self._into is None:
            return True
        catalogue = self._catalogue or self._open()
        # The same for all; a mask is read from its file.
        self._request = self._request or _request()
        maker, seed = self._request
        number = self._taken + self._passed + 1
        new = catalogue.add(puzzle, solution, maker=maker, seed=seed, number=number, grade=grade)
        self._taken += new
        self._passed += not new
        return new

    def _open(self) -> Catalogue:
        from linkoracle.catalogue import Catalogue

        assert self._into is not None
        self._catalogue = Catalogue(self._into)
        return self._catalogue


def _request() -> tuple[dict[str, Any], int | None]:
    """What was asked of the maker on the command line, and the seed."""
    context = click.get_current_context()
    request = {
        name: value
        for name, value in context.params.items()
        # Zero is a wish, too; flags that are not set and empty lists are none.
        if name not in _NOT_OF_THE_MAKER and (value or value == 0) and value is not False
    }
    if "mask" in request:
        # The name of a file says little when the file has changed.
        request["mask"] = Path(request["mask"]).read_text(encoding="utf-8").split()
    command = " ".join(context.command_path.split()[1:])
    return {"command": command, **request}, context.params.get("seed")
