"""A registered kind can be read, counted, converted, drawn, graded and stored."""

from __future__ import annotations

import ast
import doctest
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

import linkoracle
from linkoracle import FormatError, Lattice, LinkModel, Slitherlink, Solution
from linkoracle.catalogue import Catalogue
from linkoracle.core import pick
from linkoracle.deduce import DeductionState, solve_path
from linkoracle.formats import FORMATS, read, read_all, write
from linkoracle.generate import makers
from linkoracle.kinds import KINDS, GridPuzzle, canonical, images, kind_named
from linkoracle.render import THEMES, Marks, marked, picture, svg

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "linkoracle"
PAGE = ROOT / "docs" / "kinds.md"


def page_source() -> str:
    """Return the second class of the page, as a module."""
    text = PAGE.read_text(encoding="utf-8").partition("\n## A loop between dots")[2]
    examples = doctest.DocTestParser().get_examples(text)
    return "".join(one.source for one in examples if one.exc_msg is None)


@pytest.fixture
def registry(monkeypatch):
    """Return the registry, and restore it after the test."""
    monkeypatch.setattr(KINDS, "_found", dict(KINDS._found))
    return KINDS


@pytest.fixture(scope="module")
def page_class():
    """Return the class of the page, registered once, which compares its model with its rules."""
    namespace = {"__name__": "evenodd"}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(KINDS, "_found", dict(KINDS._found))
        exec(compile(page_source(), str(PAGE), "exec"), namespace)
    return namespace["EvenOdd"]


@pytest.fixture
def even_odd(registry, page_class):
    registry._found["evenodd"] = page_class
    return page_class


TEXT = "# name: toy\nevenodd\n+===\n==.=\n+.++\n"


def test_reading_counting_and_checking(even_odd):
    (entry,) = read_all(TEXT)
    puzzle = entry.puzzle
    assert (type(puzzle), entry.name, puzzle.kind) == (even_odd, "toy", "evenodd")
    assert read(TEXT.split("evenodd\n")[1].join(["3 4\n", ""]), kind="evenodd") == puzzle
    for engine in ("sat", "frontier"):
        assert linkoracle.count(puzzle, engine=engine) == 1
        assert linkoracle.decide(puzzle, engine=engine).unique
        (solution,) = linkoracle.solutions(puzzle, engine=engine)
        assert linkoracle.check_solution(puzzle, solution)
    blank = even_odd.blank(3, 4)
    fitting = [one for one in linkoracle.solutions(blank) if linkoracle.check_solution(puzzle, one)]
    assert fitting == [solution]
    assert linkoracle.violations(puzzle, Solution(Lattice(3, 4))) == [
        "the solution is not drawn on 4x5 dots"
    ]
    with pytest.raises(FormatError, match=r"in:1:32: expected 0 \(even\) or 1 \(odd\), found 2"):
        read_all('{"kind": "evenodd", "grid": ["=2"]}\n', name="in")


def test_every_format_converts_it_or_refuses_it_by_name(even_odd):
    puzzle = read(TEXT)
    written = {}
    refused = {}
    for name, form in FORMATS.items():
        try:
            written[name] = write(puzzle, name)
        except FormatError as error:
            refused[name] = str(error)
        else:
            assert form.writes
            assert read(written[name], kind="evenodd") == puzzle
    drawn = {"link", "penpa", "sudokupad"}
    assert set(written) == {"text", "json", "rows-cols", "cols-rows"} | drawn
    assert written["rows-cols"] == "3 4\n+===\n==.=\n+.++\n"
    assert refused["pzpr"] == "pzpr has no evenodd"
    assert refused["loopy"].startswith("Loopy has only Slitherlink loops, not evenodd")
    assert "it can only be read" in refused["slk"]
    for text in ("https://puzz.link/p?slither/2/2/dc", "3:i"):
        with pytest.raises(FormatError, match="expected the kind evenodd, found slitherlink"):
            read(text, kind="evenodd")


def test_drawing_grading_and_keeping(even_odd, tmp_path):
    puzzle = read(TEXT)
    solution = linkoracle.solve(puzzle)
    assert "  +   = │ =   = │" in linkoracle.draw(puzzle, solution)
    drawn = svg(picture(puzzle, solution, regions=True))
    assert "Even Odd Loop, 3 x 4 cells, solved" in drawn
    assert drawn.count(">+<") == 4
    assert svg(marked(puzzle, Marks(new_lines=[0], cells=[(0, 0)])))
    assert linkoracle.grade(puzzle).label == "hard"
    board = DeductionState(puzzle.model)
    assert board.begin()
    assert any("dot" in step.sentence for step in solve_path(puzzle, board))
    file = tmp_path / "kept.sqlite"
    with Catalogue(file) as catalogue:
        assert catalogue.add(puzzle, grade=linkoracle.grade(puzzle))
        assert not catalogue.add(puzzle.rotate(2).reflect())
        (record,) = catalogue.find()
        assert (record.puzzle, record.solution, record.clues) == (puzzle, solution, 10)
        assert list(catalogue.faults()) == []
    assert canonical(puzzle) == canonical(puzzle.reflect()) in images(puzzle)


