"""Options of counts on large blank boards: other processes, and files."""

from __future__ import annotations

from concurrent.futures import Executor
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, TypeVar

from linkoracle.board.model import LinkModel
from linkoracle.core.limits import Deadline, Progress

if TYPE_CHECKING:
    from linkoracle.frontier.blank.board import BlankBoard
    from linkoracle.frontier.blank.counting import CountPlan

Answer = TypeVar("Answer")


class Scale(TypedDict, total=False):
    """Arguments of `linkoracle.frontier.count` and `by_length` for large blank boards."""

    #: Runs the passes, one for each prime: see `linkoracle.batch`. ``None`` is this process.
    executor: Executor | None
    #: The file of finished passes; beside it are the last rows of unfinished ones.
    store: Path | None
    #: Whether to continue from an existing store; otherwise the file must not exist.
    resume: bool
    #: A folder for files of numbers, used instead of memory.
    spill: Path | None


def asks_scale(scale: Scale) -> bool:
    return any(scale.values())


def scaled_board(model: LinkModel, scale: Scale) -> BlankBoard:
    """Return the blank board of a model; ``ValueError`` for other boards and invalid options."""
    from linkoracle.frontier.blank.board import LEAST_WIDTH, blank_board
    from linkoracle.frontier.blank.ranks_kernel import PLACES

    board = blank_board(model)
    if board is None:
        raise ValueError(
            f"expected a blank board of {LEAST_WIDTH} to {PLACES} vertices across for a count with "
            "an executor, a store or a folder to spill to"
        )
    if scale.get("resume") and scale.get("store") is None:
        raise ValueError("expected a store to resume from")
    return board


def answer_scaled(
    plan: CountPlan[Answer],
    scale: Scale,
    memory: int | None,
    deadline: Deadline,
    progress: Progress | None,
) -> Answer:
    from linkoracle.frontier.blank.units import answer_in_units

    return answer_in_units(plan, **scale, memory=memory, deadline=deadline, progress=progress)
