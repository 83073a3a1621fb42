"""Files with graphs."""

from __future__ import annotations

import random
from collections import Counter
from io import BytesIO
from itertools import product
from pathlib import Path

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkoracle import FormatError, graphs

GRAPH = nx.petersen_graph()
NAMED = nx.relabel_nodes(GRAPH, {node: f"Stop {node}" for node in GRAPH})
WEIGHTED = nx.Graph()
WEIGHTED.add_weighted_edges_from((one, other, one + 0.5) for one, other in GRAPH.edges)


def written(write, graph, **options) -> str:
    """The text that a function of networkx writes."""
    file = BytesIO()
    write(graph, file, **options)
    return file.getvalue().decode()


def table(graph, *heads: str) -> str:
    lines = [",".join(heads)] * bool(heads)
    return "\n".join([*lines, *(f'"{one}", "{other}"' for one, other in graph.edges)]) + "\n"


#: The same graph in every format, by the name of the file.
TEXTS = {
    "graph.g6": written(nx.write_graph6, GRAPH),
    "bare.g6": written(nx.write_graph6, GRAPH, header=False),
    "bare": written(nx.write_graph6, GRAPH, header=False),
    "graph.s6": written(nx.write_sparse6, GRAPH),
    "bare.txt": written(nx.write_sparse6, GRAPH, header=False),
    "graph.graphml": written(nx.write_graphml, GRAPH),
    "graph.gexf": written(nx.write_gexf, GRAPH),
    "graph.gml": written(nx.write_gml, GRAPH),
    "named.gml": written(nx.write_gml, NAMED),
    "graph.net": written(nx.write_pajek, nx.relabel_nodes(GRAPH, str)),
    "named.net": written(nx.write_pajek, NAMED),
    "graph.txt": written(nx.write_edgelist, GRAPH, data=False),
    "default.edgelist": written(nx.write_edgelist, GRAPH),
    "default.txt": written(nx.write_edgelist, WEIGHTED),
    "weighted.edgelist": written(nx.write_weighted_edgelist, WEIGHTED),
    "weighted.txt": written(nx.write_weighted_edgelist, WEIGHTED),
    "graph.adjlist": written(nx.write_adjlist, GRAPH),
    "adjacency.txt": written(nx.write_adjlist, GRAPH),
    "both.txt": "".join(f"{node} {' '.join(map(str, GRAPH[node]))}\n" for node in GRAPH),
    "colons": "".join(f"{node}: {' '.join(map(str, GRAPH[node]))}\n" for node in GRAPH),
    "graph.csv": table(GRAPH, "source", "target"),
    "odd heads.csv": table(GRAPH, "Here", "There"),
    "no heads": table(NAMED),
    "semicolons": table(NAMED, "From", "To").replace(",", ";"),
    "graph.tsv": table(NAMED, "u", "v").replace(",", "\t"),
    "quoted.edges": table(NAMED).replace(",", ""),
}


@pytest.mark.parametrize("name", TEXTS)
def test_every_format_gives_the_same_graph(tmp_path, name):
    text = TEXTS[name]
    file = tmp_path / name
    for start in ("", "\ufeff"):
        for end in ("\n", "\r\n"):
            file.write_bytes((start + text.replace("\n", end)).encode())
            found = graphs.read(file)
            assert type(found) is nx.Graph
            assert {str(node).removeprefix("Stop ") for node in found} == set(map(str, GRAPH))
            assert nx.is_isomorphic(found, GRAPH)
            assert graphs.count(found) == 57
    assert nx.is_isomorphic(graphs.read(text, name=name), GRAPH)


def test_the_text_comes_before_the_name(tmp_path):
    for name in ("graph.g6", "graph.s6", "graph.graphml", "graph.gexf", "graph.gml", "graph.net"):
        file = tmp_path / "graph.edges"
        file.write_text(TEXTS[name])
        assert graphs.count(graphs.read(file)) == 57


def test_a_string_is_text_and_never_a_file(tmp_path):
    file = tmp_path / "C~"
    file.write_text("a b\nb c\nc a\n")
    assert graphs.read("C~").number_of_edges() == 6
    assert graphs.read(file).number_of_edges() == 3
    with pytest.raises(FormatError) as caught:
        graphs.read(str(file))
    assert str(caught.value).startswith("<text>:1:1: expected edges such as 'Station Mill', or ")


