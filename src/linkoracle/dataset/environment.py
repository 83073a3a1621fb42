"""`PuzzleEnv`: puzzles as an environment of Gymnasium (https://gymnasium.farama.org)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import copy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkoracle.board import Solution
from linkoracle.core import MissingExtra
from linkoracle.dataset.scoring import StepGrader
from linkoracle.kinds import Puzzle
from linkoracle.render import draw

try:
    import gymnasium
except ModuleNotFoundError:
    raise MissingExtra("environments", "gym") from None


class PuzzleEnv(gymnasium.Env[dict[str, NDArray[Any]], np.int64]):
    """Solve puzzles by drawing lines and crossing them out, one edge after the other.

    ``puzzles`` are records of a data set, or puzzles, all of one kind on one board. An episode is
    one of them: a random one, or that of ``options={"index": i}`` of `reset`.

    * An observation has ``"edges"``, for each edge 0 for open, 1 for a line, 2 for a cross, and
      ``"clues"``, for each face 0 or the number of its clue among all clues of the puzzles.
    * Action ``2 * e + 1`` draws edge *e*, ``2 * e`` crosses it out. ``info["action_mask"]`` has
      those of open edges.
    * The reward is ``1 / edges`` for a move that fits a solution, 1 more for the last line, and -1
      for a wrong one, which ends the episode unless the environment is ``forgiving``; then the move
      is not made. ``info["verdict"]`` is that of `StepGrader`. A move on an edge that is not open
      gives 0. After four moves an edge the episode is cut off.
    * Puzzles without a solution have no right move.

    ``render_mode`` ``"ansi"`` draws the board as text. Needs the extra ``gym``. Raises
    ``ValueError`` for no puzzle, and for puzzles on several boards.

    >>> from linkoracle import Slitherlink
    >>> env = PuzzleEnv([Slitherlink([[3, 3], [None, None]])])
    >>> observation, info = env.reset(seed=1)
    >>> int(info["action_mask"].sum()), env.step(1)[1:3]
    (24, (0.08333333333333333, False))
    """

    metadata = {  # noqa: RUF012 - as Gymnasium declares it
        "render_modes": ["ansi"],
        "render_fps": 1,
    }

    def __init__(
        self,
        puzzles: Iterable[Puzzle | Mapping[str, Any]],
        *,
        forgiving: bool = False,
        render_mode: str | None = None,
    ) -> None:
        #: Before the first move: each episode has a copy of one.
        self._begun = [*map(StepGrader, puzzles)]
        if not self._begun:
            raise ValueError("expected at least one puzzle")
        made = [one.puzzle for one in self._begun]
        boards = {(one.kind, one.board) for one in made}
        if len(boards) > 1:
            raise ValueError(f"expected puzzles on one board, got {len(boards)}")
        ((_, board),) = boards
        known = sorted({clue for one in made for _, clue in one.clue_cells()}, key=str)
        #: The number of each clue in observations, from 1.
        self.clue_numbers = {clue: number for number, clue in enumerate(known, start=1)}
        self.forgiving, self.render_mode = forgiving, render_mode
        self._edges, faces = board.num_edges, made[0].faces.num_faces
        self.observation_space = gymnasium.spaces.Dict(  # type: ignore[assignment]
            {
                "edges": gymnasium.spaces.Box(0, 2, (self._edges,), np.int8),
                "clues": gymnasium.spaces.Box(0, max(1, len(known)), (faces,), np.int32),
            }
        )
        self.action_space = gymnasium.spaces.Discrete(2 * self._edges)
        self._grader = copy(self._begun[0])
        self._moves = 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        """Begin an episode with a puzzle, and return its observation."""
        super().reset(seed=seed)
        index = (options or {}).get("index")
        if index is None:
            index = int(self.np_random.integers(len(self._begun)))
        self._grader, self._moves = copy(self._begun[index]), 0
        return self._observed(), self._info()

    def step(
        self, action: np.int64 | int
    ) -> tuple[dict[str, NDArray[Any]], float, bool, bool, dict[str, Any]]:
        """Make a move; return the observation, the reward, the two ends, and more about it."""
        edge, on = divmod(int(action), 2)
        self._moves += 1
        reward, over, verdict = 0.0, False, None
        if edge not in self._grader.marks:
            verdict = self._grader.move(edge, bool(on), hint=False).verdict
            if verdict == "wrong":
                reward, over = -1.0, not self.forgiving
            else:
                over = self._grader.solved
                reward = 1 / self._edges + over
        cut = not over and self._moves >= 4 * self._edges
        return self._observed(), reward, over, cut, self._info() | {"verdict": verdict}

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which actions are moves on open edges."""
        masks = np.ones((self._edges, 2), dtype=np.bool_)
        masks[[*self._grader.marks]] = False
        return masks.reshape(-1)

    def render(self) -> str | None:
        """Return the board with its lines as text, if asked for with ``render_mode``."""
        if self.render_mode is None:
            return None
        lines = tuple(edge for edge, on in self._grader.marks.items() if on)
        return draw(self._grader.puzzle, Solution(self._grader.puzzle.board, lines))

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.action_masks().astype(np.int8)}

    def _observed(self) -> dict[str, NDArray[Any]]:
        edges = np.zeros(self._edges, np.int8)
        for edge, on in self._grader.marks.items():
            edges[edge] = 1 if on else 2
        puzzle = self._grader.puzzle
        clues = np.zeros(puzzle.faces.num_faces, np.int32)
        for cell, clue in puzzle.clue_cells():
            clues[puzzle.faces.face_of(cell)] = self.clue_numbers[clue]
        return {"edges": edges, "clues": clues}
