"""Which decisions have no future: unit propagation ahead of the frontier, tabulated.

The pass sees a violated rule when the last edge of a vertex or face is decided; by then a dead
state has had descendants for up to a row. Here every vertex gets a table over the few
edges around it that a state knows, its *window*: does assuming them lead, by the degree and face
rules alone, to a contradiction anywhere?

**Soundness.** A solution that continues the state contains exactly these window edges, so it would
satisfy every rule from which the contradiction follows. Nothing is assumed about other edges;
connectivity is ignored. So a pattern that is struck out has no solution.

The table costs some microseconds for each vertex and pattern; `Sweep` makes it when layers grow
large enough to pay for it, and a small puzzle never waits for it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from linkoracle.board.model import ANY_COUNT
from linkoracle.core.limits import Deadline
from linkoracle.frontier.lookahead_kernel import tabulate
from linkoracle.frontier.plan import Plan

#: Bits of a pattern: the decision (right and down), then, in order, the plug and the face bit in
#: the column before, and the plugs and face bits in the two columns after.
PATTERNS = 256


def lookahead(plan: Plan, deadline: Deadline | None = None) -> NDArray[np.bool_]:
    """For each step and pattern whether it may have a future: shape ``(steps, PATTERNS)``.

    A pattern is ``decision | before << 2 | after << 4 | next << 6``, where each of the three is
    plug plus twice the face bit, as `pattern_of` in `spec.pxd` finds them when it is decided.
    """
    table = np.zeros((plan.num_steps, PATTERNS), dtype=np.uint8)
    rules = plan.degrees, plan.faces, np.ascontiguousarray(plan.fixed).reshape(-1)
    tabulate(*rules, _windows(plan), table, deadline or Deadline(None))
    return table.view(np.bool_)


def _windows(plan: Plan) -> NDArray[np.int64]:
    """The edge behind each bit of a pattern, -1 where there is none or the state does not know it.

    Edges are numbered here as ``2 * step`` (right) and ``2 * step + 1`` (down).
    """
    ruled = np.zeros((plan.height, plan.width), dtype=np.bool_)
    ruled[:-1, :-1] = plan.faces != ANY_COUNT
    step = np.arange(plan.num_steps)
    windows = np.full((plan.num_steps, 8), -1, dtype=np.int64)
    windows[:, 0], windows[:, 1] = 2 * step + 1, 2 * step
    for bit, up, right in ((2, 0, -1), (4, 1, 1), (6, 1, 2)):
        row, col = step // plan.width - up, step % plan.width + right
        there = (row >= 0) & (col >= 0) & (col < plan.width)
        vertex = (row * plan.width + col)[there]
        windows[there, bit] = 2 * vertex + 1
        windows[there, bit + 1] = np.where(ruled.ravel()[vertex], 2 * vertex, -1)
    return windows
