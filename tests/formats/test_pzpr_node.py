"""Our URLs opened by pzpr itself, and its URLs by us: opt in with ``-m node``.

The npm package is looked for in the folder that ``PZPR_NODE_MODULES`` names, else in
``node_modules`` at the top of the checkout.
"""

import json
import os
import random
import shutil
import subprocess
from pathlib import Path

import pytest

from linkoracle.formats import read, write
from linkoracle.puzzles import Numberlink, Slitherlink

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
      for (let i = 0; i < puzzle.board.cell.length; i++) cells.push(puzzle.board.cell[i].qnum);
      out.push({pid: puzzle.pid, cols: puzzle.board.cols, rows: puzzle.board.rows, cells: cells,
                url: puzzle.getURL()});
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
            # Past 4095 pzpr writes its codes without padding, and then misreads them itself.
            labels = choose.sample(range(1, choose.choice([100, 4096])), pairs)
            cells = [*labels, *labels, *[None] * (rows * cols - 2 * pairs)]
            choose.shuffle(cells)
            yield Numberlink([cells[row * cols : (row + 1) * cols] for row in range(rows)])


@pytest.mark.node
def test_pzpr_reads_what_we_write_and_writes_the_same():
    folder = modules()
    puzzles = list(random_puzzles(300))
    puzzles.append(Numberlink([[4096, 8191, None], [8191, 12239, None], [4096, None, 12239]]))
    urls = [write(puzzle, "pzpr") for puzzle in puzzles]
    run = subprocess.run(
        ["node", "-e", SCRIPT, str(folder)],
        input=json.dumps(urls),
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    opened = json.loads(run.stdout)
    assert len(opened) == len(puzzles)
    for puzzle, url, theirs in zip(puzzles, urls, opened, strict=True):
        assert theirs["pid"] == ("slither" if puzzle.kind == "slitherlink" else "numlin")
        assert (theirs["rows"], theirs["cols"]) == (puzzle.rows, puzzle.cols)
        cells = [-1 if cell is None else cell for row in puzzle.grid for cell in row]
        assert theirs["cells"] == cells, url
        if max(cells) < 4096:
            assert theirs["url"].partition("?")[2] == url.partition("?")[2]
            assert read(theirs["url"]) == puzzle
