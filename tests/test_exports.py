"""Each public name stands once: the table of its package says where it is, for Python and mypy."""

from __future__ import annotations

import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from runpy import run_path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src"
STUBS = run_path(str(ROOT / "scripts" / "stubs.py"))
FOLDERS = sorted(path.parent for path in SOURCE.rglob("__init__.py"))


def name_of(folder: Path) -> str:
    return ".".join(folder.relative_to(SOURCE).parts)


def each_package(test):
    return pytest.mark.parametrize("folder", FOLDERS, ids=name_of)(test)


def imported(source: str) -> dict[str, str]:
    """The names that a package or its stub imports to hand them on, with their modules."""
    return {
        alias.asname: str(node.module)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.asname == alias.name
    }


@each_package
def test_type_checkers_read_the_names_of_the_table(folder):
    """No name is missing on either side, and each has one home."""
    table, stub = STUBS["table_of"](folder), STUBS["package_stub"](folder)
    assert table is not None, "a package without a table"
    source = (folder / "__init__.py").read_text(encoding="utf-8")
    typed = imported(source if stub is None else stub)
    packages = {name for name in table.own if (folder / name).is_dir()}
    assert typed == table.homes | dict.fromkeys(packages, "linkoracle")
    assert stub is None or imported(source) == {}, "names that the stub hides"
    if stub is None:
        # What a package defines itself is seen by type checkers as by Python.
        defined = {
            getattr(node, "name", None) or ast.unparse(target)
            for node in ast.parse(source).body
            for target in getattr(node, "targets", [getattr(node, "target", node)])
        }
        assert {*table.own} <= defined


@each_package
def test_every_name_of_a_table_is_that_of_its_module(folder):
    package, table = import_module(name_of(folder)), STUBS["table_of"](folder)
    assert package.__all__ == sorted(package.__all__)
    assert {*package.__all__} - {*table.own} <= {*table.homes}
    assert {*table.own} <= {*package.__all__}
    assert {*table.homes, *table.own} <= {*dir(package)}
    assert {*vars(package)} <= {*dir(package)}
    for name, home in table.homes.items():
        assert getattr(package, name) is getattr(import_module(home), name)
    assert all(hasattr(package, name) for name in table.own)
    for name in ("sovle", "__wrapped__"):
        with pytest.raises(AttributeError, match=f"'{package.__name__}' has no attribute '{name}'"):
            getattr(package, name)


@each_package
def test_no_module_hides_a_name_that_is_loaded_later(folder):
    """A module that is imported becomes an attribute of its package, by its own name."""
    inside = {path.stem for path in folder.iterdir() if path.suffix in (".py", ".pyx")}
    inside |= {path.name for path in folder.iterdir() if (path / "__init__.py").exists()}
    assert inside.isdisjoint(STUBS["table_of"](folder).homes)


def test_a_name_loads_the_module_that_defines_it_alone():
    program = (
        "import sys\n"
        "from linkoracle.core import PuzzleError\n"
        "from linkoracle.engines import Verdict\n"
        "assert PuzzleError.__module__ == 'linkoracle.core.errors'\n"
        "absent = 'core.randomness engines.oracle engines.clauses'\n"
        "print(*(name for name in absent.split() if f'linkoracle.{name}' in sys.modules))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == "\n"
