"""Endings that come from outside: nobody reads on, or Ctrl-C."""

from __future__ import annotations

import fcntl
import os
import re
import signal
import subprocess
import sys
import termios
from typing import IO

import pytest

import linkoracle
import linkoracle.deduce
from tests.workers import WAIT_SECONDS, Program, has_worked, program, wait_for, wait_for_end

COMMAND = [sys.executable, "-m", "linkoracle"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["loops", "8", "8", "--seed", "0", "--sample", "5000"],
        ["loops", "5", "5", "--list", "--json"],
        ["generate", "slitherlink", "5", "5", "--seed", "0", "--count", "1000"],
        ["census", "numberlink", "4", "4", "--list"],
        ["solve", "--all", *["instances/numberlink-several.txt"] * 3],
    ],
)
@pytest.mark.parametrize("buffered", [True, False])
def test_nobody_reads_on(arguments, buffered):
    with Program(
        [*COMMAND, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "" if buffered else "1"},
    ) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        assert running.stdout.readline()
        running.stdout.close()
        assert running.wait(WAIT_SECONDS) == 141
        assert running.stderr.read() == ""


def unread(pipe: IO[str]) -> int:
    """How many bytes of a pipe were not read."""
    return int.from_bytes(fcntl.ioctl(pipe, termios.FIONREAD, bytes(4)), sys.byteorder)


def test_ctrl_c_while_waiting_for_input():
    with Program(
        [*COMMAND, "solve", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as running:
        assert running.stdin is not None
        running.stdin.write("slitherlink\n")
        running.stdin.flush()
        wait_for(running, lambda: unread(running.stdin) == 0)
        running.send_signal(signal.SIGINT)
        assert running.wait(WAIT_SECONDS) == 130
        assert running.communicate() == ("", "interrupted\n")


def test_ctrl_c_while_the_fewest_clues_are_searched_for(tmp_path):
    """Most of the time goes into PySAT's own search for a smallest set; what is found is kept."""
    command = "generate slitherlink 14 14 --seed 0 --fewest -o few.txt"
    with program(command, cwd=tmp_path) as running:
        has_worked(running, 1)
        running.send_signal(signal.SIGINT)
        _, errors = running.communicate(timeout=WAIT_SECONDS)
    assert re.fullmatch(r"\d+ clues; at least \d+ are needed\n", errors)
    assert linkoracle.is_unique(linkoracle.read(tmp_path / "few.txt"))


@pytest.mark.parametrize(
    "arguments",
    [
        ["grade", "--max-depth", "4", "blank.txt"],
        [
            *("generate", "slitherlink", "10", "10", "--max-depth", "4", "--seed", "1"),
            *("--minimal", "--strategy", "core", "--shape", "two_colour"),
        ],
    ],
)
def test_ctrl_c_during_guesses(arguments, tmp_path):
    """Which go on for minutes."""
    (tmp_path / "blank.txt").write_text("slitherlink\n" + ("0" + "." * 39 + "\n") * 40)
    with Program(
        [*COMMAND, *arguments], stderr=subprocess.PIPE, text=True, cwd=tmp_path
    ) as running:
        has_worked(running, 0.5)
        running.send_signal(signal.SIGINT)
        wait_for_end(running, within=5)
        errors = running.stderr.read()
    assert running.returncode == 130
    assert errors.startswith("interrupted")
    assert errors.count("\n") == 1


def test_ctrl_c_outside_of_what_a_command_watches(monkeypatch, capsys):
    from linkoracle.cli import loops
    from linkoracle.cli.main import main

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(loops, "_puzzle", interrupted)
    monkeypatch.setattr(sys, "unraisablehook", sys.unraisablehook)
    with pytest.raises(SystemExit) as ending:
        main(["loops", "2", "2"])
    assert ending.value.code == 130
    assert capsys.readouterr().err == "interrupted\n"


def test_what_ctrl_c_left_half_made_does_not_complain(tmp_path):
    """As an object of the compiler does whose making was interrupted."""
    (tmp_path / "half_made.py").write_text(
        """
from linkoracle.cli import loops
from linkoracle.cli.main import main

class HalfMade:
    def __del__(self):
        self.missing

def interrupted(*_, **__):
    half_made = HalfMade()
    raise KeyboardInterrupt

loops._puzzle = interrupted
main(["loops", "2", "2"])
"""
    )
    ended = subprocess.run(
        [sys.executable, "half_made.py"], cwd=tmp_path, capture_output=True, text=True
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "interrupted\n")
