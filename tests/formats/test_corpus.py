"""Round trips of published puzzles, if a collection lies beside the checkout."""

import json
from pathlib import Path

import pytest

from linkoracle.formats import FORMATS, read, read_all, write

CORPUS = Path(__file__).resolve().parents[2].parent / "shared" / "corpus"


@pytest.mark.parametrize("kind", ["slitherlink", "numberlink"])
def test_every_record(kind):
    path = CORPUS / f"{kind}.jsonl"
    if not path.exists():
        pytest.skip(f"no collection at {path}")
    records = [json.loads(line) for line in path.read_text().splitlines()]
    entries = read_all(path, kind=kind)
    assert [entry.name for entry in entries] == [record["id"] for record in records]
    for entry, record in zip(entries, records, strict=True):
        puzzle = entry.puzzle
        assert (puzzle.rows, puzzle.cols) == (record["rows"], record["cols"])
        for name, form in FORMATS.items():
            if not form.writes or (name == "loopy" and kind == "numberlink"):
                continue
            assert read(write(puzzle, name), kind=kind) == puzzle, (entry.name, name)
        dimensions = f"{puzzle.rows} {puzzle.cols}\n{record['grid']}\n"
        assert read(dimensions, kind=kind) == puzzle
