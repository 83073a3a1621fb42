"""Options that requests share: the difficulty of a puzzle, and the cells with clues."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import MISSING, dataclass, fields
from functools import cache
from typing import Any, ClassVar, Literal, get_args

from linkoracle import deduce
from linkoracle.board import SYMMETRIES, Board, Lattice
from linkoracle.core import LABELS, MANY, FormatError, checked_int, counted, data_text, declare
from linkoracle.kinds import KINDS, CellLoop, Puzzle, alternatives, kind_named

#: A cell as ``(row, column)``, counted from 0.
Cell = tuple[int, int]
#: The longest side of a board: long and narrow boards take long because of their many rectangles.
MOST_SIDE = 500
#: The options for the path of a puzzle.
PATH_OPTIONS = (
    *("techniques", "no_trial", "steps", "uses", "widest", "narrowest", "begins", "like"),
)
#: The marks of a mask.
MARKS = "#.?_0-4"
MARKED = "# (a clue), . (no clue), ? (either), _ (unmarked) or a digit from 0 to 4"
#: The clues of cells that a mask does not mark.
Unmarked = Literal["none", "either"]
UNMARKED: tuple[Unmarked, ...] = get_args(Unmarked)


def makers() -> list[str]:
    """Return the kinds that `puzzle` makes. Slitherlink and Numberlink have other generators."""
    return list(filter(is_made, KINDS))


def is_made(kind: str) -> bool:
    """Return whether `puzzle` makes this kind. Loads no other module than that of the kind."""
    if kind not in KINDS:
        return False
    return KINDS[kind].maker is not None or issubclass(KINDS[kind], CellLoop)


def visits_all(kind: type[Puzzle]) -> bool:
    """Return whether the generator of a kind draws a loop through every cell, or dot."""
    own = issubclass(kind, CellLoop) and kind.maker is None
    return own and kind.every_cell and "loop" in kind.variants  # type: ignore[attr-defined]


def symmetry_of(what: str, default: str | None = "none", text: str = "") -> Any:
    """Declare the option ``symmetry`` of a request: that of the cells with ``what``."""
    whole = f"Symmetry of the cells with {what}: {', '.join(SYMMETRIES)}.{text}"
    return declare(default, whole, words=SYMMETRIES, form="NAME", title="Symmetry")


def tries_of(what: str, default: int | None = None, text: str = "") -> Any:
    """Declare the option ``tries`` of a request: the number of attempts, described by ``what``."""
    whole = f"{what} for one puzzle before giving up (exit status 1).{text}"
    return declare(default, whole, least=1)


def board_option() -> Any:
    """Declare the option ``board`` of a request: a board that is not square."""
    text = "A board that is not square, in place of ROWS and COLS: its words, or a file."
    return declare(None, text, form="WORDS|FILE", hash=False)


def checked_board(request: Any, most: int) -> None:
    """Check the ``board`` of a request, with up to ``most`` faces.

    Raises ``ValueError`` for other boards, for rows and columns beside the board, and for options
    that need rows and columns.
    """
    board = request.board
    # Rows and columns say more briefly what a square board would.
    if not isinstance(board, Board) or isinstance(board, Lattice):
        raise ValueError(f"expected a board that is not square, got {board!r}")
    if not 0 < board.num_faces <= most:
        raise ValueError(f"expected a board of 1 to {most} faces, got {board!r}")
    if getattr(request, "rows", None) is not None or getattr(request, "cols", None) is not None:
        raise ValueError("expected rows and columns, or a board, got both")
    for name in options_set(request, request.needing_rows):
        # No symmetry is what all boards without rows have, whether it is requested or not.
        if name == "symmetry" and request.symmetry == "none":
            continue
        raise ValueError(f"{name.replace('_', ' ')} needs rows and columns")


def options_set(request: Any, names: Collection[str]) -> Iterator[str]:
    """Yield the named options of a request that differ from their defaults."""
    for one in fields(request):
        default = one.default if one.default_factory is MISSING else one.default_factory()
        if one.name in names and getattr(request, one.name) != default:
            yield one.name


def mask_of(text: str) -> Any:
    """Declare the option ``mask`` of a request, with this help."""
    return declare(None, text, form="FILE MASK", hash=False)


class Sized:
    """The board of a request: ``rows`` and ``cols``, or a board that is not square."""

    rows: int
    cols: int
    board: Any
    #: Options that only boards of rows and columns have.
    needing_rows: ClassVar[tuple[str, ...]] = ()

    @property
    def tiling(self) -> Board | None:
        """The board that is not square, if there is one."""
        return self.board if isinstance(self.board, Board) else None

    @property
    def faces(self) -> Board:
        """The board whose faces are the cells."""
        return self.tiling or Lattice(self.rows + 1, self.cols + 1)

    @property
    def cells(self) -> int:
        """The number of cells."""
        return self.faces.num_faces


@dataclass(frozen=True, kw_only=True)
class Graded(Sized):
    """The requested difficulty of a puzzle for a player, and its path: how a player solves it.

    ``difficulty`` is a label of `linkoracle.grade`, or a range of labels such as ``"easy..hard"``;
    ``score`` a range of scores; ``max_depth`` a depth of guesses that suffices. ``techniques`` are
    the only ones that the path uses, as text or a list, or a set of patterns that suffices
    (`linkoracle.deduce.SUBSETS`). ``no_trial`` forbids assumptions. ``steps`` is a range of the
    number of steps. ``uses`` are techniques that occur, perhaps so often, as text such as
    ``"cases,crossing=2-4"`` or a mapping to ranges. ``widest`` and ``narrowest`` are ranges of how
    many steps are open where most, and where fewest are. ``begins`` is a cell such as ``"r1c1"``, a
    block such as ``"r1c1-r3c3"``, or the number of a face. ``like`` is a puzzle, or
    its text, whose path gives these options where they are not given: see
    `linkoracle.deduce.paths.like`.

    Without a difficulty, a puzzle with one of the options for its path needs no guess. Together
    all make ``keeps``. Instead, ``keeps`` may be any function that returns whether a unique puzzle
    is accepted, or the result of `linkoracle.deduce.within`, which also compares grades.
    """

    difficulty: str | None = declare(
        None,
        "Puzzles of this difficulty, or a range.",
        form="LABEL[..LABEL]",
        title="Difficulty",
        offered=LABELS,
    )
    score: tuple[int, int] | None = declare(
        None,
        "Puzzles with a score in this range, such as 200-300.",
        form="N|LOW-HIGH",
    )
    techniques: Any = declare(
        None,
        "Puzzles whose path needs these techniques only, such as count,end,cases; or a set of "
        "patterns: easy or hard.",
        form="NAMES",
        title="Techniques",
    )
    no_trial: bool = declare(
        False, "Puzzles that are solved without a trial or a guess.", title="No trial"
    )
    steps: Any = declare(
        None,
        "Puzzles with a path of so many steps, such as 1-20.",
        form="N|LOW-HIGH",
        title="Steps",
    )
    uses: Any = declare(
        None,
        "Puzzles whose path uses these techniques, at least once or so often, such as "
        "cases,crossing=2-4.",
        form="NAMES[=N|LOW-HIGH]",
        title="Uses",
        hash=False,
    )
    widest: Any = declare(
        None,
        "Puzzles with so many open steps where most are open, such as 5-10.",
        form="N|LOW-HIGH",
        title="Widest",
    )
    narrowest: Any = declare(
        None,
        "Puzzles with so many open steps where fewest are, such as 2-4; the end does not count.",
        form="N|LOW-HIGH",
        title="Narrowest",
    )
    begins: str | None = declare(
        None,
        "Puzzles whose path begins in this cell, such as r1c1, this block, such as r1c1-r3c3, or "
        "this face of a board that is not square.",
        form="CELLS",
        title="Begins",
    )
    like: Any = declare(
        None,
        "Puzzles with a path like that of the puzzle in FILE: the same label and no other "
        "techniques; steps, widest and narrowest point may differ by a third, or by 3.",
        form="FILE LIKE",
        hash=False,
    )
    max_depth: int | None = declare(
        None, "Puzzles that guesses nested N deep solve.", least=0, most=6
    )
    keeps: Callable[[Any], bool] | None = None

    def _check_grade(self, kind: str) -> None:
        """Make ``keeps`` of the options and check it; ``kind`` names the kind of puzzle."""
        if self.like is not None:
            self._take_like(kind)
        grade = self._within(kind)
        # What is like a puzzle can be made: there is one.
        if self.difficulty is not None and self.like is None:
            known, what = labels_of(kind, self.cells, self.tiling)
            low, _, high = str(self.difficulty).partition("..")
            ends = LABELS.index(low), LABELS.index(high or low)
            if not any(ends[0] <= LABELS.index(label) <= ends[1] for label in known):
                offered = alternatives([*known])
                raise ValueError(f"{what} cannot be {self.difficulty!r}. Choose {offered}")
        if grade is not None and self.keeps not in (None, grade):
            raise ValueError(
                "expected a difficulty or a path, or a function of a puzzle to keep it, got both"
            )
        object.__setattr__(self, "keeps", grade or self.keeps)
        if self.keeps is not None and not callable(self.keeps):
            raise ValueError(f"expected a function of a puzzle to keep it, got {self.keeps!r}")

    def _take_like(self, kind: str) -> None:
        """Set the options of the path that are not given as those of a puzzle."""
        puzzle = self.like
        if isinstance(puzzle, str):
            from linkoracle.formats import read

            puzzle = read(puzzle)
        if getattr(puzzle, "kind", None) != kind:
            found = getattr(puzzle, "kind", repr(puzzle))
            raise ValueError(f"expected a puzzle of the kind {kind} for its path, got {found}")
        solved = deduce.deduced(puzzle, None)
        scale = self.cells / puzzle.faces.num_faces
        for name, value in deduce.like(solved.grade, scale).items():
            if getattr(self, name) is None:
                object.__setattr__(self, name, value)

    def _within(self, kind: str) -> deduce.Within | None:
        path = self._path(kind)
        if path is None and (self.difficulty, self.score, self.techniques, self.max_depth) == (
            (None,) * 4
        ):
            return None
        ends = (0, 0) if self.score is None else self.score
        if not isinstance(ends, (tuple, list)) or [*map(type, ends)] != [int, int]:
            raise ValueError(f"expected the lowest and the highest score, got {self.score!r}")
        least: Any = None
        most: Any = None
        if self.difficulty is not None:
            least, _, most = str(self.difficulty).partition("..")
            most = most or least
        elif self.score is not None and self.techniques is None and self.max_depth is None:
            most = LABELS[-1]
        how = {"max_depth": self.max_depth or 0, "least": least, "score": self.score}
        subset = self.techniques if self.techniques in deduce.SUBSETS else None
        return deduce.within(most, subset=subset, path=path, **how)

    def _path(self, kind: str) -> deduce.PathWish | None:
        """Return the conditions for the path, if there are any."""
        if not any(options_set(self, PATH_OPTIONS)):
            return None
        names: frozenset[str] | None = None
        known, title = techniques_of(kind, self.tiling), kind_named(kind).title
        if isinstance(self.techniques, str) and self.techniques in deduce.SUBSETS:
            if known == deduce.TECHNIQUES:
                raise ValueError(
                    f"the techniques {self.techniques} are patterns: {title}s here have none. "
                    f"Choose from {', '.join(known)}"
                )
        elif self.techniques is not None:
            names = deduce.techniques_in(self.techniques)
        uses = () if self.uses is None else deduce.uses_in(self.uses)
        guess = self.difficulty is not None or self.max_depth is not None
        begins: Any = self.begins
        if begins is not None:
            begins = deduce.places_in(begins, *self.faces.shape)
        wish = deduce.PathWish(
            techniques=names,
            no_trial=self.no_trial,
            guess=guess,
            steps=self.steps,
            uses=uses,
            widest=self.widest,
            narrowest=self.narrowest,
            begins=begins,
        )
        if wish == deduce.PathWish(guess=guess):
            return None
        needed = [name for name, least, _ in uses if least]
        for name in [*needed, *(names or ())]:
            if name not in known:
                raise ValueError(
                    f"the technique {name} is not for {title}s here. Choose from {', '.join(known)}"
                )
        if self.no_trial and self.max_depth:
            raise ValueError("expected no trial, or guesses nested in each other, got both")
        return wish


@cache
def techniques_of(kind: str, board: Board | None = None) -> tuple[str, ...]:
    """Return the techniques for puzzles of a kind, on a board that is not square if given.

    >>> techniques_of("masyu")[:2], techniques_of("slitherlink")[:2]
    (('count', 'end'), ('clue', 'dot'))
    """
    # Patterns are for kinds, on squares, whose rules are about numbers of lines only.
    made = kind_named(kind)
    examples = [] if board is not None else [one.of(made)[0] for one in made.examples.values()]
    patterned = any(deduce.has_patterns(puzzle.model) for puzzle in examples)
    return (*deduce.PATTERNED, "guess") if patterned else deduce.TECHNIQUES


def label_spans(kind: str) -> dict[str, tuple[int, int]]:
    """Return the labels that puzzles of a kind are made to, with the fewest and the most cells.

    ``scripts/bench_difficulties.py --labels`` measures them on squares. Kinds of other packages
    have all labels at any size.

    >>> label_spans("slitherlink")["easy"][0]
    1
    """
    found = _measured()["squares"].get(kind)
    if found is None:
        return dict.fromkeys(LABELS, (1, MANY))
    return {label: (found[label][0], found[label][1] or MANY) for label in LABELS if label in found}


def labels_of(kind: str, cells: int, board: Board | None = None) -> tuple[list[str], str]:
    """Return the labels that puzzles of a kind and a size are made to, and a name of such puzzles.

    Everything that offers labels asks this, or `label_spans`. On a ``board`` that is not square,
    more labels may be requested than those that are offered: see `board_labels`.

    >>> labels_of("slitherlink", 4)[1]
    'Slitherlinks of 4 cells'
    """
    made = kind_named(kind)
    if board is not None:
        return [*LABELS[:-1]], f"{made.title}s on {board.cells_in_words}"
    known = [label for label, (few, most) in label_spans(kind).items() if few <= cells <= most]
    return known, f"{made.title}s of {counted(cells, 'cell')}"


def board_labels(kind: str) -> list[str]:
    """Return the labels that puzzles of a kind are made to on all tilings in usual sizes."""
    return list(_measured()["boards"].get(kind, LABELS[:-1]))


@cache
def _measured() -> dict[str, dict[str, Any]]:
    import json

    found: dict[str, dict[str, Any]] = json.loads(data_text("linkoracle.generate", "labels.json"))
    return found


def as_grade(keeps: Callable[..., bool] | None) -> deduce.Within | None:
    """Return the hook if it is a grade, which also compares puzzles; ``None`` otherwise."""
    return keeps if isinstance(keeps, deduce.Within) else None


def size_of(mask: Sequence[str] | None) -> tuple[int, int] | None:
    """Return the rows and columns of a mask; raise ``ValueError`` if it is not a mask."""
    if mask is None:
        return None
    if not isinstance(mask, (list, tuple)) or not all(isinstance(row, str) for row in mask):
        raise ValueError(f"expected a mask as rows of text, got {mask!r}")
    if not mask:
        raise ValueError("expected rows of a mask, found none")
    return len(mask), len(mask[0])


@dataclass(frozen=True, kw_only=True)
class Masked(Graded):
    """The requested cells with clues.

    Cells of ``must`` carry a clue, cells of ``must_not`` none. A ``mask`` has them as rows of text:
    ``#`` a clue, ``.`` none, ``?`` either. ``_`` does not mark a cell; ``unmarked`` decides on such
    cells. A mask has a size, so rows and columns may be omitted.
    """

    must: Collection[Cell] = frozenset()
    must_not: Collection[Cell] = frozenset()
    unmarked: Unmarked = declare(
        "none", "What cells that a mask does not mark may have: no clue, or either.", words=UNMARKED
    )

    def _fill(self, **values: Any) -> None:
        """Fill in fields."""
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def _take_size(self, **sizes: tuple[int, int] | None) -> None:
        """Take rows and columns from options with a size; refuse several sizes."""
        known = [(f"the {name} has", size) for name, size in sizes.items() if size is not None]
        given: tuple[Any, Any] = self.rows, self.cols
        if given != (None, None):
            known.insert(0, ("ROWS and COLS say", given))
        for other in known[1:]:
            if other[1] != known[0][1]:
                both = ", ".join(
                    f"{name} {counted(rows, 'row')} of {counted(cols, 'cell')}"
                    for name, (rows, cols) in (known[0], other)
                )
                raise ValueError(f"two sizes of board: {both}. Make them equal, or leave one out")
        if known:
            self._fill(rows=known[0][1][0], cols=known[0][1][1])

    def _marked(self, mask: Sequence[str]) -> list[str]:
        """Return the mask with a mark for every cell."""
        return [row.replace("_", ".?"[self.unmarked == "either"]) for row in mask]

    def _take_mask(self, mask: Sequence[str] | None, faces: int | None = None) -> dict[Any, int]:
        """Add the cells of a mask to ``must`` and ``must_not``; return its digits.

        On a board with ``faces``, rows of the mask mean nothing.
        """
        if mask is None:
            return {}
        from linkoracle.formats import check_rows

        def wrong(reason: str, row: int, column: int) -> FormatError:
            return FormatError(reason, source="mask", line=row + 1, column=column + 1)

        check_rows(dict(enumerate(mask)), MARKS, MARKED, wrong)
        rows = enumerate(self._marked(mask))
        cells: dict[Any, str] = {
            (row, col): mark for row, line in rows for col, mark in enumerate(line)
        }
        if faces is not None:
            if len(cells) != faces:
                marks = f"{counted(faces, 'mark')}, one for each face"
                raise ValueError(f"expected a mask of {marks}, got {len(cells)}")
            cells = dict(enumerate(cells.values()))
        for name, shown in (("must", "#"), ("must_not", ".")):
            marked = [cell for cell, mark in cells.items() if mark == shown]
            self._fill(**{name: [*getattr(self, name), *marked]})
        return {cell: int(mark) for cell, mark in cells.items() if mark.isdigit()}


def checked_size(rows: Any, cols: Any, most: int, what: str) -> int:
    """Return the number of cells; raise ``ValueError`` for boards that are too large."""
    cells = checked_int(rows, "rows", 1) * checked_int(cols, "columns", 1)
    if cells > most or max(int(rows), int(cols)) > MOST_SIDE:
        raise ValueError(
            f"board too large: {rows}x{cols} ({what} have at most {most:,} cells, and {MOST_SIDE} "
            "rows or columns)"
        )
    return cells


def all_visited(dots: bool) -> tuple[str, str]:
    """Return what a loop visits, and the required parity of rows or columns.

    A loop has as many steps in one direction as back, so it visits an even number of cells or dots.
    A row has one more dot than cells.

    >>> all_visited(dots=False), all_visited(dots=True)
    (('cell', 'even'), ('dot', 'odd'))
    """
    return ("dot", "odd") if dots else ("cell", "even")


def check_even(rows: int, cols: int, *, dots: bool) -> None:
    """Raise ``ValueError`` for a size at which no loop visits every cell, or every dot.

    >>> check_even(5, 5, dots=False)
    Traceback (most recent call last):
        ...
    ValueError: no loop visits every cell of 5x5: choose an even number of rows or columns, as 5x6
    """
    if (rows + dots) * (cols + dots) % 2:
        every, parity = all_visited(dots)
        raise ValueError(
            f"no loop visits every {every} of {rows}x{cols}: choose an {parity} number of rows or "
            f"columns, as {rows}x{cols + 1}"
        )


def checked_mask(
    must: Iterable[Cell], must_not: Iterable[Cell], rows: int, cols: int
) -> tuple[frozenset[Cell], frozenset[Cell]]:
    """Return the cells that must, and must not, carry clues; raise ``ValueError`` for conflicts."""
    found = checked_cells(must, rows, cols), checked_cells(must_not, rows, cols)
    refuse_both(*found)
    return found


def refuse_both(must: Collection[Any], must_not: Collection[Any]) -> None:
    """Raise ``ValueError`` for a cell that both must and must not carry a clue."""
    if both := set(must).intersection(must_not):
        conflict = "cannot both have to carry a clue and not be allowed to"
        raise ValueError(f"the cell {min(both)} {conflict}")


def checked_cells(named: Iterable[Cell], rows: int, cols: int) -> frozenset[Cell]:
    """Return cells of a board; raise ``ValueError`` for others."""
    found = set()
    for cell in named:
        try:
            row, col = (checked_int(part, "a place") for part in cell)
        except (TypeError, ValueError):
            raise ValueError(f"expected a cell as (row, column), got {cell!r}") from None
        if not (0 <= row < rows and 0 <= col < cols):
            raise ValueError(f"the board has no cell {row},{col}")
        found.add((row, col))
    return frozenset(found)


def optional_int(value: object, what: str, least: int, default: int = 0) -> int:
    return default if value is None else checked_int(value, what, least)
