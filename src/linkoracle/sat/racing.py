"""Other processes that decide the same board, each with another side of it down.

A search among taut solutions takes a fraction or a multiple of the time when another side of the
board is down, and nobody knows beforehand which. On a machine with several processors, boards that
take long are decided by several processes at a time. What takes longest is divided among them (see
`linkoracle.sat.cubes`); the first that knows the answer gives it.
"""

from __future__ import annotations

import json
import os
import pickle
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from typing import Self

from linkoracle.board.solution import Solution
from linkoracle.core.limits import Deadline, deferred_signals, processors
from linkoracle.sat.answers import SIDES
from linkoracle.sat.cubes import Cubes, orders
from linkoracle.sat.oracle import Oracle

#: Vertices along a side up to which a board is divided. On larger ones, all that is hard about the
#: whole is hard in each cube again, and the others keep to the search on cells.
_DIVIDED = 24


class Rivals:
    """Processes that decide the free board of an ``oracle``, one for each processor beside this.

    They end with this process, at the deadline, and when this context is left; until then the
    oracle shares the cubes of its board with them. Each takes some tenths of a second to start. One
    that fails is none: whoever asks goes on searching. ``solver`` names a PySAT solver. Other
    boards have no rivals.
    """

    def __init__(self, oracle: Oracle, solver: str | None, deadline: Deadline) -> None:
        self._oracle = oracle
        self._processes: list[subprocess.Popen[bytes]] = []
        #: What each has said of its next line.
        self._said: dict[int, bytes] = {}
        #: Up to two solutions, once a rival has its answer: if there are less, these are all.
        self.solutions: tuple[Solution, ...] | None = None
        first, *others = orders(min(processors(), len(SIDES)))
        # Only free boards, which are squares, are divided.
        free = oracle.model.is_free
        divided = free and max(oracle.model.lattice.rows, oracle.model.lattice.cols) <= _DIVIDED
        self._cubes = Cubes(first) if divided else None
        if sys.executable and free:
            for side, order in zip(SIDES[1:], others, strict=False):
                part = order if divided else None
                self._start(pickle.dumps((oracle.model, solver, side, part, deadline.left)))
        if self._processes:
            oracle.share(self._cubes)

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
            self._said[process.pid] = b""
            assert process.stdin is not None
            assert process.stdout is not None
            os.set_blocking(process.stdout.fileno(), False)
            process.stdin.write(question)
            process.stdin.flush()

    def heard(self) -> bool:
        """Whether one has its answer, or has decided the cube on which this process works."""
        for process in list(self._processes):
            # Before its last words are read.
            ended = process.poll() is not None
            self._listen(process)
            if ended:
                self._processes.remove(process)
                _close(process)
        if self.solutions is not None:
            return True
        return self._cubes is not None and self._cubes.lost()

    def _listen(self, process: subprocess.Popen[bytes]) -> None:
        """Take note of what a process has said."""
        assert process.stdout is not None
        board = self._oracle.model.board
        with suppress(BlockingIOError):
            while said := os.read(process.stdout.fileno(), 1 << 16):
                self._said[process.pid] += said
        *lines, self._said[process.pid] = self._said[process.pid].split(b"\n")
        for line in lines:
            cube, edges = json.loads(line)
            solutions = tuple(Solution(board, tuple(chosen)) for chosen in edges)
            if cube is None:
                self.solutions = solutions
            elif self._cubes is not None:
                self._cubes.decided[cube] = solutions[0] if solutions else None

    def close(self) -> None:
        """End all processes, and wait until they are gone."""
        self._oracle.share(None)
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


def _say(cube: int | None, *known: Solution | None) -> None:
    """Tell the parent in one line which cube is decided, or with ``None`` that all is."""
    print(json.dumps([cube, [one.edges for one in known if one is not None]]), flush=True)


def _main() -> None:
    """Answer one question of a parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    model, solver, side, order, seconds = pickle.load(sys.stdin.buffer)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with Oracle(model, solver=solver, side=side) as oracle:
        oracle.share(Cubes(order, _say) if order else None, on_cells=not order)
        _say(None, *oracle.ask(timeout=seconds).solutions)
    # The thread that waits for the parent need not be waited for.
    os._exit(0)


if __name__ == "__main__":
    _main()
