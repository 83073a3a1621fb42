"""What becomes of the files that `atomic_write` replaces."""

from __future__ import annotations

import os
import threading

import pytest
from click.testing import CliRunner

from linkoracle.cli.main import main
from linkoracle.core import atomic_write


@pytest.fixture(autouse=True)
def usual_mask():
    before = os.umask(0o022)
    yield
    os.umask(before)


def put(path, content=b"new"):
    with atomic_write(path) as file:
        file.write(content)
    return path.stat().st_mode & 0o7777


def test_a_new_file_has_the_usual_permissions(tmp_path):
    assert put(tmp_path / "one") == 0o644
    os.umask(0o077)
    assert put(tmp_path / "two") == 0o600


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o644, 0o755, 0o666, 0o400])
def test_a_file_keeps_its_permissions(tmp_path, mode):
    path, link = tmp_path / "file", tmp_path / "link"
    path.write_bytes(b"old")
    path.chmod(mode)
    link.symlink_to(path)
    assert put(path) == mode
    assert put(link, b"newer") == mode
    assert link.is_symlink()
    assert path.read_bytes() == b"newer"


def test_what_fails_leaves_the_old_file(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"old")
    path.chmod(0o600)
    with pytest.raises(ZeroDivisionError), atomic_write(path) as file:
        file.write(b"half" * (1 // 0))
    assert path.read_bytes() == b"old"
    assert path.stat().st_mode & 0o7777 == 0o600
    assert list(tmp_path.iterdir()) == [path]


def test_links_that_lead_nowhere(tmp_path):
    dangling, circle = tmp_path / "dangling", tmp_path / "circle"
    dangling.symlink_to(tmp_path / "target")
    circle.symlink_to(circle)
    put(dangling)
    assert dangling.is_symlink()
    assert (tmp_path / "target").read_bytes() == b"new"
    with pytest.raises(OSError, match="symbolic links"):
        put(circle)
    assert circle.is_symlink()


def test_a_pipe_is_written_to(tmp_path):
    path, found = tmp_path / "pipe", []
    os.mkfifo(path)
    reader = threading.Thread(target=lambda: found.append(path.read_bytes()), daemon=True)
    reader.start()
    put(path)
    reader.join(10)
    assert found == [b"new"]
    assert path.is_fifo()


def test_commands_say_it_in_a_line(tmp_path):
    path = tmp_path / "circle"
    path.symlink_to(path)
    board, catalogue = "instances/slitherlink-4x4.txt", str(tmp_path / "puzzles.sqlite")
    added = CliRunner().invoke(main, ["catalogue", "add", board, "--into", catalogue])
    assert added.exit_code == 0, added.output
    for command in (
        ["convert", board, "--to", "json"],
        ["draw", board, "--format", "svg"],
        ["catalogue", "export", catalogue],
        ["census", "numberlink", "2", "2"],
    ):
        option = "--checkpoint" if command[0] == "census" else "-o"
        done = CliRunner().invoke(main, [*command, option, str(path)])
        assert done.exit_code in (2, 5), done.output
        (line,) = done.stderr.splitlines()
        assert "symbolic links" in line
