"""The programs of docs/how-to/serve.md run; those whose tools are absent are skipped."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs" / "how-to" / "serve.md").read_text(encoding="utf-8")
PROGRAMS = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


def run(word: str) -> dict:
    """Run the program of the page that has a word, and return its names."""
    (program,) = [one for one in PROGRAMS if word in one]
    names: dict = {}
    exec(compile(program, f"serve.md ({word})", "exec"), names)
    return names


def test_the_web_server_answers_and_refuses():
    pytest.importorskip("fastapi", reason="FastAPI is not installed")
    testing = pytest.importorskip("fastapi.testclient", reason="httpx is not installed")
    with testing.TestClient(run("fastapi")["app"]) as client:
        good = client.post("/decide", params={"puzzle": "slitherlink\n33\n11\n"})
        bad = client.post("/decide", params={"puzzle": "slitherlink\n4x\n"})
    assert (good.json()["status"], bad.status_code) == ("unique", 422)


def test_a_column_of_links_is_counted():
    pytest.importorskip("pandas", reason="pandas is not installed")
    assert run("pandas")["frame"]["count"].tolist() == [0, 0]


def test_jobs_run_in_dask():
    pytest.importorskip("dask", reason="Dask is not installed")
    assert run("dask")["counts"] == (0, 0)


def test_a_notebook_shows_pictures():
    assert run("_repr_svg_")["picture"].startswith("<svg")


@pytest.mark.heavy
def test_a_notebook_is_converted(tmp_path):
    nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed")
    pytest.importorskip("nbconvert", reason="nbconvert is not installed")
    (program,) = [one for one in PROGRAMS if "_repr_svg_" in one]
    cells = [nbformat.v4.new_code_cell(f"{program}\nmade")]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), tmp_path / "a.ipynb")
    command = [sys.executable, "-m", "nbconvert", "--execute", "--to", "html", "a.ipynb"]
    subprocess.run(command, cwd=tmp_path, check=True)
    assert "<svg" in (tmp_path / "a.html").read_text(encoding="utf-8")


@pytest.mark.heavy
@pytest.mark.skipif(shutil.which("go") is None, reason="Go is not installed")
def test_the_program_in_go_asks_for_puzzles(tmp_path):
    names = ["https://puzz.link/p?slither/2/2/dc", "slitherlink\n33\n11\n"]
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["go", "run", str(ROOT / "docs" / "tutorials" / "unique.go"), *names],
        env={**os.environ, "PATH": path, "GOFLAGS": "-mod=mod", "GOCACHE": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert re.findall(r"(true|false)", done.stdout) == ["false", "true"]
