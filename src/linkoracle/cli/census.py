"""`linkoracle census`: every puzzle of a loop, every puzzle or Numberlink of a board."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

import click

from linkoracle import census as library
from linkoracle.board import SYMMETRIES, Solution
from linkoracle.cli import options as opt
from linkoracle.cli.program import INTERRUPTED, TIMED_OUT, load_one
from linkoracle.cli.values import FILE, RANGE, SIDE, ReadParam, WholeNumber, arguments, board_size
from linkoracle.cli.work import STOP, ProgressReporter, Spread, Stored, jobs_help, naming, working
from linkoracle.core import PuzzleError, Sample, declare
from linkoracle.formats import write
from linkoracle.kinds import Puzzle, Slitherlink
from linkoracle.solving import decide, diagram

if TYPE_CHECKING:
    from linkoracle.zdd import SetFamily

#: A cell as ``(row, column)``, counted from 0.
Cell = tuple[int, int]


@click.group()
def census() -> None:
    """Count and list all unique puzzles of a loop or a board.

    \b
    Examples:
      linkoracle census board 4 4
      linkoracle census loop puzzle.txt --minimal
      linkoracle census numberlink 4 4
    """


def _cells(*places: str) -> tuple[Cell, ...]:
    """Return cells by rows and columns, which users count from 1 like the lines of a file."""
    numbers = [int(place) - 1 for place in places]
    return tuple(zip(numbers[::2], numbers[1::2], strict=True))


def _pair(*places: str) -> tuple[Cell, ...]:
    one, other = _cells(*places)
    if one == other:
        raise ValueError("the same cell twice")
    return one, other


# Further digits are dropped: no board has such a cell either way.
_PLACE = r"0*([1-9]\d{,8})\d*"
_CELL = ReadParam(
    "ROW,COL",
    "expected a cell such as 2,3, counted from 1, found",
    lambda *places: _cells(*places)[0],
    f"{_PLACE},{_PLACE}",
)
_PAIR = ReadParam(
    "ROW,COL-ROW,COL",
    "expected two different cells such as 2,3-4,5, counted from 1, found",
    _pair,
    f"{_PLACE},{_PLACE}-{_PLACE},{_PLACE}",
)


def _check_cells(cells: Iterable[Cell], rows: int, cols: int) -> None:
    """Raise ``UsageError`` for cells outside the board, in the user's numbers."""
    for row, col in cells:
        if row >= rows or col >= cols:
            raise click.UsageError(f"the {rows}x{cols} board has no cell {row + 1},{col + 1}")


@dataclass(frozen=True)
class _Choice(opt.Limited, opt.Seeded):
    """Which puzzles of a family to print, the format, and the limits."""

    as_json: bool = declare(False, "Print JSON: the counts, or a puzzle a line.", flag="--json")
    sample: int | None = declare(
        None, "Print K puzzles, sampled uniformly.", least=1, most=1_000_000, form="K"
    )
    listed: bool = declare(False, "Print every puzzle.", flag="--list")

    def printed(self, family: SetFamily[Any], work: ProgressReporter) -> bool:
        """Print the requested puzzles; return ``False`` if a count is requested instead."""
        if not self.listed and self.sample is None:
            return False
        chosen: Iterable[Puzzle] = family
        if self.sample is not None:
            chosen = family.sample(self.sample, seed=self.seed) if family else []
        work.close()
        if isinstance(chosen, Sample):
            opt.show_seed(self.seed, chosen.seed)
        for number, puzzle in enumerate(chosen):
            text = write(puzzle, "json" if self.as_json else "text")
            click.echo(("\n" if number and not self.as_json else "") + text.rstrip("\n"))
        return True


def _choosing_options(seeded: str) -> opt.Decorator:
    """Return the options of a `_Choice`; ``seeded`` names those that use the seed."""
    seed = opt.seed_help(f"For {seeded}: the same seed gives the same puzzles.")
    return opt.packed(_Choice, "choice", timeout="Stop after this time (exit status 3).", seed=seed)


