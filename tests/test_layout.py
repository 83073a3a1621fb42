"""Imports point down only, and heavy libraries load only when they are used."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[1] / "src" / "linkoracle"

#: From the bottom up; a module may import from lower levels, and from its own.
LEVELS = [
    {"compilation", "errors", "files", "interrupts", "memory"},
    {"batch"},
    {"lattice"},
    {"model"},
    {"puzzles", "rerouting"},
    {"formats", "frontier", "sat", "verify", "render"},
    {"cdcl"},
    {"engines"},
    {"solving"},
    {"deduce"},
    {"generate"},
    {"census"},
    {"catalogue"},
    {"cli"},
    {"", "__main__"},
]
#: On one level, but strangers to each other.
STRANGERS = [
    *(
        (engine, other)
        for engine in ("sat", "frontier")
        for other in ("puzzles", "formats", "render")
    ),
    ("sat", "frontier"),
    ("frontier", "sat"),
    *(("verify", other) for other in ("sat", "frontier", "formats", "render")),
]
FILES = sorted(SOURCE.rglob("*.py"))


def part_of(module: str) -> str:
    """`linkoracle.sat.cuts` belongs to `sat`; the package itself to the empty part."""
    return [*module.split("."), ""][1]


def level_of(part: str) -> int:
    return next(level for level, parts in enumerate(LEVELS) if part in parts)


def imports(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"relative import in {path}"
            if node.module == "linkoracle":
                found |= {f"linkoracle.{alias.name}" for alias in node.names}
            else:
                found.add(node.module)
    return {name for name in found if name.split(".")[0] == "linkoracle"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_imports_point_down(path):
    here = path.relative_to(SOURCE).with_suffix("").parts
    part = "" if here == ("__init__",) else here[0]
    for module in imports(path):
        other = part_of(module)
        assert level_of(other) <= level_of(part), f"{path} imports {module}"
        assert (part, other) not in STRANGERS, f"{path} imports {module}"
        assert other or part in ("", "__main__"), f"{path} imports the whole package"


@pytest.mark.parametrize(
    ("command", "absent"),
    [
        ("import linkoracle", "networkx rich numba dd matplotlib pysat click"),
        (
            "from linkoracle.cli.count_solutions import main\n"
            "try:\n    main(['instances/slitherlink-10x10.txt'])\n"
            "except SystemExit as status:\n    assert not status.code",
            "networkx rich numba dd matplotlib distributed multiprocessing linkoracle.batch",
        ),
    ],
)
def test_heavy_libraries_stay_out(command, absent):
    check = f"\nimport sys\nprint([m for m in {absent.split()!r} if m in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", command + check],
        capture_output=True,
        text=True,
        check=True,
        cwd=SOURCE.parents[1],
    )
    assert done.stdout.splitlines()[-1] == "[]"
