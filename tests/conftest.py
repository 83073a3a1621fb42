"""What holds for every test."""

from __future__ import annotations

import signal
import sys

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


@pytest.fixture
def clock(monkeypatch):
    """The clock of time limits, which stands still unless the test moves it."""
    clock = Clock()
    monkeypatch.setattr(limits, "time", clock)
    return clock