_fours_option = opt.flag("--fours", "Let a cell show the clue 4.")


def _header(kind: str, **parameters: object) -> dict[str, Any]:
    """Return the header of a result: the program's version and the parameters."""
    return {"census": kind, "version": version("linkoracle"), **parameters}


def _table(unit: str, columns: Mapping[str, Mapping[int, int]]) -> str:
    """Return a table of counts by number of clues or pairs, with a row for all."""
    first, *_ = columns.values()
    rows: list[list[object]] = [
        [number, *(column.get(number, 0) for column in columns.values())]
        for number, many in first.items()
        if many
    ]
    rows.append(["all", *(sum(column.values()) for column in columns.values())])
    return opt.table_of([[unit, *columns], *rows])


@census.command(short_help="Every Slitherlink of a loop.")
@click.argument("file", required=False, type=FILE)
@opt.option(
    "--random size",
    SIDE,
    "A random loop of a board of this size; all loops are equally likely.",
    nargs=2,
    metavar="ROWS COLS",
)
@_fours_option
@opt.flag("--minimal", "Only minimal puzzles: no clue can be removed.")
@opt.flag("--smallest", "Only puzzles with the fewest clues.")
@opt.option("--clues", RANGE, "Only puzzles with this many clues.")
@opt.option("--with required", _CELL, "This cell has a clue. May be repeated.", multiple=True)
@opt.option("--without forbidden", _CELL, "This cell has no clue. May be repeated.", multiple=True)
@opt.option("--no-value without_value", WholeNumber(0, 4), "No clue is N.")
@opt.option(
    "--symmetry symmetric",
    SYMMETRIES,
    f"The cells with clues have this symmetry: {', '.join(SYMMETRIES)}.",
    metavar="NAME",
)
@opt.flag("--fewest", "Find one puzzle with the fewest clues, on larger boards, too.")
@_choosing_options("--sample and --random")
def loop(
    file: str | None, size: tuple[int, int] | None, fours: bool, choice: _Choice, **filters: Any
) -> None:
    """Count every Slitherlink whose only solution is the loop that solves FILE.

    Boards have up to about 7 x 5 cells. Cells are counted from 1. Filters apply in the order of
    --help. If stopped, --fewest prints the best puzzle so far and a lower bound.

    \b
    Examples:
      linkoracle census loop puzzle.txt --minimal --clues 8-9 --list
      linkoracle census loop puzzle.txt --symmetry half-turn --sample 3
      linkoracle census loop --random 10 10 --seed 1 --fewest
    """
    minimal, smallest, symmetric = map(filters.pop, ("minimal", "smallest", "symmetric"))
    with working("census", choice.timeout) as work:
        with arguments():
            solution = _solution(file, size, choice, work)
        if filters.pop("fewest"):
            _show_fewest(solution, choice, work)
            return
        cells = solution.lattice.rows - 1, solution.lattice.cols - 1
        _check_cells(filters["required"] + filters["forbidden"], *cells)
        with arguments():
            family = library.puzzles_of(solution, fours=fours, memory=choice.memory, progress=work)
            family = family.filter(**filters)
            if symmetric is not None:
                family = family.symmetric(symmetric)
        if minimal:
            family = family.minimal()
        if smallest:
            family = family.smallest()
        if choice.printed(family, work):
            return
        counts = {"puzzles": family.by_clues(), "minimal": family.minimal().by_clues()}
    header = _header("loop", rows=cells[0], cols=cells[1], fours=fours, solution=solution.paths())
    click.echo(json.dumps(header | counts) if choice.as_json else _table("clues", counts))


