"""What a terminal shows about work that takes time."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import subprocess
import sys
import time

import click
import pytest
from click.testing import CliRunner

from linkoracle import Slitherlink
from linkoracle.cli.main import main
from linkoracle.cli.program import Named
from linkoracle.cli.work import answered, time_limit, working
from linkoracle.core import Deadline, SearchTimeout, deferred_signals
from linkoracle.formats import About
from tests.cli.commands import PROGRAMS, all_commands
from tests.interrupting import ends_within
from tests.workers import WAIT_SECONDS, Program


def on_a_terminal(*arguments: str, until: bytes) -> str:
    """What a terminal shows of standard error until that is there; then the program is ended."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "linkoracle", *arguments]
    with Program(command, stdout=subprocess.PIPE, stderr=theirs) as running:
        os.close(theirs)
        shown = b""
        while until not in shown and select.select([ours], [], [], WAIT_SECONDS)[0]:
            try:
                shown += os.read(ours, 65536)
            except OSError:  # The other end is closed.
                break
        running.kill()
    os.close(ours)
    return shown.decode(errors="replace")


def test_a_maker_that_finds_nothing_shows_that_it_is_at_work():
    """It ran seven minutes in silence."""
    shown = on_a_terminal(
        "generate", "numberlink", "10", "10", "--seed", "0", "--pairs", "3", until=b"tried"
    )
    assert "numberlink 10 x 10 cells: 0 of 1 made, " in shown
    assert " tried" in shown


#: Commands that are done at once, whatever they are given; and the studio, which goes on until it
#: is ended, with a limit for each of its queries.
QUICK = (
    *(
        "board",
        "completion",
        "convert",
        "kinds",
        "verify",
        "catalogue list",
        "catalogue export",
        "catalogue stats",
    ),
    "studio",
)


@pytest.mark.parametrize(
    "name",
    [
        name
        for name, command in all_commands().items()
        if not isinstance(command, click.Group) and not name.endswith(QUICK)
    ],
)
def test_every_command_that_can_take_long_has_a_time_limit(name):
    assert "timeout" in {param.name for param in all_commands()[name].params}


@pytest.mark.parametrize(
    "line",
    [
        "loops 40 40 --timeout 0.2",
        "loops 9 9 --list --timeout 0.2",
        "census loop --random 12 40 --fewest --timeout 0.2",
        "census numberlink 5 6 --timeout 0.2",
        "generate slitherlink 12 40 --seed 0 --shape uniform --timeout 0.2",
        "generate numberlink 10 10 --seed 0 --pairs 3 --timeout 0.2",
    ],
)
def test_a_time_limit_holds(line):
    """Also where a library looks at the clock rarely; what is compiled first takes its time."""
    found = CliRunner().invoke(main, line.split())
    assert found.exit_code == 3
    assert found.stderr.startswith("error: no answer within 0.2 s (")
    with ends_within(5):
        assert CliRunner().invoke(main, line.split()).exit_code == 3


@pytest.mark.parametrize("seconds", ["nan", "inf", "-inf", "-1", "0", "1e400", "-1e400", ""])
@pytest.mark.parametrize(
    "name",
    [name for name, one in all_commands().items() if "timeout" in {p.name for p in one.params}],
)
def test_a_time_limit_is_a_positive_number(name, seconds):
    """On every command."""
    program, *command = name.split()
    found = CliRunner().invoke(PROGRAMS[program], [*command, f"--timeout={seconds}"])
    assert found.exit_code == 2
    assert re.fullmatch(r"error: .*--timeout.*positive number of seconds.*\n", found.stderr)


def ring() -> None:
    """Let the time of `time_limit` be over."""
    os.kill(os.getpid(), signal.SIGALRM)


def test_compiled_work_is_stopped_in_time_and_by_ctrl_c():
    """It is done in another thread, which hears of it again and again."""

    def work() -> bool:
        while len(calls) < 3:
            time.sleep(0.01)
        return True

    calls: list[None] = []
    with pytest.raises(SearchTimeout):
        Deadline(0.01).run(work, lambda: calls.append(None))
    assert len(calls) >= 3
    calls.clear()
    with pytest.raises(SearchTimeout), time_limit(600):
        # The clock of the command alone, as with Ctrl-C.
        Deadline(None).run(lambda: ring() or work(), lambda: calls.append(None))
    assert len(calls) >= 3
    assert Deadline(None).run(work, pytest.fail) is True
    with pytest.raises(ZeroDivisionError):
        Deadline(9).run(lambda: 1 // 0, pytest.fail)


def test_the_last_message_is_in_the_error():
    def slow() -> None:
        with working("test", 600) as work:
            work("row 3 of 9", 1 / 3)
            ring()

    with pytest.raises(SearchTimeout, match=r"within 600 s \(reached: row 3 of 9\)"):
        slow()


def test_what_ends_is_not_ended():
    before = signal.getsignal(signal.SIGALRM)
    with time_limit(600) as limit:
        pass
    assert not limit.over
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    assert signal.getsignal(signal.SIGALRM) == before


def test_a_short_step_is_done_before_the_time_is_over():
    done = []

    def slow() -> None:
        with deferred_signals():
            ring()
            done.append("step")
        done.append("never")

    with pytest.raises(SearchTimeout), time_limit(600):
        slow()
    assert done == ["step"]


def test_ctrl_c_is_no_time_limit():
    with pytest.raises(KeyboardInterrupt), time_limit(600):
        signal.raise_signal(signal.SIGINT)


def test_something_that_has_an_answer_when_it_is_ended_keeps_it():
    with time_limit(600) as limit:
        try:
            ring()
        except KeyboardInterrupt:
            answer = "half of it"
    assert (answer, limit.over) == ("half of it", True)


class _Slow:
    progress = None

    def __call__(self, puzzle: Slitherlink) -> int:
        if puzzle.rows == 2:
            ring()
        return puzzle.rows


def test_one_puzzle_too_slow_of_several():
    named = [Named(str(rows), Slitherlink.blank(rows, 1), About()) for rows in (1, 2, 3)]
    answers = [answer for _, answer in answered(_Slow(), named, None, 600)]
    assert answers[::2] == [1, 3]
    assert isinstance(answers[1], SearchTimeout)
