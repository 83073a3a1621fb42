"""Sources, several puzzles, mixed formats, limits, and the registry."""

import time
from pathlib import Path

import pytest

from linkoracle import graphs
from linkoracle.core import FormatError
from linkoracle.formats import FORMATS, Entry, read, read_all, read_file, write
from linkoracle.kinds import KINDS, Numberlink, Slitherlink

from .strategies import OTHERS, fails

TEXT = "slitherlink\n3.\n.2\n"
PUZZLE = Slitherlink([[3, None], [None, 2]])


def failing(call, *arguments, **options):
    with pytest.raises(FormatError) as caught:
        call(*arguments, **options)
    message = str(caught.value)
    assert message.isprintable()
    return message


def test_texts_and_files(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text(TEXT)
    assert read(TEXT) == read(path) == read_file(path) == read_file(str(path)) == PUZZLE
    with pytest.raises(TypeError, match="got bytes"):
        read(TEXT.encode())


@pytest.mark.parametrize("reader", [read, read_all, graphs.read])
def test_a_string_is_never_the_name_of_a_file(tmp_path, monkeypatch, reader):
    """A web service reads what its users send: nothing of a file may be opened or told."""
    secret = tmp_path / "secret"
    secret.write_text("swordfish\nslitherlink\n4\n")
    (tmp_path / "4x4t0:99").write_text("swordfish")
    monkeypatch.chdir(tmp_path)
    # Readers load their modules on first use: these may be opened.
    failing(reader, "secret")
    monkeypatch.setattr(Path, "open", lambda *_: pytest.fail("opened a file"))
    monkeypatch.setattr("builtins.open", lambda *_: pytest.fail("opened a file"))
    for text in (str(secret), "secret", f"file://{secret}", "4x4t0:99", "./secret", "~/secret"):
        assert "swordfish" not in failing(reader, text)
        assert "no such file" not in failing(reader, text)


def test_the_name_of_a_file_as_text_is_told_what_to_call(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text(TEXT)
    assert failing(read, str(path)).endswith("A string is read as text; read_file reads a file")


@pytest.mark.parametrize(
    "data", [b"\xef\xbb\xbf" + TEXT.encode(), TEXT.replace("\n", "\r\n").encode()]
)
def test_byte_order_mark_and_line_ends(tmp_path, data):
    path = tmp_path / "a.txt"
    path.write_bytes(data)
    assert read_all(path) == [Entry(PUZZLE, 1)]
    assert read(data.decode()) == PUZZLE
    assert failing(read, TEXT.replace("\n", "\r")).startswith("1:12: expected text with lines that")


def test_errors_name_the_file_or_the_name_given(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("slitherlink\n7\n")
    assert failing(read, path) == f"{path}:2:1: expected a clue from 0 to 4 or '?', found 7"
    assert failing(read_all, path, name="<stdin>").startswith("<stdin>:2:1: ")
    assert failing(read_all, "slitherlink\n7\n").startswith("2:1: ")


@pytest.mark.parametrize(
    ("data", "place", "reason"),
    [
        (b"\x7fELF\0\0", ":1:1", r"expected text with lines that end at \n or \r\n, found '\x7f'"),
        (
            b"slitherlink\n3\0\n",
            ":2:2",
            r"expected text with lines that end at \n or \r\n, found '\x00'",
        ),
        (b"slitherlink\n3\xff\xfe\n", ":2:2", "not a text file in UTF-8: found the byte 0xff"),
        (
            "slitherlink\n4\n".encode("utf-16"),
            ":1:1",
            "not a text file in UTF-8, but in UTF-16. Save it as UTF-8",
        ),
    ],
)
def test_no_text(tmp_path, data, place, reason):
    path = tmp_path / "a.txt"
    path.write_bytes(data)
    assert failing(read, path) == f"{path}{place}: {reason}"


def test_no_file(tmp_path):
    path = tmp_path / "none.txt"
    assert failing(read, path) == failing(read_file, str(path)) == f"{path}: no such file"
    assert failing(read, tmp_path).startswith(f"{tmp_path}: cannot be read: ")
    assert failing(read_file, "a\x1b\0").endswith(": not the name of a file")
    assert failing(read_file, "a\ud800").startswith("'a\\ud800'")
    assert len(failing(read_file, "x" * 100_000)) < 120


@pytest.mark.parametrize("text", ["", " ", "\ufeff", "\n"])
def test_empty(text, tmp_path):
    assert failing(read, text) == "expected a puzzle, found none"
    path = tmp_path / "a.txt"
    path.write_text(text)
    assert failing(read, path) == f"{path}: expected a puzzle, found none"


def test_one_line_is_a_text():
    for text in (' {"kind": "slitherlink", "grid": [[4]]}', "1x1t0:4", "slither/1/1/4"):
        assert read(text) == Slitherlink([[4]])


def test_read_wants_one(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("slitherlink\n4\n\nnumberlink\n11\n")
    reason = "expected one puzzle, found 2 (read_all reads them all)"
    assert failing(read, path) == f"{path}: {reason}"


@pytest.mark.parametrize("form", ["text", "json", "rows-cols"])
def test_many_puzzles_take_time_in_proportion(form):
    one = write(Slitherlink.blank(3, 4), form)
    start = time.process_time()
    assert len(read_all(f"{one}\n\n" * 5000, kind="slitherlink")) == 5000
    assert time.process_time() - start < 60


def test_mixed_formats_in_one_text():
    text = (
        "https://puzz.link/p?slither/1/1/4\n"
        "# name: b\n"
        "1x1:4\n"
        "\n"
        '{"kind": "slitherlink",\n "grid": [[4]]}\n'
        "slitherlink\n4\n"
        "\n"
        "slitherlink\n1 1\n4\n"
    )
    assert [(entry.line, entry.name) for entry in read_all(text)] == [
        (1, None),
        (3, "b"),
        (5, None),
        (7, None),
        (10, None),
    ]
    assert {entry.puzzle for entry in read_all(text)} == {Slitherlink([[4]])}


def test_a_line_that_is_nothing():
    fails("slither/1/1/4\nhttp:/slither\n", "in:2", "before another puzzle", kind="slitherlink")


def test_kind_and_rule_must_be_known():
    assert failing(read, TEXT, kind="masyu\x1b") == (
        f"expected the kind 'slitherlink', 'numberlink' or one of {OTHERS} others, "
        "found 'masyu\\x1b'"
    )
    others = len({variant for kind in KINDS.values() for variant in kind.variants}) - 2
    message = f"expected the variant 'loop', 'path' or one of {others} others, found 'some'"
    assert message in failing(read, TEXT, variant="some")


def test_limits_are_quick():
    start = time.process_time()
    fails("slitherlink\n" + "." * 10_000_000, "in:2", "at most 1000000 characters, found 10000000")
    fails(
        "slitherlink\n" + ("." * 1000 + "\n") * 1001, "in:1002:1", "expected at most 1000000 cells"
    )
    fails("slitherlink\n" + "9" * 900_000 + "\n" + "x" * 40, "in:3:41", "found 40")
    fails("numlin/2/1/" + "x" * 900_000, "in:1:12", "expected 2 cells, found 18")
    assert time.process_time() - start < 60


@pytest.mark.parametrize("filler", [" ", "?", "#", "1", "-", "{", "a/", "1 ", "?a=", "e"])
@pytest.mark.parametrize("kind", ["slitherlink", "numberlink"])
def test_no_line_takes_long(filler, kind):
    start = time.process_time()
    text = "\n" + filler * (300_000 // len(filler)) + "\n"
    with pytest.raises(FormatError):
        read(text + "x", kind=kind)
    # Anything quadratic would take hours.
    assert time.process_time() - start < 60


def test_the_registry():
    grids = ["slk", "rows-cols", "cols-rows", "text"]
    assert list(FORMATS) == [
        "json",
        "link",
        "penpa",
        "sudokupad",
        "pzpr-file",
        "pzpr",
        "loopy",
        *grids,
    ]
    assert [name for name, one in FORMATS.items() if not one.writes] == [
        "pzpr-file",
        "slk",
    ]
    assert all(name == one.name and one.description for name, one in FORMATS.items())
    for name, one in FORMATS.items():
        if one.writes:
            board = Slitherlink.blank(3, 4)
            assert write(board, name).endswith("\n") != one.one_line


def test_unknown_format_lists_the_known():
    assert failing(write, PUZZLE, "xml") == (
        "expected a format 'json', 'link', 'penpa', 'sudokupad', 'pzpr', 'loopy', "
        "'rows-cols', 'cols-rows', 'text', found 'xml'"
    )


@pytest.mark.parametrize("name", ["json", "text", "rows-cols", "pzpr"])
def test_numbers_longer_than_we_read_are_not_written(name):
    assert "at most 18 digits" in failing(write, Numberlink([[10**18, 10**18]]), name)
