"""Graphs in files: lists of edges, graph6, GraphML."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import networkx as nx

from linkoracle.core.errors import FormatError
from linkoracle.core.limits import decoded


def read(file: str | Path) -> nx.Graph[Any]:
    """Read a graph from a file: ``.g6`` and ``.graph6``, ``.graphml``; others are lists of edges.

    A list of edges has two words in each line, the nodes of an edge; ``#`` starts a comment.
    The files are read by networkx. Raises `FormatError` for anything else in a file.
    """
    path = Path(file)
    try:
        if path.suffix in (".g6", ".graph6"):
            found: Any = nx.read_graph6(path)
        elif path.suffix == ".graphml":
            found = nx.read_graphml(path)
        else:
            lines = decoded(path.read_bytes(), str(path)).splitlines()
            for line, text in enumerate(lines, start=1):
                words = text.split("#")[0].split()
                if len(words) not in (0, 2):
                    expected = f"expected the two nodes of an edge, found {' '.join(words)!r}"
                    raise FormatError(expected, source=str(path), line=line)
            found = nx.parse_edgelist(lines, data=False)
    except (OSError, FormatError):
        raise
    except Exception as error:  # networkx and XML parsers raise many kinds
        raise FormatError(f"expected a graph: {error}", source=str(path)) from None
    if isinstance(found, list):
        raise FormatError(f"expected one graph, found {len(found)}", source=str(path))
    if not found:
        raise FormatError("expected edges such as 'Station Mill', found none", source=str(path))
    graph: nx.Graph[Any] = found
    return graph
