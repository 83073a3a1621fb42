"""The wheel without compiled modules, where nothing but PySAT is there besides."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest

import linkoracle
from linkoracle.certificates import verify_certificate

ROOT = Path(__file__).resolve().parents[1]

#: Runs in a Python without other packages: answers of sessions and of the tab, and what is refused.
PROGRAM = """
import json
import linkoracle
from linkoracle.core.errors import NotCompiled
from linkoracle.studio.boards import board_of
from linkoracle.studio.tab import Tab, about

messages = []
puzzle = linkoracle.read(PUZZLE)
masyu = linkoracle.read("masyu\\n. b .\\n. . .\\nw . .\\n")
said = {"version": linkoracle.__version__, "status": linkoracle.decide(puzzle).status}
said["count"] = linkoracle.count(linkoracle.Slitherlink.blank(3, 3))
with linkoracle.Session(masyu) as session:
    said["masyu"] = session.ask().status, session.count().count
said["svg"] = linkoracle.render.svg(linkoracle.render.picture(puzzle))[:4]
for name in ("Diagram", "grade"):
    try:
        getattr(linkoracle, name)
    except NotCompiled as error:
        messages.append(str(error))
for engine in ("sat", "frontier"):
    try:
        linkoracle.decide(puzzle, engine=engine)
    except NotCompiled as error:
        messages.append(str(error))
said["refused"] = messages
stages = []
tab = Tab()
tab.answer("live", json.dumps(board_of(puzzle)), stages.append)
tab.answer("verify", CERTIFICATE, stages.append)
said["stages"] = [one["stage"] for one in stages]
said["verified"] = stages[-1]
stages = []
for kind in about()["kinds"]:
    if kind["making"]["new"] is not None:
        task = {"what": "new", "kind": kind["name"], "rows": 5, "cols": 5, "seed": 1, "seconds": 60}
        tab.answer("making", json.dumps(task), stages.append)
said["made"] = [one["board"] for one in stages if one["stage"] == "made"]
said["failed"] = [one["reason"] for one in stages if one["stage"] == "failed"]
stages = []
task = {"what": "new", "kind": "slitherlink", "tiling": "cairo 4 4", "seed": 1}
tab.answer("making", json.dumps(task), stages.append)
said["made"] += [one["board"] for one in stages if one["stage"] == "made"]
task = {"what": "file", "format": "certificate", "board": board_of(puzzle)}
tab.answer("making", json.dumps(task), stages.append)
said["certificate"] = next(one["data"] for one in stages if "data" in one)
print(json.dumps(said))
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """The wheel, unpacked beside PySAT."""
    folder = tmp_path_factory.mktemp("pure")
    script = ROOT / "scripts" / "pure_wheel.py"
    done = subprocess.run([sys.executable, script, folder], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (wheel,) = folder.glob("linkoracle-*-py3-none-any.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def test_the_wheel_answers_with_nothing_but_pysat(folder):
    from base64 import b64decode, b64encode

    puzzle = linkoracle.generate.slitherlink(6, 6, seed=1).puzzle
    certificate = b64encode(linkoracle.certificate(puzzle).data).decode()
    for name in ("pysat", "pysolvers", "pycard", "pyformula"):
        spec = find_spec(name)
        if spec is not None and spec.origin is not None:
            origin = Path(spec.origin)
            origin = origin.parent if origin.name == "__init__.py" else origin
            if not (folder / origin.name).exists():
                (folder / origin.name).symlink_to(origin)
    head = f"import sys\nsys.path.insert(0, {str(folder)!r})\n"
    head += f"PUZZLE = {linkoracle.write(puzzle, 'text')!r}\nCERTIFICATE = {certificate!r}\n"
    # Neither site-packages nor this folder is looked at.
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", head + PROGRAM], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert said["version"] == linkoracle.__version__
    assert (said["status"], said["count"], said["svg"]) == ("unique", 213, "<svg")
    masyu = linkoracle.read("masyu\n. b .\n. . .\nw . .\n")
    assert said["masyu"] == [linkoracle.decide(masyu).status, linkoracle.count(masyu)]
    assert len(said["refused"]) == 4
    assert all(one.startswith("this needs an installed linkoracle") for one in said["refused"])
    assert said["stages"] == ["status", "forced", "count", "redundant", "done", "done"]
    words = "verified: slitherlink (loop) of 6x6 cells: exactly 1 solution"
    assert said["verified"]["words"] == words
    own, number, _ = verify_certificate.verify(b64decode(said["certificate"]))
    assert (own.kind, own.size, number) == ("slitherlink", "6x6 cells", 1)
    assert len(said["made"]) > 8
    assert said["made"][-1]["tiling"] == "cairo 4 4"
    for board in said["made"]:
        from linkoracle.studio.boards import puzzle_of

        assert linkoracle.decide(puzzle_of(board)).unique
    assert all("choose an even number" in one or "5x5" in one for one in said["failed"])


def test_the_wheel_lists_its_files(folder):
    (info,) = folder.glob("*.dist-info")
    listed = [line.split(",")[0] for line in (info / "RECORD").read_text().splitlines()]
    assert all((folder / name).exists() for name in listed)
    assert "Requires-Dist: python-sat" in (info / "METADATA").read_text()
    names = [name for name in listed if name.endswith((".so", ".pyd", ".pyx", ".pxd"))]
    assert names == []
