"""Programs and work that tests stop: no test waits for them in vain, whatever started the tests."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

from linkoracle.core import deferred_signals
from tests.interrupting import ctrl_c, ends_within
from tests.workers import Program

TESTS = Path(__file__).resolve().parent
SLEEPING = [sys.executable, "-c", "import time; time.sleep(600)"]


def busy(seconds: float) -> None:
    begun = time.process_time()
    while time.process_time() - begun < seconds:
        pass


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
def test_ctrl_c_is_heard_in_tests_that_run_in_the_background():
    """A shell lets what it starts there ignore Ctrl-C."""
    asked = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [*asked, str(TESTS / "cli" / "test_shared.py")],
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_IGN),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout


def test_a_test_that_fails_does_not_wait_for_its_program():
    with pytest.raises(ZeroDivisionError), Program(SLEEPING) as program:
        raise ZeroDivisionError
    assert program.returncode == -signal.SIGKILL


def test_every_program_is_one_that_a_failing_test_ends():
    other = [path for path in TESTS.rglob("*.py") if "subprocess" + ".Popen(" in path.read_text()]
    assert other == []


def test_what_hears_ctrl_c_too_late_fails():
    with ctrl_c(after=0.01, within=0.5):
        busy(60)
    with pytest.raises(AssertionError), ctrl_c(after=0.01, within=0.1), deferred_signals():
        busy(0.5)


def test_only_work_counts_as_time():
    with ends_within(0.1):
        time.sleep(0.3)
    with pytest.raises(AssertionError), ends_within(0.1):
        busy(0.2)
