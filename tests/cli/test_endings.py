"""Every command against everything that can go wrong around it: one line, a status of the table."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from linkoracle.cli import loops, program
from linkoracle.cli.main import main
from linkoracle.core import FormatError, MemoryLimit, NothingFound, SearchTimeout
from linkoracle.formats import reading
from tests.workers import Program

#: A command line for each command, with FILE for a file of puzzles, NEW for one to be written.
COMMANDS = [
    "count FILE",
    "count --jsonl",
    "solve FILE",
    "check FILE",
    "check --solution - FILE",
    "certify FILE -o NEW",
    "verify FILE",
    "verify --puzzle FILE FILE",
    "convert --to json FILE",
    "convert --to json -o NEW FILE",
    "draw FILE -o -  --format svg",
    "draw FILE -o NEW --format svg",
    "booklet FILE -o NEW",
    "grade FILE",
    "grade --hint --partial-solution - FILE",
    "loops 3 3",
    "loops --puzzle FILE --list",
    "generate slitherlink 4 4 --seed 0",
    "generate slitherlink 4 4 --seed 0 -o NEW",
    "generate slitherlink 4 4 --seed 0 --mask FILE",
    "generate numberlink 4 4 --seed 0",
    "generate numberlink 4 4 --seed 0 --into NEW",
    "add-clues FILE",
    "add-clues FILE -o NEW",
    "census loop FILE",
    "census board 2 2",
    "census board 2 2 --checkpoint NEW",
    "census numberlink 2 2",
    "census numberlink 2 2 --checkpoint NEW",
    "catalogue add FILE --into NEW",
    "catalogue list FILE",
    "catalogue grade FILE",
    "catalogue certify FILE",
    "catalogue export FILE -o NEW",
    "catalogue stats FILE",
    "catalogue check FILE",
    "completion bash",
    "--help",
]
#: What the shell does to the streams. A command that does not use them is not touched by that.
STREAMS = ["<&-", ">&-", "2>&-", "<&- >&- 2>&-", ">/dev/full", "2>/dev/full", "| true"]
#: What may stand in the place of a file.
FILES = {
    "missing": None,
    "empty": b"",
    "binary": bytes(range(256)) * 4,
    "digits": b"slitherlink\n" + b"9" * 5000 + b"\n",
    "deep": b"[" * 100_000,
    "good": b"slitherlink\n3.\n.2\n",
}
STATUSES = {
    getattr(program, name)
    for name in (
        *("DONE", "NO", "BAD_INPUT", "TIMED_OUT", "OUT_OF_MEMORY", "SYSTEM_ERROR", "INTERRUPTED"),
        "READER_GONE",
    )
}
HUGE = "9" * 23
#: Counts what is in standard input, and prints the most memory that took, in KiB.
COUNT_AND_REPORT = """
import resource, sys
from linkoracle.cli.main import main
try:
    main(["count", "-"])
finally:
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def shell(line: str, folder: Path) -> tuple[int, str]:
    """The exit status of the first command of a line, and what it said on standard error."""
    line = f"{shlex.quote(sys.executable)} -m linkoracle {line}; exit ${{PIPESTATUS[0]}}"
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    environment.pop("PYTHONUNBUFFERED", None)
    ended = subprocess.run(
        ["bash", "-c", line],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        env=environment,
        timeout=120,
    )
    return ended.returncode, ended.stderr


def check_ending(line: str, status: int, message: str) -> None:
    assert status in STATUSES, (line, status, message)
    assert "Traceback" not in message, (line, message)
    assert "Exception ignored" not in message, (line, message)
    lines = [one for one in message.splitlines() if not one.startswith("compiling")]
    errors = [one for one in lines if one.startswith("error: ")]
    assert len(errors) <= 1, (line, message)
    if status in (program.BAD_INPUT, program.SYSTEM_ERROR) and "2>" not in line:
        assert errors, (line, message)


def prepared(command: str, kind: str, folder: Path) -> str:
    content = FILES[kind]
    if content is not None:
        (folder / "file").write_bytes(content)
    return command.replace("FILE", "file").replace("NEW", "new")


@pytest.mark.heavy
@pytest.mark.parametrize("streams", STREAMS)
@pytest.mark.parametrize("command", COMMANDS)
def test_streams(command, streams, tmp_path):
    line = f"{prepared(command, 'good', tmp_path)} {streams}"
    check_ending(line, *shell(line, tmp_path))


