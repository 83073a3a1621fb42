"""`linkoracle generate` and `add-clues`: puzzles proven to have one solution."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any

import click

from linkoracle import formats
from linkoracle import generate as library
from linkoracle.board import Board, Lattice
from linkoracle.cli import options as opt
from linkoracle.cli import streaming
from linkoracle.cli.program import (
    DONE,
    INTERRUPTED,
    TIMED_OUT,
    Named,
    report,
    text_of,
    write_output,
)
from linkoracle.cli.values import (
    FORMS,
    SIDE,
    BoardParam,
    FileName,
    arguments,
    is_board,
    sized_board,
)
from linkoracle.cli.work import jobs_help, naming, working
from linkoracle.core import FormatError
from linkoracle.kinds import kind_named


def _after_rows(context: click.Context, param: click.Parameter, cols: int | None) -> int | None:
    if cols is None and context.params.get("rows") is not None:
        raise click.MissingParameter(ctx=context, param=param, param_hint="'COLS'")
    return cols


#: The size of a board; optional, since a file may have the size.
_size_arguments = opt.together(
    click.argument("rows", type=SIDE, required=False),
    click.argument("cols", type=SIDE, required=False, callback=_after_rows),
)


class _TextParam(FileName):
    """The value that ``read`` returns for the text and the name of a file."""

    def __init__(self, read: Callable[[str, str], Any]) -> None:
        self._read = read

    def convert(self, value: Any, *_: object) -> Any:
        path, text = text_of(value)
        return self._read(text, path)


def _mask_rows(text: str, path: str) -> list[str]:
    """Return the rows of a mask."""
    rows = {number: row for number, line in enumerate(text.split("\n")) if (row := line.strip())}
    if not rows:
        raise FormatError("expected rows of a mask, found none", source=path)

    def wrong(reason: str, row: int, column: int) -> FormatError:
        return FormatError(reason, source=path, line=row + 1, column=column + 1)

    formats.check_rows(rows, library.MARKS, library.MARKED, wrong)
    return [*rows.values()]


def _loop_text(text: str, path: str) -> str:
    """Return the drawing of a loop as text, which a catalogue can keep."""
    formats.read_loop(text, path)
    return text


class _BoardOrPuzzle(BoardParam):
    """A board, or a file or a URL with a puzzle of the kind; a command gets the text."""

    def convert(self, value: Any, *_: object) -> str:
        text = str(value)
        return self.read("--board", text) if "://" in text else super().convert(text)

    def read(self, path: str, text: str) -> str:
        if is_board(text):
            return super().read(path, text)
        return _puzzle_text(text, path, kind=click.get_current_context().info_name)


def _puzzle_text(text: str, path: str, kind: str | None = None) -> str:
    """Return a puzzle as text, which a catalogue can keep."""
    found = formats.read_all(text, kind=kind, name=path)
    if len(found) > 1:
        raise FormatError(f"expected one puzzle, found {len(found)}", source=path)
    return formats.write(found[0].puzzle)


#: The types of options that name such a file.
FORMS.update(
    {
        "FILE MASK": _TextParam(_mask_rows),
        "FILE LOOP": _TextParam(_loop_text),
        "FILE LIKE": _TextParam(_puzzle_text),
        "WORDS|FILE PUZZLE": _BoardOrPuzzle(),
    }
)


#: The commands of kinds whose help is written here. A command is built when it is used: its options
#: are those of a request, which loads the generator.
_WRITTEN: dict[str, Callable[[], click.Command]] = {}


class _Makers(click.Group):
    """A command for each kind that can be made, including kinds registered later."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return sorted({*_WRITTEN, *library.makers()})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name in _WRITTEN:
            return _WRITTEN[cmd_name]()
        return _plain_command(cmd_name) if library.is_made(cmd_name) else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, _in_short(name)) for name in self.list_commands(ctx)])


def _in_short(kind: str) -> str:
    """Return what the command of a kind does, in a line."""
    return f"Make {kind_named(kind).title} puzzles."


@click.group(cls=_Makers)
def generate() -> None:
    """Make puzzles, each proven to have exactly one solution.

    The same options and --seed give the same puzzles, and a longer run begins with those of a
    shorter one. Without --seed, a fresh one is printed on standard error. Each puzzle is written as
    soon as it is made, and stays when Ctrl-C ends the program.

    \b
    Examples:
      linkoracle generate slitherlink 10 10 --difficulty tricky -o mine.txt
      linkoracle generate numberlink 8 8 --show
      linkoracle generate simpleloop 8 8 --count 20 --format pzpr
    """


