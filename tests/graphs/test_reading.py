"""Files with graphs."""

from __future__ import annotations

import networkx as nx
import pytest

from linkoracle import FormatError, graphs

GRAPH = nx.petersen_graph()


def test_every_format_gives_the_same_graph(tmp_path):
    nx.write_graph6(GRAPH, tmp_path / "graph.g6")
    nx.write_graphml(GRAPH, tmp_path / "graph.graphml")
    nx.write_edgelist(GRAPH, tmp_path / "graph.txt", data=False, comments="#")
    for file in ("graph.g6", "graph.graphml", "graph.txt"):
        found = graphs.read(tmp_path / file)
        assert graphs.count(found) == 57
        assert len(found) == 10


def test_comments_and_blank_lines(tmp_path):
    file = tmp_path / "graph.txt"
    file.write_text("# a triangle\na b  # one\n\nb c\nc a\n")
    assert list(graphs.simple_cycles(graphs.read(file))) == [["a", "b", "c"]]


@pytest.mark.parametrize("name", ["graph", "graph.edges"])
def test_the_text_says_the_format(tmp_path, name):
    for text in ("\n".join(nx.generate_graphml(GRAPH)), nx.to_graph6_bytes(GRAPH).decode()):
        (tmp_path / name).write_text(text)
        assert graphs.count(graphs.read(tmp_path / name)) == 57
        assert graphs.count(graphs.read(text)) == 57


@pytest.mark.parametrize("line", ["a", "a b 3"])
def test_a_wrong_line_is_named(tmp_path, line):
    file = tmp_path / "graph.txt"
    file.write_text(f"a b\n{line}\n")
    with pytest.raises(FormatError) as error:
        graphs.read(file)
    assert str(error.value) == f"{file}:2: expected the two nodes of an edge, found '{line}'"


@pytest.mark.parametrize(("name", "text"), [("a.g6", "\x01\x02"), ("a.graphml", "<x")])
def test_a_file_that_is_no_graph(tmp_path, name, text):
    file = tmp_path / name
    file.write_text(text)
    with pytest.raises(FormatError, match="or a graph in graph6 or GraphML"):
        graphs.read(file)


def test_several_graphs_in_a_file(tmp_path):
    file = tmp_path / "two.g6"
    file.write_bytes(2 * nx.to_graph6_bytes(GRAPH, header=False))
    with pytest.raises(FormatError, match="expected one graph, found 2"):
        graphs.read(file)