@pytest.mark.parametrize(
    ("name", "read"),
    [
        ("weighted.edgelist", nx.read_weighted_edgelist),
        ("weighted.txt", nx.read_weighted_edgelist),
        ("default.txt", nx.read_edgelist),
    ],
)
def test_weights_are_kept_as_networkx_keeps_them(name, read):
    found = graphs.read(TEXTS[name], name=name)
    assert found.edges["2", "7"] == {"weight": 2.5}
    assert nx.utils.graphs_equal(found, read(BytesIO(TEXTS[name].encode())))


def test_data_of_tables_and_of_networkx():
    head = "Source,Target,Type,Weight,street\n"
    found = graphs.read(f'{head}a,b,undirected,2,"High ""new"" Street"\nc,,,,\n', name="a.csv")
    assert found.edges["a", "b"] == {
        "type": "undirected",
        "weight": 2.0,
        "street": 'High "new" Street',
    }
    assert list(found) == ["a", "b", "c"]
    assert graphs.read("0 1 {'weight': 3, 'kind': 'a b'}\n").edges["0", "1"]["kind"] == "a b"
    assert graphs.read("a,b,1\nb,c,2.5\n").edges["b", "c"] == {"weight": 2.5}
    assert graphs.read("here,there,weight\na,b,1\n").edges["a", "b"] == {"weight": 1.0}


def test_grids_of_networkx():
    grid = nx.grid_2d_graph(3, 3)
    for data in (False, True):
        found = graphs.read(written(nx.write_edgelist, grid, data=data))
        assert list(found)[:2] == ["(0, 0)", "(1, 0)"]
        assert graphs.count(found) == 13


def test_nodes_without_edges():
    lonely = nx.Graph([("a", "b"), ("b", "c"), ("c", "a")])
    lonely.add_node("d")
    texts = {
        "a.edges": "a b\nb c\nc a\nd\n",
        "a.txt": 'a b\n"d"\nb c\nc a',
        "a.csv": "a,b\nb,c\nc,a\nd\n",
        "b.csv": "source,target\na,b\nb,c\nc,a\nd,\n",
        "a.adjlist": written(nx.write_adjlist, lonely),
        "b.txt": written(nx.write_adjlist, lonely),
        "a.graphml": written(nx.write_graphml, lonely),
        "a.gml": written(nx.write_gml, lonely),
        "a.net": written(nx.write_pajek, lonely),
        "a.s6": written(nx.write_sparse6, nx.convert_node_labels_to_integers(lonely)),
    }
    for name, text in texts.items():
        found = graphs.read(text, name=name)
        assert (len(found), graphs.count(found)) == (4, 1), name
        assert graphs.count(found, hamiltonian=True) == 0
    assert len(graphs.read("a\nb\n", name="a.edges")) == 2
    assert len(graphs.read("*vertices 2\n1 a\n2 b\n")) == 2


def test_comments_and_blank_lines():
    text = "# a triangle\na b  # one\n\nb c\n\t# two\nc a\n"
    assert list(graphs.simple_cycles(graphs.read(text))) == [["a", "b", "c"]]