def _command(kind: str, about: str, *more: opt.Decorator, jobs: str) -> click.Command:
    """Return the command for a kind, with the help ``about`` and ``more`` options.

    ``jobs`` is the help's default of ``--jobs``.
    """
    declared = library.options_for(kind)
    seed = opt.seed_help("The same options and seed give the same puzzles.")

    @click.command(kind, help=about, short_help=_in_short(kind))
    @_size_arguments
    @opt.options(
        library.REQUESTS.get(kind, library.PuzzleRequest),
        *declared,
        difficulty=declared["difficulty"].help,
    )
    @opt.together(*more)
    @opt.packed(streaming.Run, "run", jobs=jobs_help(jobs), seed=seed)
    def make_some(
        rows: int | None,
        cols: int | None,
        run: streaming.Run,
        fewest: bool = False,
        **values: Any,
    ) -> None:
        if fewest:
            values["strategy"] = "fewest"
        request = _request_of(kind, rows, cols, values)
        # Use one process if each would have to prepare much, or would lose its work by Ctrl-C.
        ways = {getattr(request, name, None) for name in ("maker", "strategy", "shape")}
        alone = not ways.isdisjoint({"diagram", "fewest", "uniform"})
        name = f"{kind} {request.faces.cells_in_words}"
        streaming.stream(partial(_made, request), run, name, alone=alone)

    return make_some


def _written(
    *more: opt.Decorator, jobs: str
) -> Callable[[Callable[[], None]], Callable[[], click.Command]]:
    """Make a function, whose docstring is the help, the command for the kind of its name."""

    def decorate(about: Callable[[], None]) -> Callable[[], click.Command]:
        kind, text = about.__name__, about.__doc__ or ""
        _WRITTEN[kind] = cache(partial(_command, kind, text, *more, jobs=jobs))
        return _WRITTEN[kind]

    return decorate


def _plain_command(kind: str) -> click.Command:
    """Return the command for a kind that has no help of its own."""
    page, size, needs = kind_named(kind), "8 8", ""
    if library.visits_all(page):
        every, parity = library.all_visited(dots=not page.through_cells)
        size = "8 8" if parity == "even" else "7 7"
        needs = f" The loop visits every {every}, so ROWS or COLS must be {parity}."
    about = f"""Make {page.title} puzzles of ROWS x COLS cells.

    Each is proven to have one solution.{needs}

    \b
    Examples:
      linkoracle generate {kind} {size} --show
      linkoracle generate {kind} {size} --count 20 -o puzzles.txt
    """
    return _command(kind, about, jobs="1 for one puzzle, else all processors")


@_written(jobs="1 for one puzzle or --maker diagram, else all processors")
def numberlink() -> None:
    """Make Numberlink puzzles of ROWS x COLS cells, each proven to have one solution.

    With --mask and --board, ROWS and COLS may be left out. With --board, cells are the faces of a
    board that is not square; `linkoracle board` shows such boards.

    By default, the number of pairs and the turns of the paths are as in published puzzles. With
    --maker diagram, each process prepares the board again.

    \b
    Examples:
      linkoracle generate numberlink 10 10 --show
      linkoracle generate numberlink 8 8 --symmetry half-turn --seed 4
      linkoracle generate numberlink 10 10 --difficulty normal
      linkoracle generate numberlink --board cairo 5 5
      linkoracle generate numberlink 9 9 --count 100 --format pzpr -o puzzles.txt
    """


@_written(
    opt.flag("--fewest", "As few clues as the loop allows; Ctrl-C prints the fewest found."),
    jobs="1 for one puzzle, --fewest or --shape uniform, else all processors",
)
def slitherlink() -> None:
    """Make Slitherlink puzzles of ROWS x COLS cells, each proven to have one solution.

    With --mask, --loop or --board, ROWS and COLS may be left out. With --board, cells may be the
    faces of a board that is not square; `linkoracle board` shows such boards.

    Clues lie as evenly as in hand-made puzzles; --minimal removes every redundant clue. If other
    options keep redundant clues, standard error says how many, and JSON and the catalogue list
    them as "redundant". With several processes, --fewest loses its best puzzle on Ctrl-C, and
    --shape uniform needs its memory in each.

    \b
    Examples:
      linkoracle generate slitherlink 10 10 --show
      linkoracle generate slitherlink 9 9 --symmetry both --count 5 -o five.txt
      linkoracle generate slitherlink 15 15 --count 500 -o many.txt
      linkoracle generate slitherlink 8 8 --difficulty normal --format pzpr
      linkoracle generate slitherlink 9 9 --difficulty hard --score 300-340
      linkoracle generate slitherlink 6 6 --steps 1-40 --narrowest 2-9
      linkoracle generate slitherlink 9 9 --minimal
      linkoracle generate slitherlink 10 10 --pattern rings
      linkoracle generate slitherlink 9 19 --letters 2026
      linkoracle generate slitherlink 7 7 --fewest
      linkoracle generate slitherlink --board honeycomb 7 7
    """


