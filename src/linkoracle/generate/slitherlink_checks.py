"""Checks of options that few requests for Slitherlinks have.

These are digits, options for the loop, and strategies that leave no choice of clues.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from linkoracle.board.lattice import Lattice
from linkoracle.board.solution import Solution
from linkoracle.core.errors import NothingFound
from linkoracle.core.limits import checked_int, checked_memory
from linkoracle.generate.request_parts import Cell, check_even, checked_cells, options_set
from linkoracle.generate.shapes import OPEN_SHAPES, SHAPES, shape_parameters
from linkoracle.kinds import Slitherlink, check_solution

#: The longest short side for the shape ``uniform``: time and memory grow threefold with the next.
WIDEST_UNIFORM = 16
#: Options for the loop.
LINE_OPTIONS = ("shape", "shape_options", "ends", "fill", "loop", "memory")
#: Options for clues that contradict a strategy which finds its own clues.
_CLUE_OPTIONS = (
    *("clues", "clue_density", "max_clue_density", "max_failures", "minimal"),
    *("difficulty", "score", "techniques", "max_depth", "keeps"),
)


def checked_digits(request: Any) -> frozenset[Cell]:
    """Return the cells with digits; raise ``ValueError`` for digits other than 0 to 4."""
    cells = checked_cells(request.digits, request.rows, request.cols)
    for cell, digit in request.digits.items():
        try:
            checked_int(digit, "a digit", 0, 4)
        except ValueError:
            raise ValueError(f"expected a digit from 0 to 4 at {cell}, got {digit!r}") from None
    return cells


def _check_loop(request: Any, loop: Solution) -> None:
    rows, cols = request.rows, request.cols
    if not isinstance(loop, Solution) or loop.lattice != Lattice(rows + 1, cols + 1):
        raise ValueError(f"expected a loop on a board of {rows}x{cols} cells")
    if request.ends == "random":
        raise ValueError("expected the ends of the given loop, got 'random'")
    blank = Slitherlink.blank(rows, cols, request.ends)
    ends = blank.ends
    if not check_solution(blank, loop):
        what = "loop" if ends is None else f"path between its ends {ends[0]} and {ends[1]}"
        raise ValueError(f"expected a single {what} that does not touch itself")
    for reason in request.blank(ends).violations(loop):
        raise ValueError(f"expected a loop that fits the board: {reason}")
    for name in options_set(request, ("shape", "shape_options")):
        raise ValueError(f"a given loop takes no {name}")
    counts = loop.clues()
    for cell, digit in request.digits.items():
        if (found := counts[cell[0]][cell[1]]) != digit:
            raise ValueError(f"the given loop has {found} edges around {cell}, not {digit}")


def checked_line(request: Any) -> dict[str, Any]:
    """Return the ends and the options of the shape; raise ``ValueError`` for an impossible loop."""
    shape, rows, cols, ends = request.shape, request.rows, request.cols, request.ends
    if request.loop is not None:
        _check_loop(request, request.loop)
    if request.fill and (ends is not None or shape != "mix"):
        raise ValueError("a loop through every dot takes no shape and no ends")
    if request.fill and request.tiling is None:
        check_even(rows, cols, dots=True)
    if request.fill and request.is_searched:
        raise ValueError("a loop through every dot cannot be searched for given clues")
    if ends is not None and shape not in OPEN_SHAPES:
        raise ValueError(f"the shape {shape} makes loops only")
    if ends is not None and ends != "random":
        ends = Slitherlink.blank(rows, cols, ends).ends
    if shape == "uniform" and request.tiling is not None:
        raise ValueError("the shape uniform needs rows and columns")
    if shape == "uniform" and min(rows, cols) > WIDEST_UNIFORM:
        most = f"boards with a short side of up to {WIDEST_UNIFORM} cells"
        raise ValueError(f"the shape uniform takes {most}, got {rows}x{cols}")
    if not isinstance(request.shape_options, Mapping):
        raise ValueError(f"expected options of a shape by name, got {request.shape_options!r}")
    options, known = dict(request.shape_options), shape_parameters(shape)
    # Other shapes need so little that they stay below every limit.
    memory = checked_memory(request.memory)
    if shape == "uniform" and memory is not None:
        options["memory"] = memory
    unknown = [option for option in options if option not in known]
    if unknown:
        takes = ", ".join(known) or "none"
        raise ValueError(f"the shape {shape} has no option {unknown[0]}, only {takes}")
    if options:
        # Only the shape can check the values. Whether they suit the board is not checked.
        try:
            SHAPES[shape](Random(0), 2, 2, **options)
        except NothingFound:
            pass
        except TypeError:
            raise ValueError(f"the shape {shape} cannot use {options}") from None
    return {"ends": ends, "shape_options": options}


def check_whole(request: Any) -> None:
    """Raise ``ValueError`` for options that a strategy without a choice of clues excludes."""
    what, advice = "the search for the fewest clues", ""
    excluded = ["must", "must_not", "digits"]
    if request.strategy == "mask":
        what, advice = "an exact mask", ". Mark some cells ? to leave a choice"
        excluded = ["shape", "shape_options", "loop"]
        # No cell is in both.
        if request.must_not and len(request.must) + len(request.must_not) < request.cells:
            raise ValueError("an exact mask needs a mark for every cell: a clue, or none")
    excluded += ["symmetry"] * request.is_symmetric
    for name in options_set(request, (*excluded, *_CLUE_OPTIONS)):
        raise ValueError(f"{what} takes no {name}, got {getattr(request, name)!r}{advice}")
