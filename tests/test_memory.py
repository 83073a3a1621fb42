from __future__ import annotations

import pytest

from linkoracle.core.limits import default_limit, parse_size


@pytest.mark.parametrize(
    ("text", "size"),
    [("1", 1), ("2k", 2000), ("4GB", 4 * 10**9), ("1.5 MiB", 1572864), ("3tib", 3 * 2**40)],
)
def test_sizes(text, size):
    assert parse_size(text) == size


@pytest.mark.parametrize("text", ["", "GB", "-1", "1 XB", "0", "0.1", "1e3", "nan", "4 G B"])
def test_no_sizes(text):
    with pytest.raises(ValueError, match="expected a size"):
        parse_size(text)


def test_the_default_is_some_memory_but_not_all():
    assert 2**20 < default_limit() < 2**45
