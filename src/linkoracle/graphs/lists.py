"""Graphs as lists: of edges, of neighbours, or as CSV.

A list has a line for each edge, or for each node with its neighbours. The functions return networks
with the names as strings, and raise `FormatError` for all that such a list cannot mean.
"""

from __future__ import annotations

import re
from ast import literal_eval
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from linkoracle.core import FormatError, quoted
from linkoracle.graphs.network import Network

if TYPE_CHECKING:
    import networkx as nx

#: A node or another word of a line: in quotes, a pair as networkx writes nodes of grids, or other.
_WORD = re.compile(r'"(?P<quoted>(?:[^"]|"")*)"(?=[ \t]|$)|\([^()"]*\)(?=[ \t]|$)|[^ \t]+')
_CELL = r'[ \t]*(?:"((?:[^"]|"")*)"|([^"{0}][^{0}]*|))[ \t]*({0}|$)'
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
#: The character of six zeros in digraph6.
_LEAST_CODE = ord("?")
#: What CSV files call the two nodes of an edge.
_HEADS = (
    *(("source", "target"), ("from", "to"), ("u", "v"), ("src", "dst"), ("start", "end")),
    *(("node1", "node2"), ("node_1", "node_2"), ("node 1", "node 2")),
)


class Word(NamedTuple):
    """A word of a line, and its column, from 1."""

    text: str
    column: int


Row = tuple[int, list[Word]]


@dataclass
class Listing:
    """A text that is read as a list, and the graph so far."""

    text: str
    source: str
    #: The format, in messages.
    form: str
    #: The graph, whose edges may have a direction, and may be parallel.
    graph: Network = field(default_factory=Network)
    #: The line of the last edge between two nodes, and how many these are.
    lines: dict[Any, int] = field(default_factory=dict)
    numbers: Counter[Any] = field(default_factory=Counter)

    def fail(self, reason: str, line: int, column: int | None = 1) -> NoReturn:
        """Raise the error of a place."""
        reason = f"{reason} (read as {self.form})"
        raise FormatError(reason, source=self.source, line=line, column=column)

    def add(self, line: int, one: Word, other: Word, **data: Any) -> None:
        """Add an edge; refuse a second one between its nodes, and loops at a node."""
        if one.text == other.text:
            reason = f"expected an edge between two nodes, found {quoted(one.text)} twice"
            self.fail(reason, line, other.column)
        pair_of: Any = tuple if self.graph.directed else frozenset
        ends = pair_of((one.text, other.text))
        if ends in self.lines and not self.graph.parallel:
            pair = f"{quoted(one.text)} and {quoted(other.text)}"
            reason = f"expected one edge between {pair}, found a second one"
            self.fail(f"{reason}; the first is in line {self.lines[ends]}", line, one.column)
        self.lines[ends] = line
        key = self.numbers[ends]
        self.numbers[ends] += 1
        self.graph.add(one.text, other.text, key, data)

    def rows(self) -> list[Row]:
        """Return the words of each line that has any."""
        return [(line, words) for line, words in self._rows() if words]

    def _rows(self) -> Iterator[Row]:
        for line, text in enumerate(self.text.split("\n"), start=1):
            words: list[Word] = []
            for found in _WORD.finditer(text):
                word, column = found[0], found.start() + 1
                if word.startswith("#"):
                    break
                if word.startswith("{"):
                    words.append(Word(text[found.start() :].strip(" \t"), column))
                    break
                if found["quoted"] is not None:
                    word = found["quoted"].replace('""', '"')
                elif not word.startswith("("):
                    self._check(word, line, column)
                words.append(Word(word, column))
            yield line, words

    def _check(self, word: str, line: int, column: int) -> None:
        """Refuse a name without quotes that may not be what its writer meant."""
        if word.startswith('"'):
            self.fail("expected a name in quotes with a space behind it", line, column)
        if odd := re.search(r"[#,;]|\s", word):
            found = f"expected quotes around a name with {quoted(odd[0])}, found {quoted(word)}"
            self.fail(found, line, column + odd.start())

    def cells(self, delimiter: str) -> list[Row]:
        """Return the cells of each line of CSV."""
        found = []
        pattern = re.compile(_CELL.format(re.escape(delimiter)))
        for line, text in enumerate(self.text.split("\n"), start=1):
            if not text.strip(" \t") or text.lstrip(" \t").startswith("#"):
                continue
            place, cells = 0, list[Word]()
            while place <= len(text):
                cell = pattern.match(text, place)
                if cell is None:
                    self.fail("expected a cell in quotes that ends there", line, place + 1)
                value = (cell[2] or "").strip() if cell[1] is None else cell[1].replace('""', '"')
                cells.append(Word(value, place + 1))
                place = cell.end() + (not cell[3])
            found.append((line, cells))
        return found


