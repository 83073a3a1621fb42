"""What holds for every test, and how long the files of tests take.

``--quick`` leaves out the files that took more than `QUICK` seconds of processor time when
``--write-durations`` wrote `DURATIONS`; a file that is not listed there is quick. ``--slowest=10``
lists the ten slowest files at the end.
"""

from __future__ import annotations

import gc
import resource
import signal
import sys
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from linkoracle.core import limits
from tests.interrupting import Clock

# A shell lets what it starts in the background ignore Ctrl-C, and so would all that tests start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# CPython 3.11 reads the .pth files of an environment twice. An editable installation then has two
# finders that undo each other's work: whenever a name is looked for in vain, as pytest does in each
# package, both ask ninja what has changed.
for twin in [one for one in sys.meta_path if type(one).__name__ == "MesonpyMetaFinder"][1:]:
    sys.meta_path.remove(twin)

# Importing this file registers a kind, which the tests of it do for themselves.
collect_ignore = ["generate/every_second_turn.py"]

# How long an example takes, and how many random boards come to nothing, says more of the machine
# and of luck than of the code: a test must not fail of it. Nor may what lands depend on luck: by
# default a test tries the same examples each time; `make test-explore` tries others.
for name, same in (("same", True), ("explore", False)):
    settings.register_profile(
        name,
        deadline=None,
        derandomize=same,
        suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
    )
settings.load_profile("same")


ROOT = Path(__file__).resolve().parents[1]
#: A line a file: its seconds of processor time, with those of the programs that it starts.
DURATIONS = ROOT / "tests" / "durations.txt"
QUICK = 3.0
_LEFT_OUT = pytest.StashKey[set[Path]]()
_BEGUN = pytest.StashKey[float]()
#: The seconds of each file in this run.
measured: Counter[str] = Counter()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("durations of files")
    group.addoption("--quick", action="store_true", help="leave out slow files")
    group.addoption("--slowest", type=int, default=0, help="list so many of the slowest files")
    group.addoption("--write-durations", action="store_true", help="write tests/durations.txt")


def slow_files() -> set[Path]:
    """Return the files that ``--quick`` leaves out: in no folder all of them."""
    lines = map(str.split, DURATIONS.read_text(encoding="utf-8").splitlines())
    seconds = {ROOT / name: float(number) for number, name in lines}
    slow = {path for path, number in seconds.items() if number > QUICK}
    for folder in {path.parent for path in slow}:
        files = sorted(folder.glob("test_*.py"), key=lambda path: seconds.get(path, 0.0))
        slow.difference_update(files[:1])
    return slow


def pytest_configure(config: pytest.Config) -> None:
    config.stash[_LEFT_OUT] = slow_files() if config.getoption("--quick") else set()


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    return True if collection_path in config.stash[_LEFT_OUT] else None


def pytest_collection_finish() -> None:
    # All modules and tests live to the end: do not look through them for garbage again and again,
    # and seldom through what one test makes.
    gc.freeze()
    gc.set_threshold(20_000)


def spent() -> float:
    """Return the processor time of this process and of the programs that have ended."""
    used = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in used)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item):
    item.stash[_BEGUN] = spent()
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item):
    report = yield
    now = spent()
    # Reports come here from other processes with all that they have.
    report.seconds, item.stash[_BEGUN] = now - item.stash[_BEGUN], now
    return report


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    measured[report.nodeid.split("::")[0]] += getattr(report, "seconds", 0.0)


def pytest_terminal_summary(terminalreporter, config: pytest.Config) -> None:
    if number := config.getoption("--slowest"):
        total = sum(measured.values())
        terminalreporter.section(f"processor time: {total:.0f} s, slowest files")
        for name, seconds in measured.most_common(number):
            terminalreporter.write_line(f"{seconds:7.1f} {name}")
    if config.getoption("--write-durations"):
        files = sorted(name for name in measured if name.startswith("tests/"))
        lines = (f"{measured[name]:.1f} {name}\n" for name in files)
        DURATIONS.write_text("".join(lines), encoding="utf-8")


@pytest.fixture
def clock(monkeypatch):
    """The clock of time limits, which stands still unless the test moves it."""
    clock = Clock()
    monkeypatch.setattr(limits, "time", clock)
    return clock
