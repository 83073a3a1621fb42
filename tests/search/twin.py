"""What `linkoracle.search` does, by the SAT engine: slower, simple, and with no code in common."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from linkoracle import Oracle, Solution
from linkoracle.board import Modelled, model_of
from linkoracle.core import Timeout
from linkoracle.search import Alternative


class OracleAlternatives:
    """An `AlternativeSearch` that asks an `Oracle` for solutions with the clues shown.

    A core is all that is shown. ``order`` says which clues a core prefers, so it is of no use here.
    """

    def __init__(
        self, board: Modelled, known: Solution, *, order: Sequence[int] | None = None
    ) -> None:
        model = model_of(board)
        assert order is None or sorted(order) == list(range(model.board.num_faces))
        self.known = known
        self.counts: list[int] = known.counts()
        self.core: set[int] = set()
        self.queries = self.conflicts = 0
        self._board = model.board
        # The plain oracle uses a solver alone.
        self._oracle = Oracle(model, plain=True)
        self._staying: set[int] = set()
        self._witnesses: dict[int, Alternative] = {}

    def close(self) -> None:
        self._oracle.close()

    def find(
        self,
        shown: Collection[int],
        changing: Sequence[int] = (),
        *,
        timeout: Timeout = None,
        conflicts: int | None = None,
    ) -> Alternative | None:
        assert conflicts is None
        self.queries += 1
        kept = self._staying.union(shown)
        name = self._board.face_name
        clues: dict[Any, int | set[int]] = {name(face): self.counts[face] for face in kept}
        cases = [{face} for face in changing if face not in kept] if changing else [set()]
        for changed in cases:
            others = {
                name(face): set(range(len(self._board.edges_of(face)) + 1)) - {self.counts[face]}
                for face in changed
            }
            for found in self._oracle.ask({**clues, **others}, timeout=timeout).solutions:
                if found != self.known:
                    flipped = set(found.edges).symmetric_difference(self.known.edges)
                    return Alternative(self.known, tuple(sorted(flipped)))
        self.core = kept.union(changing)
        return None

    def fix_clues(self, faces: Iterable[int], *, keep: bool) -> None:
        if keep:
            self._staying.update(faces)

    def reduce(
        self,
        shown: Iterable[int] | None = None,
        order: Sequence[int] | None = None,
        *,
        timeout: Timeout = None,
    ) -> set[int]:
        assert shown is not None
        assert order is not None
        left = self._staying.union(shown)
        for face in order:
            found = self.find(left - {face}, (face,), timeout=timeout)
            if found is None:
                left.discard(face)
            else:
                self._witnesses[face] = found
        return left

    def witness(self, face: int) -> Alternative | None:
        return self._witnesses.get(face)