LIST, NEIGHBOURS = "(read as a list of edges)", "(read as a list of neighbours)"
#: Texts that a format cannot mean, each with the name of a file and the error.
WRONG = [
    ("", "a b\nb c\nb a\n", "3:1: expected one edge between 'b' and 'a', found a second one; "),
    ("", "a b\n\na b\n", f"; the first is in line 1 {LIST}"),
    ("", "a b\nb b\n", f"2:3: expected an edge between two nodes, found 'b' twice {LIST}"),
    ("", "a b\nb c\nc\n", "3:1: expected the two nodes of an edge, found 'c' alone, which has "),
    ("a.edges", "x\na b\nx\n", "3:1: expected a node without edges once, found 'x' again"),
    ("", "a b\na b 3\n", f"2:5: expected no weight, as in line 1 {LIST}"),
    ("", "a b 3\na c\n", f"2:3: expected a weight, as in line 1 {LIST}"),
    ("", "a b x\n", f"1:5: expected a number, the weight of an edge, found 'x' {LIST}"),
    ("", "a b {1}\n", "1:5: expected data such as {'weight': 3}, found '{1}'"),
    ("", "a b {'c': f()}\n", "1:5: expected data such as {'weight': 3}, found "),
    ("", "a {}\n", "1:3: expected two nodes, and perhaps a weight, found 'a {}'"),
    ("", "New York Old Town\n", "1:10: expected two nodes, and perhaps a weight, found "),
    ("", "a b#c\n", "1:4: expected quotes around a name with '#', found 'b#c'"),
    ("", "a b\nb c,\n", "2:4: expected quotes around a name with ',', found 'c,'"),
    ("", "a b\xa0c\n", r"1:4: expected quotes around a name with '\xa0'"),
    ("", 'a "b\n', "1:3: expected a name in quotes with a space behind it"),
    ("", "a b\n\ufeffb c\n", r"2:1: expected visible characters, found '\ufeff'"),
    ("", "a b\rb c\n", r"1:4: expected text with lines that end at \n or \r\n, found '\r'"),
    ("", "a b\n\0b c\n", r"2:1: expected text with lines that end at \n or \r\n, found '\x00'"),
    ("", "1 2 3\n2 1 3\n3 1 4\n4 3 1\n", "2:1: expected one edge between '2' and '1'"),
    (
        "",
        "1 2 3\n2 3 4\n3 4 5\n4 5 1\n5 1 2\n",
        "1:1: the text may be a list of edges with weights, or",
    ),
    ("a.adjlist", "a b b\n", f"1:5: expected each neighbour once, found 'b' again {NEIGHBOURS}"),
    ("a.adjlist", "a b\na c\n", "2:1: expected one line for the node 'a', found a second one"),
    ("a.adjlist", "a a\n", "1:3: expected an edge between two nodes, found 'a' twice"),
    ("", "a: b c\nb: a\nc:\n", "1:6: expected 'a' among the neighbours of 'c', too"),
    ("", "a,b\nb,a\n", "2:1: expected one edge between 'b' and 'a', found a second one"),
    ("", "a,b\nc,d\n", "1:1: the first line may be a header or an edge. Name the columns "),
    ("", "source,target\na,a\n", "2:3: expected an edge between two nodes, found 'a' twice (read "),
    ("", "source,target\na,b,c\n", "2:5: expected 2 cells, found 3 (read as CSV)"),
    ("", "source,target\n,b\n", "2:1: expected the name of a node, found none"),
    ("", "source,target\na,b\na\n", "3:1: expected a second node, found 'a' alone, once more"),
    ("", "a,b,1\nb,c,x\n", "2:5: expected a number, the weight of an edge, found 'x'"),
    ("", 'a,"b\nb,c\n', "1:3: expected a cell in quotes that ends there"),
    ("", "source,target,type\na,b,Directed\n", "2:5: expected an undirected edge"),
    ("", "Bw\n\n# one more\nBw\n", "4:1: expected one graph, found 2 (read as graph6)"),
    ("", "a\n", "1:1: expected edges such as 'Station Mill', or a graph in graph6 or another"),
    ("", "B\x1f", r"1:2: expected text with lines that end at \n or \r\n, found '\x1f'"),
    ("", "Bé", "1:2: expected edges such as 'Station Mill', or a graph in graph6 or another"),
    ("", "Bx\n", "found 'Bx' (read as graph6)"),
    ("", ":An\n:An\n", "2:1: expected one graph, found 2 (read as graph6)"),
    ("", "&BO?\n", "1:1: expected an undirected graph, found a directed one (read as digraph6)"),
    ("", "&C~~~~\n", "1:1: expected edges such as 'Station Mill', or a graph in graph6 or another"),
    ("", "\ngraph {\n a -- b\n}\n", "2:1: expected a list of edges, CSV, or one of graph6"),
    ("", '{"nodes": []}', "GEXF, GML and Pajek, found JSON"),
    ("", "c a triangle\np edge 3 3\ne 1 2\n", "GEXF, GML and Pajek, found DIMACS"),
    ("", "<x", "1:1: not valid XML: unclosed token (read as XML)"),
    ("", "<svg/>", "1:1: expected GraphML or GEXF, found the element 'svg' (read as XML)"),
    ("", "graph [\n node [ id 1 }\n]", "2:14: cannot tokenize } (read as GML)"),
    ("", "*vertices 2\n1 a\n*edges\n", "3:1: expected 2 vertices, found 1 (read as Pajek)"),
    ("", "*vertices 2\n1 a\n2 a\n", "3:1: expected the number and the name of a new vertex, "),
    ("", "*vertices 2\n1 a\n2 b\n*arcs\n1 2\n", "4:1: expected an undirected graph, found a "),
    ("", "*vertices 2\n1 a\n2 b\n*edges\n1 3\n", "5:1: expected the numbers of two vertices, "),
    ("", "*vertices 2\n1 a\n2 b\n*edgeslist\n1 2\n", "4:1: expected *vertices and *edges, found "),
    (
        "",
        "*vertices 2\n1 a\n2 b\n*matrix\n0 1\n1 0\n",
        "4:1: expected *vertices and *edges, found ",
    ),
    ("", "*vertices 2\n1 a\n2 b\n*edges\n1 2\n2 1\n", "6:1: expected one edge between 'b' and 'a'"),
    ("", "*vertices 1\n1 a\n*edges\n1 1\n", "4:1: expected an edge between two nodes, found 'a' "),
]


