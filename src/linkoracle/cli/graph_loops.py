"""`linkoracle loops --graph`: cycles and paths of a graph."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from linkoracle.cli import options as opt
from linkoracle.cli.program import standard_input
from linkoracle.core.errors import shown_size

if TYPE_CHECKING:
    from linkoracle.graphs import Subgraphs


def subgraphs(
    file: str, between: tuple[str, str] | None, hamiltonian: bool, **limits: Any
) -> Subgraphs:
    """Return the cycles of the graph in a file, or its paths between two nodes, given by name."""
    from linkoracle import graphs

    shown = "<stdin>" if file == "-" else file
    graph = graphs.read(standard_input() if file == "-" else Path(file), name=shown)
    names = {str(node): node for node in graph}
    ends = []
    for name in between or ():
        if name not in names:
            raise click.UsageError(f"expected a node of {shown} after --between, found {name!r}")
        ends.append(names[name])
    try:
        return graphs.Subgraphs(graph, *ends, hamiltonian=hamiltonian, **limits)
    except ValueError as error:
        raise click.UsageError(f"{shown}: {error}") from None


def answers(
    every: Subgraphs,
    what: str,
    sample: int | None,
    seed: int | None,
    as_json: bool,
    scale: Any,
) -> Iterator[str]:
    """Yield the lines of the answer: numbers, or one cycle or path a line, as its nodes.

    ``scale`` has the options of `Subgraphs.count`.
    """
    if what == "plan":
        plan = every.plan()
        yield f"most nodes on the frontier: {plan.width}"
        yield f"states at most: {plan.states:.3g}"
        yield f"memory at most: {shown_size(plan.memory)}"
    elif sample is None and what == "count":
        yield str(every.count(**scale))
    elif sample is None and what == "by-length":
        for pair in every.by_length(**scale).items():
            yield json.dumps(pair) if as_json else "{} {}".format(*pair)
    else:
        for nodes in chosen(every, what, sample, seed):
            yield json.dumps(nodes, default=str) if as_json else " ".join(map(str, nodes))


def chosen(every: Any, what: str, sample: int | None, seed: int | None) -> Any:
    """Return all, a sample or one of a collection of solutions, cycles or paths."""
    if sample is not None:
        if not every:
            return []
        drawn = every.sample(sample, seed=seed)
        opt.show_seed(seed, drawn.seed)
        return drawn
    if what == "list":
        return every
    one = every.longest() if what == "longest" else every.shortest()
    return [] if one is None else [one]
