from __future__ import annotations

import io
import re
from pathlib import Path
from xml.etree import ElementTree

import pypdf
import pytest
from click.testing import CliRunner, Result

import linkoracle
from linkoracle.cli.main import main
from linkoracle.core import SearchTimeout
from linkoracle.render.document import Document

TIMES = "\N{MULTIPLICATION SIGN}"
UNIQUE = "slitherlink\n33\n..\n"
SEVERAL = "slitherlink\n...\n...\n"
#: In a file whose puzzles have names; the first is the hardest.
NAMED = (
    "# name: Heart\nslitherlink\n.11.22.\n3..2..3\n2.....2\n3.....3\n.0...0.\n..1.3..\n...3...\n\n"
    "# name: Ёлка\nslitherlink\n33\n..\n"
)


LACKED = "2 the font of PDF files lacks '数', in '数独'. Use other letters, or write SVG or HTML"


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
    assert refused("several.txt", "unique.txt") == (
        "1 several.txt: more than one solution. Pass --allow-several to print it"
    )
    assert refused("none.txt", "--allow-several") == "1 none.txt: no solution"
    front, back = words("both.txt", "--allow-several", "--grade")
    score = linkoracle.grade(linkoracle.read(UNIQUE)).score
    assert f"1\nSlitherlink\n2 {TIMES} 2 cells, easy {score}\n" in front
    assert f"2\nSlitherlink\n2 {TIMES} 3 cells, several solutions" in front
    assert "2\none of several" in back
    assert "1\none of several" not in back


def test_what_is_printed_beside_puzzles(folder):
    page, _ = words("unique.txt", "--title", "Ours", "--author", "Ada", "--paper", "letter")
    assert page.splitlines()[:4] == ["1", "Ours", "Ada", "Slitherlink"]
    assert "easy" not in page
    assert "Join neighbouring dots" in page
    (page,) = words("unique.txt", "--no-instructions", "--no-solutions", "--blanks", "name")
    assert "Join" not in page
    assert "Name" in page
    reader = made("unique.txt", "--date", "2026-03-31", "--title", "Ours")
    assert "31 March 2026" in reader.pages[0].extract_text()
    assert reader.metadata.creation_date.date().isoformat() == "2026-03-31"
    assert made("unique.txt").metadata.creation_date is None


def test_the_easiest_first(folder):
    pytest.importorskip("ttf_opensans")
    Path("named.txt").write_text(NAMED, encoding="utf-8")
    page, _ = words("named.txt", "--no-instructions")
    assert page.index("Heart") < page.index("Ёлка")
    page, _ = words("named.txt", "--no-instructions", "--order", "grade")
    assert page.index("Ёлка") < page.index("Heart")
    assert "easy" not in page
    page, _ = words("named.txt", "--no-instructions", "--order", "grade", "--grade")
    assert page.index("Ёлка") < page.index("easy") < page.index("Heart") < page.index("tricky")


def test_of_one_grade_the_lower_score_first(folder):
    large = ".132.\n3....\n.0...\n3..2.\n..3.3\n"
    Path("easy.txt").write_text(
        f"# name: Large\nslitherlink\n{large}\n# name: Small\n{UNIQUE}", encoding="utf-8"
    )
    named = ("easy.txt", "--no-instructions", "--grade")
    (given, _), (ordered, _) = words(*named), words(*named, "--order", "grade")
    assert given.count("easy") == ordered.count("easy") == 2
    assert given.index("Large") < given.index("Small")
    assert ordered.index("Small") < ordered.index("Large")


def test_pages_hold_what_was_requested(folder):
    Path("five.txt").write_text((UNIQUE + "\n") * 5)
    # Cover, contents, three pages of puzzles, solutions.
    two = ("five.txt", "--per-page", "2", "--no-instructions")
    assert len(made("five.txt").pages) == 2
    assert len(made(*two).pages) == 6
    assert len(made(*two, "--no-solutions").pages) == 5
    assert len(made(*two, "--no-solutions", "--no-cover").pages) == 4
    # It was said before solutions were printed anyway.
    assert len(made(*two, "--solutions").pages) == 6


def test_stars_come_from_grades(folder, monkeypatch):
    drawn = []
    monkeypatch.setattr(Document, "stars", lambda *args: drawn.append(args[4]))
    made("unique.txt")
    assert drawn == [1]
    made("unique.txt", "--no-stars", "--order", "grade")
    assert drawn == [1]

    def slow(_puzzle, timeout):
        raise SearchTimeout(timeout)

    monkeypatch.setattr("linkoracle.deduce.grade", slow)
    for limit, more in ((r"10", ()), (r"\d(\.\d)?", ("--timeout", "6"))):
        result = run("unique.txt", "-o", "book.pdf", *more)
        assert (result.exit_code, drawn) == (0, [1])
        reason = f"unique.txt: not graded within {limit} seconds, so it gets no stars"
        assert re.fullmatch(f"warning: {reason}\n", result.stderr)


