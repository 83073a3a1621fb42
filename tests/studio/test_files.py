"""Files and the catalogue behind the page."""

from __future__ import annotations

import io
from base64 import b64decode

import pytest

from linkoracle import Numberlink, SimpleLoop, Slitherlink, render
from linkoracle.catalogue import Catalogue
from linkoracle.certificates import certificate, verify_certificate
from linkoracle.core import MissingExtra
from linkoracle.generate import slitherlink
from linkoracle.studio.boards import board_of, puzzle_of
from linkoracle.studio.making import Making
from linkoracle.studio.puzzle_tasks import ways
from tests.studio.asking import slitherlink as board
from tests.studio.making import failure, made

UNIQUE = Slitherlink([[3, 3], [1, 1]])


def data(event) -> bytes:
    return b64decode(event["data"])


def test_a_sheet_says_whether_there_is_one_solution():
    pypdf = pytest.importorskip("pypdf")
    pytest.importorskip("reportlab")

    def text(puzzle):
        event = made(what="file", format="pdf", board=board_of(puzzle))
        assert (event["name"], event["type"]) == (f"{puzzle.kind}.pdf", "application/pdf")
        (page,) = pypdf.PdfReader(io.BytesIO(data(event))).pages
        return page.extract_text()

    assert "easy" in text(UNIQUE)
    several = text(Slitherlink([[3, None], [None, None]]))
    assert "easy" not in several
    assert "several solutions" in several or "more than one" in several
    task = {"what": "file", "format": "pdf", "board": board(2, 2, {0: 4, 1: 4})}
    assert "no solution" in failure(task)


@pytest.mark.parametrize("puzzle", [UNIQUE, Numberlink([[1, 1]]), Slitherlink([[4, 4]])])
def test_a_certificate_is_one(puzzle, tmp_path):
    event = made(what="file", format="certificate", board=board_of(puzzle))
    assert data(event) == certificate(puzzle).data
    file = tmp_path / event["name"]
    file.write_bytes(data(event))
    assert verify_certificate.main([str(file)]) == 0


def test_boards_without_a_file():
    task = {"what": "file", "board": board(9, 9)}
    assert "solutions" in failure({**task, "format": "certificate"})
    assert "expected 'pdf' or 'certificate'" in failure({**task, "format": "exe"})


def test_only_supported_files_are_offered(monkeypatch):
    def missing(suffix):
        raise MissingExtra(suffix, "pictures")

    monkeypatch.setattr(render, "available", missing)
    assert ways() == ["certificate"]


class Shelf:
    """A catalogue, and tasks with it."""

    def __init__(self, path):
        self.path = path

    def __call__(self, **task):
        events = []
        Making(catalogue=self.path).answer(task, events.append)
        return events[-2]


@pytest.fixture
def shelf(tmp_path):
    return Shelf(tmp_path / "mine.sqlite")


def test_puzzles_are_saved_once_and_found_again(shelf):
    event = shelf(what="save", board=board_of(UNIQUE), name="one")
    assert event["words"] == "saved; the catalogue has 1 puzzle"
    event = shelf(what="save", board=board_of(UNIQUE.rotate()))
    assert "already" in event["words"]
    assert shelf(what="save", board=board(2, 2))["reason"] == (
        "a catalogue holds only puzzles with one solution"
    )
    with Catalogue(shelf.path, readonly=True) as kept:
        (record,) = kept.find()
    assert (record.name, record.source["command"], record.grade) == ("one", "studio", "easy")
    found = shelf(what="find")
    assert not found["more"]
    (shown,) = found["records"]
    assert puzzle_of(shown["board"]) == UNIQUE
    assert (shown["size"], shown["clues"], shown["grade"]) == ("2x2", "4 clues", "easy")
    assert "<svg" in shown["picture"]


def test_filters_and_pages(shelf):
    with Catalogue(shelf.path) as kept:
        for index in range(30):
            made_one = slitherlink(4, 5, seed=1, index=index)
            kept.add(made_one.puzzle, made_one.solution)
        kept.add(SimpleLoop.from_holes(2, 3, [(0, 2), (1, 2)]))
        total = len(kept)
    first = shelf(what="find")
    assert (len(first["records"]), first["more"]) == (24, True)
    second = shelf(what="find", after=first["records"][-1]["id"])
    assert (len(second["records"]), second["more"]) == (total - 24, False)
    ids = [record["id"] for record in first["records"] + second["records"]]
    assert ids == list(range(1, total + 1))

    def sizes(**options):
        return {one["size"] for one in shelf(what="find", after=20, **options)["records"]}

    assert sizes(kind="simpleloop") == {"2x3"}
    assert sizes(rows=4) == sizes(rows=4, cols=5) == {"4x5"}
    assert sizes(cols=4) == sizes(grade="hard") == sizes(certified=True) == set()
    assert sizes(grade="none") == {"4x5", "2x3"}


def test_large_and_damaged_puzzles(shelf):
    with Catalogue(shelf.path) as kept:
        long = Numberlink([[1, *[None] * 68, 1]], "fill")
        kept.add(long)
        kept.add(UNIQUE)
        kept._file.execute("UPDATE puzzle SET puzzle = 'nonsense' WHERE id = 2")
    found = shelf(what="find")
    assert [record["board"] for record in found["records"]] == [None]
    assert found["skipped"] == 1


@pytest.mark.parametrize(
    ("task", "reason"),
    [
        ({"what": "find", "kind": "nurikabe"}, "expected 'any', 'slitherlink', "),
        ({"what": "find", "after": -1}, "expected a whole number from 0"),
        ({"what": "find", "grade": "great"}, "expected 'any', "),
        ({"what": "save", "board": board_of(UNIQUE), "name": 3}, "expected a name"),
        ({"what": "save", "board": []}, "a board as an object"),
    ],
)
def test_invalid_tasks(shelf, task, reason):
    assert reason in shelf(**task)["reason"]


def test_an_invalid_catalogue_is_reported_in_one_line(shelf):
    shelf.path.write_text("nothing of the sort")
    event = shelf(what="find")["reason"]
    assert str(shelf.path) in event
    assert "\n" not in event


def test_the_page_cannot_name_a_file(shelf, tmp_path):
    other = tmp_path / "other.sqlite"
    for name in ("catalogue", "path", "file"):
        shelf(what="save", board=board_of(UNIQUE), **{name: str(other)})
    assert [path.name for path in tmp_path.iterdir() if path.suffix == ".sqlite"] == ["mine.sqlite"]
    assert "in 'what', found 'save'" in failure({"what": "save", "board": board_of(UNIQUE)})
    assert len(shelf(what="find")["records"]) == 1
