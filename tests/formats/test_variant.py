"""A variant under another name than ``variant`` is refused, not ignored."""

from __future__ import annotations

import json

import pytest

from linkoracle import FormatError, read, read_all, write
from linkoracle.certificates import verify_certificate as checker
from linkoracle.cli.jsonl import Server
from linkoracle.cli.work import Settings
from linkoracle.kinds import KINDS

KEYS = ("rule", "rules", "flavour", "flavor", "mode")
VARIANTS = [(kind, variant) for kind, found in KINDS.items() for variant in found.variants]


def record(kind, **more):
    """The puzzle of an example as JSON, without its variant."""
    found = KINDS[kind]
    variant, example = next(iter(found.examples.items()))
    puzzle, _ = example.of(found, variant)
    return {**json.loads(write(puzzle, "json")), **more} | {"variant": None}


@pytest.mark.parametrize(("kind", "variant"), VARIANTS)
def test_a_variant_under_another_key_is_refused(kind, variant):
    server = Server(Settings())
    for key in KEYS:
        for word in (variant, f" {variant.upper()}"):
            text = json.dumps(record(kind, **{key: word}))
            with pytest.raises(FormatError, match=f"'{variant}' under the name 'variant'") as error:
                read(text)
            assert error.value.line == 1
            answer = json.loads(server.answer(1, text.encode()).line)
            assert "'variant'" in answer["error"] or "variant," in answer["error"], answer
            assert "count" not in answer
    assert read(json.dumps(record(kind, rules=f"Not {variant}.", name=variant))).kind == kind


def test_in_a_request_beside_a_text():
    request = {"puzzle": "numberlink\n1.1\n", "rules": "fill"}
    answer = json.loads(Server(Settings()).answer(1, json.dumps(request).encode()).line)
    assert answer["error"] == (
        "<stdin>:1: expected the variant 'fill' under the name 'variant', found it under 'rules'"
    )


@pytest.mark.parametrize("key", ["rules", "rule", "Variant", "flavour"])
def test_in_comments(key):
    text = f"slitherlink\n4\n\n# {key}: fill\n# name: a\nnumberlink\n1.1\n"
    with pytest.raises(FormatError, match="found it in a comment") as error:
        read_all(text)
    assert error.value.line == 4
    assert [entry.about.name for entry in read_all(text.replace("fill", "some"))] == [None, "a"]
    # A comment speaks of the next puzzle only.
    assert len(read_all(text.replace("fill", "free-form"))) == 2


def test_the_words_of_an_author_are_not_written_as_a_variant():
    puzzle = read("numberlink\n1.1\n")
    with pytest.raises(FormatError, match="found it as the rules in the author's words"):
        write(puzzle, "json", rules="Fill")


def test_the_verifier_refuses_the_same(tmp_path):
    path = tmp_path / "puzzle"
    grid = '{"kind": "numberlink", "grid": ["1.1"]'
    for text in (*(f'{grid}, "{key}": "fill"}}' for key in KEYS), "# rules: fill\nnumberlink\n1.1"):
        path.write_text(text)
        with pytest.raises(checker.Refused, match="variant"):
            checker.read_puzzle(str(path))
    path.write_text(grid + ', "variant": "fill", "rules": "all cells"}')
    assert checker.read_puzzle(str(path)).variant == "fill"
