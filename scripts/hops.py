"""Print how many hops the sources ask of their readers: files, imports, boundaries.

    python scripts/hops.py            # a table: each number, and its bound
    python scripts/hops.py --names    # and what is counted: the files of each flow, and so on
    python scripts/hops.py --page     # write the flows into docs/architecture.md

A flow is a usual call, after equal calls have loaded and computed what they share; its files are
the Python files in which functions run. `tests/test_hops.py` fails if a number is above its bound,
or if the page has other packages than the flows pass. Lower a bound when its number falls.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import redirect_stdout, suppress
from functools import cached_property
from io import StringIO
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

import click

import stubs
from linkoracle import Oracle, Slitherlink, generate
from linkoracle.cli.count_solutions import main as count_solutions

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "linkoracle"
PAGE = ROOT / "docs" / "architecture.md"

#: The most of each number.
BOUNDS = {
    "files: a made Slitherlink": 23,
    "files: a count": 15,
    "files: an answer of an oracle": 7,
    "source files": 284,
    "kernels and their headers": 27,
    "modules in the root": 3,
    "modules of one importer": 1,
    "imports a file": 11.5,
    "imports, % of the lines": 6.9,
    "branches on squares": 25,
}
#: A module with more lines may have a single importer.
SMALL = 150
#: Where code asks whether a board is made of squares.
SQUARE = re.compile(
    r"isinstance\([^\n]*\bLattice\b|\btiling is (?:not )?None|\.is_square\b"
    r"|type\([^()\n]*\) is (?:not )?Lattice"
)
#: Whether code belongs to a function, not to the body of a module or a class.
OPTIMIZED = 1


class Found(NamedTuple):
    """A number, and the names of what it counts, if it counts what has names."""

    number: float
    names: Collection[str] = ()


def loaded_by_name(node: ast.AST) -> set[str]:
    """Return the module that a call of `import_module` names, if its name is written there."""
    match node:
        case ast.Call(
            func=ast.Name(id="import_module") | ast.Attribute(attr="import_module"),
            args=[ast.Constant(value=str(name)), *_],
        ):
            return {name}
    return set()


#: The modules of the names that packages load on first use, by package and name.
Homes = Mapping[str, Mapping[str, str]]


def home_of(module: str, name: str, homes: Homes) -> str:
    """Return the module that defines what `from module import name` imports."""
    home = homes.get(module, {}).get(name)
    return module if home is None else home_of(home, name, homes)


def modules_used(source: str, names: Collection[str], homes: Homes) -> set[str]:
    """Return which of these modules a source imports, anywhere in it, for type checkers too.

    Of a package that it imports whole, those that define the names used: ``package.name``.
    """
    used = set()
    #: The packages that the source imports whole, by their names there.
    packages: dict[str, str] = {}
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            used |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            if node.level:
                raise ValueError(f"a relative import: {ast.unparse(node)}")
            for alias in node.names:
                below = f"{node.module}.{alias.name}"
                used.add(below if below in names else home_of(str(node.module), alias.name, homes))
                if below in homes:
                    packages[alias.asname or alias.name] = below
        else:
            used |= loaded_by_name(node)
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Name(id=name), attr=attribute) if name in packages:
                used.add(home_of(packages[name], attribute, homes))
    return used.intersection(names)


class Tree:
    """The sources of a package, in its folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.kernels = sorted([*folder.rglob("*.pyx"), *folder.rglob("*.pxd")])
        #: The text of each Python file.
        self.texts = {path: path.read_text("utf-8") for path in sorted(folder.rglob("*.py"))}

    def named(self, path: Path) -> str:
        return path.relative_to(self.folder).as_posix()

    @cached_property
    def files(self) -> dict[str, Path]:
        """The file of each module, by its full name."""
        compiled = (path for path in self.kernels if path.suffix == ".pyx")
        names = {
            ".".join(path.relative_to(self.folder.parent).with_suffix("").parts): path
            for path in (*self.texts, *compiled)
        }
        return {name.removesuffix(".__init__"): path for name, path in names.items()}

    @cached_property
    def homes(self) -> dict[str, dict[str, str]]:
        """The modules of the names that each package loads on first use."""
        packages = (path.parent for path in self.texts if path.stem == "__init__")
        tables = {path: stubs.table_of(path) for path in packages}
        return {
            ".".join(path.relative_to(self.folder.parent).parts): table.homes
            for path, table in tables.items()
            if table is not None
        }

    @cached_property
    def graph(self) -> dict[str, set[str]]:
        """The modules of the package that each module imports; a kernel, by its stub."""
        return {
            name: modules_used(
                stubs.stub_of(path) if path.suffix == ".pyx" else self.texts[path],
                self.files,
                self.homes,
            )
            for name, path in self.files.items()
        }

    def measured(self) -> Iterator[tuple[str, Found]]:
        """Yield each number with its name."""
        yield "source files", Found(len(self.texts) + len(self.kernels))
        kernels = [*map(self.named, self.kernels)]
        yield "kernels and their headers", Found(len(kernels), kernels)
        root = [self.named(path) for path in self.texts if path.parent == self.folder]
        yield "modules in the root", Found(len(root), root)
        lonely = self._of_one_importer()
        yield "modules of one importer", Found(len(lonely), lonely)
        imports = [
            node
            for text in self.texts.values()
            for node in ast.walk(ast.parse(text))
            if isinstance(node, ast.Import | ast.ImportFrom)
        ]
        yield "imports a file", Found(round(len(imports) / len(self.texts), 1))
        lines = sum(node.end_lineno - node.lineno + 1 for node in imports if node.end_lineno)
        every = sum(
            bool(line.strip()) and not line.lstrip().startswith("#")
            for text in self.texts.values()
            for line in text.splitlines()
        )
        yield "imports, % of the lines", Found(round(100 * lines / every, 1))
        branches = [
            f"{self.named(path)}:{text.count(chr(10), 0, found.start()) + 1}"
            for path, text in self.texts.items()
            for found in SQUARE.finditer(text)
        ]
        yield "branches on squares", Found(len(branches), branches)

    def _of_one_importer(self) -> list[str]:
        importers: dict[str, list[str]] = {name: [] for name in self.files}
        for name, used in self.graph.items():
            for module in used - {name}:
                importers[module].append(name)
        return [
            f"{name.partition('.')[2]} ({small} lines): {importers[name][0].partition('.')[2]}"
            for name, path in self.files.items()
            if path.suffix == ".py" and path.stem != "__init__" and len(importers[name]) == 1
            if (small := len(self.texts[path].splitlines())) < SMALL
        ]


