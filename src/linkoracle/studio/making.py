"""What the page wants made, each task by a worker that can be stopped.

`Making.answer` tells the answer to a task in stages, as dictionaries with the key ``stage``:

* ``going``: ``words`` about what goes on, and the ``share`` of it that is done, or ``None``;
* ``shown``: a ``board`` as it stands, and the ``lines`` that are meant to be its solution;
* ``made``: a ``board``, its only solution as ``lines`` (``null`` if it has several), and ``words``
  about it; other tasks make what their functions say; with the ``seed`` that makes it again, if
  something was left to chance;
* ``failed``: nothing came of it, with the ``reason``; of a mask perhaps with the ``nearest``
  puzzle, as of what is made, and with its ``extra`` cells, which have clues against the mask;
* ``done``: all is told.

What a task needs besides ``what`` stands with the function that does it; all may say how many
``seconds`` they take at most.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from linkoracle.generate import PATTERNS
from linkoracle.generate.requests import REQUESTS, made_kinds, made_on_boards
from linkoracle.kinds import KINDS
from linkoracle.studio.board_tasks import BOARD_TASKS, can_add, ready_mask
from linkoracle.studio.clues import can_go
from linkoracle.studio.files import file_of
from linkoracle.studio.grading import steps
from linkoracle.studio.limits import Limits, Tell
from linkoracle.studio.new_puzzles import form_of, new_puzzle
from linkoracle.studio.shelf import found, saved
from linkoracle.studio.tasks import Outcome, Task, perform


class Making:
    """Does one task after the other."""

    def __init__(self, limits: Limits | None = None, catalogue: Path | None = None) -> None:
        self._limits, self._catalogue = limits or Limits(), catalogue

    def answer(self, question: object, tell: Tell) -> None:
        """Do a task, and tell how it goes. Whatever the task is, this raises nothing."""
        perform(question, self._limits, tell, self._done)

    def _done(self, task: Task) -> dict[str, Any]:
        tasks = dict(_TASKS)
        if self._catalogue is not None:
            tasks |= {
                "save": partial(saved, path=self._catalogue),
                "find": partial(found, path=self._catalogue),
            }
        return tasks[task.word("what", tasks)](task)


def _shown(work: Callable[[Task], Outcome]) -> Callable[[Task], dict[str, Any]]:
    """A task that makes a puzzle, as the page is told of it."""
    return lambda task: work(task).told()


_TASKS: dict[str, Callable[[Task], dict[str, Any]]] = {
    **{name: _shown(work) for name, work in {"new": new_puzzle, **BOARD_TASKS}.items()},
    "marks": ready_mask,
    "steps": steps,
    "file": file_of,
}


def offers(kind: str, *, on_faces: bool = False) -> dict[str, Any]:
    """The tasks that can be done with a kind, and the wishes that new puzzles may fulfil.

    With ``on_faces`` those on boards that are not square.

    >>> offers("simpleloop")["new"][0]["values"][:3]
    ['any', 'easy', 'normal']
    """
    is_made = made_on_boards(kind) if on_faces else kind in made_kinds()
    new, clued = form_of(kind, on_faces=on_faces) if is_made else None, can_add(KINDS[kind])
    if on_faces:
        return {"tasks": ["line", "thin", "add"] * clued, "new": new}
    tasks = ["line", *["mask", "complete"] * (kind in REQUESTS)]
    tasks += [*["thin"] * can_go(KINDS[kind]), *["add"] * clued]
    return {"tasks": tasks, "new": new, "patterns": list(PATTERNS) if clued else None}
