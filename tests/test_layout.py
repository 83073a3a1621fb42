"""Imports point down only, and heavy libraries load only when they are used."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Collection
from graphlib import TopologicalSorter
from pathlib import Path
from runpy import run_path

import pytest

SOURCE = Path(__file__).resolve().parents[1] / "src" / "linkoracle"

#: From the bottom up; a module may import from lower levels, and from its own.
LEVELS = [
    {"core"},
    {"batch", "board", "boards", "lines", "zdd"},
    {"kinds"},
    {"formats", "frontier", "render"},
    {"engines"},
    {"search"},
    {"graphs", "solving"},
    {"certificates"},
    {"deduce"},
    {"generate"},
    {"booklets", "census", "session"},
    {"catalogue", "studio"},
    {"cli"},
    {"", "__main__"},
]
#: On one level, but strangers to each other.
STRANGERS = [
    *(
        (engine, other)
        for engine in ("engines", "frontier")
        for other in ("kinds", "formats", "render")
    ),
]
FILES = sorted([*SOURCE.rglob("*.py"), *SOURCE.rglob("*.pyx")])
STUBS = run_path(str(SOURCE.parents[1] / "scripts" / "stubs.py"))


def part_of(module: str) -> str:
    """`linkoracle.engines.clauses` belongs to `engines`; the package itself to the empty part."""
    return [*module.split("."), ""][1]


def level_of(part: str) -> int:
    return next(level for level, parts in enumerate(LEVELS) if part in parts)


def source_of(path: Path) -> str:
    """The Python of a file; compiled modules stand for themselves by their stubs."""
    return STUBS["stub_of"](path) if path.suffix == ".pyx" else path.read_text(encoding="utf-8")


def imports(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(source_of(path))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"relative import in {path}"
            if node.module == "linkoracle":
                found |= {f"linkoracle.{alias.name}" for alias in node.names}
            else:
                found.add(node.module)
        else:
            found |= loaded_by_name(node)
    return {name for name in found if name.split(".")[0] == "linkoracle"}


def loaded_by_name(node: ast.AST) -> set[str]:
    """The module that a call of `import_module` names, if its name is written there."""
    match node:
        case ast.Call(
            func=ast.Name(id="import_module") | ast.Attribute(attr="import_module"),
            args=[ast.Constant(value=str(name)), *_],
        ):
            return {name}
    return set()


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_imports_point_down(path):
    here = path.relative_to(SOURCE).with_suffix("").parts
    part = "" if here == ("__init__",) else here[0]
    for module in imports(path):
        other = part_of(module)
        assert level_of(other) <= level_of(part), f"{path} imports {module}"
        assert (part, other) not in STRANGERS, f"{path} imports {module}"
        assert other or part in ("", "__main__"), f"{path} imports the whole package"


#: The modules of the names that packages load on first use, by package and name.
HOMES = {
    ".".join(path.parent.relative_to(SOURCE.parent).parts): STUBS["table_of"](path.parent).homes
    for path in SOURCE.rglob("__init__.py")
}


def home_of(module: str, name: str) -> str:
    """The module that defines what `from module import name` imports."""
    home = HOMES.get(module, {}).get(name)
    return module if home is None else home_of(home, name)


def modules_used(source: str, names: Collection[str]) -> set[str]:
    """Which of these modules a source imports, anywhere in it, for type checkers too."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                below = f"{node.module}.{alias.name}"
                found.add(below if below in names else home_of(str(node.module), alias.name))
        else:
            found |= loaded_by_name(node)
    return found.intersection(names)


@pytest.mark.parametrize(
    "source",
    [
        "import linkoracle.b",
        "from linkoracle import b",
        "def late():\n    from linkoracle.b import name",
        "if TYPE_CHECKING:\n    from linkoracle.b import name",
        "if TYPE_CHECKING:\n    pass\nelse:\n    from linkoracle.b import name",
        "def late():\n    return import_module('linkoracle.b').name",
    ],
)
def test_every_way_to_import_counts(source):
    assert modules_used(source, ["linkoracle.a", "linkoracle.b"]) == {"linkoracle.b"}


def test_names_of_packages_count_as_those_of_their_modules():
    used = "from linkoracle.board import Board\nfrom linkoracle import board, Lattice\n"
    found = {"linkoracle.board.board", "linkoracle.board", "linkoracle.board.lattice"}
    assert modules_used(used, modules()) == found


def modules() -> dict[str, Path]:
    """Return the file of each module, by its name."""
    names = {
        ".".join(path.relative_to(SOURCE.parent).with_suffix("").parts): path for path in FILES
    }
    return {name.removesuffix(".__init__"): path for name, path in names.items()}


