"""What a terminal is told about work that takes time."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

import linkoracle.deduce
from linkoracle import Slitherlink
from linkoracle.cli.progress import announce_compilation

ASKED = "from linkoracle.deduce import compiled; print(compiled())"


def test_an_empty_cache_is_noticed(tmp_path):
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", ASKED], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout == "False\n"


def test_what_is_loaded_is_compiled():
    linkoracle.deduce.grade(Slitherlink([[3]]))
    assert linkoracle.deduce.compiled()


@pytest.mark.parametrize(("terminal", "ready"), [(True, False), (True, True), (False, False)])
def test_only_a_terminal_is_told_and_only_the_first_time(monkeypatch, capsys, terminal, ready):
    monkeypatch.setattr(linkoracle.deduce, "compiled", lambda: ready)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: terminal)
    announce_compilation()
    told = capsys.readouterr()
    assert told.out == ""
    assert ("compiling the deduction engine" in told.err) == (terminal and not ready)
