from __future__ import annotations

import io
from pathlib import Path

import pypdf
import pytest
from click.testing import CliRunner, Result

import linkoracle
from linkoracle.cli.main import main

TIMES = "\N{MULTIPLICATION SIGN}"
UNIQUE = "slitherlink\n33\n..\n"
SEVERAL = "slitherlink\n...\n...\n"
#: In a file whose puzzles have names; the first is the hardest.
NAMED = (
    "# name: Heart\nslitherlink\n.11.22.\n3..2..3\n2.....2\n3.....3\n.0...0.\n..1.3..\n...3...\n\n"
    "# name: Ёлка\nslitherlink\n33\n..\n"
)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    Path("unique.txt").write_text(UNIQUE)
    Path("several.txt").write_text(SEVERAL)
    Path("both.txt").write_text(UNIQUE + "\n" + SEVERAL)
    Path("none.txt").write_text("numberlink\n1.2\n2.1\n")
    return tmp_path


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["booklet", *arguments])


def made(*arguments: str) -> pypdf.PdfReader:
    """The booklet that a command prints."""
    result = run(*arguments, "-o", "-")
    assert (result.exit_code, result.stderr) == (0, "")
    return pypdf.PdfReader(io.BytesIO(result.stdout_bytes))


def words(*arguments: str) -> list[str]:
    return [page.extract_text() for page in made(*arguments).pages]


def refused(*arguments: str) -> str:
    """The status and the one line that a command ends with that makes no booklet."""
    result = run(*arguments, "-o", "b.pdf")
    assert not Path("b.pdf").exists()
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    assert line.startswith("error: ")
    return f"{result.exit_code} {line[7:]}"


def test_every_puzzle_is_certified(folder):
    assert refused("several.txt", "unique.txt") == "1 several.txt: more than one solution"
    assert refused("none.txt", "--allow-several") == "1 none.txt: no solution"
    front, back = words("both.txt", "--allow-several", "--solutions", "--grade")
    score = linkoracle.grade(linkoracle.read(UNIQUE)).score
    assert f"1\nSlitherlink\neasy {score}\n2 {TIMES} 2 cells\n" in front
    assert f"2\nSlitherlink\n2 {TIMES} 3 cells, several solutions\n" in front
    assert "2\none of several" in back
    assert "1\none of several" not in back


def test_what_is_printed_beside_puzzles(folder):
    (page,) = words("unique.txt", "--title", "Ours", "--author", "Ada", "--paper", "letter")
    assert page.splitlines()[:4] == ["1", "Ours", "Ada", "Slitherlink"]
    assert "easy" not in page
    assert "Join neighbouring dots" in page
    (page,) = words("unique.txt", "--no-instructions")
    assert "Join" not in page
    reader = made("unique.txt", "--date", "2026-03-31", "--title", "Ours")
    assert "31 March 2026" in reader.pages[0].extract_text()
    assert reader.metadata.creation_date.date().isoformat() == "2026-03-31"
    assert made("unique.txt").metadata.creation_date is None


def test_the_easiest_first(folder):
    pytest.importorskip("ttf_opensans")
    Path("named.txt").write_text(NAMED, encoding="utf-8")
    (page,) = words("named.txt", "--no-instructions")
    assert page.index("Heart") < page.index("Ёлка")
    assert "easy" not in page
    (page,) = words("named.txt", "--no-instructions", "--order", "grade")
    assert page.index("Ёлка") < page.index("Heart")
    assert "easy" not in page
    (page,) = words("named.txt", "--no-instructions", "--order", "grade", "--grade")
    assert page.index("Ёлка\neasy") < page.index("Heart\ntricky")


def test_of_one_grade_the_lower_score_first(folder):
    large = ".132.\n3....\n.0...\n3..2.\n..3.3\n"
    Path("easy.txt").write_text(
        f"# name: Large\nslitherlink\n{large}\n# name: Small\n{UNIQUE}", encoding="utf-8"
    )
    named = ("easy.txt", "--no-instructions", "--grade")
    (given,), (ordered,) = words(*named), words(*named, "--order", "grade")
    assert given.index("Large\neasy") < given.index("Small\neasy")
    assert ordered.index("Small\neasy") < ordered.index("Large\neasy")


def test_pages_hold_what_was_asked_for(folder):
    Path("five.txt").write_text((UNIQUE + "\n") * 5)
    assert len(made("five.txt").pages) == 1
    assert len(made("five.txt", "--per-page", "2").pages) == 4
    assert len(made("five.txt", "--per-page", "2", "--no-instructions").pages) == 3
    assert len(made("five.txt", "--per-page", "2", "--solutions").pages) == 5


def test_the_same_booklet_has_the_same_bytes(folder, monkeypatch):
    arguments = ("both.txt", "--allow-several", "--solutions", "--grade", "--title", "Ours")
    first = run(*arguments, "-o", "-").stdout_bytes
    assert first == run(*arguments, "-o", "-").stdout_bytes
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1000000000")
    assert made("unique.txt").metadata.creation_date.year == 2001


def test_what_makes_no_booklet(folder, monkeypatch):
    assert refused("unique.txt", "--date", "tomorrow").startswith(
        "2 Invalid value for '--date': expected a day such as 2026-03-31, got 'tomorrow'"
    )
    assert refused("unique.txt", "--per-page", "0").startswith("2 Invalid value for '--per-page'")
    # Before any puzzle is certified.
    for option in ("--title", "--author"):
        assert refused("several.txt", option, "数独") == (
            "2 the font of PDF files lacks '数', in '数独'"
        )
    Path("foreign.txt").write_text(f"# name: 数独\n{SEVERAL}", encoding="utf-8")
    assert refused("foreign.txt") == "2 the font of PDF files lacks '数', in '数独'"
    assert refused("missing.txt").startswith("2 missing.txt: no such file")
    result = run("unique.txt", "-o", "b.pdf", "--timeout", "1e-9")
    assert (result.exit_code, Path("b.pdf").exists()) == (3, False)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "x")
    assert refused("several.txt") == (
        "2 expected in SOURCE_DATE_EPOCH the seconds since 1970, found 'x'"
    )
