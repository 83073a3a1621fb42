"""Other processes that decide the same board, each with another side of it down.

A search among taut solutions takes a fraction or a multiple of the time when another side of the
board is down, and nobody knows beforehand which. On a machine with several processors, boards that
take long are decided by several processes at a time, and the first one wins.
"""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from typing import Self

from linkoracle.board.lattice import Solution
from linkoracle.board.model import LinkModel
from linkoracle.core.limits import Deadline, deferred_signals, processors
from linkoracle.sat.oracle import Oracle
from linkoracle.sat.taut_search import SIDES


class Rivals:
    """Processes that decide a free ``model``, as many as there are processors beside this one's.

    They end with this process, at the deadline, and when this context is left. Each takes some
    tenths of a second to start. One that fails is none: whoever asks goes on searching. ``solver``
    names a PySAT solver. Other models have no rivals.
    """

    def __init__(self, model: LinkModel, solver: str | None, deadline: Deadline) -> None:
        self._model = model
        self._processes: list[subprocess.Popen[bytes]] = []
        if sys.executable and model.is_free:
            for side in SIDES[1 : processors()]:
                self._start(pickle.dumps((model, solver, side, deadline.left)))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _start(self, question: bytes) -> None:
        # Ctrl-C is for this process, which closes the others.
        with suppress(OSError), deferred_signals():
            process = subprocess.Popen(
                [sys.executable, "-m", __name__],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
            self._processes.append(process)
            assert process.stdin is not None
            process.stdin.write(question)
            process.stdin.flush()

    def answered(self) -> bool:
        """Whether one has its answer."""
        for process in list(self._processes):
            if process.poll() is not None and process.returncode:
                self._processes.remove(process)
                _close(process)
        return any(process.returncode == 0 for process in self._processes)

    def solutions(self) -> tuple[Solution, ...]:
        """Up to two solutions, once one has `answered`: if there are less, these are all."""
        first = next(process for process in self._processes if process.returncode == 0)
        assert first.stdout is not None
        found: list[tuple[int, ...]] = pickle.load(first.stdout)
        return tuple(Solution(self._model.lattice, edges) for edges in found)

    def close(self) -> None:
        """End all processes, and wait until they are gone."""
        with deferred_signals():
            while self._processes:
                _close(self._processes.pop())


def _close(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            with suppress(OSError):
                stream.close()


def _end_with_parent() -> None:
    """The parent holds the other end of standard input as long as it lives."""
    sys.stdin.buffer.read()
    os._exit(1)


def _main() -> None:
    """Answer one question of a parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    model, solver, side, seconds = pickle.load(sys.stdin.buffer)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with Oracle(model, solver=solver, side=side) as oracle:
        solutions = oracle.ask(timeout=seconds).solutions
    pickle.dump([solution.edges for solution in solutions], sys.stdout.buffer)
    sys.stdout.flush()
    # The thread that waits for the parent need not be waited for.
    os._exit(0)


if __name__ == "__main__":
    _main()