def _solution(
    file: str | None, size: tuple[int, int] | None, choice: _Choice, work: ProgressReporter
) -> Solution:
    """Return the requested loop: the only solution of a puzzle, or a random one."""
    if (file is None) == (size is None):
        found = "neither" if file is None else "both"
        raise click.UsageError(f"expected a FILE or --random ROWS COLS, found {found}")
    if size is not None:
        blank = Slitherlink.blank(*board_size(*size))
        drawn = diagram(blank, memory=choice.memory, progress=work).sample(1, seed=choice.seed)
        work.hide()
        opt.show_seed(choice.seed, drawn.seed)
        return drawn[0]
    entry = load_one(str(file), "slitherlink", None)
    puzzle = entry.puzzle
    if not isinstance(puzzle, Slitherlink) or puzzle.variant != "loop":
        raise PuzzleError(f"{entry.name}: expected a Slitherlink with a loop")
    # Censuses of loops, and the texts of their puzzles, are in rows and columns.
    with naming(entry):
        puzzle.faces.squares("a Slitherlink of rows and columns")
    verdict = decide(puzzle)
    if not verdict.unique:
        found = "none" if verdict.status == "none" else "more than one"
        raise PuzzleError(f"{entry.name}: expected a puzzle with one solution, found {found}")
    return verdict.solutions[0]


def _show_fewest(solution: Solution, choice: _Choice, work: ProgressReporter) -> None:
    from linkoracle.generate import fewest

    best = fewest(solution, timeout=choice.timeout, progress=work)
    work.close()
    clues = best.puzzle.number_of_clues
    if choice.as_json:
        answer = _header("fewest", clues=clues, at_least=best.lower_bound, grid=best.puzzle.grid)
        click.echo(json.dumps(answer))
    else:
        bound = "the fewest" if best.proven else f"at least {best.lower_bound} are needed"
        click.echo(f"# {clues} clues, {bound}\n{write(best.puzzle, 'text')}", nl=False)
    if not best.proven:
        sys.exit(INTERRUPTED if best.interrupted and not work.limit.over else TIMED_OUT)


@dataclass(frozen=True)
class _Scale(opt.Limited, Spread, Stored):
    """The limits of a long census, and how much of it to do now."""

    units: int | None = declare(None, "Stop after this many units.", least=0)


@census.command(short_help="Every Slitherlink of a board.")
@opt.board_arguments
@_fours_option
@opt.packed(
    _Scale,
    "scale",
    timeout=STOP,
    jobs=jobs_help("1, since all share the memory"),
    checkpoint="Keep finished units of work in this SQLite file.",
)
@opt.flag(
    "--examples",
    "Show puzzles with the most and the fewest clues, loops with the most and the fewest puzzles.",
)
@opt.json_option("Print one JSON object.")
def board(rows: int, cols: int, fours: bool, scale: _Scale, examples: bool, as_json: bool) -> None:
    """Count every uniquely solvable Slitherlink of ROWS x COLS cells, by number of clues.

    Clues are 0 to 3, unless --fours is given. "Up to symmetry" counts turns and mirror images of a
    puzzle once. A run with --checkpoint can be stopped, killed and resumed.

    \b
    Examples:
      linkoracle census board 4 4
      linkoracle census board 5 5 --checkpoint census.sqlite --resume --jobs 2
    """
    if scale.units is not None and scale.checkpoint is None:
        raise click.UsageError("--units needs --checkpoint FILE")
    how: dict[str, Any] = {"memory": scale.memory, "path": scale.path, "resume": scale.resume}
    with (
        working(f"{rows}x{cols}", scale.timeout) as work,
        scale.executor(alone=True) as executor,
    ):
        with arguments():
            run = library.BoardRun(rows, cols, fours=fours, executor=executor, **how)
        with run:
            if not run.work(most=scale.units, progress=work):
                work.close()
                click.echo(f"unfinished: {run.estimate()}")
                return
            counted = run.census()
    click.echo(_board_json(counted) if as_json else _board_text(counted, examples))