def _on_board(kind: str, board: Board, values: dict[str, Any]) -> library.Graded:
    """Return the request for a puzzle on a board that is not square."""
    known, declared = library.options_for(kind, on_board=True), library.options_for(kind)
    given = {name: value for name, value in values.items() if value != declared[name].default}
    for name, value in given.items():
        if name not in known and value != "none":
            raise click.UsageError(f"--{name.replace('_', '-')} needs rows and columns")
    with arguments():
        return library.request_for(kind, **{**given, "board": board})


def _request_of(kind: str, rows: int | None, cols: int | None, values: dict[str, Any]) -> Any:
    """Return the request for a puzzle of a kind; store its size for the catalogue, too."""
    board: Board | None = None
    if values.get("like") is not None:
        values["like"] = like = formats.read(values["like"])
        if rows is None and not any(map(values.get, ("mask", "loop", "board"))):
            board = like.faces
    text = values.get("board")
    if text is not None and is_board(text):
        board = sized_board(text, rows, cols)
    if board is not None:
        click.get_current_context().params["board"] = formats.words_of_board(board)
        # Squares have more options, and rows and columns in the catalogue.
        if not isinstance(board, Lattice):
            return _on_board(kind, board, values)
        values["board"], (rows, cols) = None, board.shape
    if rows is None and not any(values.get(name) for name in ("mask", "loop", "board")):
        raise click.UsageError("expected ROWS and COLS, or a file that has a size")
    if values.get("loop") is not None:
        values["loop"] = formats.read_loop(values["loop"])
    if values.get("board") is not None:
        values["board"] = formats.read(values["board"])
    with arguments():
        request: Any = library.request_for(kind, rows, cols, **values)
    click.get_current_context().params.update(rows=request.rows, cols=request.cols)
    return request


def _made(request: library.Graded, **how: Any) -> Iterator[library.Made]:
    """Yield puzzles; report where one with fewer clues may exist, or clues are redundant."""
    for made in library.make_all(request, **how):
        if isinstance(made, library.MadeSlitherlink):
            _report(made)
        yield made
        if getattr(made, "interrupted", False):
            raise KeyboardInterrupt


def _report(made: library.MadeSlitherlink) -> None:
    clues = made.puzzle.number_of_clues
    if made.lower_bound is not None and not made.minimal:
        click.echo(f"{clues} clues; at least {made.lower_bound} are needed", err=True)
    if made.redundant:
        redundant = f"{len(made.redundant)} of the {clues} clues are redundant"
        click.echo(f"not minimal: {redundant}, each by itself; other options kept them", err=True)


@click.command("add-clues")
@opt.reading_options
@opt.option("--format target", opt.WRITTEN, "The format to write.", "text")
@opt.output_option
@opt.options(
    opt.Timed, timeout="Write the best puzzle found by this time, for each puzzle (exit status 3)."
)
def add_clues(named: list[Named], target: str, output: str | None, timeout: float | None) -> None:
    """Add as few clues as possible to puzzles, so that each has one solution.

    Puzzles are Slitherlinks or loops through cells, such as Masyus. Any solution may become the
    only one. Standard error reports how many clues were added, and how many are needed at least; so
    does the bar during the search. If --timeout or Ctrl-C stops the search, the best puzzle found
    is written. A minimum is proven only for boards that lack a few clues.

    \b
    Examples:
      linkoracle add-clues lacking.txt
      linkoracle add-clues --timeout 60 -o unique.txt lacking.txt
    """
    written, status = [], DONE
    for entry in named:
        with naming(entry), working(entry.name, timeout) as work:
            added = library.add_clues(entry.puzzle, timeout=timeout, progress=work)
        report(f"{entry.name}: {added}")
        written.append(
            formats.write(added.puzzle, target, name=entry.name if len(named) > 1 else None)
        )
        if added.interrupted and not work.limit.over:
            status = INTERRUPTED
            break
        status = status if added.proven else TIMED_OUT
    write_output(opt.one_text(written, target), output)
    sys.exit(status)