def test_the_command_line_of_a_program_that_loads_it(tmp_path):
    (tmp_path / "evenodd.py").write_text(page_source(), encoding="utf-8")
    (tmp_path / "toy.txt").write_text(TEXT, encoding="utf-8")
    program = (
        "import evenodd, contextlib\n"
        "from linkoracle.cli.main import main\n"
        "def run(*words):\n"
        "    with contextlib.suppress(SystemExit):\n"
        "        main(list(words))\n"
        "run('count', 'toy.txt')\n"
        "run('check', 'toy.txt')\n"
        "run('convert', '--to', 'json', 'toy.txt')\n"
        "run('solve', '--ascii', 'toy.txt')\n"
        "run('draw', 'toy.txt', '-o', 'toy.svg')\n"
        "run('grade', 'toy.txt')\n"
        "run('catalogue', 'add', '--into', 'kept.sqlite', 'toy.txt')\n"
        "run('catalogue', 'list', 'kept.sqlite', '--kind', 'evenodd')\n"
        "run('catalogue', 'check', 'kept.sqlite')\n"
        "run('convert', '--to', 'pzpr', 'toy.txt')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])},
        capture_output=True,
        text=True,
    )
    out = done.stdout
    assert "Traceback" not in done.stderr, done.stderr
    assert out.startswith("1\nunique"), out
    assert '"kind": "evenodd"' in out
    assert "| =   =       = |" in out
    assert "hard" in out
    assert "evenodd loop" in out
    assert "10 clues" in out
    assert "all is well with 1 puzzle" in out
    assert "pzpr has no evenodd" in done.stderr
    assert (tmp_path / "toy.svg").exists()


def test_kinds_of_other_packages_and_modules_are_found_in_each_process(tmp_path):
    (tmp_path / "evenodd.py").write_text(page_source(), encoding="utf-8")
    (tmp_path / "toy.txt").write_text(TEXT, encoding="utf-8")
    paths = os.pathsep.join([str(tmp_path), *sys.path])

    def count(**environment):
        return subprocess.run(
            [sys.executable, "-m", "linkoracle", "count", "toy.txt"],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": paths, **environment},
            capture_output=True,
            text=True,
        )

    def failure(**environment):
        done = count(**environment)
        assert (done.returncode, done.stdout) == (2, "")
        return done.stderr

    assert "found 'evenodd'" in count().stderr
    (tmp_path / "broken.py").write_text("assert 2 < 1, 'no kind'\n", encoding="utf-8")
    reason = "cannot load nosuch: No module named 'nosuch'"
    assert failure(LINKORACLE_LOAD="nosuch") == f"error: LINKORACLE_LOAD: {reason}\n"
    assert "LINKORACLE_LOAD: cannot load broken: no kind" in failure(LINKORACLE_LOAD="broken")
    assert count(LINKORACLE_LOAD="evenodd").stdout == "1\n"
    package = tmp_path / "evenodd-1.0.dist-info"
    package.mkdir()
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: evenodd\nVersion: 1.0\n")
    (package / "entry_points.txt").write_text("[linkoracle.kinds]\nevenodd = evenodd:EvenOdd\n")
    assert count().stdout == "1\n"
    (package / "entry_points.txt").write_text("[linkoracle.kinds]\nevenodd = broken:EvenOdd\n")
    assert "cannot load the kind 'evenodd' from broken:EvenOdd: no kind" in failure()


def test_unknown_kinds_are_errors_that_name_those_known():
    for ask in (
        lambda: kind_named("chess"),
        lambda: read("3 4\n....\n....\n....\n", kind="chess"),
        lambda: read('{"kind": "chess", "grid": ["."]}'),
        lambda: read("chess\n..\n"),
        lambda: linkoracle.generate.puzzle("chess", 4, 4, seed=0),
    ):
        with pytest.raises(ValueError, match="expected") as caught:
            ask()
        assert "'chess'" in str(caught.value)


def test_what_is_no_kind_is_not_registered(registry):
    class Base(GridPuzzle):
        title = "A"
        variants = {"loop": ""}  # noqa: RUF012 - as in the documentation

        @property
        def model(self):
            return LinkModel.blank_loop(self.lattice)

        @classmethod
        def from_solution(cls, solution):
            return cls.blank(solution.lattice.rows - 1, solution.lattice.cols - 1)

        def faults(self, lines):
            return lines.faults()

    def kind(**members):
        return type("Kind", (Base,), {"kind": "toy", **members})

    for members, reason in (
        ({"kind": "Toy"}, "named by a lower-case word, got 'Toy'"),
        ({"kind": "a b"}, "got 'a b'"),
        ({"kind": "slitherlink"}, "another name than 'slitherlink', which is a built-in kind"),
        ({"symbols": {1: "#"}}, "as a symbol one character .*, got '#'"),
        ({"symbols": {1: "ab"}}, "got 'ab'"),
        ({"symbols": {1: "7"}}, "got '7'"),
    ):
        with pytest.raises(ValueError, match=reason):
            linkoracle.register(kind(**members))
    with pytest.raises(ValueError, match="with model, got"):
        linkoracle.register(kind(model=GridPuzzle.model))
    with pytest.raises(ValueError, match="with faults, got"):
        linkoracle.register(kind(faults=GridPuzzle.faults))
    with pytest.raises(ValueError, match=r"kind, title.* model"):
        linkoracle.register(Lattice)
    assert "toy" not in KINDS
    toy = linkoracle.register(kind())
    assert KINDS["toy"] is toy is linkoracle.register(toy)
    other = linkoracle.register(kind(symbols={1: "x"}))
    assert KINDS["toy"] is other is not toy


