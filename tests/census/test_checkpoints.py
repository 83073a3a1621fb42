"""Checkpoints: a pass goes on where it stood, whatever happened to the program."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from linkoracle.batch.runs import Checkpoint
from linkoracle.census import VARIANTS, instances
from linkoracle.core import RunError
from tests.workers import Program

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = """
import sys, time
from pathlib import Path
from linkoracle.census import instances

reports, most = 0, int(sys.argv[2])

def progress(line, share):
    global reports
    reports += 1
    print(line, flush=True)
    # So many at most, however late it is killed.
    time.sleep(600 if reports == most else 0.02)

family = instances(3, 4, checkpoint=Path(sys.argv[1]), resume=True, progress=progress)
print(family.count())
"""


class StopHere(Exception):
    pass


@pytest.mark.parametrize("variant", VARIANTS)
def test_stopped_after_any_cell_and_resumed(tmp_path, variant):
    whole = instances(3, 3, variant)
    for last in range(1, 10):
        store = tmp_path / f"{variant}-{last}"

        def stop(line, share, last=last):
            if line.startswith(f"cell {last} "):
                raise StopHere

        with pytest.raises(StopHere):
            instances(3, 3, variant, checkpoint=store, progress=stop)
        lines: list[str] = []
        resumed = instances(
            3,
            3,
            variant,
            checkpoint=store,
            resume=True,
            progress=lambda line, _, seen=lines: seen.append(line),
        )
        assert len(lines) == 9 - last
        assert sorted(map(str, resumed)) == sorted(map(str, whole))
        assert [file.name for file in tmp_path.iterdir() if file.name.startswith(".")] == []


def test_killed_twice_and_resumed(tmp_path):
    store, program = tmp_path / "pass", tmp_path / "program.py"
    program.write_text(PROGRAM)
    command = [sys.executable, str(program), str(store)]
    for _ in range(2):
        with Program([*command, "5"], cwd=ROOT, stdout=subprocess.PIPE, text=True) as running:
            assert running.stdout is not None
            seen = [running.stdout.readline() for _ in range(3)]
            assert all(line.startswith("cell ") for line in seen), seen
            running.kill()
        assert store.exists()
    done = subprocess.run([*command, "0"], cwd=ROOT, capture_output=True, text=True, check=True)
    *cells, count = done.stdout.split("\n")[:-1]
    assert int(count) == instances(3, 4).count()
    assert 0 < len(cells) <= 12 - 6


def test_what_is_refused(tmp_path):
    store = tmp_path / "pass"
    instances(2, 3, checkpoint=store)
    with pytest.raises(RunError, match="exists"):
        instances(2, 3, checkpoint=store)
    with pytest.raises(RunError, match="begun with cols = 3, which is now 2"):
        instances(2, 2, checkpoint=store, resume=True)
    with pytest.raises(OSError, match="there is no folder"):
        instances(2, 2, checkpoint=tmp_path / "nowhere" / "pass")
    for content in (b"", b"nonsense", store.read_bytes()[:-40]):
        broken = tmp_path / "broken"
        broken.write_bytes(content)
        with pytest.raises(RunError, match="not a run"):
            instances(2, 2, checkpoint=broken, resume=True)
        assert broken.read_bytes() == content
    other = tmp_path / "other.npz"
    np.savez(other, states=np.arange(3))
    with pytest.raises(RunError, match="not a run"):
        instances(2, 2, checkpoint=other, resume=True)


def test_a_full_disk_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "pass"
    Checkpoint(path, {}).save({"states": np.arange(3)})
    before = path.read_bytes()

    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(np, "savez", full)
    with pytest.raises(OSError, match="No space left"):
        Checkpoint(path, {}, resume=True).save({"states": np.arange(4)})
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]
