"""`linkoracle loops`: count, list or sample all solutions of a board, or subgraphs of a graph."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from linkoracle import frontier
from linkoracle.board import Solution
from linkoracle.cli import options as opt
from linkoracle.cli.program import load_one, report, standard_input
from linkoracle.cli.values import (
    FILE,
    SIDE,
    BoardParam,
    WholeNumber,
    arguments,
    board_size,
    sized_board,
)
from linkoracle.cli.work import STOP, Spread, Stored, drawing, jobs_help, working
from linkoracle.core import declare, default_limit, options_of, shown_size
from linkoracle.kinds import Puzzle, Slitherlink
from linkoracle.solving import count_result, diagram

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from linkoracle.graphs import Subgraphs

#: The size of a random sample; the whole sample is drawn before its first member is printed.
_SAMPLE = WholeNumber(1, 1_000_000)
#: The fewest vertices of boards whose shortest solution is searched.
_LARGE = 64


@dataclass(frozen=True)
class _Scale(Spread, Stored):
    """Options for long counts."""

    spill: str | None = declare(
        None, "Keep the states in files in this folder, not in memory.", form="DIR"
    )

    @property
    def given(self) -> bool:
        return any(vars(self).values())

    def options(self, executor: Executor | None) -> dict[str, Any]:
        """Return the options of `linkoracle.frontier.count`."""
        spill = None if self.spill is None else Path(self.spill)
        return {"executor": executor, "store": self.path, "resume": self.resume, "spill": spill}


@dataclass(frozen=True)
class _Asked:
    """Options for graphs: which cycles or paths."""

    sources: tuple[str, ...] = declare(
        (),
        "With --graph: take the paths from this node; repeat it for several.",
        form="NODE",
        flag="--from",
    )
    targets: tuple[str, ...] = declare(
        (),
        "With --graph: take the paths to this node; repeat it for several.",
        form="NODE",
        flag="--to",
    )
    directed: bool = declare(False, "With --graph: edges lead from their first node to the second.")
    parallel: bool = declare(False, "With --graph: several edges may join two nodes.")
    hamiltonian: bool = declare(False, "With --graph: take only those through all nodes.")
    through: tuple[str, ...] = declare(
        (),
        "With --graph: take only those that visit this node; repeat it for several.",
        form="NODE",
    )
    avoid: tuple[str, ...] = declare(
        (), "With --graph: take only those that do not visit this node.", form="NODE"
    )
    length_bound: int | None = declare(
        None, "With --graph: take only those of up to N edges.", form="N", least=0
    )
    budget: str | None = declare(
        None,
        "With --graph: take only those whose edges weigh up to WEIGHT together.",
        form="WEIGHT",
    )
    lightest: bool = declare(False, "With --graph: print one whose edges weigh least.")
    heaviest: bool = declare(False, "With --graph: print one whose edges weigh most.")
    by_weight: bool = declare(
        False, "With --graph and --sample: draw by the product of the weights of the edges."
    )

    @property
    def given(self) -> list[str]:
        """The options that are given, as the command line names them."""
        return [
            about.flag or f"--{name.replace('_', '-')}"
            for name, about in options_of(type(self)).items()
            if vars(self)[name] != about.default
        ]


@click.command()
@click.argument("rows", type=SIDE, required=False)
@click.argument("cols", type=SIDE, required=False)
@opt.option("--puzzle file", FILE, "Take the solutions of this puzzle instead.")
@opt.option(
    "--board", BoardParam(), "A board that is not square, with ROWS and COLS or its own size."
)
@opt.option("--graph", FILE, "Take the cycles of this graph instead; - is standard input.")
@click.option(
    "--between",
    nargs=2,
    metavar="NODE NODE",
    help="With --graph: take the paths between two nodes, not the cycles.",
)
@opt.packed(_Asked, "asked")
@opt.kind_options
@opt.way("count", "Print the count (the default).", default=True)
@opt.way("list", "Draw every loop.")
@opt.option("--sample", _SAMPLE, "Draw K loops, sampled uniformly.", metavar="K")
@opt.options(opt.Seeded, seed=opt.seed_help("For --sample: the same seed gives the same loops."))
@opt.way("by-length", "Print the count for each length.")
@opt.way("longest", "Draw a longest loop.")
@opt.way("shortest", "Draw a shortest loop.")
@opt.way("plan", "Print what counting a wide board needs: memory, passes and time.")
@opt.packed(
    _Scale,
    "scale",
    jobs=jobs_help("1, on all processors"),
    checkpoint="Store finished passes in this file, and the last row of unfinished ones.",
)
@opt.json_option("Print paths as JSON lines, without drawings.")
@opt.ascii_option
@opt.options(opt.Limited, timeout=STOP)
def loops(
    what: str,
    sample: int | None,
    seed: int | None,
    scale: _Scale,
    as_json: bool,
    ascii_only: bool,
    graph: str | None,
    between: tuple[str, str] | None,
    asked: _Asked,
    **board: Any,
) -> None:
    """Count, list or sample all loops of a board of ROWS x COLS cells, exactly.

    With --graph, count the cycles of any graph, or its paths between two nodes. The file is a list
    of edges, two nodes a line, or in another format: CSV, graph6, GraphML, GML, Pajek.

    \b
    Examples:
      linkoracle loops 7 7
      linkoracle loops 8 8 --sample 3 --seed 1
      linkoracle loops 6 6 --by-length
      linkoracle loops 24 24 --plan
      linkoracle loops --board triangular 9 9
      linkoracle loops --puzzle puzzle.txt --list
      linkoracle loops --graph town.txt --between Mill Church
      linkoracle loops --graph streets.csv --directed --lightest
      linkoracle loops 20 20 --checkpoint 20x20.sqlite --resume
    """
    limits = {"timeout": board.pop("timeout"), "memory": board.pop("memory")}
    counting = what == "count" and sample is None
    if scale.given and (sample is not None or what not in ("count", "by-length")):
        raise click.UsageError("--jobs, --dask, --checkpoint and --spill are for counts")
    if graph is None and (between or asked.given):
        given = ", ".join(["--between"] * bool(between) + asked.given)
        raise click.UsageError(f"expected --graph with {given}")
    if asked.lightest + asked.heaviest + (what != "count") + (sample is not None) > 1:
        raise click.UsageError("expected one question: --lightest, --heaviest, --sample or another")
    if asked.by_weight and sample is None:
        raise click.UsageError("--by-weight is for --sample")
    with working("counting" if counting else "listing", limits["timeout"]) as work:
        if graph is not None:
            if any(board.values()) or ascii_only:
                raise click.UsageError("--graph takes no options of boards")
            subgraphs = _subgraphs(graph, between, asked, progress=work, **limits)
            with arguments(), scale.executor(alone=True) as executor:
                spread = scale.options(executor)
                for line in _answers(subgraphs, what, sample, seed, as_json, spread, asked):
                    work.hide()
                    report(line, err=False)
            return
        puzzle = _puzzle(**board)
        if what == "plan":
            work.close()
            _show_plan(puzzle)
            return
        with arguments():
            if sample is None and what in ("count", "by-length"):
                lines = _counted(puzzle, counting, scale, as_json, progress=work, **limits)
                work.close()
                click.echo("".join(f"{line}\n" for line in lines), nl=False)
                return
            if sample is None and what == "shortest" and puzzle.board.num_vertices >= _LARGE:
                chosen = _shortest(puzzle, progress=work, **limits)
            else:
                every = diagram(puzzle, progress=work, **limits)
                chosen = _chosen(every, what, sample, seed)
        work.close()
        for number, solution in enumerate(chosen):
            if as_json:
                click.echo(json.dumps(solution.paths()))
            else:
                picture = drawing(puzzle, solution, ascii_only=ascii_only)
                click.echo(("\n" if number else "") + picture)


def _subgraphs(
    file: str, between: tuple[str, str] | None, asked: _Asked, **limits: Any
) -> Subgraphs:
    """Return the cycles of the graph in a file, or its paths between nodes, given by name."""
    from linkoracle import graphs

    shown = "<stdin>" if file == "-" else file
    source = standard_input() if file == "-" else Path(file)
    graph = graphs.read_network(
        source, name=shown, directed=asked.directed, parallel=asked.parallel
    )
    names = {str(node): node for node in graph}

    def nodes(option: str, given: Iterable[str]) -> list[Any]:
        for name in given:
            if name not in names:
                raise click.UsageError(f"expected a node of {shown} after {option}, found {name!r}")
        return [names[name] for name in given]

    sources, targets = nodes("--from", asked.sources), nodes("--to", asked.targets)
    ends: list[Any] = nodes("--between", between or ())
    if ends and (sources or targets):
        raise click.UsageError("expected --between, or --from and --to")
    if sources or targets:
        if not sources or not targets:
            raise click.UsageError("expected --from with --to")
        ends = [sources, targets]
    through, avoid = nodes("--through", asked.through), nodes("--avoid", asked.avoid)
    try:
        found = graphs.Subgraphs(
            graph, *ends, hamiltonian=asked.hamiltonian, length_bound=asked.length_bound, **limits
        )
        found = found.including(nodes=through).excluding(nodes=avoid)
        return found if asked.budget is None else found.within(asked.budget)
    except ValueError as error:
        raise click.UsageError(f"{shown}: {error}") from None


def _answers(
    every: Subgraphs,
    what: str,
    sample: int | None,
    seed: int | None,
    as_json: bool,
    scale: Any,
    asked: _Asked,
) -> Iterator[str]:
    """Yield the lines of the answer: numbers, or one cycle or path a line, as its nodes.

    ``scale`` has the options of `Subgraphs.count`.
    """
    if what == "plan":
        plan = every.plan()
        yield f"most nodes on the frontier: {plan.width}"
        yield f"states at most: {plan.states:.3g}"
        yield f"memory at most: {shown_size(plan.memory)}"
    elif asked.lightest or asked.heaviest:
        one = every.lightest() if asked.lightest else every.heaviest()
        for nodes in [] if one is None else [one]:
            yield _line(nodes, as_json)
    elif sample is None and what == "count":
        yield str(every.count(**scale))
    elif sample is None and what == "by-length":
        for pair in every.by_length(**scale).items():
            yield json.dumps(pair) if as_json else "{} {}".format(*pair)
    else:
        how = {"weight": "weight"} if asked.by_weight else {}
        for nodes in _chosen(every, what, sample, seed, **how):
            yield _line(nodes, as_json)


def _line(nodes: list[Any], as_json: bool) -> str:
    """Return a cycle or path as its nodes; in a multigraph with the number of each edge."""
    if as_json:
        return json.dumps(nodes, default=str)
    if nodes and isinstance(nodes[0], tuple):
        steps = [f"{one} -{key}-" for one, _, key in nodes]
        return " ".join([*steps, str(nodes[-1][1])])
    return " ".join(map(str, nodes))


def _chosen(every: Any, what: str, sample: int | None, seed: int | None, **how: str) -> Any:
    """Return all, a sample or one of a collection of solutions, cycles or paths."""
    if sample is not None:
        if not every:
            return []
        drawn = every.sample(sample, seed=seed, **how)
        opt.show_seed(seed, drawn.seed)
        return drawn
    if what == "list":
        return every
    one = every.longest() if what == "longest" else every.shortest()
    return [] if one is None else [one]


def _counted(
    puzzle: Puzzle,
    counting: bool,
    scale: _Scale,
    as_json: bool,
    *,
    memory: int | None,
    **limits: Any,
) -> list[str]:
    """Return the number of solutions, or a line for each length."""
    if scale.given and not frontier.blank_board(puzzle.model):
        few = "blank boards from 2 to 30 cells across: squares, triangles, honeycombs, cylinders"
        raise click.UsageError(f"--jobs, --dask, --checkpoint and --spill are for {few}")
    if counting and not scale.given:
        return [str(count_result(puzzle, engine="frontier", memory=memory, **limits).count)]
    with scale.executor(alone=True) as executor:
        limits |= scale.options(executor)
        if counting:
            return [str(frontier.count(puzzle, memory=memory, **limits))]
        lengths = frontier.by_length(puzzle, memory=memory or default_limit(), **limits).items()
    return [json.dumps(pair) if as_json else "{} {}".format(*pair) for pair in lengths]


def _shortest(puzzle: Puzzle, *, timeout: float | None, **limits: Any) -> list[Solution]:
    """Return a shortest solution of a large board, if any, without a diagram where that is enough.

    Loading the search takes longer than the diagram of a small board.
    """
    from linkoracle.graphs import Undecided, shortest_solution, takes

    with suppress(Undecided):
        if takes(puzzle.model):
            shortest = shortest_solution(puzzle.model, timeout)
            return [] if shortest is None else [shortest]
    shortest = diagram(puzzle, timeout=timeout, **limits).shortest()
    return [] if shortest is None else [shortest]


def _show_plan(puzzle: Puzzle) -> None:
    """Print the cost of counting a blank board."""
    board = frontier.ranked_board(puzzle.model)
    if board is None:
        raise click.UsageError("--plan is for blank boards from 8 to 30 cells across")

    click.echo(f"states at most: {board.words:.3g}")
    click.echo(f"memory for a pass at most: {shown_size(board.memory)}")
    click.echo(f"passes: {len(frontier.moduli(board))}")
    click.echo(f"passes by length: {len(frontier.lengths(board).passes)}")
    click.echo(f"processor time: about {frontier.estimate(board):,.0f} s")


def _puzzle(
    rows: int | None,
    cols: int | None,
    board: str | None,
    file: str | None,
    kind: str | None,
    variant: str | None,
) -> Puzzle:
    if file is None:
        if board is not None:
            blank: Puzzle = Slitherlink.on(sized_board(board, rows, cols))
            return blank
        if rows is None or cols is None:
            raise click.UsageError("expected ROWS and COLS, --puzzle, --board or --graph")
        return Slitherlink.blank(*board_size(rows, cols))
    if rows is not None or board is not None:
        raise click.UsageError("expected --puzzle without ROWS, COLS and --board")
    return load_one(file, kind, variant).puzzle
