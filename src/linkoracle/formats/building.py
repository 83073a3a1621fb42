"""From a grid of numbers to a puzzle: which kind, which rule, and whose fault an error is."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from linkoracle.errors import FormatError, PuzzleError
from linkoracle.formats.document import Asked, Document, Place, quoted
from linkoracle.puzzles import KINDS, Numberlink, Puzzle, Slitherlink

#: A larger board is refused: nothing here could solve it, and it would only fill the memory.
MAX_CELLS = 1_000_000

#: A longer number is refused: no board has that many pairs.
MAX_DIGITS = 18

#: The rules of each kind, the default first.
RULES = {Slitherlink.kind: ("loop", "path"), Numberlink.kind: ("free", "fill")}

Ends = tuple[tuple[int, int], tuple[int, int]]

HINT = "add a first line 'slitherlink' or 'numberlink', or pass --kind"


def decide_kind(
    document: Document, asked: Asked, stated: str | None, line: int, column: int | None = None
) -> str:
    """Return the kind, from what the text states and what the caller asked for.

    Raises `FormatError` at the given place when the two differ or neither says anything. Nothing
    is inferred from the clues: a grid of digits may be either puzzle.
    """
    if stated is None and asked.kind is None:
        raise document.error(
            f"expected to be told which puzzle this is, found only a grid ({HINT})", line
        )
    if stated and asked.kind and stated != asked.kind:
        raise document.error(f"expected a {asked.kind} puzzle, found a {stated}", line, column)
    kind = stated or asked.kind
    assert kind is not None
    if asked.rule and asked.rule not in RULES[kind]:
        expected = " or ".join(map(repr, RULES[kind]))
        raise document.error(
            f"expected for a {kind} the rule {expected}, found {asked.rule!r} asked for", line
        )
    return kind


def checked_size(document: Document, rows: int, cols: int, line: int, column: int) -> None:
    """Raise `FormatError` at the given place when a board has no cell or too many."""
    if not 0 < rows * cols <= MAX_CELLS:
        raise document.error(
            f"expected a board of 1 to {MAX_CELLS} cells, found {rows}x{cols}", line, column
        )


def build(
    document: Document,
    asked: Asked,
    kind: str,
    rule: str | None,
    grid: Sequence[Sequence[int | None]],
    place: Callable[[int, int], Place],
    line: int,
    ends: Ends | None = None,
    ends_place: Callable[[], Place] | None = None,
) -> Puzzle:
    """Return the puzzle; every complaint of its constructor becomes a `FormatError` at its place.

    ``rule`` is what the text states, if anything; ``place`` maps a cell to the text, ``ends_place``
    gives the place of the ends, and ``line`` is where the puzzle begins.
    """
    try:
        if kind == Numberlink.kind:
            if ends is not None and ends_place:
                raise document.error("expected no ends in a numberlink, found some", *ends_place())
            return Numberlink(tuple(map(tuple, grid)), asked.rule or rule or "free")
        puzzle = Slitherlink(tuple(map(tuple, grid)), ends)
    except PuzzleError as error:
        if error.cell is not None:
            raise document.error(error.reason, *place(*error.cell)) from None
        if ends_place:
            raise document.error(error.reason, *ends_place()) from None
        raise document.error(error.reason, line) from None
    if (rule or puzzle.rule) != puzzle.rule:
        if ends_place:
            raise document.error(
                "expected 'slitherlink path' for a puzzle with ends", *ends_place()
            )
        raise document.error("expected two ends for the rule 'path', found none", line)
    if (asked.rule or puzzle.rule) != puzzle.rule:
        raise document.error(
            f"expected the rule {asked.rule!r}, found a slitherlink with the rule {puzzle.rule!r}",
            line,
        )
    return puzzle


def checked_asked(kind: str | None, rule: str | None) -> Asked:
    """Return what the caller asks for, or raise `FormatError` for a kind or rule there is not."""
    rules = [name for names in RULES.values() for name in names]
    for thing, value, known in (("kind", kind, list(KINDS)), ("rule", rule, rules)):
        if value is not None and value not in known:
            expected = ", ".join(map(repr, known))
            raise FormatError(
                f"expected the {thing} {expected} or None, found {quoted(str(value))}"
            )
    return Asked(kind, rule)
