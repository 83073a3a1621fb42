"""The limits and budgets that pages name are those of the program."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[1] / "docs"

#: A page, a sentence of it, and the constants in place of its ``{}``, as ``module.NAME``.
STATED = [
    (
        "how-to/generate",
        "Slitherlinks have up to {} cells and {} rows or columns",
        "generate.clues.request.MOST_SLITHERLINK_CELLS generate.request.MOST_SIDE",
    ),
    (
        "how-to/generate",
        "Numberlinks have up to {} cells",
        "generate.paths.request.MOST_NUMBERLINK_CELLS",
    ),
    (
        "how-to/generate",
        "`--maker diagram` one of {} and {} cells",
        "generate.paths.request.WIDEST_DIAGRAM generate.paths.request.MOST_DIAGRAM_CELLS",
    ),
    ("how-to/generate", "`variety` {};", "generate.loops.colouring._VARIETY"),
    (
        "how-to/generate",
        "boards of more than {} cells only the symmetry",
        "generate.clues.plan._LARGE",
    ),
    (
        "how-to/generate",
        "boards of {} cells and more look",
        "generate.paths.numbers.USUAL_CELLS",
    ),
    ("how-to/generate", "paths of {} cells or more", "generate.paths.numbers.USUAL_LENGTH"),
    (
        "how-to/other-boards",
        "Numberlinks have up to {} cells",
        "generate.paths.request.MOST_NUMBERLINK_FACES",
    ),
    ("how-to/long-runs", "run again, up to {} times", "batch.RETRIES"),
    ("how-to/long-runs", "cannot be reached within {} seconds", "batch._CONNECT_SECONDS"),
    ("how-to/long-runs", "writes a unit every {} seconds", "census.board._UNIT_SECONDS"),
    ("explanation/census", "up to {} cells the sets", "census.board.MOST_CELLS"),
    ("explanation/frontier", "From {} states on, a layer", "frontier.sharing.SHARED_STATES"),
    ("explanation/plain", "boards of up to {} edges", "engines.plain_diagram.MAX_EDGES"),
    (
        "explanation/taut",
        "After {} conflicts empty cells",
        "engines.taut_search._FILLING_CONFLICTS",
    ),
    (
        "explanation/taut",
        "After {} conflicts on cells, or {}",
        "engines.taut_search._CELLS_CONFLICTS _VERTEX_CONFLICTS",
    ),
    ("explanation/taut", "boards of {} cells or more along", "engines.taut_search.LARGE"),
    ("explanation/taut", "in windows of {}x", "engines.taut_search.WIDTH"),
    ("explanation/taut", "windows of {}x10 cells. Where", "engines.taut_search.FILLED_WIDTH"),
    ("explanation/taut", "After {} conflicts each processor", "engines.answers.CONFLICT_BUDGET"),
    ("explanation/taut", "beyond {} cells across", "engines.schedule.NARROW"),
    ("explanation/taut", "From {} cells on the direct", "engines.oracle._LARGE_VERTICES"),
    ("explanation/homotopy", "those of more than {} pairs", "engines.taut_search._MOST_PAIRS"),
    ("explanation/homotopy", "Beyond {} cells across", "engines.racing._DIVIDED_VERTICES"),
    ("reference/jsonl", "Up to {} sessions may be open", "cli.jsonl.MAX_SESSIONS"),
    ("reference/jsonl", "of up to {} cells each", "cli.jsonl.MAX_CELLS"),
    ("reference/jsonl", "Lines have at most {} characters", "formats.reading.MAX_LINE"),
    (
        "reference/file-formats",
        "{} bytes, {} characters a line, {} cells, {} digits a number",
        "core.limits.MAX_TEXT formats.reading.MAX_LINE MAX_CELLS MAX_DIGITS",
    ),
    (
        "reference/certificate-format",
        "a board {} cells",
        "certificates.verify_certificate.MOST_CELLS",
    ),
    ("reference/techniques", "they are; this is {}.", "deduce.grades.SCALE"),
]
WORDS = {3: "three", 4: "four", 5: "five", 10: "ten"}


def as_written(number: float) -> str:
    """Return a pattern for a number: in digits with commas, or a small one in words."""
    whole = int(number) if number == int(number) else number
    return rf"(?:{re.escape(f'{whole:,}')}|{WORDS.get(int(number), whole)})"


def constants(names: str) -> list[float]:
    found, module = [], ""
    for name in names.split():
        where, _, constant = name.rpartition(".")
        module = where or module
        found.append(getattr(import_module(f"linkoracle.{module}"), constant))
    return found


@pytest.mark.parametrize(("page", "sentence", "names"), STATED)
def test_pages_state_the_numbers_of_the_program(page, sentence, names):
    text = " ".join((DOCS / f"{page}.md").read_text(encoding="utf-8").split())
    parts = [re.escape(part) for part in sentence.split("{}")]
    pattern = parts[0]
    for number, part in zip(constants(names), parts[1:], strict=True):
        pattern += rf"(?<![\d,]){as_written(number)}(?![\d,]*\d){part}"
    assert re.search(pattern, text), f"{page} does not say {sentence!r} with {constants(names)}"
