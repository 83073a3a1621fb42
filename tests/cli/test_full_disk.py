"""A full disk: every file that a command writes is whole or absent, and the status is the same."""

from __future__ import annotations

import contextlib
import errno
import resource
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from linkoracle import Slitherlink, certificate, read_all
from linkoracle.batch.runs import Checkpoint, Run
from linkoracle.catalogue import Catalogue
from linkoracle.certificates import verify_certificate as checker
from linkoracle.cli.program import SYSTEM_ERROR
from linkoracle.frontier.blank.passes import in_folder
from tests.cli.commands import PROGRAMS, all_commands

#: A line for each command and option that writes to a file; ``{out}`` is the file or the folder.
LINES = {
    "linkoracle add-clues --output": "{one} -o {out}",
    "linkoracle board --draw": "honeycomb 2 2 --draw {out}.svg",
    "linkoracle booklet --output": "{one} -o {out}.pdf",
    "linkoracle catalogue add --into": "--into {out} {one}",
    "linkoracle catalogue export --output": "{catalogue} -o {out}",
    "linkoracle catalogue export --certificates": "{certified} --certificates {out}",
    "linkoracle census board --checkpoint": "2 2 --checkpoint {out}",
    "linkoracle census numberlink --checkpoint": "2 2 --checkpoint {out}",
    "linkoracle certify --output": "{one} -o {out}",
    "linkoracle certify --dimacs": "{one} --dimacs {out}",
    "linkoracle certify --drat": "{one} --drat {out}",
    "linkoracle certify --lrat": "{one} --lrat {out}",
    "linkoracle convert --output": "{one} --to json -o {out}",
    "linkoracle draw --output": "{one} -o {out}.png",
    "linkoracle grade --picture": "{one} --picture {out}.svg",
    "linkoracle loops --checkpoint": "3 3 --checkpoint {out}",
    "linkoracle loops --spill": "12 12 --spill {folder}",
    # These change a catalogue that is there, and end with the same status.
    "linkoracle catalogue certify": "{catalogue}",
    "linkoracle catalogue grade": "{catalogue}",
}
#: Options that only read.
READING = {"--puzzle", "--graph", "--solution", "--certificate", "--catalogue", "--foreword"}
READING |= {
    "--avoid",
    "--instructions",
    "--partial-solution",
    "--mask",
    "--loop",
    "--board",
    "--fill",
}


def lines() -> dict[str, str]:
    """Return the lines, with those of every kind that is made, as the command table says."""
    found = dict(LINES)
    for name, command in all_commands().items():
        if name.startswith("linkoracle generate ") and not isinstance(command, click.Group):
            made = "4 5 --seed 1 --count 2"
            found[f"{name} --output"] = f"{made} -o {{out}}"
            found[f"{name} --into"] = f"{made} --into {{out}}"
            found[f"{name} --certificates"] = f"{made} --into {{out}} --certificates {{out}}.d"
    return found


def test_every_option_that_writes_a_file_is_tried():
    """A new option with the name of a file must be told here to read or to write."""
    writing = {
        f"{name} {option.opts[-1]}"
        for name, command in all_commands().items()
        for option in command.params
        if isinstance(option, click.Option)
        and "name" in vars(type(option.type)) | vars(type(option.type).__mro__[1])
        and type(option.type).__name__ in ("FileName", "_OutputName")
        and option.opts[-1] not in READING
    }
    assert writing <= set(lines())
    assert writing >= {line for line in lines() if " --" in line and "spill" not in line}


