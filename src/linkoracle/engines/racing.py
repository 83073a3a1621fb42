"""Other processes that decide the same board, each with another side as its bottom.

The choice of the bottom can speed up a search among taut solutions, or slow it down, and the effect
is unknown in advance. On a machine with several processors, several processes decide boards that
take long. They share the longest part (see `linkoracle.engines.taut_search.Cubes`), and the first
answer counts.
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

from linkoracle.board import Solution
from linkoracle.core import Closing, ConflictLimit, Deadline, deferred_signals, processors
from linkoracle.engines.answers import SIDES
from linkoracle.engines.oracle import Oracle
from linkoracle.engines.taut_search import DIVIDED, Cubes, orders
from linkoracle.engines.works import CONFLICT, Asked, Work


def race(query: Asked, oracle: Oracle, conflicts: int) -> Work[tuple[Solution, ...]]:
    """Return up to two solutions of the oracle's board, from the first process that has them.

    Each turn has twice the conflicts of the one before.
    """
    with Racers(oracle, query.solver, query.deadline) as racers:
        while True:
            conflicts *= 2
            turn = query.turn_deadline(conflicts, racers.heard)
            while not turn.used_up:
                try:
                    return oracle.ask(timeout=turn).solutions
                except ConflictLimit:
                    if racers.solutions is not None:
                        return racers.solutions
            yield conflicts * CONFLICT


class Racers(Closing):
    """Processes that decide the free board of an ``oracle``, one for each other processor.

    They end with this process, at the deadline, and at the end of this context; until then the
    oracle shares the cubes of its board with them. Each takes some tenths of a second to start. A
    process that fails is ignored: the search continues. ``solver`` names a PySAT solver. Other
    boards have no racers.
    """

    def __init__(self, oracle: Oracle, solver: str | None, deadline: Deadline) -> None:
        self._oracle = oracle
        self._processes: list[subprocess.Popen[bytes]] = []
        #: The output of each process that is not yet a complete line.
        self._unread: dict[int, bytes] = {}
        #: Up to two solutions, once another process has the answer; fewer than two are all.
        self.solutions: tuple[Solution, ...] | None = None
        first, *others = orders(min(processors(), len(SIDES)))
        # Only free boards, which are squares, are divided.
        free = oracle.model.is_free
        divided = free and max(oracle.model.lattice.rows, oracle.model.lattice.cols) <= DIVIDED
        self._cubes = Cubes(first) if divided else None
        if sys.executable and free:
            for side, order in zip(SIDES[1:], others, strict=False):
                part = order if divided else None
                self._start(pickle.dumps((oracle.model, solver, side, part, deadline.left)))
        if self._processes:
            oracle.share(self._cubes)

    def _start(self, query: bytes) -> None:
        # Only this process handles Ctrl-C, and closes the others.
        with suppress(OSError), deferred_signals():
            process = subprocess.Popen(
                [sys.executable, "-m", __name__],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
            self._processes.append(process)
            self._unread[process.pid] = b""
            assert process.stdin is not None
            assert process.stdout is not None
            os.set_blocking(process.stdout.fileno(), False)
            process.stdin.write(query)
            process.stdin.flush()

    def heard(self) -> bool:
        """Return whether another process has the answer, or has decided the cube of this one."""
        for process in list(self._processes):
            # Before its last output is read.
            ended = process.poll() is not None
            self._listen(process)
            if ended:
                self._processes.remove(process)
                _close(process)
        if self.solutions is not None:
            return True
        return self._cubes is not None and self._cubes.lost()

    def _listen(self, process: subprocess.Popen[bytes]) -> None:
        """Read the output of a process."""
        assert process.stdout is not None
        board = self._oracle.model.board
        with suppress(BlockingIOError):
            while said := os.read(process.stdout.fileno(), 1 << 16):
                self._unread[process.pid] += said
        *lines, self._unread[process.pid] = self._unread[process.pid].split(b"\n")
        for line in lines:
            cube, edges = json.loads(line)
            solutions = tuple(Solution(board, tuple(chosen)) for chosen in edges)
            if cube is None:
                self.solutions = solutions
            elif self._cubes is not None:
                self._cubes.decided[cube] = solutions[0] if solutions else None

    def close(self) -> None:
        """End all processes and wait for them."""
        self._oracle.share(None)
        with deferred_signals():
            while self._processes:
                _close(self._processes.pop())


def _close(process: subprocess.Popen[bytes]) -> None:
    # The end of the block closes its pipes and waits for it.
    with suppress(OSError), process:
        process.kill()


def _end_with_parent() -> None:
    """Exit when the parent ends: it holds the other end of standard input."""
    sys.stdin.buffer.read()
    os._exit(1)


def _say(cube: int | None, *known: Solution | None) -> None:
    """Write one line for the parent: the decided cube, or ``None`` for the whole board."""
    print(json.dumps([cube, [one.edges for one in known if one is not None]]), flush=True)


def _main() -> None:
    """Answer one query of a parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    model, solver, side, order, seconds = pickle.load(sys.stdin.buffer)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with Oracle(model, solver=solver, side=side) as oracle:
        oracle.share(Cubes(order, _say) if order else None, on_cells=not order)
        _say(None, *oracle.ask(timeout=seconds).solutions)
    # Do not wait for the thread that waits for the parent.
    os._exit(0)


if __name__ == "__main__":
    _main()
