"""The programs of `scripts` that measure: what they run gives answers, and those agree."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from pathlib import Path
from runpy import run_path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SCRIPTS = ROOT / "scripts"

#: Stands in for another program: it says that each board has one solution, or as told.
COUNTER = """#!/bin/sh
while read -r cols rows; do
  for _ in $(seq $rows); do read -r row; done
  echo {answer}
done
"""


@pytest.fixture
def corpus(tmp_path):
    """Two Numberlinks, with one solution and with none, as published puzzles are kept."""
    folder = tmp_path / "corpus"
    folder.mkdir()
    grids = {"1_2x2": "1 2\n1 2", "2_3x3": "1 . 2\n. . .\n2 . 1"}
    lines = (json.dumps({"id": name, "grid": grid}) + "\n" for name, grid in grids.items())
    (folder / "numberlink.jsonl").write_text("".join(lines))
    return folder


def measured(corpus: Path, peers: Path, rows: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, SCRIPTS / "bench_peers.py", corpus, "--peers", peers]
    table = ["--rows", rows, "--rounds", "1", "--write", corpus / "table.csv"]
    return subprocess.run([*command, *table], capture_output=True, text=True)


def test_rows_without_the_other_program_say_so(corpus, tmp_path):
    done = measured(corpus, tmp_path, "fill-apart,fill,paths-8")
    assert done.returncode == 0, done.stderr
    with (corpus / "table.csv").open(newline="") as file:
        head, *rows = csv.reader(file)
    assert [len(row) for row in rows] == [len(head)] * 3
    assert [row[1] for row in rows] == [
        "(thomasahle/numberlink not there)",
        "",
        "(Graphillion not there)",
    ]
    assert all(float(row[4].removesuffix(" s")) > 0 and int(row[5]) > 0 for row in rows)
    assert "2 boards" in rows[0][6]


@pytest.mark.parametrize("answer", [1, "$((rows == 2))"])
def test_answers_that_differ_end_the_program(corpus, tmp_path, answer):
    built = tmp_path / "numberlink" / "build" / "numberlink-count"
    built.parent.mkdir(parents=True)
    built.write_text(COUNTER.format(answer=answer))
    built.chmod(0o755)
    done = measured(corpus, tmp_path, "fill-apart")
    if answer == 1:
        assert done.returncode == 1
        assert "fill-apart: answers differ: [{'1': 2}, {'1': 1, '0': 1}]" in done.stderr
    else:
        assert done.returncode == 0, done.stderr
        assert "thomasahle/numberlink" in (corpus / "table.csv").read_text()


@pytest.mark.heavy
def test_every_task_of_the_gate_gives_an_answer(tmp_path):
    gate = run_path(str(SCRIPTS / "bench_gate.py"))
    programs = Path(sys.executable).parent
    for name, task in gate["TASKS"].items():
        assert gate["seconds"](programs, task, tmp_path) > 0, name
