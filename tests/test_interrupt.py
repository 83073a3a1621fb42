"""Queries that another thread interrupts."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import pytest

from linkoracle import Interrupted, Lattice, LinkModel, Oracle, Session, Slitherlink


def soon(stop: Callable[[], bool]) -> threading.Thread:
    """Call this in another thread until it says that there was something to stop."""

    def call() -> None:
        while not stop():
            time.sleep(0.001)

    thread = threading.Thread(target=call)
    thread.start()
    return thread


def test_an_oracle_is_interrupted_from_another_thread_and_goes_on():
    board = LinkModel.blank_loop(Lattice(30, 30))
    with Oracle(board) as oracle:
        every = oracle.solutions()
        next(every)
        assert not oracle.interrupt()
        thread = soon(oracle.interrupt)
        with pytest.raises(Interrupted):
            list(every)
        thread.join()
        assert oracle.ask({(0, 0): 4}).unique
        assert oracle.implies({(0, 0): 4, (0, 1): 1}, (0, 1))


def test_a_session_is_interrupted_from_another_thread_and_goes_on():
    with Session(Slitherlink.blank(18, 18)) as session:
        thread = soon(session.interrupt)
        with pytest.raises(Interrupted):
            session.count()
        thread.join()
        assert session.ask().status == "many"
        assert not session.interrupt()
