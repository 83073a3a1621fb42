"""What can be imported from `linkoracle` itself, when it is loaded, and that it is documented."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path

import pytest

import linkoracle

REFERENCE = Path(__file__).resolve().parents[1] / "docs" / "reference"


def test_every_public_name_is_there():
    assert [name for name in linkoracle.__all__ if not hasattr(linkoracle, name)] == []
    assert set(linkoracle.__all__) <= set(dir(linkoracle))
    assert linkoracle.__version__ == version("linkoracle")


def test_unknown_names_are_refused():
    with pytest.raises(AttributeError, match="module 'linkoracle' has no attribute 'sovle'"):
        _ = linkoracle.sovle
    with pytest.raises(ImportError, match="cannot import name 'sovle'"):
        from linkoracle import sovle  # noqa: F401


def test_packages_need_no_import_of_their_own():
    program = (
        "import linkoracle\n"
        "made = linkoracle.generate.slitherlink(5, 5, seed=1)\n"
        "print(linkoracle.grade(made.puzzle) == linkoracle.deduce.grade(made.puzzle))\n"
        "print(linkoracle.Diagram is type(linkoracle.diagram(made.puzzle)))\n"
        "print(linkoracle.census.instances(2, 2).count())\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == "True\nTrue\n2\n"


@pytest.mark.parametrize(
    "page", ["", "generate", "search", "deduce", "census", "frontier", "formats", "graphs"]
)
def test_every_public_name_is_in_the_reference(page):
    """Either its page names it, or it takes all that the package says is public."""
    package = importlib.import_module(f"linkoracle.{page}".rstrip("."))
    text = (REFERENCE / f"{page or 'linkoracle'}.md").read_text(encoding="utf-8")
    conf = (REFERENCE.parent / "conf.py").read_text(encoding="utf-8")
    if (
        f'"{page}"' in conf.partition("PACKAGES = (")[2].partition(")")[0]
        or f".. automodule:: {package.__name__}\n   :imported-members:\n" in text
    ):
        return
    named = set(re.findall(r"^(?:\.\. (?:auto|py:)\w+:: |### `)(\w+)", text, re.MULTILINE))
    elsewhere = set(re.findall(r"`(?:linkoracle\.)?(\w+)`", text))
    assert set(package.__all__) - named - elsewhere - {"__version__"} == set()


PACKAGES = [
    one.name
    for one in pkgutil.iter_modules(linkoracle.__path__)
    if one.ispkg or one.name == "batch"
]


def public_functions() -> Iterator[tuple[str, Callable[..., object]]]:
    """The functions of all packages, and the public methods of their classes."""
    for package in ("linkoracle", *(f"linkoracle.{name}" for name in PACKAGES)):
        module = importlib.import_module(package)
        for name in getattr(module, "__all__", ()):
            one = getattr(module, name)
            if inspect.isclass(one):
                for inner, method in inspect.getmembers(one, inspect.isroutine):
                    if inner == "__init__" or not inner.startswith("_"):
                        yield f"{package}.{name}.{inner}", method
            elif inspect.isfunction(one):
                yield f"{package}.{name}", one


def mentions(annotation: str, names: dict[str, object]) -> bool:
    """Whether a type, or what it is another name of, has to do with a `Deadline`."""
    words = set(re.findall(r"\w+", annotation))
    return "Deadline" in words or any("Deadline" in repr(names.get(word)) for word in words)


def test_time_limits_are_seconds():
    """`Session` is the only class that still takes a `Deadline`."""
    checked = 0
    for name, function in public_functions():
        if name.endswith("_within"):
            assert name.startswith("linkoracle.Session."), name
            continue
        names = getattr(function, "__globals__", {})
        for parameter, annotation in getattr(function, "__annotations__", {}).items():
            assert not mentions(str(annotation), names), f"{name}({parameter}: {annotation})"
            checked += 1
    assert checked > 300


def named_modules() -> list[str]:
    """The modules of ours that README and docs name, and the packages around them."""
    found = set()
    for page in [REFERENCE.parents[1] / "README.md", *REFERENCE.parent.rglob("*.md")]:
        for name in re.findall(r"\blinkoracle(?:\.[a-z_]\w*)+", page.read_text(encoding="utf-8")):
            parts = name.split(".")
            found |= {".".join(parts[:end]) for end in range(2, len(parts) + 1)}
    places = {REFERENCE.parents[1] / "src" / name.replace(".", "/") for name in found}
    sources = {place.with_suffix(suffix) for place in places for suffix in (".py", ".pyx")}
    files = {
        path for path in [*sources, *(place / "__init__.py" for place in places)] if path.exists()
    }
    names = (path.parent if path.name == "__init__.py" else path.with_suffix("") for path in files)
    return sorted(".".join(path.parts[path.parts.index("linkoracle") :]) for path in names)


def test_every_module_of_the_docs_is_there_after_a_bare_import():
    modules = named_modules()
    assert {"linkoracle.kinds", "linkoracle.core.errors", "linkoracle.engines.taut_search"} <= {
        *modules
    }
    # Each in a process of its own, forked from one that has imported nothing else.
    program = (
        "import os, sys, linkoracle\n"
        "for module in sys.argv[1:]:\n"
        "    if not os.fork():\n"
        "        found = eval(module)\n"
        "        os._exit(found is not sys.modules[module])\n"
        "    if os.wait()[1]:\n"
        "        print(module)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *modules], capture_output=True, text=True, check=True
    )
    assert (done.stdout, done.stderr) == ("", "")


def test_a_bare_import_loads_nothing_else():
    program = (
        "import sys\n"
        "before = {*sys.modules}\n"
        "import linkoracle\n"
        "print(*sorted({*sys.modules} - before))\n"
        "linkoracle.kinds\n"
        "heavy = 'numpy networkx rich dd matplotlib pysat click linkoracle.engines'\n"
        "print(*(name for name in heavy.split() if name in sys.modules))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    alone, with_kinds = done.stdout.split("\n")[:2]
    assert set(alone.split()) <= {"__future__", "linkoracle", "linkoracle.core", "warnings"}
    assert with_kinds == ""


@pytest.mark.parametrize("package", ["", ".core", ".frontier", ".generate", ".kinds", ".engines"])
def test_errors_of_modules_are_not_hidden(package, tmp_path, monkeypatch):
    """A module that is there, but lacks what it imports, is not said to be missing."""
    loaded = importlib.import_module(f"linkoracle{package}")
    (tmp_path / "broken.py").write_text("import missing_library\n")
    monkeypatch.setattr(loaded, "__path__", [*loaded.__path__, str(tmp_path)])
    with pytest.raises(ModuleNotFoundError, match="No module named 'missing_library'"):
        _ = loaded.broken
    with pytest.raises(AttributeError, match=f"'linkoracle{package}' has no attribute 'sovle'"):
        _ = loaded.sovle
