"""Which engine answers a query: the order of their turns, and the effort of each.

The estimates rest on these facts:

* *Is there a solution, is it unique?* SAT is best at this, but now and then gets lost in a
  Numberlink. If all cells must be used, every solution also solves the relaxation, whose cells may
  stay empty. SAT knows more about that board (see `linkoracle.sat.paths_kernel`), so it has a turn.
* *How many? Which?* SAT lists some tens of solutions before the frontier engine has loaded. The
  time of the frontier engine does not depend on their number, and a board with few rules has too
  many to list.
* The frontier engine needs memory, up to threefold for each row of the short side of a board.
  When memory runs out, SAT goes on alone, which suits `count` if there are few solutions.
"""

from __future__ import annotations

from math import inf
from typing import Literal

from linkoracle.board.lattice import Lattice
from linkoracle.board.model import PASS, PASS_OR_SKIP, LinkModel
from linkoracle.sat.answers import CONFLICT_BUDGET

#: With ``engine="auto"``, the number of solutions that SAT lists in its first turn. Listing a
#: hundred takes tens of milliseconds; loading the other engine takes longer.
FEW = 100

#: The effort of a turn that users do not notice, and of listing `FEW` solutions.
SHORT = 0.1

#: The effort of a turn of SAT on boards that suit it best.
VERY_LONG = 20.0

#: Estimated costs in seconds of one processor. With estimates instead of the clock, the same query
#: is answered by the same engine on any machine.
CONFLICT, ROUND, ROUND_EDGE, VERTEX, STATE = 40e-6, 100e-6, 0.7e-6, 8e-6, 0.2e-6
#: The same for a state and a vertex of a blank board, counted with ranks.
WORD = 1.5e-9


def schedule(
    model: LinkModel, query: Literal["decide", "count", "list"], limit: int | None = None
) -> tuple[tuple[str, float], ...]:
    """Return the engines that work on a query, in order, and the effort of each after its turn.

    ============================================  =====================================
    query and board                               turns
    ============================================  =====================================
    any, long and very thin, with constraints     frontier, SAT
    count, no local constraints, wide             frontier
    the same, less wide                           frontier for long, SAT
    count to a limit or list, no constraints      the faster one for this size of board
    count to a limit, with constraints            SAT (`FEW` solutions), frontier for half of
                                                  SAT's effort to the limit, SAT to the limit
    count or list, other boards                   SAT (`FEW` solutions), frontier
    decide, a loop or one path                    SAT for long, frontier
    decide, pairs, empty cells, wide              SAT for very long, frontier
    decide, pairs, all cells used                 SAT, SAT on the relaxation (for very long if
                                                  wide), frontier
    decide, other pairs                           SAT, frontier
    ============================================  =====================================

    Counting up to `FEW` solutions is scheduled like deciding. How much constraints speed up the
    frontier engine is known only after it has tried.
    """
    ruled = model.has_face_rules or not model.only_masks
    ruled = ruled or len(model.terminals) > 1 or PASS in model.degrees
    large = LONG // 2 if len(model.terminals) > 1 else LONG
    long = model.board.num_edges >= large and a_pass(model) < 30 * listing_one(model)
    if long and (ruled or query != "decide"):
        return ("frontier", 1.0), ("sat", 1.0)
    blank = not ruled and model.board.num_edges >= MANY_EDGES
    if query == "list":
        few = few_of(model) * listing_one(model)
        if blank and a_pass(model) < FEW * listing_one(model):
            return ("frontier", 2.0), ("sat", 1.0)
        return ("sat", min(1.0, a_pass(model)) if blank else few), ("frontier", SHORT / 2)
    if query == "count" and (limit is None or limit > FEW):
        to_the_limit = inf if limit is None else limit * listing_one(model)
        if blank and limit is None and across(model) >= WIDE:
            return (("frontier", inf),)
        if blank and a_pass(model) < to_the_limit:
            return ("frontier", 2.0), ("sat", 1.0)
        if to_the_limit > 1.0:
            return ("sat", SHORT), ("frontier", 3 * SHORT)
        last = ("sat", SHORT + to_the_limit)
        if blank:
            return last, ("frontier", 3 * SHORT)
        return ("sat", SHORT), ("frontier", to_the_limit / 2), last
    if len(model.terminals) < 2:
        return ("sat", 1.0), ("frontier", 0.5)
    wide = is_wide(model)
    if model.is_free and wide:
        return ("sat", VERY_LONG), ("frontier", 1.0)
    turn = first_budget(model) * CONFLICT
    if model.freed:
        return ("sat", turn), ("relaxed", VERY_LONG if wide else turn), ("frontier", turn)
    return ("sat", turn), ("frontier", turn)


def listing_one(model: LinkModel) -> float:
    """Return the effort of SAT to list one more solution."""
    return ROUND + ROUND_EDGE * model.board.num_edges


def few_of(model: LinkModel) -> int:
    """Return how many solutions SAT lists in its first turn: `FEW`, or less on large boards."""
    return max(20, min(FEW, int(SHORT / 6 / listing_one(model))))


def a_pass(model: LinkModel) -> float:
    """Return the effort of a pass of the frontier engine, if no face has a clue."""
    board, growth = model.board, 2.1
    if PASS_OR_SKIP in model.degrees:
        growth = 2.6 if model.terminals else 2.25
    # With more edges to later vertices there are more ways to continue a path.
    growth += 0.15 * max(0.0, 2 * board.num_edges / board.num_vertices - 4)
    return float(board.num_vertices * (VERTEX + STATE * growth ** min(across(model), 100)))


def across(model: LinkModel) -> int:
    """Return the largest frontier of a pass in vertices: the short side of a square board."""
    board = model.board
    if isinstance(board, Lattice):
        return min(board.rows, board.cols)
    from linkoracle.frontier.order import frontier_width

    return frontier_width(board)


def first_budget(model: LinkModel) -> int:
    """Return the conflict budget of the first turn of SAT."""
    return min(CONFLICT_BUDGET, max(1_000, int(min(a_pass(model), 1.0) / CONFLICT)))


#: Least edges of a board without constraints that has too many loops to list.
MANY_EDGES = 24

#: Least vertices across such a board for which listing is hopeless.
WIDE = 9

#: Least edges of a board that takes SAT some hundredths of a second to encode. Half as many apply
#: to boards with pairs, where SAT may get lost.
LONG = 400

#: The longest short side of a Numberlink that the frontier engine decides within a second.
NARROW = 12


def is_wide(model: LinkModel) -> bool:
    """Return whether SAT decides a board of pairs alone far sooner than the frontier engine."""
    return across(model) > NARROW