def edge_list(text: str, source: str, graph: Network | None = None) -> Network:
    """Return the graph of a list of edges, each with a weight, a dictionary of data, or neither.

    A line of one name is a node without edges. They are added to ``graph``, if that is given.

    >>> edge_list('"New York" Boston 3.5\\nBoston Salem 1\\nParis\\n', "a").links[1]
    Link(one='Boston', other='Salem', key=0, data={'weight': 1.0})
    """
    listing = Listing(text, source, "a list of edges", Network() if graph is None else graph)
    alone: dict[str, tuple[int, Word]] = {}
    weighted: tuple[int, bool] | None = None
    for line, words in listing.rows():
        data: dict[str, Any] = {}
        if len(words) == 3:
            data = _data(listing, line, words)
        elif len(words) > 3 or any(word.text.startswith("{") for word in words):
            found = " ".join(word.text for word in words)
            expected = "expected two nodes, and perhaps a weight"
            reason = f"{expected}, found {quoted(found)}. Write names with spaces in quotes"
            listing.fail(reason, line, words[min(2, len(words) - 1)].column)
        if len(words) == 1:
            if words[0].text in alone:
                reason = f"expected a node without edges once, found {quoted(words[0].text)} again"
                listing.fail(reason, line)
            alone[words[0].text] = line, words[0]
            listing.graph.add_node(words[0].text)
            continue
        has = len(words) == 3 and not words[2].text.startswith("{")
        if weighted is not None and has != weighted[1]:
            other = "a weight" if weighted[1] else "no weight"
            listing.fail(f"expected {other}, as in line {weighted[0]}", line, words[-1].column)
        weighted = weighted or (line, has)
        listing.add(line, *words[:2], **data)
    for name, (line, word) in alone.items():
        if listing.graph.near[name]:
            reason = f"expected the two nodes of an edge, found {quoted(name)}"
            listing.fail(f"{reason} alone, which has edges in other lines", line, word.column)
    return listing.graph


def _data(listing: Listing, line: int, words: Sequence[Word]) -> dict[str, Any]:
    """Return the data of an edge behind its nodes."""
    text, column = words[2]
    if not text.startswith("{"):
        return {"weight": _weight(listing, line, words[2])}
    try:
        data = literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        data = None
    if not isinstance(data, dict) or not all(isinstance(key, str) for key in data):
        listing.fail(f"expected data such as {{'weight': 3}}, found {quoted(text)}", line, column)
    return data


def _weight(listing: Listing, line: int, word: Word) -> float:
    if not _NUMBER.fullmatch(word.text):
        reason = f"expected a number, the weight of an edge, found {quoted(word.text)}"
        listing.fail(reason, line, word.column)
    return float(word.text)


def adjacency_list(
    text: str, source: str, graph: Network | None = None, *, complete: bool = False
) -> Network:
    """Return the graph of a list of nodes, each with its neighbours, or those of later lines only.

    With ``complete``, refuse a list that does not have a line for each node. All edges are listed
    from one end, or all from both: else the graph is directed, or a line is wrong.

    >>> len(adjacency_list("a: b c\\nb: c\\nc:\\n", "a").links)
    3
    """
    listing = Listing(text, source, "a list of neighbours", Network() if graph is None else graph)
    rows = listing.rows()
    if rows and all(words[0].text.endswith(":") for _, words in rows):
        rows = [(line, [Word(head.text[:-1], head.column), *more]) for line, (head, *more) in rows]
    heads: dict[str, int] = {}
    ways: dict[tuple[str, str], tuple[int, Word]] = {}
    for line, (head, *more) in rows:
        if (first := heads.setdefault(head.text, line)) != line:
            reason = f"expected one line for the node {quoted(head.text)}, found a second one"
            listing.fail(f"{reason}; the first is line {first}", line, head.column)
        listing.graph.add_node(head.text)
        for word in more:
            if (head.text, word.text) in ways:
                reason = f"expected each neighbour once, found {quoted(word.text)} again"
                listing.fail(reason, line, word.column)
            if listing.graph.directed or (word.text, head.text) not in ways:
                listing.add(line, head, word)
            ways[head.text, word.text] = line, word
    both = [way for way in ways if way[::-1] in ways]
    if both and len(both) < len(ways) and not listing.graph.directed:
        (one, other), (line, word) = next(
            (way, place) for way, place in ways.items() if way[::-1] not in ways
        )
        reason = f"expected {quoted(one)} among the neighbours of {quoted(other)}, too"
        listing.fail(f"{reason}, as other edges are listed from both ends", line, word.column)
    if complete and (lost := next((node for node in listing.graph if node not in heads), None)):
        listing.fail(f"expected a line for each node, found none for {quoted(lost)}", 1)
    return listing.graph


def any_list(text: str, source: str, graph: Network) -> Network:
    """Return the graph of a list of edges or of neighbours, whichever the text can be.

    Refuse a text that can be both, with different edges.

    >>> len(any_list("0 1 2\\n1 2\\n2\\n", "a", Network()).links)
    3
    """
    rows = Listing(text, source, "a list").rows()
    if all(words[0].text.endswith(":") for _, words in rows):
        return adjacency_list(text, source, graph)
    refused = None
    edges = graph.blank()
    try:
        edges = edge_list(text, source, edges)
    except FormatError as error:
        refused = error
    if any(len(words) > 2 for _, words in rows):
        try:
            neighbours = adjacency_list(text, source, graph.blank(), complete=True)
        except FormatError:
            pass
        else:
            if refused is not None:
                return neighbours
            if edges.pairs != neighbours.pairs:
                reason = (
                    "the text may be a list of edges with weights, or a list of neighbours. "
                    "Name the file .edgelist or .adjlist"
                )
                raise FormatError(reason, source=source, line=rows[0][0], column=1)
    if refused is not None:
        raise refused
    return edges


