"""What a frontier pass has to do, laid out as arrays before it starts.

A `Plan` turns a `LinkModel` so that the short side of the board is the frontier, and writes down
for every vertex, in the order of the pass, what the step there needs to know; and it decides how a
state is packed into 64-bit words.

**A state** stands between two steps. With W columns it has W + 1 plugs: plug *c* < W is the lattice
edge that crosses the frontier in column *c*, plug W is the edge to the right of the vertex that was
decided last. From left to right along the frontier, after the vertex in column *c*::

    plug 0, 1, ..., c, W, c + 1, ..., W - 1

A plug is 0 (the edge is not chosen), 1 or 2 (the left or the right end of an unfinished path:
these nest like parentheses, because the board is planar), or a label: the path reaches a terminal.
The two kinds of label are

* ``3 ... pair_base - 1``: the *open* pairs, of which one terminal has been met so far. Pairs that
  are open at the same time have different codes; a code is used again when its pair's second
  terminal has been met.
* ``pair_base ...``: the *met* pairs, of which both terminals have been met and not yet joined. Each
  code stands on exactly two plugs. Which pair it was no longer matters, so these are numbered in
  the order in which they appear: states that differ only in names become one.

With one pair the two kinds never stand together, and share the code 3.

Besides, a state has one bit for each column in which some face has a rule: whether the top edge of
the open face in that column is chosen. The other edges of an open face are plugs, or not decided.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from linkoracle.board.model import (
    ANY_COUNT,
    END,
    HOLE,
    PASS_OR_SKIP,
    LinkModel,
    square_model,
)
from linkoracle.frontier.pass_kernel import Pass
from linkoracle.frontier.sharing import WIDE

#: What is told of each vertex, in the order of the pass; `state.pxd` says what the fields mean.
STEP = np.dtype(
    [
        (name, np.int32)
        for name in (
            *("column", "degrees", "decisions", "phase", "code", "guard"),
            *("above", "beside", "keep_top", "rest_empty", "unseen"),
        )
    ]
)
#: Guard of a vertex that any label may enter.
ANY_LABEL = -1

#: A decision at a vertex is ``2 * right + down``; this is how many edges it chooses.
CHOSEN = (0, 1, 1, 2)


@dataclass(frozen=True, eq=False)
class Plan:
    """The arrays behind a pass over ``model``. O(vertices) to build.

    >>> from linkoracle.board.lattice import Lattice
    >>> plan = Plan(LinkModel.blank_loop(Lattice(3, 8)))
    >>> plan.turned, plan.height, plan.width, plan.words
    (True, 8, 3, 1)
    """

    model: LinkModel

    def __post_init__(self) -> None:
        square_model(self.model, "the frontier engine")

    @property
    def turned(self) -> bool:
        """Whether rows and columns change places."""
        return self.model.lattice.cols > self.model.lattice.rows

    @property
    def width(self) -> int:
        """Vertices along the frontier: the short side."""
        return min(self.model.lattice.rows, self.model.lattice.cols)

    @property
    def height(self) -> int:
        return max(self.model.lattice.rows, self.model.lattice.cols)

    @property
    def num_steps(self) -> int:
        return self.width * self.height

    def _grid(self, values: Sequence[int], less: int) -> NDArray[np.int64]:
        shape = self.model.lattice.rows - less, self.model.lattice.cols - less
        grid = np.array([*values], dtype=np.int64).reshape(shape)
        return np.ascontiguousarray(grid.T if self.turned else grid)

    @cached_property
    def degrees(self) -> NDArray[np.int64]:
        """Degree masks, shape ``(height, width)``."""
        return self._grid(self.model.degrees, 0)

    @cached_property
    def faces(self) -> NDArray[np.int64]:
        """Face masks, shape ``(height - 1, width - 1)``."""
        return self._grid(self.model.faces, 1)

    @cached_property
    def edges(self) -> NDArray[np.int32]:
        """Edge ids of the model's lattice, right and down of each step: shape ``(steps, 2)``."""
        lattice = self.model.lattice
        grids = (lattice.down.T, lattice.right.T) if self.turned else (lattice.right, lattice.down)
        return np.stack([grid.ravel() for grid in grids], axis=-1)

    @cached_property
    def fixed(self) -> NDArray[np.int8]:
        """What every solution does with each of `edges`: 1 given, 0 forbidden or no edge, else -1.

        An edge at a hole counts as forbidden.
        """
        value = np.full(self.model.lattice.num_edges + 1, -1, dtype=np.int8)
        # An edge that is not there has the id -1: the last entry.
        value[-1] = 0
        value[self.model.lattice.vertex_edges[list(self.model.holes)]] = 0
        value[list(self.model.forbidden)] = 0
        value[list(self.model.given)] = 1
        return value[self.edges]

    @cached_property
    def edge_order(self) -> tuple[int, ...]:
        """The edge ids in the order in which the pass decides them."""
        flat = self.edges.ravel()
        return tuple(flat[flat >= 0].tolist())

    @cached_property
    def _labels(self) -> tuple[list[int], list[int], int, int]:
        """Phase and code of every vertex, and how many open and met pairs a state can have."""
        phases, codes = [0] * self.num_steps, [0] * self.num_steps
        rows, cols = self.model.lattice.rows, self.model.lattice.cols
        pair_at = {}
        for pair, ends in enumerate(self.model.terminals):
            for vertex in ends:
                row, col = divmod(vertex, cols)
                pair_at[col * rows + row if self.turned else vertex] = pair
        code_of: dict[int, int] = {}
        most_open = met = most_met = 0
        for vertex in sorted(pair_at):
            pair = pair_at[vertex]
            if pair in code_of:
                phases[vertex], codes[vertex] = 2, code_of.pop(pair)
                met += 1
                # Two plugs for each met pair and one for each open pair must fit.
                most_met = max(most_met, min(met, (self.width + 1 - len(code_of)) // 2))
            else:
                used = set(code_of.values())
                code = next(code for code in range(3, 4 + len(used)) if code not in used)
                code_of[pair] = code
                phases[vertex], codes[vertex] = 1, code
                most_open = max(most_open, code - 2)
        return phases, codes, most_open, max(most_met, 1)

    @cached_property
    def steps(self) -> NDArray[np.void]:
        """A row of `STEP` for each vertex, in the order of the pass."""
        width, height = self.width, self.height
        phases, codes, _, _ = self._labels
        degrees = self.degrees.ravel()
        right, down = self.fixed.T
        own, above, beside = (np.full((height, width), ANY_COUNT) for _ in range(3))
        own[:-1, :-1] = above[1:, :-1] = beside[:-1, 1:] = self.faces
        face = own.ravel()
        decisions = np.zeros(self.num_steps, dtype=np.int32)
        for decision, chosen in enumerate(CHOSEN):
            # Two edges of the face to the lower right remain: right and bottom.
            fits = (right != 1 - (decision >> 1)) & (down != 1 - (decision & 1))
            decisions |= (fits & (face >> chosen & 0b111 > 0)).astype(np.int32) << decision
        # What comes after a vertex may all be empty; its own face, too.
        empty = np.isin(degrees, (PASS_OR_SKIP, HOLE)) & (right < 1) & (down < 1)
        rest_empty = _all_from_here(face & 1 > 0)
        rest_empty[:-1] &= _all_from_here(empty)[1:]
        steps = np.empty(self.num_steps, dtype=STEP)
        steps["column"] = np.tile(np.arange(width), height)
        steps["degrees"] = degrees
        steps["decisions"] = decisions
        steps["phase"], steps["code"] = phases, codes
        # A terminal is the end of its path. Before its pair's first terminal no path of the pair
        # exists; at the second the only label that may come in is that of its own open pair.
        guards = [(ANY_LABEL, 0, code)[phase] for phase, code in zip(phases, codes, strict=True)]
        steps["guard"] = guards
        steps["above"], steps["beside"] = above.ravel(), beside.ravel()
        steps["keep_top"] = face != ANY_COUNT
        steps["rest_empty"] = rest_empty
        steps["unseen"] = np.cumsum(degrees[::-1] == END)[::-1] - (degrees == END)
        return steps

    @cached_property
    def _layout(self) -> tuple[int, int, list[int], list[int], int]:
        """Bits a plug, words a state, places of plugs and of face bits (-1: none), pair base."""
        pairs = len(self.model.terminals)
        _, _, most_open, most_met = self._labels
        pair_base = 3 if pairs <= 1 else 3 + most_open
        codes = 3 + pairs if pairs <= 1 else pair_base + most_met
        bits = max(2, (codes - 1).bit_length())
        # Plugs do not straddle words: reading one is one shift.
        places, place = [], 0
        for _ in range(self.width + 1):
            if place % 64 + bits > 64:
                place += 64 - place % 64
            places.append(place)
            place += bits
        tops = []
        for column in (self.faces != ANY_COUNT).any(axis=0).tolist():
            tops.append(place if column else -1)
            place += column
        return bits, -(-place // 64), places, tops, pair_base

    @property
    def words(self) -> int:
        """Words of 64 bits in a state."""
        return self._layout[1]

    @cached_property
    def plug_places(self) -> NDArray[np.int64]:
        """Word and shift of each plug: shape ``(width + 1, 2)``."""
        return np.array([divmod(place, 64) for place in self._layout[2]], dtype=np.int64)

    @cached_property
    def top_places(self) -> NDArray[np.int64]:
        """Word and shift of each column's face bit, -1 where there is none: ``(width, 2)``.

        The last column has no face; its entry spares the kernel a test.
        """
        tops = [*self._layout[3], -1]
        pairs = [divmod(place, 64) if place >= 0 else (-1, -1) for place in tops]
        return np.array(pairs, dtype=np.int64)

    def begin(self, *, counted: bool, records: int, memory: int, wide: int = WIDE) -> Pass:
        """A pass over this plan; see `Pass`. Raises `MemoryLimit`."""
        bits, words, _, _, pair_base = self._layout
        return Pass(
            self.steps,
            self.faces,
            self.plug_places,
            self.top_places,
            words=words,
            plug_bits=bits,
            pair_base=pair_base,
            spare_code=pair_base + self._labels[3] - 1,
            loop=self.model.loop,
            counted=counted,
            records=records,
            memory=memory,
            wide=wide,
        )


def _all_from_here(holds: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Whether something holds at each place and all that follow."""
    return np.asarray(np.logical_and.accumulate(holds[::-1])[::-1])
