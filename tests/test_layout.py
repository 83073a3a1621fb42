"""Imports point down only, and heavy libraries load only when they are used."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from graphlib import TopologicalSorter

import pytest

from hops import PAGE, SOURCE, Tree, modules_used

TEXT = " ".join(PAGE.read_text(encoding="utf-8").split())
#: The level of each package, and of each module in the root.
LEVELS = {part: int(level) for level, part in re.findall(r"\| (\d+) \| `(\w+)` \|", TEXT)}
LEVELS["__main__"] = LEVELS["linkoracle"]
#: What the core never imports, not even in a function.
ANNEXES = re.findall(r"`(\w+)`", re.findall(r"an \*annex\*: ([^.]*)\.", TEXT)[0])
#: Engines know models, but no puzzles, and neither formats nor pictures of them.
STRANGERS = [
    (engine, part) for engine in ("engines", "frontier") for part in ("kinds", "formats", "render")
]


def part_of(module: str) -> str:
    """`linkoracle.engines.clauses` is part of `engines`, and `linkoracle` of itself."""
    return module.split(".")[:2][-1]


def test_every_way_to_import_counts():
    for source in (
        "import linkoracle.b",
        "from linkoracle import b",
        "def late():\n    from linkoracle.b import name",
        "if TYPE_CHECKING:\n    from linkoracle.b import name",
        "if TYPE_CHECKING:\n    pass\nelse:\n    from linkoracle.b import name",
        "def late():\n    return import_module('linkoracle.b').name",
    ):
        assert modules_used(source, ["linkoracle.a", "linkoracle.b"], {}) == {"linkoracle.b"}, (
            source
        )


@pytest.fixture(scope="module")
def tree() -> Tree:
    return Tree(SOURCE)


@pytest.fixture(scope="module")
def graph(tree) -> dict[str, set[str]]:
    """The modules that each module imports; compiled ones stand for themselves by their stubs."""
    return tree.graph


def test_names_of_packages_count_as_those_of_their_modules(tree):
    used = "from linkoracle.board import Board\nfrom linkoracle import board, Lattice\n"
    homes = {tree.homes["linkoracle.board"][name] for name in ("Board", "Lattice")}
    assert modules_used(used, tree.files, tree.homes) == {"linkoracle.board", *homes}
    late = "from linkoracle import deduce as library\ndef f():\n    return library.grade\n"
    assert modules_used(late, tree.files, tree.homes) == {
        "linkoracle.deduce",
        tree.homes["linkoracle.deduce"]["grade"],
    }


def test_modules_of_a_package_import_each_other_without_it(tree):
    """Else what a table says would decide which of them is loaded first."""
    wrong = [
        f"{tree.named(path)}: {ast.unparse(node)}"
        for path, text in tree.texts.items()
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.ImportFrom)
        and node.module == ".".join(path.relative_to(SOURCE.parent).parent.parts)
        and node.module != "linkoracle"
        and any(alias.name in tree.homes.get(node.module, {}) for alias in node.names)
    ]
    assert wrong == []


def test_the_page_has_every_package(graph):
    assert {part_of(module) for module in graph} == LEVELS.keys()


def test_imports_point_down(graph):
    wrong = [
        f"{module} imports {used}"
        for module, imported in graph.items()
        for used in imported
        for here, there in [(part_of(module), part_of(used))]
        if LEVELS[there] > LEVELS[here] or (here, there) in STRANGERS
    ]
    assert wrong == []


def test_imports_run_in_no_circle(graph):
    """Wherever in a module they stand, also those for type checkers."""
    # Raises `CycleError`, which names the circle.
    assert len(list(TopologicalSorter(graph).static_order())) == len(graph)


def test_the_core_reaches_no_annex(tree, graph):
    """By no chain of imports, also of those in functions and for type checkers."""
    reached: set[str] = set()
    waiting = [f"linkoracle.{start}" for start in ("solving", "formats", "engines.plain")]
    while waiting:
        module = waiting.pop()
        if module not in reached:
            reached.add(module)
            waiting += graph[module]
            # Of a package that is imported whole, any name may be used.
            waiting += tree.homes.get(module, {}).values()
    assert len(reached) > 40
    assert [module for module in reached if part_of(module) in ANNEXES] == []


def test_counting_loads_no_annex():
    annexes = [f"linkoracle.{annex}" for annex in ANNEXES if annex != "cli"]
    for use in (
        "import linkoracle",
        "import linkoracle\nlinkoracle.count(linkoracle.Slitherlink.blank(3, 3))",
        "import linkoracle\nlinkoracle.Oracle.slitherlink(3, 3).ask({(0, 0): 3})",
        "from linkoracle.cli.count_solutions import main\n"
        "try:\n    main(['instances/slitherlink-10x10.txt'])\nexcept SystemExit:\n    pass",
    ):
        assert absent_after(use, " ".join(annexes)), use


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


def test_the_package_alone_loads_little():
    for use in ("", ".engines.plain", ".engines.plain_diagram", ".frontier.family"):
        assert absent_after(f"import linkoracle{use}", "networkx rich dd matplotlib pysat click"), (
            use
        )


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


def test_a_list_of_commands_loads_no_work():
    """Each command is built when it is used: its options are those of a request."""
    for group in ([], ["generate"]):
        command = f"main({[*group, '--help']})"
        start = "from linkoracle.cli.main import main\n"
        use = f"{start}try:\n    {command}\nexcept SystemExit:\n    pass"
        work = "deduce.grades engines.clauses generate.api generate.attempts solving zdd"
        absent = " ".join(f"linkoracle.{name}" for name in work.split())
        assert absent_after(use, absent), group


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
    assert len(refused) > 10
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