def test_imports_run_in_no_circle():
    """Wherever in a module they stand, also those for type checkers."""
    files = modules()
    graph = {name: modules_used(source_of(path), files) for name, path in files.items()}
    # Raises `CycleError`, which names the circle.
    assert len(list(TopologicalSorter(graph).static_order())) == len(files)


@pytest.mark.parametrize("package", [name for name in HOMES if name != "linkoracle"])
def test_modules_of_a_package_import_each_other_without_it(package):
    """Else what a table says would decide which of them is loaded first."""
    for name, path in modules().items():
        if name.startswith(f"{package}."):
            for node in ast.walk(ast.parse(source_of(path))):
                if isinstance(node, ast.ImportFrom) and node.module == package:
                    assert HOMES[package].keys().isdisjoint(alias.name for alias in node.names), (
                        path
                    )


#: What the core never imports, not even in a function: whole packages, and modules of others.
ANNEXES = [
    "linkoracle.booklets",
    "linkoracle.catalogue",
    "linkoracle.census",
    "linkoracle.certificates",
    "linkoracle.cli",
    "linkoracle.deduce",
    "linkoracle.generate",
    "linkoracle.generate.looks",
    "linkoracle.render.board",
    "linkoracle.render.document",
    "linkoracle.studio",
]


def is_annex(module: str) -> bool:
    return any(module == annex or module.startswith(f"{annex}.") for annex in ANNEXES)


@pytest.mark.parametrize("start", ["solving", "engines.schedule", "formats", "engines.plain"])
def test_the_core_reaches_no_annex(start):
    """By no chain of imports, also of those in functions and for type checkers."""
    files = modules()
    reached, waiting = set(), [f"linkoracle.{start}"]
    while waiting:
        module = waiting.pop()
        if module not in reached:
            reached.add(module)
            waiting += modules_used(source_of(files[module]), files)
            # Of a package that is imported whole, any name may be used.
            waiting += HOMES.get(module, {}).values()
    assert len(reached) > 4
    assert not [module for module in reached if is_annex(module)]


@pytest.mark.parametrize(
    "use",
    [
        "import linkoracle",
        "import linkoracle\nlinkoracle.count(linkoracle.Slitherlink.blank(3, 3))",
        "import linkoracle\nlinkoracle.Oracle.slitherlink(3, 3).ask({(0, 0): 3})",
        "from linkoracle.cli.count_solutions import main\n"
        "try:\n    main(['instances/slitherlink-10x10.txt'])\nexcept SystemExit:\n    pass",
    ],
)
def test_counting_loads_no_annex(use):
    annexes = [annex for annex in ANNEXES if annex != "linkoracle.cli"]
    assert absent_after(use, " ".join(annexes))


def absent_after(command: str, modules: str) -> bool:
    """Whether a program has loaded none of these modules."""
    check = f"\nimport sys\nprint([m for m in {modules.split()!r} if m in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", command + check],
        capture_output=True,
        text=True,
        check=True,
        cwd=SOURCE.parents[1],
    )
    return done.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize(
    "use", ["", ".engines.plain", ".engines.plain_diagram", ".frontier.family"]
)
def test_the_package_alone_loads_little(use):
    assert absent_after(f"import linkoracle{use}", "networkx rich dd matplotlib pysat click")


def test_networkx_and_dd_load_with_the_engines_that_use_them():
    uses = {
        "count(puzzle)": "networkx dd",
        "diagram(puzzle).family().maximal().count()": "networkx dd",
        "decide(puzzle, engine='plain')": "dd",
    }
    start = (
        "import linkoracle\npuzzle = linkoracle.Slitherlink([[3, None], [None, 3]])\nlinkoracle."
    )
    for use, absent in uses.items():
        assert absent_after(start + use, absent), use
    assert not absent_after(start + "decide(puzzle, engine='plain')", "networkx")
    assert not absent_after(start + "count(puzzle, engine='plain')", "dd")


#: Reads a puzzle and checks options where these modules cannot be loaded.
_UNCOMPILED = """
import sys

class Refusal:
    def find_spec(self, name, path=None, target=None):
        if name in refused:
            raise ImportError(f"{{name}} is refused")

refused = {refused!r}
sys.meta_path.insert(0, Refusal())
import linkoracle, linkoracle.solving, linkoracle.engines, linkoracle.kinds, linkoracle.formats

assert all(linkoracle.kinds.KINDS.values())
puzzle = linkoracle.read("slitherlink\\n. 3\\n2 .\\n")
assert puzzle == linkoracle.Slitherlink([[None, 3], [2, None]])
for options in ({{"engine": "guess"}}, {{"solver": "guess"}}, {{"memory": 0}}, {{"timeout": -1}}):
    try:
        linkoracle.count_result(puzzle, **options)
    except ValueError:
        continue
    raise AssertionError(options)
try:
    linkoracle.count_result(puzzle)
except ImportError:
    print("refused")
# The plain engine needs none of that.
several = linkoracle.Slitherlink([[3, None], [None, 3]])
others = map(linkoracle.read, ("numberlink\\n1 2\\n1 2\\n", "simpleloop\\n..\\n..\\n"))
for puzzle in (puzzle, several, *others):
    verdict = linkoracle.decide(puzzle, engine="plain")
    numbers = [linkoracle.count(puzzle, limit, engine="plain") for limit in (None, 1, 5)]
    right = [linkoracle.check_solution(puzzle, solution) for solution in verdict.solutions]
    print(verdict.status, *numbers, *right)
"""