@contextlib.contextmanager
def full_after(size: int):
    """No file can grow beyond ``size`` bytes; Python ignores the signal, so that writes fail."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.fixture
def files(tmp_path) -> dict[str, str]:
    names = {name: str(tmp_path / name) for name in ("one", "catalogue", "out")}
    (tmp_path / "one").write_text("slitherlink\n33\n..\n")
    with Catalogue(tmp_path / "catalogue") as catalogue:
        catalogue.add(Slitherlink([[3, 3], [None, None]]))
    with Catalogue(tmp_path / "certified") as catalogue:
        puzzle = Slitherlink([[3, 3], [None, None]])
        catalogue.add(puzzle, certificate=certificate(puzzle))
    return {**names, "certified": str(tmp_path / "certified"), "folder": str(tmp_path)}


def run(name: str, line: str, files: dict[str, str]):
    program, *words = [word for word in name.split() if not word.startswith("--")]
    words += line.format(**files).split()
    return CliRunner().invoke(PROGRAMS[program], words, prog_name=program)


def check_whole(path: Path) -> None:
    """Check that a file is one that the next command takes."""
    data = path.read_bytes()
    if data.startswith(b"SQLite"):
        if path.stat().st_size:
            with contextlib.suppress(Exception), Catalogue(path, readonly=True) as catalogue:
                assert list(catalogue.faults()) == []
    elif data.startswith(b"\xfd7zXZ"):
        with contextlib.redirect_stdout(None):
            assert checker.main([str(path)]) == 0
    else:
        assert data
        if data.startswith((b"slitherlink", b"numberlink", b"{")):
            read_all(path)


def check_line(name: str, files: dict[str, str], size: int) -> int:
    folder = Path(files["folder"])
    before = {path: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    with full_after(size):
        done = run(name, lines()[name], files)
    assert done.exit_code in (0, SYSTEM_ERROR), (name, size, done.output, done.exception)
    if done.exit_code:
        assert "cannot write: " in done.stderr or "cannot keep " in done.stderr, done.stderr
        assert [line.startswith("error: ") for line in done.stderr.splitlines()].count(True) == 1
    for path in folder.rglob("*"):
        if path.is_file() and path not in before:
            check_whole(path)
    for path, data in before.items():
        if not path.name.startswith("cat"):
            assert path.read_bytes() == data
    with Catalogue(files["catalogue"], readonly=True) as catalogue:
        assert list(catalogue.faults()) == []
    return done.exit_code


@pytest.mark.parametrize("name", LINES)
def test_no_byte_can_be_written(name, files):
    assert check_line(name, files, 0) == SYSTEM_ERROR
    left = {path.name for path in Path(files["folder"]).iterdir() if path.is_file()}
    assert left == {"one", "catalogue", "certified"}


@pytest.mark.parametrize("name", LINES)
def test_the_disk_is_full_later(name, files):
    check_line(name, files, 300)


KINDS_MADE = [name for name in lines() if "generate" in name]


@pytest.mark.parametrize("name", [one for one in KINDS_MADE if "slitherlink" in one])
def test_what_is_made(name, files):
    for size in (0, 20, 100, 9000):
        status = check_line(name, files, size)
        assert status == SYSTEM_ERROR or size > 20
        for path in Path(files["folder"]).glob("out*"):
            if path.is_file():
                path.unlink()


@pytest.mark.heavy
@pytest.mark.parametrize("name", lines())
def test_every_line_at_many_sizes(name, files):
    for size in (*range(0, 400, 37), 3000, 9000, 30000):
        check_line(name, files, size)
        for path in Path(files["folder"]).glob("out*"):
            if path.is_file():
                path.unlink()


def test_a_file_that_is_replaced_stays(files):
    Path(files["out"]).write_text("mine")
    for name in ("linkoracle convert --output", "linkoracle generate slitherlink --output"):
        with full_after(3):
            assert run(name, lines()[name], files).exit_code == SYSTEM_ERROR
        assert Path(files["out"]).read_text() == "mine"


def test_the_python_functions_raise_system_errors(tmp_path):
    """The same kind of error as for any other file."""
    with full_after(0), pytest.raises(OSError, match="cannot write"):
        Checkpoint(tmp_path / "pass", {}).save({})
    with full_after(0), pytest.raises(OSError, match="cannot write"):
        Run(tmp_path / "run", {}, units=1)
    with full_after(0), pytest.raises(OSError, match="cannot write"):
        Catalogue(tmp_path / "catalogue")
    with full_after(0), pytest.raises(OSError, match="cannot keep") as error:
        in_folder(tmp_path, 1000)
    assert error.value.errno == errno.EFBIG
    assert list(tmp_path.iterdir()) == []
