"""The metadata of puzzles in files: name, author, and rules in the author's words."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from linkoracle.booklets import Sheet, cards
from linkoracle.cli.main import main
from linkoracle.formats import About, read_all, write
from linkoracle.kinds import Slitherlink

PUZZLE = Slitherlink(["3.", ".2"])
ABOUT = About("Ünder the sea", "A. Setter", "Draw a loop. Mind the 3.")


@pytest.mark.parametrize("name", ["text", "json", "rows-cols"])
@pytest.mark.parametrize("about", [ABOUT, About(), About(author="A. Setter")])
def test_all_is_kept(name, about):
    (entry,) = read_all(write(PUZZLE, name, **about._asdict()) + "\n", kind="slitherlink")
    assert (entry.puzzle, entry.about, entry.name) == (PUZZLE, about, about.name)


def test_what_is_said_is_one_line_and_belongs_to_one_puzzle():
    text = write(PUZZLE, author="one\nline", rules="\t")
    assert text.splitlines()[0] == "# author: one line"
    entries = read_all(f"{text}\n{write(PUZZLE, rules='second')}")
    assert [entry.about for entry in entries] == [About(author="one line"), About(rules="second")]


def test_members_of_other_programs_are_ignored():
    found = json.loads(write(PUZZLE, "json")) | {"author": ["a", "b"], "rules": {"a": 1}}
    assert read_all(json.dumps(found) + "\n")[0].about == About()


def test_convert_keeps_what_is_said(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text(write(PUZZLE, **ABOUT._asdict()))
    result = CliRunner().invoke(main, ["convert", "--to", "json", str(path)])
    assert read_all(result.stdout)[0].about == ABOUT


def test_sheets_print_it():
    sheet = Sheet(PUZZLE, **ABOUT._asdict())
    assert (sheet.heading, sheet.described.split(", ")[-1]) == (ABOUT.name, "by A. Setter")
    page = cards([sheet, Sheet(PUZZLE)])
    assert "Mind the 3." in page
    assert "by A. Setter" in page
    assert page.count("Join neighbouring dots") == 1  # the rules of the other puzzle
