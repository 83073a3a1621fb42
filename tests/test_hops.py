"""Sources ask no more hops of their readers than before; the page shows where calls go."""

from __future__ import annotations

import pytest

from hops import BOUNDS, PAGE, Tree, all_measured, files_passed, lines_of_page, packages


def test_no_number_is_above_its_bound():
    measured = all_measured()
    assert measured.keys() == BOUNDS.keys()
    above = {
        name: (found.number, BOUNDS[name], sorted(found.names))
        for name, found in measured.items()
        if found.number > BOUNDS[name]
    }
    assert above == {}, "fewer hops, please: `python scripts/hops.py --names`"


def test_the_page_has_the_packages_that_flows_pass():
    """`python scripts/hops.py --page` writes them."""
    assert lines_of_page() in PAGE.read_text(encoding="utf-8")


@pytest.fixture
def tree(tmp_path):
    """A package of six files."""
    for name, text in {
        "__init__.py": "from ours import one\n",
        "one.py": "import sys\n\n\ndef f(board):\n    from ours.parts import two\n    return two\n",
        "parts/__init__.py": "",
        "parts/two.py": "# A remark.\nif isinstance(board, (int, Lattice)):\n    pass\n",
        "parts/three.py": "from ours import (\n    one,\n)\nfrom ours.parts import two\n",
        "parts/kernel.pyx": "from ours.parts.three import four\n",
    }.items():
        path = tmp_path / "ours" / name
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_text(text)
    return Tree(tmp_path / "ours")


def test_numbers_are_those_of_the_sources(tree):
    assert tree.graph["ours.one"] == {"ours.parts.two"}
    found = dict(tree.measured())
    assert {name: one.number for name, one in found.items()} == {
        "source files": 6,
        "kernels and their headers": 1,
        "modules in the root": 2,
        "modules of one importer": 0,
        "imports a file": 1.0,
        "imports, % of the lines": 63.6,
        "branches on squares": 1,
    }
    assert found["branches on squares"].names == ["parts/two.py:2"]


def test_a_module_of_one_importer_is_named(tree):
    (tree.folder / "parts" / "five.py").write_text("from ours.parts import three\n")
    found = dict(Tree(tree.folder).measured())["modules of one importer"]
    assert found.names == ["parts.three (4 lines): parts.five"]


def test_a_flow_has_the_files_of_functions_in_their_order():
    from linkoracle import Slitherlink

    files = files_passed(lambda: Slitherlink([[3, 3], [None, None]]).model)
    assert {"kinds/slitherlink.py", "board/model.py"} <= {*files}
    assert packages([*files, "solving.py"])[0] == "kinds"
    assert packages([*files, "solving.py"])[-1] == "solving"