def test_words_of_ones_own(folder):
    Path("foreword.txt").write_text("Dear\nreader,\n\n\nbegin!\n")
    Path("rules.txt").write_text(
        "# slitherlink\nOne loop.\nNumbers count\nlines.\n\nNo more.\n# numberlink fill\nAll.\n"
    )
    own = ("--foreword", "foreword.txt", "--instructions", "rules.txt")
    page, _ = words("unique.txt", *own)
    for line in ("Dear reader,", "begin!", "One loop. Numbers count lines.", "No more."):
        assert line in page.splitlines()
    assert "Join" not in page
    result = run("unique.txt", *own, "-o", "cards.html", "--title", "Ours")
    assert (result.exit_code, result.output) == (0, "")
    page = Path("cards.html").read_text(encoding="utf-8")
    assert "<p>Dear reader,</p><p>begin!</p>" in page
    assert "<p>One loop. Numbers count lines.</p><p>No more.</p>" in page


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("One loop.\n", "1:1: expected a line such as '# slitherlink' above the instructions"),
        ("\n# sudoku\nNo.\n", "2:1: expected a kind of puzzle and perhaps its variant, found"),
        ("# masyu free\nNo.\n", "1:1: expected a kind of puzzle and perhaps its variant, found"),
        (
            "# masyu\nA.\n#slitherlink\n \n",
            "3: expected instructions below '# slitherlink', found none",
        ),
    ],
)
def test_invalid_instructions(folder, text, reason):
    Path("rules.txt").write_text(text)
    said = refused("several.txt", "--instructions", "rules.txt")
    assert said.startswith(f"2 rules.txt:{reason}")
    assert refused("several.txt", "--foreword", "none") == ("2 none: no such file")


def test_cards_for_the_web(folder, monkeypatch):
    # They need no extra.
    monkeypatch.setattr("linkoracle.render.pictures.find_spec", lambda _: None)
    Path("named.txt").write_text(NAMED, encoding="utf-8")
    titles = ("--author", "Ada <a@example.org>", "--title", "Ours")
    options = ("named.txt", "--order", "grade", *titles)
    assert "linkoracle[pictures]" in run(*options, "-o", "book.pdf").stderr
    result = run(*options, "--format", "html", "-o", "-")
    assert (result.exit_code, result.stderr) == (0, "")
    # What is not well-formed XML, too, is in the head.
    page = ElementTree.fromstring(result.stdout.partition("</head>")[2].partition("</html>")[0])
    titles = [" ".join("".join(one.itertext()).split()) for one in page.iter("h2")]
    filled, empty = "\N{BLACK STAR}", "\N{WHITE STAR}"
    assert titles == [
        "Slitherlink",
        f"1 Ёлка{filled}{empty * 4}",
        f"2 Heart{filled * 3}{empty * 2}",
    ]
    assert "Ada <a@example.org>, 2 puzzles: Slitherlink" in "".join(page.itertext())
    # A board and a solution on each card.
    assert len(list(page.iter("{http://www.w3.org/2000/svg}svg"))) == 4
    assert result.stdout == run(*options, "--format", "html", "-o", "-").stdout
    bare = run(*options, "--no-solutions", "--no-instructions", "-o", "cards.html")
    assert bare.exit_code == 0
    written = Path("cards.html").read_text(encoding="utf-8")
    assert written.count("<svg") == 2
    assert "<details" not in written


def test_the_same_booklet_has_the_same_bytes(folder, monkeypatch):
    arguments = ("both.txt", "--allow-several", "--grade", "--title", "Ours")
    first = run(*arguments, "-o", "-").stdout_bytes
    assert first == run(*arguments, "-o", "-").stdout_bytes
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1000000000")
    assert made("unique.txt").metadata.creation_date.year == 2001


def test_what_makes_no_booklet(folder, monkeypatch):
    assert refused("unique.txt", "--date", "tomorrow").startswith(
        "2 Invalid value for '--date': expected a day such as 2026-03-31, found 'tomorrow'"
    )
    assert refused("unique.txt", "--per-page", "0").startswith("2 Invalid value for '--per-page'")
    both = ("--no-instructions", "--instructions", "rules.txt")
    assert refused("unique.txt", *both).startswith("2 expected --instructions or --no-instr")
    # Before any puzzle is certified.
    for option in ("--title", "--author"):
        assert refused("several.txt", option, "数独") == (LACKED)
    Path("foreword.txt").write_text("Begin with 数独 now.", encoding="utf-8")
    assert refused("several.txt", "--foreword", "foreword.txt") == (LACKED)
    Path("foreign.txt").write_text(f"# name: 数独\n{SEVERAL}", encoding="utf-8")
    assert refused("foreign.txt") == LACKED
    assert refused("missing.txt").startswith("2 missing.txt: no such file")
    result = run("unique.txt", "-o", "b.pdf", "--timeout", "1e-9")
    assert (result.exit_code, Path("b.pdf").exists()) == (3, False)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "x")
    assert refused("several.txt") == ("2 SOURCE_DATE_EPOCH: expected seconds since 1970, found 'x'")