def test_a_model_that_differs_from_the_rules_is_not_registered(even_odd):
    def less(self):
        return LinkModel.blank_loop(self.lattice)

    def more(self):
        model = even_odd.model.func(self)
        return model.with_edges(forbidden=[0])

    for model, what in (
        (less, r"allows what its faults refuse \(r\dc\d has"),
        (more, r"refuses what its faults allow \(edge 0 is forbidden\)"),
    ):
        wrong = type("Wrong", (even_odd,), {"kind": "wrong", "model": property(model)})
        with pytest.raises(ValueError, match=rf"(?s){what}.*Wrong\(\(\(.*with the lines \[\["):
            linkoracle.register(wrong)
    assert "wrong" not in KINDS


def test_a_kind_with_a_maker_can_be_made(even_odd, monkeypatch):
    def maker(rows, cols, rng, another):
        loop = pick(rng, list(linkoracle.solutions(Slitherlink.blank(rows, cols))))
        puzzle = even_odd.from_solution(loop)
        return (puzzle, loop) if another(puzzle, loop) is None else None

    monkeypatch.setattr(even_odd, "maker", maker)
    assert {"simpleloop", "evenodd"} <= set(makers())
    assert linkoracle.is_unique(linkoracle.generate.puzzle("evenodd", 2, 2, seed=0).puzzle)


def test_every_look_has_a_style_in_every_theme():
    for kind in KINDS.values():
        shapes = picture(kind.blank(2, 2)).shapes
        assert all(shape.role in theme.styles for shape in shapes for theme in THEMES.values())
    holes = picture(linkoracle.SimpleLoop([[0, None]]))
    assert [shape.role for shape in holes.shapes].count("hole") == 1
    assert all("hole" in theme.styles for theme in THEMES.values())


# ---- no module takes a puzzle that is not of one kind for one of another -------------------------

#: The modules that may use a kind by its class: its page, its generators and its censuses.
OWNERS = {
    "__init__.py",  # lists public names
    "kinds/__init__.py",
    "sat/oracle.py",  # `Oracle.slitherlink`
    "cli/loops.py",  # all loops of a board are the solutions of a blank one
    "cli/census.py",
    # Tasks that only one kind has.
    *("studio/making.py", "studio/tab.py"),
    "render/board.py",  # a bare board is one without clues
    "certificates/writing.py",  # the verifier knows no other kinds
}
#: A program of its own, without the package, has no registry to ask; and the proved checker knows
#: boards of faces for one kind only.
ALONE = ("certificates/verify_certificate.py", "certificates/proved.py")
OWNING = (*("kinds/", "generate/", "census/", "deduce/grading.py", "deduce/reduction.py"),)
CLASSES = {"slitherlink": "Slitherlink", "numberlink": "Numberlink", "simpleloop": "SimpleLoop"}


CLASS_CHECKS = tuple(f"isinstance(puzzle, {name}" for name in CLASSES.values())


@cache
def nodes():
    """Return the relevant nodes of all modules, each with the path of its module."""
    types = ast.ImportFrom | ast.UnaryOp | ast.Compare | ast.Call
    return [
        (path.relative_to(SOURCE).as_posix(), node)
        for path in SOURCE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, types)
    ]


def checks_class(node):
    """Return whether a node checks the class of a puzzle."""
    named = isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    return named and node.func.id == "isinstance" and ast.unparse(node).startswith(CLASS_CHECKS)


def test_nobody_else_knows_a_kind_by_its_class():
    knowing = {
        path
        for path, node in nodes()
        if isinstance(node, ast.ImportFrom)
        and (node.module or "").startswith("linkoracle.kinds")
        and {alias.name for alias in node.names} & set(CLASSES.values())
    }
    assert {path for path in knowing - OWNERS if not path.startswith(OWNING)} == set()


def test_no_branch_stands_for_the_other_kind():
    """Checks of a puzzle's class only refuse it, and no kind is compared by name."""
    operands = [node.operand for _, node in nodes() if isinstance(node, ast.UnaryOp)]
    refused = {ast.unparse(operand) for operand in operands if checks_class(operand)}
    for path, node in nodes():
        if path in ALONE:
            continue
        if isinstance(node, ast.Compare):
            words = [part.value for part in ast.walk(node) if isinstance(part, ast.Constant)]
            assert not set(CLASSES) & {str(word) for word in words}, f"{path}: {ast.unparse(node)}"
        elif checks_class(node):
            assert ast.unparse(node) in refused, f"{path}: {ast.unparse(node)}"
