"""Whatever the input, reading gives puzzles or one FormatError on one line."""

from hypothesis import example, given
from hypothesis import strategies as st

from linkoracle.core import FormatError
from linkoracle.formats import FORMATS, read_all, write
from linkoracle.kinds import Slitherlink

from .strategies import puzzles

kinds = st.sampled_from([None, "slitherlink", "numberlink"])
rules = st.sampled_from([None, None, None, "free", "fill", "loop", "path"])
WORDS = [
    *'.-#,:/?=%+*$x{}[]"',
    *("slitherlink", "numberlink", "path", "fill", "ends", "0,0", "1,1", "2", "3", "10"),
    *("slither/", "numlin/", "https://", "2x2t0:", "3#4", "t0", "null", "kind", "grid", "\\n"),
]
tokens = st.sampled_from([*WORDS, "\n", "\n\n", " ", "\t", "\r", "\0", "\ufeff"])


def check(source, kind, variant):
    failure = None
    entries = []
    try:
        entries = read_all(source, kind=kind, variant=variant, name="in")
    except FormatError as error:
        failure = error
    if failure is not None:
        message = str(failure)
        assert message.isprintable()
        assert len(message) < 400
        if failure.column is not None and isinstance(source, str):
            lines = source.replace("\r\n", "\n").split("\n")
            assert 1 <= failure.line <= len(lines)
            assert 1 <= failure.column <= len(lines[failure.line - 1]) + 1
        return
    assert entries
    for entry in entries:
        assert kind in (None, entry.puzzle.kind)
        assert variant in (None, entry.puzzle.variant)
        assert read_all(write(entry.puzzle))[0].puzzle == entry.puzzle


@given(st.one_of(st.text(), st.lists(tokens).map("".join)), kinds, rules)
@example("\x0b", None, None)
@example("\n" + "9" * 5000, "numberlink", None)
@example("1x1t" + "9" * 5000 + ":a", None, None)
@example("slither/" + "9" * 5000 + "/1/a", None, None)
@example("[" * 100_000, None, None)
def test_any_text(text, kind, variant):
    check("\n" + text, kind, variant)
    check(text, kind, variant)


@st.composite
def damaged(draw):
    puzzle = draw(puzzles())
    form = draw(st.sampled_from([name for name, one in FORMATS.items() if one.writes]))
    try:
        text = write(puzzle, form)
    except FormatError:
        text = write(puzzle)
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.integers(0, 3)))
        patch = draw(st.one_of(tokens, st.text(max_size=2), st.just(text[start : end + 5])))
        text = text[:start] + patch + text[end:]
    return text


@given(damaged(), kinds, rules)
def test_damaged_text(text, kind, variant):
    check("\n" + text, kind, variant)


@st.composite
def damaged_slk(draw):
    rows, cols = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    board = Slitherlink.blank(rows, cols)
    grid = write(board).removeprefix("slitherlink\n")
    marks = ["." * cols] * (rows + 1) + [""] + ["." * (cols + 1)] * rows
    lines = ["# c", f"{rows} {cols}", "", *grid.splitlines(), "", *marks]
    for _ in range(draw(st.integers(0, 3))):
        lines[draw(st.integers(1, len(lines) - 1))] = draw(
            st.lists(tokens, max_size=4).map("".join)
        )
    return "\n".join(lines)


@given(damaged_slk(), kinds, rules)
def test_damaged_slk(text, kind, variant):
    check(text, kind, variant)


@given(st.binary(), kinds, rules)
def test_any_bytes(tmp_path_factory, data, kind, variant):
    path = tmp_path_factory.getbasetemp() / "fuzz.bin"
    path.write_bytes(data)
    check(path, kind, variant)
