"""The limits and budgets that pages name are those of the program."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

from draw_kinds import table
from linkoracle.boards import TILINGS
from linkoracle.kinds import KINDS

DOCS = Path(__file__).resolve().parents[1] / "docs"
SOURCE = DOCS.parent / "src" / "linkoracle"

#: A page, a sentence of it, and the constants in place of its ``{}``, each with its package; where
#: several modules of a package have this name, with the module, too.
STATED = [
    (
        "how-to/generate",
        "Slitherlinks have up to {} cells and {} rows or columns",
        "generate.MOST_SLITHERLINK_CELLS generate.MOST_SIDE",
    ),
    (
        "how-to/generate",
        "Numberlinks have up to {} cells",
        "generate.MOST_NUMBERLINK_CELLS",
    ),
    (
        "how-to/generate",
        "`--maker diagram` one of {} and {} cells",
        "generate.WIDEST_DIAGRAM generate.MOST_DIAGRAM_CELLS",
    ),
    ("how-to/generate", "`variety` {};", "generate._VARIETY"),
    (
        "how-to/generate",
        "boards of more than {} cells only the symmetry",
        "generate._LARGE",
    ),
    (
        "how-to/generate",
        "boards of {} cells and more look",
        "generate.USUAL_CELLS",
    ),
    ("how-to/generate", "paths of {} cells or more", "generate.USUAL_LENGTH"),
    (
        "how-to/other-boards",
        "Numberlinks have up to {} cells",
        "generate.MOST_NUMBERLINK_FACES",
    ),
    ("how-to/long-runs", "run again, up to {} times", "batch.RETRIES"),
    ("how-to/long-runs", "cannot be reached within {} seconds", "batch._CONNECT_SECONDS"),
    ("how-to/long-runs", "writes a unit every {} seconds", "census._UNIT_SECONDS"),
    ("explanation/census", "up to {} cells the sets", "census.board.MOST_CELLS"),
    ("explanation/frontier", "From {} states on, a layer", "frontier.SHARED_STATES"),
    ("explanation/plain", "boards of up to {} edges", "engines.MAX_EDGES"),
    (
        "explanation/taut",
        "After {} conflicts on cells, or {}",
        "engines._CELLS_CONFLICTS engines._VERTEX_CONFLICTS",
    ),
    ("explanation/taut", "boards of {} cells or more along", "engines.LARGE"),
    ("explanation/taut", "in windows of {}x", "engines.WIDTH"),
    ("explanation/taut", "windows of {}x10 cells. Where", "engines.FILLED_WIDTH"),
    ("explanation/taut", "After {} conflicts each processor", "engines.CONFLICT_BUDGET"),
    ("explanation/taut", "beyond {} cells across", "engines.NARROW"),
    ("explanation/taut", "From {} cells on the direct", "engines._LARGE_VERTICES"),
    ("explanation/homotopy", "those of more than {} pairs", "engines._MOST_PAIRS"),
    ("explanation/homotopy", "Beyond {} cells across", "engines.DIVIDED"),
    ("reference/jsonl", "Up to {} sessions may be open", "cli.MAX_SESSIONS"),
    ("reference/jsonl", "of up to {} cells each", "cli.MAX_CELLS"),
    ("reference/jsonl", "Lines have at most {} characters", "formats.MAX_LINE"),
    (
        "reference/file-formats",
        "{} bytes, {} characters a line, {} cells, {} digits a number",
        "formats.MAX_TEXT formats.MAX_LINE formats.MAX_CELLS formats.MAX_DIGITS",
    ),
    (
        "reference/certificate-format",
        "a board {} cells",
        "certificates.MOST_CELLS",
    ),
    ("reference/techniques", "they are; this is {}.", "core.SCALE"),
]
WORDS = {3: "three", 4: "four", 5: "five", 10: "ten"}


def as_written(number: float) -> str:
    """Return a pattern for a number: in digits with commas, or a small one in words."""
    whole = int(number) if number == int(number) else number
    return rf"(?:{re.escape(f'{whole:,}')}|{WORDS.get(int(number), whole)})"


def constant(name: str) -> float:
    """Return the constant of this name of a package, wherever in the package it stands.

    Where several modules of a package have this name, the module is named, too.
    """
    package, _, short = name.rpartition(".")
    place = SOURCE / package.replace(".", "/")
    line = re.compile(rf"^(?:\w+, )*{short}(?:, \w+)*(?:: [^=\n]*)? = ", re.MULTILINE)
    modules = [
        ".".join(path.relative_to(SOURCE.parent).with_suffix("").parts)
        for path in [*place.rglob("*.py"), place.with_suffix(".py")]
        if path.exists() and line.search(path.read_text(encoding="utf-8"))
    ]
    assert len(modules) == 1, f"{name} is defined in {modules}"
    return float(getattr(import_module(modules[0].removesuffix(".__init__")), short))


def test_pages_state_the_numbers_of_the_program():
    wrong = []
    for page, sentence, names in STATED:
        text = " ".join((DOCS / f"{page}.md").read_text(encoding="utf-8").split())
        numbers = [constant(name) for name in names.split()]
        pattern, *parts = [re.escape(part) for part in sentence.split("{}")]
        for number, part in zip(numbers, parts, strict=True):
            pattern += rf"(?<![\d,]){as_written(number)}(?![\d,]*\d){part}"
        if not re.search(pattern, text):
            wrong.append(f"{page} does not say {sentence!r} with {numbers}")
    assert wrong == []


def test_the_page_of_kinds_shows_each_of_them():
    """`python scripts/draw_kinds.py docs/pictures` writes the pictures and the table."""
    page = (DOCS / "puzzles.md").read_text("utf-8")
    assert "\n".join(table()) in page
    for name in KINDS:
        assert (DOCS / "pictures" / f"kind-{name}.svg").is_file()


def test_the_readme_counts_kinds_and_tilings():
    """It names five kinds, and the number of the others."""
    readme = (DOCS.parent / "README.md").read_text("utf-8")
    kinds, tilings, more = len(KINDS), len(TILINGS), re.search(r"\[(\d+) more kinds\]", readme)
    assert more is not None
    assert f"## {kinds} kinds, {tilings} tilings" in readme
    named = re.findall(r"\*\*([A-Z][A-Za-z ]+)\*\*", readme[: more.start()])
    assert len(named) + int(more[1]) == kinds
