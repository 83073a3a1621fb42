"""Write one hash a line for some 600 fixed requests, to compare two versions of linkoracle.

    python scripts/digest.py > before.txt
    python scripts/digest.py > after.txt
    diff before.txt after.txt

The same seed and version give the same puzzles, so a change that should change no answer changes no
line. Each line has a name and the first 16 hexadecimal digits of a SHA-256 of the answer: counts,
lists of solutions, cores, certificates to the byte, made puzzles of every kind and tiling, grades
with their steps, pictures, formats, JSON lines. ``--only WORD`` writes the lines whose names hold a
word; ``--show`` writes the answers themselves.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import click
import networkx as nx

import linkoracle
from linkoracle import boards, generate, graphs, render
from linkoracle.boards import TILINGS
from linkoracle.core import LinkOracleError
from linkoracle.deduce import deduced
from linkoracle.formats import FORMATS
from linkoracle.kinds import KINDS, Puzzle

ROOT = Path(__file__).resolve().parents[1]
#: A request: its name, and the work that answers it.
Request = tuple[str, Callable[[], object]]
#: The tilings that do not repeat: without a seed, each part is another.
ALWAYS_NEW = ("hats", "penrose_kite_dart", "penrose_rhombs", "spectres")
#: Most solutions of a list.
LISTED = 60


def main_requests() -> Iterator[Request]:
    """Yield all requests, in the order of their lines."""
    for kind in KINDS:
        yield from kind_requests(kind)
    for name in TILINGS:
        if name != "square":
            yield from tiling_requests(name)
    yield from slitherlink_requests()
    yield from numberlink_requests()
    yield from blank_requests()
    yield from graph_requests()
    yield from file_requests()


def kind_requests(kind: str) -> Iterator[Request]:
    """Yield the requests for a kind: two made puzzles, and all that is asked of them."""
    sizes = [(6, 6), (7, 8)] if kind != "grandtour" else [(5, 5), (6, 7)]
    for rows, cols in sizes:
        where = f"{kind} {rows}x{cols}"
        made: dict[str, Puzzle] = {}

        def puzzle(rows: int = rows, cols: int = cols, made: dict[str, Puzzle] = made) -> Puzzle:
            if not made:
                made["puzzle"] = new_puzzle(kind, 11, rows=rows, cols=cols)
            return made["puzzle"]

        yield f"{where} made", lambda get=puzzle: linkoracle.write(get(), "json")
        yield from puzzle_requests(where, puzzle)
        if rows == sizes[0][0]:
            yield f"{where} opened", lambda get=puzzle: answers_of(opened(get()))
            yield f"{where} formats", lambda get=puzzle: in_every_format(get())
            yield f"{where} shares", lambda get=puzzle: canonical(get())


def new_puzzle(kind: str, seed: int, **options: Any) -> Puzzle:
    """Return a made puzzle of a kind, on squares or on a board."""
    if "board" in options and kind in ("slitherlink", "numberlink"):
        return getattr(generate, kind)(options.pop("board"), seed=seed, **options).puzzle
    return generate.make(generate.request_for(kind, **options), seed=seed).puzzle


def puzzle_requests(where: str, get: Callable[[], Puzzle]) -> Iterator[Request]:
    """Yield what is asked of one puzzle with one solution."""
    yield f"{where} solution", lambda: linkoracle.solve(get()).edges
    yield f"{where} core", lambda: repr(linkoracle.decide(get(), core=True).core)
    yield f"{where} redundant", lambda: linkoracle.Session(get()).redundant()
    yield f"{where} certificate", lambda: linkoracle.certificate(get()).data
    yield f"{where} grade", lambda: graded(get())
    yield f"{where} picture", lambda: render.svg(render.picture(get(), linkoracle.solve(get())))


def opened(puzzle: Puzzle) -> Puzzle:
    """Return the puzzle without a third of its clues, where it can be without them."""
    clues = [cell for cell, _ in puzzle.clue_cells()]
    gone = random.Random(5).sample(clues, len(clues) // 3)
    for cell in gone:
        try:
            puzzle = puzzle.with_clues({cell: None})
        except LinkOracleError:
            continue
    return puzzle


def answers_of(puzzle: Any) -> object:
    """Return how many solutions there are, and the first ones where they are few."""
    number = linkoracle.count(puzzle, limit=5000)
    few = number <= LISTED
    return number, sorted(found.edges for found in linkoracle.solutions(puzzle)) if few else None


def graded(puzzle: Puzzle) -> object:
    """Return the grade, and each step with what it says and decides."""
    found = deduced(puzzle, None)
    grade = linkoracle.grade(puzzle)
    return grade.label, grade.score, grade.guesses, found.steps(puzzle)


def in_every_format(puzzle: Puzzle) -> object:
    """Return the puzzle in each format that can express it."""
    found = {}
    for name, how in FORMATS.items():
        if how.writes:
            try:
                found[name] = linkoracle.write(puzzle, name)
            except LinkOracleError as error:
                found[name] = str(error)
    return found


def canonical(puzzle: Puzzle) -> object:
    """Return the puzzle turned and reflected in all ways, in text."""
    turned = [puzzle.rotate(turns) for turns in range(4)]
    return [linkoracle.write(one, "text") for one in (*turned, *(one.reflect() for one in turned))]


def tiling_requests(name: str) -> Iterator[Request]:
    """Yield the requests for a tiling: three kinds made on it, and what is asked of them."""
    # A tiling that does not repeat has a part for each seed.
    how = {"seed": 1} if name in ALWAYS_NEW else {}
    board = partial(getattr(boards, name), *((3, 3) if "great" in name else (4, 4)), **how)
    where = f"board {name}"
    made: dict[str, Puzzle] = {}

    def puzzle() -> Puzzle:
        if not made:
            made["puzzle"] = new_puzzle("slitherlink", 3, board=board())
        return made["puzzle"]

    yield f"{where} made", lambda: linkoracle.write(puzzle(), "json")
    yield (
        f"{where} numberlink",
        lambda: linkoracle.write(new_puzzle("numberlink", 3, board=board()), "json"),
    )
    yield from puzzle_requests(where, puzzle)


def slitherlink_requests() -> Iterator[Request]:
    """Yield made Slitherlinks, with each choice of the options that have words."""
    options: list[dict[str, Any]] = [
        *({"shape": shape} for shape in generate.SHAPES),
        *({"strategy": name} for name in ("even", "core", "random", "prefix")),
        *({"symmetry": name} for name in ("half-turn", "quarter-turn", "left-right", "diagonal")),
        *({"difficulty": name} for name in ("easy", "normal", "tricky", "hard", "extreme")),
        {"minimal": True},
        {"fill": True, "rows": 9, "cols": 9},
        {"ends": "random"},
        {"ends": ((0, 0), (10, 10))},
        {"techniques": "easy"},
        {"strategy": "fewest", "rows": 6, "cols": 6},
    ]
    for chosen in options:
        size = {"rows": 10, "cols": 10} | {k: v for k, v in chosen.items() if k in ("rows", "cols")}
        rest = {key: value for key, value in chosen.items() if key not in size}
        yield (
            f"slitherlink made {rest}",
            lambda size=size, rest=rest: made_text(
                generate.slitherlink(size["rows"], size["cols"], seed=2, **rest)
            ),
        )
    yield (
        "slitherlinks made",
        lambda: [made_text(one) for one in generate.slitherlinks(8, 8, limit=5, seed=4)],
    )
    for name in ("slitherlink-10x10", "slitherlink-20x20", "slitherlink-30x30", "path-12x12"):
        yield from puzzle_requests(name, partial(instance, f"{name}.txt"))


def made_text(made: Any) -> object:
    """Return a made puzzle and its solution."""
    return linkoracle.write(made.puzzle, "json"), made.solution.edges


def numberlink_requests() -> Iterator[Request]:
    """Yield made Numberlinks and those of the instances."""
    options: list[dict[str, Any]] = [
        {},
        {"pairs": 5},
        {"symmetry": "half-turn"},
        *({"difficulty": name} for name in ("normal", "tricky", "hard")),
    ]
    for chosen in options:
        yield (
            f"numberlink made {chosen}",
            lambda chosen=chosen: made_text(generate.numberlink(8, 8, seed=6, **chosen)),
        )
    for name in ("numberlink-8x8", "numberlink-10x10", "numberlink-fill-9x12"):
        yield from puzzle_requests(name, partial(instance, f"{name}.txt"))


def instance(name: str) -> Puzzle:
    """Return the puzzle of an instance."""
    text = (ROOT / "instances" / name).read_text(encoding="utf-8")
    return linkoracle.read(text)


def blank_requests() -> Iterator[Request]:
    """Yield counts of all loops and paths of blank boards, and of whole spaces of puzzles."""
    for rows, cols in ((3, 3), (5, 7), (8, 8), (10, 11), (4, 30)):
        blank = linkoracle.LinkModel.blank_loop(linkoracle.Lattice(rows + 1, cols + 1))
        yield f"loops {rows}x{cols}", partial(linkoracle.count, blank)
    for side in (3, 5, 7):
        board = linkoracle.Lattice(side, side)
        corners = linkoracle.LinkModel.blank_paths(board, [(0, side * side - 1)])
        cover = linkoracle.LinkModel.blank_paths(board, [(0, side * side - 1)], cover=True)
        yield f"paths {side}x{side}", partial(linkoracle.count, corners)
        yield f"covering paths {side}x{side}", partial(linkoracle.count, cover)
    for name in ("honeycomb", "triangular", "cairo", "kagome"):
        board = getattr(boards, name)(4, 4)
        yield (
            f"loops {name}",
            partial(linkoracle.count, linkoracle.LinkModel.blank_loop(board)),
        )
    blank = linkoracle.LinkModel.blank_loop(linkoracle.Lattice(6, 6))
    yield "diagram", lambda: diagram_of(blank)
    for rows, cols in ((2, 2), (2, 3), (3, 3)):
        yield f"census {rows}x{cols}", lambda r=rows, c=cols: printed("census", "board", r, c)
        yield (
            f"census numberlink {rows}x{cols}",
            lambda r=rows, c=cols: printed("census", "numberlink", r, c),
        )


def diagram_of(model: linkoracle.LinkModel) -> object:
    """Return what a diagram says: its count, counts by length, first and sampled members."""
    found = linkoracle.diagram(model)
    first = [sorted(one.edges) for _, one in zip(range(10), found, strict=False)]
    return found.count(), first


def printed(*arguments: object) -> str:
    """Return what the command writes."""
    command = [sys.executable, "-m", "linkoracle", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    return f"{done.returncode}\n{done.stdout}\n{done.stderr}"


def graph_requests() -> Iterator[Request]:
    """Yield counts and lists of cycles and paths of graphs."""
    found = {
        "K6": nx.complete_graph(6),
        "K8": nx.complete_graph(8),
        "Petersen": nx.petersen_graph(),
        "cube": nx.hypercube_graph(3),
        "grid": nx.grid_2d_graph(5, 6),
        "king": nx.strong_product(nx.path_graph(4), nx.path_graph(4)),
        "K3,4": nx.complete_bipartite_graph(3, 4),
        "windmill": nx.windmill_graph(6, 4),
        "torus": nx.grid_2d_graph(4, 4, periodic=True),
    }
    for name, graph in found.items():
        yield f"graph {name} cycles", partial(graphs.count, graph)
        nodes = list(graph)
        yield (
            f"graph {name} paths",
            lambda g=graph, n=nodes: graphs.all_simple_paths(g, n[0], n[-1]).count(),
        )
        yield (
            f"graph {name} list",
            lambda g=graph: sorted(map(str, list(graphs.hamiltonian_cycles(g))[:200])),
        )


def file_requests() -> Iterator[Request]:
    """Yield what commands write for the instances, and answers of JSON lines."""
    names = sorted(path.name for path in (ROOT / "instances").glob("*.txt"))
    for name in names:
        yield f"count-solutions {name}", partial(printed, "count", f"instances/{name}")
        yield f"draw {name}", partial(printed, "draw", f"instances/{name}")
    lines = [
        {"kind": "slitherlink", "grid": ["3.2", "...", "2.3"]},
        {"op": "open", "session": "a", "kind": "slitherlink", "grid": ["....", ".3.2", "..3."]},
        {"op": "ask", "session": "a"},
        {"op": "core", "session": "a", "clues": [[0, 0, 0]]},
        {"op": "set", "session": "a", "clues": [[0, 3, 2]]},
        {"op": "count", "session": "a"},
        {"op": "implies", "session": "a", "cell": [0, 3]},
        {"op": "undo", "session": "a"},
        {"op": "hint", "session": "a"},
        {"kind": "numberlink", "grid": ["1..2", "....", "1..2"]},
        {"kind": "masyu", "grid": ["..w.", ".b..", "....", "w..."]},
        {"kind": "masyu", "grid": ["x"]},
    ]
    for number in range(len(lines)):
        yield f"JSON line {number}", partial(streamed, lines[: number + 1])


def streamed(lines: list[dict[str, Any]]) -> str:
    """Return the answer to the last of these JSON lines, without its time."""
    command = [sys.executable, "-m", "linkoracle", "count", "--jsonl", "-"]
    text = "".join(f"{json.dumps(line)}\n" for line in lines)
    done = subprocess.run(command, input=text, capture_output=True, text=True, cwd=ROOT)
    last = json.loads(done.stdout.splitlines()[-1])
    last.pop("seconds", None)
    return f"{done.returncode} {last}"


def answered(work: Callable[[], object]) -> bytes:
    """Return the answer as bytes; an error of linkoracle is an answer, too."""
    try:
        found = work()
    except (LinkOracleError, ValueError) as error:
        found = f"{type(error).__name__}: {error}"
    return found if isinstance(found, bytes) else repr(found).encode()


@click.command(help=__doc__)
@click.option("--only", default="", help="Requests whose names hold this word.")
@click.option("--show", is_flag=True, help="Write the answers.")
def main(only: str, show: bool) -> None:
    for name, work in main_requests():
        if only not in name:
            continue
        answer = answered(work)
        digest = sha256(answer).hexdigest()[:16]
        click.echo(f"{digest} {name}" + (f"\n    {answer!r}" if show else ""))


if __name__ == "__main__":
    main()