@pytest.mark.heavy
@pytest.mark.parametrize("kind", [*FILES, "directory"])
@pytest.mark.parametrize("command", [one for one in COMMANDS if "FILE" in one or "NEW" in one])
def test_files(command, kind, tmp_path):
    if kind == "directory":
        line = command.replace("FILE", ".").replace("NEW", ".")
    else:
        line = prepared(command, kind, tmp_path)
    check_ending(line, *shell(line, tmp_path))


@pytest.mark.parametrize(
    ("line", "status", "message"),
    [
        ("count - <&-", 2, "error: <stdin>: cannot be read: Bad file descriptor\n"),
        ("count --jsonl <&-", 2, None),
        ("loops 2 2 >&-", 5, "error: cannot write to standard output: Bad file descriptor\n"),
        ("loops 2 2 >/dev/full", 5, "error: cannot write to standard output: No space left"),
        ("--help >/dev/full", 5, "error: cannot write to standard output: No space left"),
        ("loops 2 2 2>&-", 0, ""),
        ("loops x 2 2>/dev/full", 2, ""),
        ("loops x 2 2>&-", 2, ""),
        ("loops 2 2 --list --json | true", 141, ""),
        ("convert --to json file -o /dev/full", 5, "error: /dev/full: cannot write: No space"),
    ],
)
def test_some_streams(line, status, message, tmp_path):
    if "/dev/full" in line and not Path("/dev/full").exists():
        pytest.skip("no /dev/full here")
    prepared("", "good", tmp_path)
    found = shell(line, tmp_path)
    check_ending(line, *found)
    assert found[0] == status or (status == 141 and found[0] == 0)
    assert message is None or (found[1].startswith(message) and bool(message) == bool(found[1]))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("count -", "error: <stdin>: expected at most 1000 bytes, found more\n"),
        ("grade long", "error: long: expected at most 1000 bytes, found more\n"),
        ("check --solution - good", "error: <stdin>: expected at most 1000 bytes, found more\n"),
        ("check --solution long good", "error: long: expected at most 1000 bytes, found more\n"),
        (
            "generate slitherlink 2 2 --mask long",
            "error: long: expected at most 1000 bytes, found more",
        ),
    ],
)
def test_a_text_that_is_too_long(line, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(reading, "MAX_TEXT", 1000)
    Path("long").write_text("." * 1001)
    Path("good").write_bytes(FILES["good"])
    found = CliRunner().invoke(main, line.split(), input="." * 1001)
    assert (found.exit_code, found.stderr.startswith(message)) == (2, True), found.stderr


def test_an_endless_line_takes_no_memory():
    with Program(["yes", "." * 60], stdout=subprocess.PIPE) as endless:
        command = "tr -d '\\n' | " + shlex.join([sys.executable, "-c", COUNT_AND_REPORT])
        ended = subprocess.run(
            ["bash", "-c", command], stdin=endless.stdout, capture_output=True, text=True
        )
        endless.kill()
    assert ended.stderr == "error: <stdin>: expected at most 100000000 bytes, found more\n"
    assert int(ended.stdout) < 400_000


def test_what_takes_the_place_of_a_closed_stream_gets_nothing(tmp_path):
    """A file opened first would be number 1, and standard output would go there."""
    line = "catalogue add file --into new.sqlite >&-"
    prepared("", "good", tmp_path)
    assert shell(line, tmp_path)[0] in (5, 1)
    assert shell("catalogue check new.sqlite", tmp_path) == (0, "")


def test_what_is_no_file_is_written_to_and_a_link_is_followed(tmp_path):
    """Neither is replaced by a file."""
    prepared("", "good", tmp_path)
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to("real")
    os.mkfifo(tmp_path / "pipe")
    assert shell("convert --to json file -o link", tmp_path) == (0, "")
    assert (tmp_path / "link").is_symlink()
    written = (tmp_path / "real").read_text()
    assert written.startswith("{")
    assert shell("convert --to json file -o pipe & cat pipe >copy; wait", tmp_path)[1] == ""
    assert (tmp_path / "copy").read_text() == written
    assert sorted(one.name for one in tmp_path.iterdir()) == [
        "copy",
        "file",
        "link",
        "pipe",
        "real",
    ]


@pytest.mark.parametrize(
    "line",
    [
        f"count --jobs {HUGE} FILE",
        f"count --limit {HUGE} FILE",
        f"count --timeout {HUGE} FILE",
        f"count --memory {HUGE} FILE",
        f"solve --limit {HUGE} FILE",
        f"grade --max-depth {HUGE} FILE",
        f"loops 3 {HUGE}",
        "loops 1000000000 3",
        "loops 1000000 3",
        f"loops 2 2 --sample {HUGE}",
        f"loops 2 2 --seed {HUGE} --sample 1",
        "loops 2 2 --timeout nan",
        "loops 2 2 --timeout inf",
        "loops 2 2 --timeout 0",
        "loops 2 2 --memory 0",
        "generate slitherlink 1000000 1",
        "generate slitherlink 4 1000000",
        f"generate slitherlink 4 {HUGE}",
        f"generate slitherlink 4 4 --seed {HUGE}",
        f"generate slitherlink 4 4 --clues {HUGE}",
        f"generate slitherlink 4 4 --ends {HUGE},0-0,0",
        "generate slitherlink 4 4 --max-clue-density nan",
        f"generate slitherlink 4 4 --shape uniform --shape-option length={HUGE}",
        "generate numberlink 100000 100000",
        f"generate numberlink 4 {HUGE}",
        f"generate numberlink 4 4 --pairs {HUGE}",
        f"generate numberlink 4 4 --min-length {HUGE}",
        f"generate numberlink 4 4 --max-length {HUGE}",
        f"census numberlink 2 2 --pairs {HUGE}",
        f"census numberlink 2 2 --sample {HUGE}",
        f"census numberlink 2 2 --end {HUGE},1",
        f"census numberlink 1000 {HUGE}",
        f"census board 3 {HUGE}",
        "census board 1000 1000",
        f"census loop FILE --clues {HUGE}",
        f"census loop FILE --shape-option {HUGE},1",
        f"census loop --random 3 {HUGE}",
        f"census loop --random 2 2 --seed {HUGE}",
        f"catalogue list FILE --limit {HUGE}",
        f"catalogue list FILE --clues {HUGE}",
        f"catalogue list FILE --size {HUGE}x3",
        f"booklet FILE -o NEW --per-page {HUGE}",
        f"draw FILE -o NEW --format svg --cell {HUGE}",
        f"draw FILE -o NEW --format svg --number {HUGE}",
    ],
)
def test_numbers_that_make_no_sense(line, tmp_path, monkeypatch):
    """In this process: what is refused takes no time, and the rest is small."""
    monkeypatch.chdir(tmp_path)
    found = CliRunner().invoke(main, prepared(line, "good", tmp_path).split())
    assert found.exit_code in STATUSES, found.stderr
    check_ending(line, found.exit_code, found.stderr)


@pytest.mark.parametrize(
    ("error", "status", "message"),
    [
        (SearchTimeout(3), 3, "no answer within 3 s (no solution found so far)"),
        (MemoryLimit("reached 1 GB"), 4, "reached 1 GB"),
        (MemoryError(), 4, "out of memory"),
        (NothingFound("none\nin 3 tries"), 1, "none in 3 tries"),
        (FormatError("bad", source="a.txt", line=3), 2, "a.txt:3: bad"),
        (OSError(13, "Permission denied", "a.txt"), 5, "a.txt: Permission denied"),
        (OSError(24, "Too many open files"), 5, "Too many open files"),
        (EOFError(), 70, "internal error, EOFError: EOFError (please report it; "),
        (ZeroDivisionError("by zero"), 70, "internal error, ZeroDivisionError: by zero (please "),
    ],
)
def test_every_error_is_one_line(error, status, message, monkeypatch):
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(loops, "_puzzle", fail)
    monkeypatch.delenv(program.TRACEBACK, raising=False)
    found = CliRunner().invoke(main, ["loops", "2", "2"])
    assert found.exit_code == status
    assert found.stderr.startswith(f"error: {message}")
    assert found.stderr.count("\n") == 1
    monkeypatch.setenv(program.TRACEBACK, "1")
    found = CliRunner().invoke(main, ["loops", "2", "2"])
    assert ("Traceback" in found.stderr) == (status == program.INTERNAL_ERROR)


def test_wrong_usage_is_one_line():
    found = CliRunner().invoke(main, ["loops", "2", "2", "--sampel", "3"], prog_name="linkoracle")
    assert found.exit_code == 2
    assert re.fullmatch(
        r"error: No such option.*sampel.* \(see linkoracle loops --help\)\n", found.stderr
    )


def test_the_documented_table_is_that_of_the_code():
    text = Path("docs/reference/commands.md").read_text()
    documented = {int(number) for number in re.findall(r"^\| (\d+) \|", text, re.MULTILINE)}
    assert documented == {*STATUSES, program.INTERNAL_ERROR}
