"""Kernels are compiled ahead of time: what is listed, and what none may need."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "linkoracle"
BUILD = (SOURCE / "meson.build").read_text(encoding="utf-8")
KERNELS = sorted(path.relative_to(SOURCE).with_suffix("") for path in SOURCE.rglob("*.pyx"))


def listed(name: str) -> list[str]:
    """The strings in a list of the build file."""
    found = re.search(rf"^{name} = \[(.*?)\]", BUILD, re.DOTALL | re.MULTILINE)
    assert found is not None
    return re.findall(r"'([^']+)'", found[1])


def test_every_kernel_is_built():
    assert KERNELS
    assert sorted(listed("kernels")) == [kernel.as_posix() for kernel in KERNELS]


def test_caches_of_every_folder_stay_out_of_wheels():
    folders = {path.parent.relative_to(SOURCE).as_posix() for path in SOURCE.rglob("*.py")}
    assert sorted(listed("packages")) == sorted(folders - {"."})


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="no git here to list files")
def test_nothing_is_compiled_at_first_use():
    files = ["git", "grep", "-il", "numb" + "a"]
    found = subprocess.run(files, cwd=ROOT, capture_output=True, text=True, check=False)
    assert found.stdout.split() == []