def counted() -> None:
    """Count a puzzle of a file, as `count-solutions` does."""
    with redirect_stdout(StringIO()), suppress(SystemExit):
        count_solutions([str(ROOT / "instances" / "slitherlink-10x10.txt")])


def asked(oracle: Oracle) -> Callable[[], object]:
    """Return a call that changes the clue of an oracle, and asks again."""
    numbers = iter(range(10))
    return lambda: oracle.ask({(0, 0): 2 + next(numbers) % 2})


def files_passed(call: Callable[[], object], warm: int = 3) -> list[str]:
    """Return the Python files in which functions run during a call after ``warm`` others.

    In the order in which they are first passed.
    """
    for _ in range(warm):
        call()
    passed: dict[str, None] = {}

    def note(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and frame.f_code.co_flags & OPTIMIZED:
            passed.setdefault(frame.f_code.co_filename)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        call()
    finally:
        sys.setprofile(before)
    paths = (Path(name) for name in passed)
    return [path.relative_to(SOURCE).as_posix() for path in paths if path.is_relative_to(SOURCE)]


def flows() -> dict[str, list[str]]:
    """Return the files that each flow passes."""
    with Oracle(Slitherlink.blank(3, 3)) as oracle:
        return {
            "a count": files_passed(counted),
            # The oracle has then seen solutions that fit either clue.
            "an answer of an oracle": files_passed(asked(oracle)),
            "a made Slitherlink": files_passed(lambda: generate.slitherlink(10, 10, seed=1)),
        }


def packages(files: Collection[str]) -> list[str]:
    """Return the packages of files, and the modules in the root, in their order."""
    return [*dict.fromkeys(name.split("/")[0].removesuffix(".py") for name in files)]


def lines_of_page() -> str:
    """Return the flows for the page: for each the packages that it passes."""
    rows = [
        f"| {name} | {' → '.join(f'`{part}`' for part in packages(files))} |"
        for name, files in flows().items()
    ]
    return "\n".join(
        ["| flow | packages, in the order of the first call |", "| --- | --- |", *rows]
    )


def all_measured() -> dict[str, Found]:
    """Return all numbers of this tree."""
    passed = {f"files: {name}": Found(len(files), files) for name, files in flows().items()}
    return {**passed, **dict(Tree(SOURCE).measured())}


@click.command()
@click.option("--names", is_flag=True, help="Print what is counted, too.")
@click.option("--page", is_flag=True, help="Write the flows into docs/architecture.md instead.")
def main(names: bool, page: bool) -> None:
    """Print how many hops the sources ask of their readers."""
    if page:
        text = PAGE.read_text("utf-8")
        table = re.compile(r"^\| flow \|.*\n(?:\|.*\n)+", re.MULTILINE)
        PAGE.write_text(table.sub(lambda _: f"{lines_of_page()}\n", text, count=1), "utf-8")
        return
    for name, found in all_measured().items():
        click.echo(f"{name:30} {found.number:>6g}   at most {BOUNDS[name]:g}")
        if names:
            click.echo("".join(f"    {one}\n" for one in found.names), nl=False)


if __name__ == "__main__":
    main()
