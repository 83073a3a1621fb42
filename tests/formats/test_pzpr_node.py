"""URLs of linkoracle in pzpr, and URLs of pzpr in linkoracle: opt in with ``-m node``.

The npm package is in the folder that ``PZPR_NODE_MODULES`` names, else in ``node_modules`` at the
top of the checkout.
"""

import json
import os
import random
import shutil
import subprocess
from pathlib import Path

import pytest

from linkoracle.formats import read, write
from linkoracle.kinds import Numberlink, SimpleLoop, Slitherlink

SCRIPT = """
const pzpr = require(process.argv[1] + "/pzpr");
const urls = JSON.parse(require("fs").readFileSync(0, "utf8"));
const out = [];
let chain = Promise.resolve();
for (const url of urls) {
  chain = chain.then(() => new Promise((resolve) => {
    const puzzle = new pzpr.Puzzle();
    puzzle.open(url, () => {
      const cells = [];
      const marked = [];
      for (let i = 0; i < puzzle.board.cell.length; i++) {
        cells.push(puzzle.board.cell[i].qnum);
        if (puzzle.board.cell[i].ques >= 6) marked.push(i);  // ice is 6, no cell 7
      }
      out.push({pid: puzzle.pid, cols: puzzle.board.cols, rows: puzzle.board.rows, cells: cells,
                marked: marked, url: puzzle.getURL()});
      resolve();
    });
  }));
}
chain.then(() => console.log(JSON.stringify(out)));
"""


def modules():
    top = Path(__file__).resolve().parents[2]
    folder = Path(os.environ.get("PZPR_NODE_MODULES") or top / "node_modules").resolve()
    if shutil.which("node") is None:
        pytest.skip("node is not installed")
    if not (folder / "pzpr").is_dir():
        pytest.skip(f"no pzpr package in {folder} (set PZPR_NODE_MODULES)")
    return folder


def random_puzzles(count):
    choose = random.Random(20120402)
    for index in range(count):
        rows, cols = choose.randint(1, 12), choose.randint(2, 12)
        if index % 2:
            density = choose.random()
            yield Slitherlink(
                [
                    [
                        choose.randint(0, 4) if choose.random() < density else None
                        for _ in range(cols)
                    ]
                    for _ in range(rows)
                ]
            )
        else:
            pairs = choose.randint(1, rows * cols // 2)
            # From 4096, pzpr writes codes without padding and misreads them itself.
            labels = choose.sample(range(1, choose.choice([100, 4096])), pairs)
            cells = [*labels, *labels, *[None] * (rows * cols - 2 * pairs)]
            choose.shuffle(cells)
            yield Numberlink([cells[row * cols : (row + 1) * cols] for row in range(rows)])


def run_in_node(script, given):
    """Return the output of a script with the folder of packages and an input."""
    run = subprocess.run(
        ["node", "-e", script, str(modules())],
        input=json.dumps(given),
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    return json.loads(run.stdout)


@pytest.mark.node
def test_pzpr_reads_holes_as_we_write_them():
    """Read holes as the ice of Barns, as the npm package is older than Simple Loop.

    A newer package, which ``PZPR_NODE_MODULES`` may name, opens the URLs as they are.
    """
    folder = modules()
    has = f"const p = require('{folder}/pzpr'); console.log(p.variety('simpleloop').valid)"
    run = subprocess.run(["node", "-e", has], capture_output=True, text=True, check=True)
    name = "simpleloop" if run.stdout.strip() == "true" else "barns"
    choose = random.Random(20120402)
    puzzles = []
    for _ in range(100):
        rows, cols = choose.randint(1, 12), choose.randint(2, 12)
        cells = [(row, col) for row in range(rows) for col in range(cols)]
        holes = [cell for cell in cells if choose.random() < 0.3] or cells[:1]
        puzzles.append(SimpleLoop.from_holes(rows, cols, holes))
    urls = [write(puzzle, "pzpr") for puzzle in puzzles]
    opened = run_in_node(SCRIPT, [url.replace("simpleloop", name) for url in urls])
    for puzzle, url, theirs in zip(puzzles, urls, opened, strict=True):
        assert (theirs["pid"], theirs["rows"], theirs["cols"]) == (name, puzzle.rows, puzzle.cols)
        assert [divmod(cell, puzzle.cols) for cell in theirs["marked"]] == list(puzzle.holes), url
        # The borders of Barns follow the ice.
        body = theirs["url"].rpartition("/")[2]
        assert body.startswith(url.rpartition("/")[2])


@pytest.mark.node
def test_pzpr_reads_what_we_write_and_writes_the_same():
    puzzles = list(random_puzzles(300))
    puzzles.append(Numberlink([[4096, 8191, None], [8191, 12239, None], [4096, None, 12239]]))
    urls = [write(puzzle, "pzpr") for puzzle in puzzles]
    opened = run_in_node(SCRIPT, urls)
    assert len(opened) == len(puzzles)
    for puzzle, url, theirs in zip(puzzles, urls, opened, strict=True):
        assert theirs["pid"] == ("slither" if puzzle.kind == "slitherlink" else "numlin")
        assert (theirs["rows"], theirs["cols"]) == (puzzle.rows, puzzle.cols)
        cells = [-1 if cell is None else cell for row in puzzle.grid for cell in row]
        assert theirs["cells"] == cells, url
        if max(cells) < 4096:
            assert theirs["url"].partition("?")[2] == url.partition("?")[2]
            assert read(theirs["url"]) == puzzle
