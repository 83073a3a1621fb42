from __future__ import annotations

import signal
import threading

import pytest

from linkoracle.core import deferred_signals


def test_ctrl_c_waits_for_a_step_to_be_done():
    done = []

    def step() -> None:
        signal.raise_signal(signal.SIGINT)
        done.append("inside")

    with pytest.raises(KeyboardInterrupt), deferred_signals():
        step()
    assert done == ["inside"]
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)


def test_an_error_inside_comes_out():
    with pytest.raises(ZeroDivisionError), deferred_signals():
        raise ZeroDivisionError


def test_other_threads_go_on():
    done = []

    def work() -> None:
        with deferred_signals():
            done.append("inside")

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert done == ["inside"]