@pytest.mark.parametrize(("name", "text", "error"), WRONG)
def test_what_a_format_cannot_mean_is_refused_with_its_place(name, text, error):
    with pytest.raises(FormatError) as caught:
        graphs.read(text, name=name or "graph")
    message = str(caught.value)
    assert message.startswith(f"{name or 'graph'}:")
    assert error in message
    assert message.isprintable()
    assert caught.value.line is not None
    assert caught.value.column is not None


def richly_written(graph) -> dict[str, str]:
    """A graph in the formats that have directed graphs, several edges and loops."""
    graph = nx.relabel_nodes(graph, str)
    return {
        "GraphML": written(nx.write_graphml, graph),
        "GEXF": written(nx.write_gexf, graph),
        "GML": written(nx.write_gml, graph),
        "Pajek": written(nx.write_pajek, graph),
    }


@pytest.mark.parametrize(
    ("graph", "error"),
    [
        (nx.DiGraph([(0, 1), (1, 2)]), "expected an undirected graph, found a directed one"),
        (nx.MultiGraph([(0, 1), (1, 2), (1, 0)]), "expected one edge between"),
        (nx.Graph([(0, 1), (1, 1)]), "expected an edge between two nodes, found '1' twice"),
    ],
    ids=["directed", "twice", "loop"],
)
def test_graphs_that_are_not_simple_are_refused_in_every_format(graph, error):
    texts = richly_written(graph)
    if not graph.is_directed():
        texts["sparse6"] = written(nx.write_sparse6, graph)
    for form, text in texts.items():
        with pytest.raises(FormatError) as caught:
            graphs.read(text)
        message = str(caught.value)
        shown = error.replace("'1' twice", "") if form == "Pajek" else error
        assert shown in message, form
        assert message.endswith(f"(read as {form})")
        if graph.number_of_edges() > len(nx.Graph(graph).edges) or not graph.is_directed():
            line = text.split("\n")[caught.value.line - 1]
            assert form == "sparse6" or "edge" in line or form == "Pajek", form


def weighted_arcs(graph) -> Counter:
    """The edges of a graph in both directions, or its arcs, with their weights."""
    arcs = [(one, other, weight) for one, other, weight in graph.edges(data="weight")]
    if not graph.is_directed():
        arcs += [(other, one, weight) for one, other, weight in arcs]
    return Counter(arcs)


@pytest.mark.parametrize("form", ["GraphML", "GEXF", "GML", "Pajek"])
@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph])
def test_directed_and_parallel_edges_are_read_if_expected(kind, form):
    graph = kind()
    edges = [("a", "b", 1.0), ("b", "c", 2.0), ("c", "a", 3.0), ("d", "c", 4.0), ("b", "d", 5.0)]
    if graph.is_directed():
        edges.append(("b", "a", 6.0))
    if graph.is_multigraph():
        edges += [("a", "b", 7.0), ("c", "a", 8.0)]
    graph.add_weighted_edges_from(edges)
    text = richly_written(graph)[form]
    cycles, paths = graphs.count(graph), graphs.count(graph, "a", "d")
    for directed, parallel in product((False, True), repeat=2):
        refused = []
        if graph.is_directed() and not directed:
            refused.append("expected an undirected graph, found a directed one")
        if graph.is_multigraph() and not parallel:
            refused.append("expected one edge between ")
        if refused:
            with pytest.raises(FormatError, match="|".join(refused)) as caught:
                graphs.read(text, directed=directed, parallel=parallel)
            assert f"(read as {form})" in str(caught.value)
            continue
        found = graphs.read(text, directed=directed, parallel=parallel)
        assert (found.is_directed(), found.is_multigraph()) == (directed, parallel)
        # An edge without a direction is an arc each way.
        assert weighted_arcs(found) == weighted_arcs(graph)
        assert graphs.count(found, "a", "d") == paths
        if directed == graph.is_directed():
            assert graphs.count(found) == cycles
        if parallel:
            keys = [key for *ends, key in found.edges(keys=True) if {*ends} == {"a", "b"}]
            assert sorted({*keys}) == [*range(1 + graph.is_multigraph())]