def csv_list(text: str, source: str, delimiter: str, graph: Network | None = None) -> Network:
    """Return the graph of a table: two columns with nodes, and others with data of the edges.

    The first line may be a header. In a directed graph, an edge whose ``type`` is "undirected" is
    an arc in both directions.

    >>> csv_list("source,target,weight\\na,b,2\\nc,,\\n", "a", ",").links[0].data
    {'weight': 2.0}
    """
    listing = Listing(text, source, "CSV", Network() if graph is None else graph)
    rows = listing.cells(delimiter)
    names = _header(listing, rows)
    if names is None:
        names = ["source", "target", "weight"][: max(2, len(rows[0][1]))]
        if len(rows[0][1]) > len(names):
            expected = "expected two nodes and perhaps a weight, or a header that names the columns"
            listing.fail(expected, rows[0][0], rows[0][1][3].column)
    else:
        del rows[0]
    ends = names.index("source"), names.index("target")
    for line, cells in rows:
        if len(cells) != len(names) and not len(cells) == 1 < 2 == len(names):
            listing.fail(f"expected {len(names)} cells, found {len(cells)}", line, cells[-1].column)
        values = dict(zip(names, cells, strict=False))
        one, other = (cells[at] if at < len(cells) else Word("", 1) for at in ends)
        if not one.text:
            listing.fail("expected the name of a node, found none", line, one.column)
        if values.get("type", one).text.lower() == "directed" and not listing.graph.directed:
            listing.fail("expected an undirected edge", line, values["type"].column)
        if not other.text:
            if one.text in listing.graph:
                reason = f"expected a second node, found {quoted(one.text)} alone, once more"
                listing.fail(reason, line, one.column)
            listing.graph.add_node(one.text)
            continue
        data: dict[str, Any] = {
            name: word.text for name, word in values.items() if name and word.text
        }
        for name in ("source", "target"):
            del data[name]
        if "weight" in data:
            data["weight"] = _weight(listing, line, values["weight"])
        elif len(names) == 3 and "weight" in names:
            listing.fail("expected a weight, found none", line, cells[-1].column)
        listing.add(line, one, other, **data)
        if listing.graph.directed and values.get("type", one).text.lower() == "undirected":
            listing.add(line, other, one, **data)
    return listing.graph


def _header(listing: Listing, rows: list[Row]) -> list[str] | None:
    """Return the names of the columns from the first line; ``None`` if that is an edge."""
    (line, head), *rest = rows
    names = [word.text.lower() for word in head]
    for one, other in _HEADS:
        if {one, other} <= set(names):
            known = {one: "source", other: "target"}
            return [known.get(name, name) for name in names]
    nodes = [word.text for _, cells in rest for word in cells[:2] if word.text]
    if not rest or len(head) < 2 or any(word.text in nodes for word in head[:2]):
        return None
    weights = [cells[2].text for _, cells in rest if len(cells) == 3]
    numbers = [
        all(map(_NUMBER.fullmatch, column)) and not any(map(_NUMBER.fullmatch, heads))
        for column, heads in ((nodes, names[:2]), (weights, names[2:]))
        if column
    ]
    if not any(numbers):
        reason = (
            "the first line may be a header or an edge. Name the columns 'source' and 'target', "
            "or begin with another edge"
        )
        listing.fail(reason, line)
    return ["source", "target", *(["weight"] if len(head) == 3 else names[2:])]


def digraph6(code: str) -> nx.DiGraph[int]:
    """Return the graph of a code in digraph6, without its header.

    After ``&`` and the number of nodes, six bits a character are the rows of the matrix of arcs.
    Raises ``ValueError`` for a code of another length. The source of the format:
    https://users.cecs.anu.edu.au/~bdm/data/formats.txt

    >>> sorted(digraph6("&DI?AO?").edges)
    [(0, 2), (0, 4), (3, 1), (3, 4)]
    """
    import networkx as nx

    values = [ord(one) - _LEAST_CODE for one in code[1:]]
    bits = "".join(f"{value:06b}" for value in values)
    # A number above 62 has 18 bits after one mark, above 2^18 - 1 it has 36 after two.
    marks = len(values) - len(code[1:].lstrip("~"))
    start = (6, 24, 48)[min(marks, 2)]
    number = int(bits[6 * min(marks, 2) : start] or "0", 2)
    arcs = bits[start:]
    if len(bits) < start or -(-number * number // 6) * 6 != len(arcs) or "1" in arcs[number**2 :]:
        raise ValueError(f"expected {number} rows of arcs")
    found: nx.DiGraph[int] = nx.DiGraph()
    found.add_nodes_from(range(number))
    found.add_edges_from(divmod(at, number) for at in range(number**2) if arcs[at] == "1")
    return found