def test_puzzles_are_read_and_options_checked_without_anything_compiled():
    """As before a kernel is built, or where none runs."""
    kernels = [path.relative_to(SOURCE.parent) for path in SOURCE.rglob("*.pyx")]
    refused = {".".join(path.with_suffix("").parts) for path in kernels}
    assert "linkoracle.engines.connectivity" in refused
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            _UNCOMPILED.format(refused={"numpy", "linkoracle.memoryviews", *refused}),
        ],
        capture_output=True,
        text=True,
        check=False,
        cwd=SOURCE.parents[1],
    )
    answers = ["refused", "none 0 0 0", "many 2 1 2 True True", *["unique 1 1 1 True"] * 2]
    assert (done.stdout.splitlines(), done.stderr) == (answers, "")


@pytest.mark.parametrize(
    ("program", "arguments"),
    [
        ("count_solutions", "instances/slitherlink-10x10.txt"),
        ("count_solutions", "--show instances/slitherlink-10x10.txt"),
        ("main", "generate slitherlink 10 10 --seed 1"),
        ("main", "generate slitherlink 10 10 --seed 1 --show"),
        ("main", "generate slitherlink 10 10 --seed 1 --difficulty fiendish"),
        ("main", "grade instances/slitherlink-10x10.txt"),
        ("main", "grade --hint instances/slitherlink-10x10.txt"),
        ("main", "solve instances/slitherlink-10x10.txt"),
        ("count_solutions", "--show instances/numberlink-10x10.txt"),
        ("main", "generate numberlink 10 10 --seed 1 --symmetry half-turn --show"),
        ("main", "generate numberlink 6 6 --seed 1 --variant fill --difficulty easy..extreme"),
        ("main", "generate simpleloop 6 6 --seed 1"),
        ("main", "grade instances/numberlink-8x8.txt"),
        ("main", "certify instances/numberlink-8x8.txt -o {file}"),
        ("main", "draw instances/slitherlink-10x10.txt --solution --regions -o {file}"),
    ],
)
def test_heavy_libraries_stay_out(program, arguments, tmp_path):
    words = [word.format(file=tmp_path / "puzzle.svg") for word in arguments.split()]
    command = (
        f"from linkoracle.cli.{program} import main\n"
        f"try:\n    main({words!r})\n"
        "except SystemExit as status:\n    assert not status.code"
    )
    heavy = "numpy networkx rich dd matplotlib distributed multiprocessing linkoracle.batch"
    assert absent_after(command, heavy)


#: Prints our files with a function that a count calls, and the modules that are loaded for it.
_COUNTED = """
import sys

def called(frame, event, _):
    if event == "call" and frame.f_code.co_name != "<module>":
        file, above = frame.f_code.co_filename, frame
        while above and not above.f_code.co_filename.startswith("<frozen importlib"):
            above = above.f_back
        if "/linkoracle/" in file and not above:
            files.add(file.partition("/linkoracle/")[2])

files = set()
sys.setprofile(called)
from linkoracle.cli.count_solutions import main
try:
    main(["instances/slitherlink-10x10.txt"])
except SystemExit:
    sys.setprofile(None)
ours = {name for name in sys.modules if name.startswith("linkoracle")}
# Cython's own code, which has no source here.
ours.discard("linkoracle.memoryviews")
print(*files)
print(*(name for name in ours if not hasattr(sys.modules[name], "__path__")))
"""


def test_few_of_our_files_stand_between_a_small_file_and_its_count():
    """Bounds to be lowered, never raised: who reads how a count comes about opens these files."""
    done = subprocess.run(
        [sys.executable, "-c", _COUNTED],
        capture_output=True,
        text=True,
        check=True,
        cwd=SOURCE.parents[1],
    )
    files, modules = (line.split() for line in done.stdout.splitlines()[-2:])
    assert {"engines/schedule.py", "engines/search.py", "formats/text.py", "board/model.py"} <= set(
        files
    )
    assert len(files) <= 16, sorted(files)
    assert len(modules) <= 24, sorted(modules)
