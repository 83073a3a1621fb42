from __future__ import annotations

import ctypes
import subprocess
import sys

import pytest

from linkoracle import Diagram, Lattice, Slitherlink, Solution, certificate, diagram
from linkoracle.core import default_limit, limit_for, machine, parse_size
from linkoracle.search import Alternatives


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("1", 1),
        ("2k", 2000),
        ("9" * 400, int("9" * 400)),
        ("9007199254740993", 2**53 + 1),
        ("4GB", 4 * 10**9),
        ("1.5 MiB", 1572864),
        ("3tib", 3 * 2**40),
    ],
)
def test_sizes(text, size):
    assert parse_size(text) == size


@pytest.mark.parametrize("text", ["", "GB", "-1", "1 XB", "0", "0.1", "1e3", "nan", "4 G B"])
def test_no_sizes(text):
    with pytest.raises(ValueError, match="expected a size"):
        parse_size(text)


def test_the_default_is_some_memory_but_not_all():
    assert 2**20 < default_limit() < 2**45


def test_cached_files_of_a_container_are_free_memory(tmp_path, monkeypatch):
    """A container that has read many files may have used its whole limit for them."""
    monkeypatch.setattr(machine, "_GROUP", tmp_path)
    for name, text in {
        "max": f"{2**28}\n",
        "current": f"{2**28}\n",
        "stat": f"anon {2**26}\ninactive_file {2**27}\nactive_file {2**26}\n",
    }.items():
        (tmp_path / f"memory.{name}").write_text(text)
    assert default_limit() == 2**26
    (tmp_path / "memory.max").write_text("max\n")
    assert default_limit() > 2**27


def test_any_limit_may_be_given():
    """More than a machine can address is no limit."""
    square = Solution(Lattice(3, 3), (0, 1, 3, 5))
    assert diagram(Slitherlink.blank(2, 2), memory=10**30).count() == 13
    with Alternatives(Slitherlink.blank(2, 2), square, memory=10**30) as search:
        assert search.find({1, 2, 3}) is None
    assert Diagram.build(Slitherlink.blank(2, 2), memory=10**30).count() == 13
    assert certificate(Slitherlink([[4]]), memory=10**30)


def test_the_limit_for_a_board(monkeypatch):
    monkeypatch.setattr("linkoracle.core.machine.default_limit", lambda: 12_345)
    assert limit_for(100) == limit_for(100_000) == 2**30
    assert limit_for(100_001) == 12_345


class Kernel32:
    """A machine with 12 GB, as Windows describes it."""

    def GlobalMemoryStatusEx(self, status):  # noqa: N802
        assert status[0] == ctypes.sizeof(status)
        status[1] = 12 * 2**30
        return 1


def test_the_memory_of_windows(monkeypatch):
    class Libraries:
        kernel32 = Kernel32()

    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(ctypes, "windll", Libraries, raising=False)
    monkeypatch.delattr("os.sysconf")
    monkeypatch.setattr(machine.Path, "read_text", missing)
    assert default_limit() == 3 * 2**30


def missing(self):
    raise FileNotFoundError(self)


#: Runs a command, and prints its exit status, the most memory that it took, in KiB, and its errors.
#: A process of its own, since the memory of whoever starts a command counts as that of the command.
MEASURE = """
import resource, subprocess, sys
command = [sys.executable, "-m", "linkoracle", *sys.argv[1:]]
done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
print(done.returncode, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
print(done.stderr)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the unit is another one")
@pytest.mark.parametrize(
    ("board", "status", "said"),
    [
        ("1000000 3", 2, "expected a board of at most 1,000,000 cells"),
        ("333333 3", 4, "GB for its plan alone"),
        ("3 333333", 4, "GB for its plan alone"),
        ("1000000 1", 4, "GB for its plan alone"),
    ],
)
def test_what_is_too_large_takes_no_memory_to_refuse(board, status, said):
    command = [sys.executable, "-c", MEASURE, "loops", *board.split(), "--memory", "100MB"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    first, _, errors = done.stdout.partition("\n")
    ended, kilobytes = map(int, first.split())
    assert ended == status, errors
    assert said in errors
    assert kilobytes < 150 * 1024
