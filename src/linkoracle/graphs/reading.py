"""Graphs in files: lists of edges, graph6, GraphML."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import networkx as nx

from linkoracle.core.errors import FormatError
from linkoracle.formats.reading import text_and_name


def read_file(path: str | os.PathLike[str]) -> nx.Graph[Any]:
    """Read a graph from a file; raises what `read` raises.

    >>> read_file("instances/town.edges").number_of_nodes()
    21
    """
    return read(Path(path))


def read(source: str | os.PathLike[str], *, name: str | None = None) -> nx.Graph[Any]:
    """Read a graph from a text, or from a file as a `pathlib.Path`: a string is never a file name.

    A list of edges has two words in each line, the nodes of an edge; ``#`` starts a comment. A line
    of one word is a graph in graph6, and ``<`` begins GraphML. networkx reads these. ``name`` is
    the name of the source in errors. Raises `FormatError`, with the line, for anything else.

    >>> read("a b\\nb c\\n").number_of_edges(), read("C~").number_of_edges()
    (2, 6)
    """
    text, shown = text_and_name(source, name)
    lines = [line.split("#")[0].split() for line in text.split("\n")]
    stated = [(line, words) for line, words in enumerate(lines, start=1) if words]
    if not stated:
        raise FormatError("expected edges such as 'Station Mill', found none", source=shown)
    at, first = stated[0]
    try:
        if text.lstrip().startswith("<"):
            graphml: nx.Graph[Any] = nx.parse_graphml(text)
            return graphml
        if len(first) == 1:
            found: nx.Graph[Any] = nx.from_graph6_bytes(first[0].encode())
            if len(stated) > 1:
                raise FormatError(f"expected one graph, found {len(stated)}", source=shown)
            return found
    except FormatError:
        raise
    except Exception as error:  # networkx and XML parsers raise many kinds
        expected = "expected edges such as 'Station Mill', or a graph in graph6 or GraphML"
        raise FormatError(f"{expected}: {error}", source=shown, line=at) from None
    for line, words in stated:
        if len(words) != 2:
            expected = f"expected the two nodes of an edge, found {' '.join(words)!r}"
            raise FormatError(expected, source=shown, line=line)
    return nx.Graph([(one, other) for _, (one, other) in stated])