#: Edges between two nodes, there and back: for each format without a direction, and with one.
THERE_AND_BACK = {
    "GraphML": (
        '<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><graph edgedefault="{}">'
        '<node id="a"/><node id="b"/>\n<edge source="a" target="b"/>\n'
        '<edge source="b" target="a"/></graph></graphml>',
        ("undirected", "directed"),
    ),
    "GEXF": (
        '<gexf xmlns="http://www.gexf.net/1.2draft" version="1.2"><graph defaultedgetype="{}">'
        '<nodes><node id="a" label="a"/><node id="b" label="b"/></nodes><edges>\n'
        '<edge id="0" source="a" target="b"/>\n'
        '<edge id="1" source="b" target="a"/></edges></graph></gexf>',
        ("undirected", "directed"),
    ),
    "GML": (
        'graph [ {} multigraph 1 node [ id 0 label "a" ] node [ id 1 label "b" ]\n'
        "edge [ source 0 target 1 key 0 ]\nedge [ source 1 target 0 key 1 ] ]",
        ("directed 0", "directed 1"),
    ),
    "Pajek": ("*vertices 2\n1 a\n2 b\n*{}\n1 2\n2 1\n", ("edges", "arcs")),
}


@pytest.mark.parametrize("form", THERE_AND_BACK)
def test_an_edge_back_is_a_second_one_unless_the_text_states_directions(form):
    """Without a direction, each is an arc both ways: the data of one would be lost."""
    text, (edges, arcs) = THERE_AND_BACK[form]
    for directed in (False, True):
        with pytest.raises(FormatError, match=r"expected one edge between .* the first is in line"):
            graphs.read(text.format(edges), directed=directed)
        found = graphs.read(text.format(edges), directed=directed, parallel=True)
        assert found.number_of_edges() == 2 + 2 * directed
    found = graphs.read(text.format(arcs), directed=True)
    assert sorted(found.edges) == [("a", "b"), ("b", "a")]


def test_what_networkx_would_pass_over_is_refused():
    head = '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
    nodes = '<graph edgedefault="undirected"><node id="a"/><node id="b"/>\n'
    edge = '<edge source="a" target="b"/>'
    for body, error in {
        f'{nodes}<edge source="a" target="c"/></graph>': "3:1: expected an edge between nodes of",
        f"{nodes}{edge}</graph>\n{nodes}</graph>": "4:1: expected one graph, found a second one",
        f'{nodes}<node id="a"/></graph>': "3:1: expected each node once, found 'a' again",
        f"{nodes}<hyperedge/></graph>": "3:1: expected nodes and edges, found a hyperedge",
        f'{nodes}<edge source="a" target="b" directed="true"/></graph>': "3:1: expected an undir",
    }.items():
        with pytest.raises(FormatError) as caught:
            graphs.read(f"{head}{body}</graphml>")
        assert f"<text>:{error}" in str(caught.value)
    assert graphs.read(f"{head}{nodes}{edge}</graph></graphml>").number_of_edges() == 1


@pytest.mark.parametrize("name", ["a.g6", "a.graphml", "a.edges", "a.csv", "a.gml", "a.net"])
def test_bytes_that_are_no_text(tmp_path, name):
    file = tmp_path / name
    for data, place in ((b"a b\nb \xe9\n", "2:3"), ("a b\n".encode("utf-16"), "1:1")):
        file.write_bytes(data)
        with pytest.raises(FormatError) as caught:
            graphs.read(file)
        assert str(caught.value).startswith(f"{file}:{place}: not a text file in UTF-8")


TOKENS = st.sampled_from(
    [
        *(" ", "\n", "\t", "a", "b", "c", "1", "2.5", "{}", "{'a': 1}", ":", ",", ";", "#", '"'),
        *("(0, 0)", "Bw", ":An", ">>graph6<<", "*vertices 2\n", "*edges\n", "1 a\n", "1 2\n"),
        *("graph [", "]", "node [ id 1 ]", "edge [", "source 1", "target 1", "directed 1", "label"),
        *("<graphml>", "<graph>", "</graph>", "</graphml>", "<node id='a'/>", "<gexf>", "\ufeff"),
    ]
)


