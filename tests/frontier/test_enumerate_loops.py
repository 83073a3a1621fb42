"""`scripts/enumerate_loops.py`: all three forms, read back."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from linkoracle.board import Lattice, LinkModel
from linkoracle.frontier import Diagram

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "enumerate_loops.py"


def _run(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(SCRIPT), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def loops() -> list[tuple[int, ...]]:
    diagram = Diagram.build(LinkModel.blank_loop(Lattice(4, 5)))
    return [loop.edges for loop in diagram]


def test_text(tmp_path: Path, loops: list[tuple[int, ...]]) -> None:
    path = tmp_path / "loops.txt"
    assert _run(3, 4, "--output", path).stdout == f"1049 loops in {path}\n"
    lines = path.read_text().splitlines()
    assert [tuple(map(int, line.split())) for line in lines] == loops
    assert list(tmp_path.iterdir()) == [path]


def test_jsonl(tmp_path: Path, loops: list[tuple[int, ...]]) -> None:
    path = tmp_path / "loops.jsonl"
    assert _run(3, 4, "--output", path).returncode == 0
    records = [json.loads(line) for line in path.read_text().splitlines()]
    assert [tuple(record["edges"]) for record in records] == loops
    around = Lattice(4, 5).face_edges
    for record in records[::50]:
        clues = np.isin(around, record["edges"]).sum(axis=1).reshape(3, 4)
        assert record["clues"] == clues.tolist()


def test_npz(tmp_path: Path, loops: list[tuple[int, ...]]) -> None:
    path = tmp_path / "loops.npz"
    assert _run(3, 4, "--output", path).returncode == 0
    with np.load(path) as data:
        assert (data["rows"], data["cols"], data["count"]) == (3, 4, 1049)
        masks = np.unpackbits(data["edges"], axis=1, count=Lattice(4, 5).num_edges)
    assert [tuple(np.flatnonzero(mask).tolist()) for mask in masks] == loops


def test_refuses(tmp_path: Path) -> None:
    assert "--format is needed" in _run(3, 4, "--output", tmp_path / "loops").stderr
    assert "at least one row" in _run(0, 4, "--output", tmp_path / "loops.txt").stderr
    limited = _run(12, 12, "--memory", "10MB", "--output", tmp_path / "loops.txt")
    assert limited.returncode == 1
    assert "needs at least 55 MB of memory (limit: 10 MB)" in limited.stderr
    assert list(tmp_path.iterdir()) == []