def _board_text(counted: library.BoardCensus, examples: bool) -> str:
    columns = {
        "puzzles": counted.puzzles,
        "minimal": counted.minimal,
        "up to symmetry": counted.puzzle_classes,
        "minimal up to symmetry": counted.minimal_classes,
    }
    table = _table("clues", {name: dict(enumerate(column)) for name, column in columns.items()})
    parts = [f"{counted.loops} loops, {counted.unclueable} of them without a puzzle", table]
    if examples:
        parts += [f"# {name}\n{write(puzzle, 'text')}" for name, puzzle in _examples(counted)]
    return "\n\n".join(part.rstrip("\n") for part in parts)


def _examples(counted: library.BoardCensus) -> list[tuple[str, Puzzle]]:
    examples = [
        ("a puzzle with the fewest clues", counted.fewest),
        ("a minimal puzzle with the most clues", counted.largest),
    ]
    for name, record in (("most", counted.richest), ("fewest", counted.poorest)):
        if record is not None:
            examples.append((f"the loop with the {name} puzzles: {record[1]}", record[0]))
    return [(name, puzzle) for name, puzzle in examples if puzzle is not None]


def _board_json(counted: library.BoardCensus) -> str:
    first = {name: getattr(counted, name) for name in ("rows", "cols", "fours", "loops")}
    names = ("puzzles", "minimal", "puzzle_classes", "minimal_classes")
    counts = (
        first | {"barren": counted.unclueable} | {name: getattr(counted, name) for name in names}
    )
    examples = {name: {"clues": puzzle.grid} for name, puzzle in _examples(counted)}
    return json.dumps(_header("board", **counts, examples=examples))


@census.command(short_help="Every Numberlink of a board.")
@opt.board_arguments
@opt.option(
    "--variant",
    ["unique_and_covering", "unique_free", "unique_fill"],
    "Which puzzles count. By default, cells may stay empty, and the only solution leaves none "
    "empty.",
    "unique_and_covering",
)
@opt.option("--pairs", RANGE, "Only puzzles with this many pairs.")
@opt.flag("--apart", "Equal numbers are not neighbours.")
@opt.option("--pair required", _PAIR, "These cells are a pair. May be repeated.", multiple=True)
@opt.option(
    "--end ends", _CELL, "Only these cells may have numbers. May be repeated.", multiple=True
)
@opt.packed(Stored, "stored", checkpoint="Store results in this file, after each cell.")
@_choosing_options("--sample")
def numberlink(
    rows: int, cols: int, variant: str, stored: Stored, choice: _Choice, **filters: Any
) -> None:
    """Count every Numberlink of ROWS x COLS cells with one solution, by number of pairs.

    A run with --checkpoint can be stopped, killed and resumed. Resuming a finished run is quick,
    and may ask for other puzzles of the same board and variant.

    \b
    Examples:
      linkoracle census numberlink 4 4
      linkoracle census numberlink 4 5 --pairs 3 --apart --sample 5 --seed 1
      linkoracle census numberlink 5 6 --checkpoint 5x6.npz --resume
    """
    ends, required = filters.pop("ends"), filters["required"]
    _check_cells([*ends, *(cell for pair in required for cell in pair)], rows, cols)
    adjacent_ends = not filters.pop("apart")
    with working(f"{rows}x{cols}", choice.timeout) as work:
        how: dict[str, Any] = {"checkpoint": stored.path, "resume": stored.resume}
        with arguments():
            family = library.instances(
                rows, cols, variant, memory=choice.memory, progress=work, **how
            )
            family = family.filter(adjacent_ends=adjacent_ends, ends=ends or None, **filters)
        if choice.printed(family, work):
            return
        counts = {"puzzles": family.by_pairs()}
    header = _header("numberlink", rows=rows, cols=cols, variant=variant)
    click.echo(json.dumps(header | counts) if choice.as_json else _table("pairs", counts))
