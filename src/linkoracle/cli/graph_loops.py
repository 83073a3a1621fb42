"""`linkoracle loops --graph`: cycles and paths of a graph."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from linkoracle.cli import options as opt
from linkoracle.core.limits import shown_size
from linkoracle.core.randomness import Sample

if TYPE_CHECKING:
    from linkoracle.graphs import Subgraphs


def subgraphs(
    file: str, between: tuple[str, str] | None, hamiltonian: bool, **limits: Any
) -> Subgraphs:
    """Return the cycles of the graph in a file, or its paths between two nodes, by their names."""
    from linkoracle import graphs

    try:
        graph = graphs.read(Path(file))
    except OSError as error:
        raise click.UsageError(f"{file}: {error.strerror}") from None
    names = {str(node): node for node in graph}
    ends = []
    for name in between or ():
        if name not in names:
            raise click.UsageError(f"expected a node of {file} after --between, found {name!r}")
        ends.append(names[name])
    try:
        return graphs.Subgraphs(graph, *ends, hamiltonian=hamiltonian, **limits)
    except ValueError as error:
        raise click.UsageError(f"{file}: {error}") from None


def answers(
    every: Subgraphs, what: str, sample: int | None, seed: int | None, as_json: bool
) -> Iterator[str]:
    """Yield the lines that answer a question: numbers, or the nodes of a cycle or path each."""
    if what == "plan":
        plan = every.plan()
        yield f"most nodes on the frontier: {plan.width}"
        yield f"states at most: {plan.states:.3g}"
        yield f"memory at most: {shown_size(plan.memory)}"
    elif sample is None and what == "count":
        yield str(every.count())
    elif sample is None and what == "by-length":
        for pair in every.by_length().items():
            yield json.dumps(pair) if as_json else "{} {}".format(*pair)
    else:
        for walk in _chosen(every, what, sample, seed):
            if walk is not None:
                yield json.dumps(walk, default=str) if as_json else " ".join(map(str, walk))


def _chosen(
    every: Subgraphs, what: str, sample: int | None, seed: int | None
) -> Iterable[list[Any] | None]:
    if sample is not None:
        chosen: Iterable[list[Any]] = every.sample(sample, seed=seed) if every else []
        if isinstance(chosen, Sample):
            opt.tell_seed(seed, chosen.seed)
        return chosen
    if what == "list":
        return every
    return [every.longest() if what == "longest" else every.shortest()]
