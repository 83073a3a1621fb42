"""What the census commands share: options for families of puzzles, and what is printed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, TypeVar

import click

from linkoracle.cli.shared import memory_option
from linkoracle.errors import LinkOracleError
from linkoracle.formats import write
from linkoracle.puzzles import Puzzle

if TYPE_CHECKING:
    from linkoracle.census.families import SetFamily

#: A cell as ``(row, column)``, counted from 0.
Cell = tuple[int, int]
Command = TypeVar("Command", bound=Callable[..., Any])
Result = TypeVar("Result")


def stamp(kind: str, **parameters: object) -> dict[str, Any]:
    """What a result is of: the program's version and the parameters."""
    return {"census": kind, "version": version("linkoracle"), **parameters}


class CellParam(click.ParamType[Any]):
    """A cell as ROW,COL, counted from 1 like the lines of a file."""

    name = "ROW,COL"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Cell:
        row, _, col = str(value).partition(",")
        if not (row.isdecimal() and col.isdecimal() and int(row) and int(col)):
            self.fail(f"expected a cell such as 2,3, counted from 1, found {value!r}", param, ctx)
        return int(row) - 1, int(col) - 1


class PairParam(CellParam):
    """Two cells as ROW,COL-ROW,COL."""

    name = "ROW,COL-ROW,COL"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return tuple(super(PairParam, self).convert(end, param, ctx) for end in _ends(value))


def _ends(value: Any) -> list[str]:
    one, _, other = str(value).partition("-")
    return [one, other]


def check_cells(cells: Iterable[Cell], rows: int, cols: int) -> None:
    """Complain about cells that a board does not have, as the user counts them."""
    for row, col in cells:
        if row >= rows or col >= cols:
            raise click.UsageError(f"the {rows}x{cols} board has no cell {row + 1},{col + 1}")


def choosing_options(command: Command) -> Command:
    """Options that say what to do with a family of puzzles."""
    for option in (
        click.option("--list", "listed", is_flag=True, help="Print every puzzle."),
        click.option(
            "--sample", type=click.IntRange(min=1), metavar="K", help="Print K, uniformly."
        ),
        click.option("--seed", type=int, help="The same seed gives the same puzzles."),
        click.option(
            "--json", "as_json", is_flag=True, help="Print JSON: a count, or a puzzle a line."
        ),
        memory_option,
    ):
        command = option(command)
    return command


def within(attempt: Callable[[], Result]) -> Result:
    """What ``attempt`` returns; a complaint about an argument becomes a message to the user."""
    try:
        return attempt()
    except LinkOracleError:
        raise
    except ValueError as error:
        raise click.UsageError(str(error)) from None


def print_puzzles(
    family: SetFamily[Any],
    sample: int | None,
    seed: int | None,
    as_json: bool,
) -> None:
    chosen: Iterable[Puzzle] = family
    if sample is not None:
        chosen = family.sample(sample, seed=seed) if family else []
    for number, puzzle in enumerate(chosen):
        if as_json:
            click.echo(write(puzzle, "json").rstrip("\n"))
        else:
            click.echo(("\n" if number else "") + write(puzzle, "text"), nl=False)
