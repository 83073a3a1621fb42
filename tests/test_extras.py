"""What needs an extra that is not installed names it."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
#: The modules that the package imports from each extra.
MODULES = {
    "pictures": ["reportlab", "resvg_py", "ttf_opensans"],
    "studio": ["starlette", "uvicorn", "websockets"],
    "notebook": ["anywidget", "traitlets"],
    "dask": ["distributed"],
    "dataset": ["pyarrow"],
    "gym": ["gymnasium"],
}
#: Modules of required distributions whose names differ.
REQUIRED = {"pysat", "pysolvers", *(re.split(r"\W", one)[0] for one in PROJECT["dependencies"])}

COMMAND = "from linkoracle.cli.main import main\nmain({words!r}.split())"
SMALL = "import linkoracle\npuzzle = linkoracle.Slitherlink([[3, 3], [1, 1]])\n"
CLUSTER = "from linkoracle.batch import Cluster\nCluster('tcp://127.0.0.1:1')"
BOARD = SMALL + "linkoracle.studio.Board(puzzle)"
BOOKLET = SMALL + "linkoracle.booklets.booklet([puzzle])"
#: What is asked for, and the extra that it needs.
USES = [
    (COMMAND.format(words="draw instances/slitherlink-4x4.txt -o {file}.png"), "pictures"),
    (COMMAND.format(words="draw instances/slitherlink-4x4.txt -o {file}.pdf"), "pictures"),
    (COMMAND.format(words="booklet instances/slitherlink-4x4.txt -o {file}.pdf"), "pictures"),
    (SMALL + "linkoracle.render.png(linkoracle.render.picture(puzzle))", "pictures"),
    (SMALL + "linkoracle.render.pdf([linkoracle.render.picture(puzzle)])", "pictures"),
    (COMMAND.format(words="studio --no-browser"), "studio"),
    ("import linkoracle.studio.server", "studio"),
    (BOARD, "notebook"),
    ("import linkoracle.studio.widget", "notebook"),
    (COMMAND.format(words="generate slitherlink 5 5 --dask tcp://127.0.0.1:1"), "dask"),
    (CLUSTER, "dask"),
    (
        COMMAND.format(words="dataset {file} --kinds masyu --sizes 5x5 --count 1 --format parquet"),
        "dataset",
    ),
    ("import linkoracle\nlinkoracle.dataset.PuzzleEnv", "gym"),
]


@pytest.mark.parametrize(("use", "extra"), USES)
def test_what_lacks_an_extra_names_it(use, extra, tmp_path):
    missing = f"import sys\nsys.modules.update(dict.fromkeys({MODULES[extra]!r}))\n"
    done = subprocess.run(
        [sys.executable, "-c", missing + use.replace("{file}", str(tmp_path / "picture"))],
        capture_output=True, text=True, cwd=ROOT,
    )  # fmt: skip
    assert done.returncode in (1, 2)
    assert f"pip install 'linkoracle[{extra}]'" in done.stderr.splitlines()[-1]


def imported(path: Path) -> set[str]:
    """Return the top-level packages that a file imports, anywhere in it."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Import():
                found |= {alias.name.partition(".")[0] for alias in node.names}
            case ast.ImportFrom(module=str(module), level=0):
                found.add(module.partition(".")[0])
    return found


def test_every_other_import_is_of_an_extra_named_here():
    found = set().union(*(imported(path) for path in (ROOT / "src").rglob("*.py")))
    others = found - REQUIRED - sys.stdlib_module_names - {"linkoracle", "_typeshed"}
    # The other two are data, and a protocol that uvicorn looks for.
    assert others == {name for names in MODULES.values() for name in names} - {
        "ttf_opensans",
        "websockets",
    }
    assert set(MODULES) <= set(PROJECT["optional-dependencies"])


@pytest.mark.parametrize(
    ("script", "extra"),
    [
        ("bench_frontier.py", "bench"),
        ("peers.py", "bench"),
        ("census_tables.py", "plots"),
        ("bench_studio.py", "browser"),
    ],
)
def test_scripts_say_which_extra_they_need(script, extra):
    text = (ROOT / "scripts" / script).read_text(encoding="utf-8")
    assert f"linkoracle[{extra}]" in str(ast.get_docstring(ast.parse(text)))
