"""The pages under docs/reference name what is public, as it is now."""

from __future__ import annotations

import inspect
from importlib import import_module

import pytest

import reference


@pytest.mark.parametrize("page", reference.NAMES.split())
def test_a_page_has_the_public_names_of_its_package(page):
    """`python scripts/reference.py` writes them."""
    text = (reference.PAGES / f"{page}.md").read_text(encoding="utf-8")
    assert text == reference.written(page), "run scripts/reference.py"
    package = import_module("linkoracle" if page == "linkoracle" else f"linkoracle.{page}")
    for name in reference.listed(package):
        assert f"### `{name}" in text


def test_functions_have_a_sentence_and_most_an_example():
    """Also those that a wrapper or a class method hides."""
    bare, shown = [], 0
    for page in reference.NAMES.split():
        package = import_module("linkoracle" if page == "linkoracle" else f"linkoracle.{page}")
        for name, value in reference.listed(package).items():
            described = inspect.isclass(value) or inspect.isroutine(value)
            if described and not reference.sentence_of(value):
                bare.append(f"{page}.{name}")
            shown += bool(reference.example_of(value))
    assert bare == []
    assert shown > 100
