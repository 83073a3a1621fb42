"""Graphs in files: which format a text is in, and the formats that networkx reads."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from io import StringIO
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from linkoracle.core import FormatError, quoted
from linkoracle.formats import MAX_TEXT, error_at, file_text, plain_text
from linkoracle.graphs.lists import adjacency_list, any_list, csv_list, digraph6, edge_list
from linkoracle.graphs.network import Network

if TYPE_CHECKING:
    import networkx as nx

_KNOWN = "graph6, sparse6, digraph6, GraphML, GEXF, GML and Pajek"
#: Formats that are recognised to be refused.
_OTHERS = {
    "DOT": re.compile(r"\s*(?:strict\s+)?(?:di)?graph\b[^\[\n]*\{"),
    "JSON": re.compile(r"\s*[\[{]"),
    "DIMACS": re.compile(r"(?:.*\n)*?p[ \t]+\w+[ \t]+\d+[ \t]+\d+[ \t]*(?:\n|$)"),
    "Matrix Market": re.compile(r"%%MatrixMarket"),
    "LEDA": re.compile(r"LEDA\.GRAPH"),
}
#: Characters without width: a name with one looks like another name.
_INVISIBLE = re.compile("[\u00ad\u200b\u200e\u200f\u2060-\u2064\ufeff]")


class _Edge(NamedTuple):
    """An edge as a file states it, and its place."""

    line: int
    column: int
    one: str
    other: str


class _Source:
    """A text that is read as a graph."""

    def __init__(self, text: str, name: str, form: str, blank: Network) -> None:
        self.text, self.name, self.form = text, name, form
        self.blank = blank
        #: Whether the text states that its edges have a direction.
        self.arcs = False

    def fail(self, reason: str, line: int, column: int = 1) -> NoReturn:
        """Raise the error of a place."""
        reason = f"{reason} (read as {self.form})"
        raise FormatError(reason, source=self.name, line=line, column=column) from None

    def directed(self, line: int, column: int = 1) -> None:
        """Note that the graph is directed; refuse it, unless such a graph is expected."""
        if not self.blank.directed:
            self.fail("expected an undirected graph, found a directed one", line, column)
        self.arcs = True

    def checked(self, edges: Iterable[_Edge]) -> list[_Edge]:
        """Return the edges; refuse a second one between two nodes, and loops at a node."""
        seen: dict[Any, _Edge] = {}
        edges = [*edges]
        pair_of: Any = tuple if self.arcs else frozenset
        for edge in edges:
            if edge.one == edge.other:
                reason = f"expected an edge between two nodes, found {quoted(edge.one)} twice"
                self.fail(reason, edge.line, edge.column)
            first = seen.setdefault(pair_of(edge[2:]), edge)
            if first is not edge and not self.blank.parallel:
                pair = f"{quoted(edge.one)} and {quoted(edge.other)}"
                reason = f"expected one edge between {pair}, found a second one"
                reason += f"; the first is in line {first.line}"
                self.fail(reason, edge.line, edge.column)
        return edges

    def networkx(self, parse: Callable[[], Any]) -> nx.Graph[Any]:
        """Return the graph that networkx reads."""
        try:
            found: nx.Graph[Any] = parse()
        except Exception as error:  # networkx and XML parsers raise many kinds
            reason = " ".join(str(error).split()) or type(error).__name__
            line, column = 1, 1
            if place := re.search(r" at \((\d+), (\d+)\)$", reason):
                reason = reason[: place.start()]
                # At the end of the text, networkx names the line after the last.
                line = min(int(place[1]), self.text.count("\n") + 1)
                column = int(place[2]) if line == int(place[1]) else 1
            # Such as a character that the text has and that no format knows.
            shown = (one if one.isprintable() else ascii(one)[1:-1] for one in reason[:200])
            self.fail("".join(shown), line, column)
        if found.is_directed() and found.number_of_edges():
            self.directed(1)
        return self.shaped(found)

    def shaped(self, found: nx.Graph[Any]) -> nx.Graph[Any]:
        """Return a graph as one of the kind that is expected."""
        made: nx.Graph[Any] = type(self.blank.networkx())(found)
        return made


def read_file(
    path: str | os.PathLike[str], *, directed: bool = False, parallel: bool = False
) -> nx.Graph[Any]:
    """Read a graph from a file; raises what `read` raises.

    >>> read_file("instances/town.edges").number_of_nodes()
    21
    """
    return read(Path(path), directed=directed, parallel=parallel)


def read(
    source: str | os.PathLike[str],
    *,
    name: str | None = None,
    directed: bool = False,
    parallel: bool = False,
) -> nx.Graph[Any]:
    """Read a graph from a text, or from a file as a `pathlib.Path`: a string is never a file name.

    A list of edges has the two nodes of an edge in each line, and perhaps a weight, which is kept
    as ``weight``, or a dictionary of data, as `networkx.write_edgelist` writes them. A line of one
    name is a node without edges. Names with spaces are in quotes, and ``#`` starts a comment. CSV,
    lists of neighbours and digraph6 are read, too, and by networkx graph6, sparse6, GraphML, GEXF,
    GML and Pajek. The text shows which format it is in. Where it does not, the end of the path
    decides, or of ``name`` for a text: ``.adjlist``, ``.csv``, ``.g6`` and so on.

    With ``directed``, the first node of an edge is its tail, and of a list of neighbours the first
    in the line. With ``parallel``, several edges may join two nodes; they are numbered from 0.

    ``name`` is the name of the source in errors. Raises `FormatError`, with line, column and the
    format, for anything else: for an edge from a node to itself, and unless they are expected, for
    directed graphs and for a second edge between two nodes.

    >>> read("a b\\nb c\\n").number_of_edges(), read("C~").number_of_edges()
    (2, 6)
    >>> read("a b\\nb a\\n", directed=True).number_of_edges()
    2
    """
    found = read_network(source, name=name, directed=directed, parallel=parallel)
    return found.networkx() if isinstance(found, Network) else found


def read_network(
    source: str | os.PathLike[str],
    *,
    name: str | None = None,
    directed: bool = False,
    parallel: bool = False,
) -> Network | nx.Graph[Any]:
    """Read a graph as `read` does, and leave networkx alone where it need not read the format."""
    blank = Network(directed=directed, parallel=parallel)
    if isinstance(source, str):
        shown, text = name or "<text>", source
    elif not isinstance(source, os.PathLike):
        raise TypeError(f"expected a text or a pathlib.Path, got {type(source).__name__}")
    else:
        path = os.fspath(source)
        shown = name or (path if path.isprintable() else quoted(path))
        text = file_text(path, shown)
        name = path
    text = plain_text(text, shown, MAX_TEXT)
    if odd := _INVISIBLE.search(text):
        reason = f"expected visible characters, found {quoted(odd[0])}"
        raise error_at(text, odd.start(), reason, shown)
    if not re.search(r"^[ \t]*[^#\s]", text, re.MULTILINE):
        raise FormatError("expected edges such as 'Station Mill', found none", source=shown)
    suffix = PurePath(name or "").suffix.lower()
    for form, looks in _OTHERS.items():
        if looks.match(text):
            reason = f"expected a list of edges, CSV, or one of {_KNOWN}, found {form}"
            raise error_at(text, len(text) - len(text.lstrip()), reason, shown)
    for form, known in _FORMATS.items():
        if known.looks.search(text):
            return known.read(_Source(text, shown, form, blank))
    for form, known in _FORMATS.items():
        if suffix in known.suffixes:
            return known.read(_Source(text, shown, form, blank))
    return _listed(text, shown, suffix, blank)


def _listed(text: str, shown: str, suffix: str, blank: Network) -> Network | nx.Graph[Any]:
    """Return the graph of a list, or of graph6 without a header."""
    lines = [
        line
        for line in text.split("\n")
        if line.strip(" \t") and not line.lstrip(" \t").startswith("#")
    ]
    if suffix in (".adjlist", ".adj"):
        return adjacency_list(text, shown, blank)
    # Quotes, the nodes of grids and dictionaries may contain commas.
    bare = re.sub(r'"(?:[^"]|"")*"|\([^()]*\)|\{.*', "", lines[0])
    delimiter = next((mark for mark in ",;" if mark in bare), None)
    if delimiter is None and suffix in (".csv", ".tsv"):
        delimiter = "\t" if "\t" in bare else ","
    if delimiter is not None:
        return csv_list(text, shown, delimiter, blank)
    if suffix in (".edges", ".edgelist", ".el"):
        return edge_list(text, shown, blank)
    if len(lines[0].split("#")[0].split()) == 1 and not lines[0].rstrip(" \t").endswith((":", '"')):
        return _graph6(_Source(text, shown, "graph6", blank))
    return any_list(text, shown, blank)


def _graph6(source: _Source) -> nx.Graph[Any]:
    """Return the only graph of a text in graph6 or sparse6."""
    stated = [
        (number, line.strip(" \t"))
        for number, line in enumerate(source.text.split("\n"), start=1)
        if line.strip(" \t") and not line.lstrip(" \t").startswith("#")
    ]
    (line, word), *more = stated
    header = re.match(r">>(?:graph|sparse|digraph)6<<", word)
    code = word[header.end() :] if header else word
    plain = not code.startswith((":", "&"))
    expected = "expected edges such as 'Station Mill', or a graph in graph6 or another format"
    if odd := re.search(r"[^?-~]", code[not plain :]):
        column = len(word) - len(code) + (not plain) + odd.start() + 1
        source.fail(f"{expected}, found {quoted(odd[0])}", line, column)
    import networkx as nx

    try:
        # A stub expects text.
        decode: Any = nx.from_graph6_bytes if plain else nx.from_sparse6_bytes
        found: Any = digraph6(code) if code.startswith("&") else decode(code.encode())
        assert not plain or nx.to_graph6_bytes(found, header=False).decode().strip() == code
    except Exception as error:  # networkx raises many kinds
        detail = "" if isinstance(error, AssertionError | IndexError) else f": {error}"
        source.fail(f"{expected}, found {quoted(code)}{detail}", line)
    if more:
        source.fail(f"expected one graph, found {len(stated)}", more[0][0])
    if found.is_directed():
        source.directed(line)
    source.checked(_Edge(line, 1, str(one), str(other)) for one, other in found.edges())
    return source.shaped(found)


class _Elements:
    """The edges of an XML text with their places; all that networkx would pass over is refused."""

    def __init__(self, source: _Source) -> None:
        from xml.parsers import expat

        self.source = source
        self.root = ""
        self.nodes: set[str] = set()
        self.edges: list[_Edge] = []
        self._graphs = 0
        self._parser = expat.ParserCreate()
        self._parser.StartElementHandler = self._start
        try:
            self._parser.Parse(source.text, True)
        except expat.ExpatError as error:
            reason = expat.ErrorString(error.code) or "not XML"
            source.fail(f"not valid XML: {reason}", error.lineno, error.offset + 1)
        for edge in self.edges:
            for end in edge[2:]:
                if end not in self.nodes:
                    reason = f"expected an edge between nodes of the graph, found {quoted(end)}"
                    source.fail(reason, edge.line, edge.column)
        source.checked(self.edges)

    def _start(self, tag: str, about: dict[str, str]) -> None:
        line, column = self._parser.CurrentLineNumber, self._parser.CurrentColumnNumber + 1
        name = tag.rpartition(":")[2]
        if not self.root:
            self.root = name
            if name not in ("graphml", "gexf"):
                reason = f"expected GraphML or GEXF, found the element {quoted(name)}"
                self.source.fail(reason, line, column)
            self.source.form = "GEXF" if name == "gexf" else "GraphML"
        elif name == "graph":
            self._graphs += 1
            if self._graphs > 1:
                self.source.fail("expected one graph, found a second one", line, column)
            if "directed" in (about.get("edgedefault"), about.get("defaultedgetype")):
                self.source.directed(line, column)
        elif name in ("hyperedge", "port"):
            self.source.fail(f"expected nodes and edges, found a {name}", line, column)
        elif name == "node" and self._graphs:
            if about.get("id", "") in self.nodes:
                reason = f"expected each node once, found {quoted(about.get('id', ''))} again"
                self.source.fail(reason, line, column)
            self.nodes.add(about.get("id", ""))
        elif name == "edge":
            if about.get("directed") == "true" or about.get("type") in ("directed", "mutual"):
                self.source.directed(line, column)
            ends = about.get("source", ""), about.get("target", "")
            self.edges.append(_Edge(line, column, *ends))


def _xml(source: _Source) -> nx.Graph[Any]:
    """Return the graph of a text in GraphML or GEXF."""
    import networkx as nx

    # Spaces before the declaration are not valid XML.
    elements = _Elements(source)
    if elements.root == "gexf":
        text: Any = StringIO(source.text)  # a stub expects bytes
        return source.networkx(lambda: nx.read_gexf(text))
    return source.networkx(lambda: nx.parse_graphml(source.text))


def _gml(source: _Source) -> nx.Graph[Any]:
    """Return the graph of a text in GML; nodes without labels have their numbers as names."""
    import networkx as nx

    text = re.sub(r'"[^"]*"', lambda found: re.sub(r"[^\n]", "x", found[0]), source.text)
    edges = []
    for found in re.finditer(r"\bedge\s*\[([^\[\]]*)", text):
        line = text.count("\n", 0, found.start()) + 1
        column = found.start() - text.rfind("\n", 0, found.start())
        ends = [re.search(rf"\b{end}\s+(\S+)", found[1]) for end in ("source", "target")]
        if None not in ends:
            edges.append(_Edge(line, column, *(end[1] for end in ends if end)))
    if way := re.search(r"\bdirected\s+1\b", text):
        source.directed(text.count("\n", 0, way.start()) + 1)
    source.checked(edges)
    labelled = re.search(r"\blabel\b", text) is not None
    return source.networkx(lambda: nx.parse_gml(source.text, label="label" if labelled else "id"))


def _pajek(source: _Source) -> nx.Graph[Any]:
    """Return the graph of a text in Pajek, which networkx reads only if all its lines are plain."""
    import shlex

    import networkx as nx

    section, expected = "", 0
    names: dict[str, str] = {}
    edges: list[_Edge] = []
    kept = []
    for line, text in enumerate(source.text.split("\n"), start=1):
        if not text.strip(" \t") or text.startswith("%"):
            continue
        if text.startswith("*"):
            section, *more = text.lower().split()
            if section in ("*arcs", "*arcslist"):
                source.directed(line)
            if section not in ("*network", "*vertices", "*edges", "*arcs") or (
                section in ("*edges", "*arcs") and edges
            ):
                reason = f"expected *vertices and *edges, found {quoted(text)}"
                source.fail(reason, line)
            if section == "*vertices":
                if names or len(more) != 1 or not more[0].isdecimal():
                    source.fail("expected *vertices once, with their number", line)
                expected = int(more[0])
            elif section in ("*edges", "*arcs") and len(names) != expected:
                source.fail(f"expected {expected} vertices, found {len(names)}", line)
            kept.append(text)
            continue
        try:
            words = shlex.split(text)
        except ValueError as error:
            source.fail(f"{error}".lower(), line)
        if section == "*vertices":
            if len(words) < 2 or words[0] in names or words[1] in names.values():
                reason = f"expected the number and the name of a new vertex, found {quoted(text)}"
                source.fail(reason, line)
            names[words[0]] = words[1]
        elif section in ("*edges", "*arcs"):
            if len(words) < 2 or not names.keys() >= {*words[:2]}:
                source.fail(f"expected the numbers of two vertices, found {quoted(text)}", line)
            edges.append(_Edge(line, 1, names[words[0]], names[words[1]]))
        else:
            source.fail(f"expected *vertices, found {quoted(text)}", line)
        kept.append(text)
    if len(names) != expected:
        source.fail(f"expected {expected} vertices, found {len(names)}", line)
    source.checked(edges)
    return source.networkx(lambda: nx.parse_pajek("\n".join(kept)))


class _Format(NamedTuple):
    """A format: how its texts look, the ends of its files, and its reader."""

    looks: re.Pattern[str]
    suffixes: tuple[str, ...]
    read: Callable[[_Source], nx.Graph[Any]]


#: The formats that networkx reads, by name.
_FORMATS = {
    "XML": _Format(re.compile(r"\A\s*<"), (".graphml", ".xml", ".gexf"), _xml),
    "sparse6": _Format(
        re.compile(r"\A\s*(?:>>sparse6<<|:[?-~]+\s*\Z)"), (".s6", ".sparse6"), _graph6
    ),
    "digraph6": _Format(re.compile(r"\A\s*(?:>>digraph6<<|&[?-~])"), (".d6", ".digraph6"), _graph6),
    "graph6": _Format(re.compile(r"\A\s*>>graph6<<"), (".g6", ".graph6"), _graph6),
    "Pajek": _Format(
        re.compile(r"^\*(?:vertices|network)\b", re.IGNORECASE | re.MULTILINE),
        (".net", ".paj", ".pajek"),
        _pajek,
    ),
    "GML": _Format(re.compile(r"^[ \t]*graph\s*\[", re.MULTILINE), (".gml",), _gml),
}
