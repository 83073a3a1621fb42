"""What can be imported from `linkoracle` itself, when it is loaded, and that it is documented."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

import linkoracle

REFERENCE = Path(__file__).resolve().parents[1] / "docs" / "reference"


def test_every_public_name_is_there():
    assert [name for name in linkoracle.__all__ if not hasattr(linkoracle, name)] == []
    assert set(linkoracle.__all__) <= set(dir(linkoracle))
    assert linkoracle.__version__ == version("linkoracle")


def test_unknown_names_are_refused():
    with pytest.raises(AttributeError, match="module 'linkoracle' has no attribute 'sovle'"):
        _ = linkoracle.sovle
    with pytest.raises(ImportError, match="cannot import name 'sovle'"):
        from linkoracle import sovle  # noqa: F401


def test_packages_need_no_import_of_their_own():
    program = (
        "import sys, linkoracle\n"
        "assert 'numba' not in sys.modules\n"
        "made = linkoracle.generate.slitherlink(5, 5, seed=1)\n"
        "assert 'numba' not in sys.modules\n"
        "print(linkoracle.grade(made.puzzle) == linkoracle.deduce.grade(made.puzzle))\n"
        "print(linkoracle.Diagram is type(linkoracle.diagram(made.puzzle)))\n"
        "print(linkoracle.census.instances(2, 2).count())\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == "True\nTrue\n2\n"


@pytest.mark.parametrize("page", ["", "generate", "deduce", "census", "frontier", "formats"])
def test_every_public_name_is_in_the_reference(page):
    """Either its page names it, or it takes all that the package says is public."""
    package = importlib.import_module(f"linkoracle.{page}".rstrip("."))
    text = (REFERENCE / f"{page or 'linkoracle'}.md").read_text(encoding="utf-8")
    whole = f".. automodule:: {package.__name__}\n   :members:\n   :imported-members:\n"
    if whole in text:
        return
    named = set(re.findall(r"^\.\. (?:auto|py:)\w+:: (\w+)", text, re.MULTILINE))
    elsewhere = set(re.findall(r"`(?:linkoracle\.)?(\w+)`", text))
    assert set(package.__all__) - named - elsewhere - {"__version__"} == set()