@given(
    st.one_of(st.text(), st.lists(TOKENS).map("".join)),
    st.sampled_from(["a", "a.edges", "a.adjlist", "a.csv", "a.tsv", "a.g6", "a.net", "a.gml"]),
)
def test_any_text_is_a_simple_graph_or_one_error(text, name):
    found = failure = None
    try:
        found = graphs.read(text, name=name)
    except FormatError as error:
        failure = error
    if failure is None:
        assert type(found) is nx.Graph
        assert not nx.number_of_selfloops(found)
        return
    assert str(failure).isprintable()
    assert str(failure).startswith(f"{name}:")
    if failure.line is not None:
        lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
        assert 1 <= failure.line <= len(lines)
        assert 1 <= failure.column <= len(lines[failure.line - 1]) + 1


@pytest.mark.parametrize("number", [30, pytest.param(2000, marks=pytest.mark.heavy)])
def test_what_networkx_writes_is_read(number):
    rng = random.Random(number)
    for _ in range(number):
        size = rng.randint(1, 9)
        graph = nx.gnp_random_graph(size, rng.random(), seed=rng.randrange(10**9))
        graph = nx.relabel_nodes(graph, {node: f"n{node}" for node in graph})
        plain = nx.convert_node_labels_to_integers(graph)
        for name, text in {
            "a.adjlist": written(nx.write_adjlist, graph),
            "a.graphml": written(nx.write_graphml, graph),
            "a.gml": written(nx.write_gml, graph),
            "a.net": written(nx.write_pajek, graph),
            "a.g6": written(nx.write_graph6, plain, header=False),
            "a.s6": written(nx.write_sparse6, plain, header=False),
        }.items():
            found = graphs.read(text, name=name)
            same = plain if name in ("a.g6", "a.s6") else graph
            assert set(found) == set(same)
            assert set(map(frozenset, found.edges)) == set(map(frozenset, same.edges))
        if graph.edges:
            text = written(nx.write_edgelist, graph, data=bool(rng.randrange(2)))
            lonely = "".join(f"{node}\n" for node in nx.isolates(graph))
            found = graphs.read(text + lonely)
            assert nx.utils.graphs_equal(found, graph)


def test_instances_are_read():
    town = Path(__file__).resolve().parents[2] / "instances" / "town.edges"
    assert graphs.count(graphs.read(town)) == 363


def test_undirected_rows_of_a_directed_table_are_arcs_both_ways() -> None:
    text = "Source,Target,Type,Weight\na,b,Undirected,2\nb,c,Directed,3\nc,d,,4\n"
    found = graphs.read(text, directed=True)
    assert set(found.edges) == {("a", "b"), ("b", "a"), ("b", "c"), ("c", "d")}
    assert found.edges["b", "a"]["weight"] == found.edges["a", "b"]["weight"] == 2
    assert graphs.count(found) == 1
    # As the other formats that can say so.
    plain = written(nx.write_graphml, nx.Graph([("a", "b")]))
    assert set(graphs.read(plain, directed=True).edges) == {("a", "b"), ("b", "a")}
    with pytest.raises(FormatError, match="3:1: expected one edge between 'b' and 'a'"):
        graphs.read("source,target,type\na,b,undirected\nb,a,directed\n", directed=True)


def digraph6_of(graph: nx.DiGraph) -> str:
    number = len(graph)
    bits = "".join(str(int(graph.has_edge(*divmod(at, number)))) for at in range(number**2))
    bits += "0" * (-len(bits) % 6)
    size = f"{number:06b}" if number < 63 else "1" * 6 + f"{number:018b}"
    every = size + bits
    return "&" + "".join(chr(int(every[at : at + 6], 2) + 63) for at in range(0, len(every), 6))


@pytest.mark.parametrize("number", [0, 1, 2, 5, 12, 62, 63, 70])
def test_digraph6(number) -> None:
    graph = nx.gnp_random_graph(number, 0.2, seed=number, directed=True)
    code = digraph6_of(graph)
    for name, text in {"": f"{code}\n", "a.d6": code, "b": f">>digraph6<<{code}\n"}.items():
        found = graphs.read(text, name=name or None, directed=True)
        assert nx.utils.graphs_equal(found, nx.DiGraph(graph))
        if number:
            with pytest.raises(FormatError, match="found a directed one"):
                graphs.read(text)
    for wrong in (code[:-1], code + "?"):
        with pytest.raises(FormatError):
            graphs.read(f">>digraph6<<{wrong}", directed=True)
