"""The Python that README and docs show passes `mypy --strict`, as in a program of a user."""

from __future__ import annotations

import doctest
import os
import subprocess
import sys
from pathlib import Path
from runpy import run_path

from tests.pages import doctests_of

ROOT = Path(__file__).resolve().parents[1]
CACHE = ROOT / ".mypy_cache"
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]

#: Lines that are not checked, and why not.
SKIPPED: dict[str, str] = {}

#: For the package as in pyproject.toml, so that what mypy knows of it is found in the same cache.
CONFIG = """
[mypy]
strict = true
python_version = 3.11
[mypy-pages.*]
allow_redefinition = true
# A prompt shows what an expression is.
disable_error_code = func-returns-value
[mypy-dd.*,pyarrow.*,pysat.*,pysolvers,reportlab.*]
ignore_missing_imports = true
[mypy-distributed.*]
ignore_missing_imports = true
follow_imports = skip
"""


def program_of(page: Path) -> str:
    """What `tests/test_readme.py` runs of a page, without what is shown to fail."""
    lines = []
    for example in doctest.DocTestParser().get_examples(doctests_of(page)):
        if example.exc_msg is None and example.source.strip() not in SKIPPED:
            # At the line where the page has it, for whoever reads a complaint.
            lines += [""] * (example.lineno - len(lines)) + example.source.splitlines()
    return "\n".join(lines) + "\n"


def test_the_documented_calls_are_well_typed(tmp_path):
    run_path(str(ROOT / "scripts" / "stubs.py"))["write_all"](ROOT / "src")
    (tmp_path / "mypy.ini").write_text(CONFIG)
    pages = tmp_path / "pages"
    pages.mkdir()
    (pages / "__init__.py").touch()
    shown = 0
    for page in PAGES:
        program = program_of(page)
        if program.strip():
            name = "_".join(page.relative_to(ROOT).with_suffix("").parts).lower()
            (pages / f"{name}.py").write_text(program)
            shown += 1
    assert shown >= 8
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file", "mypy.ini", "--cache-dir", CACHE, "."],
        cwd=tmp_path,
        env={**os.environ, "MYPYPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
