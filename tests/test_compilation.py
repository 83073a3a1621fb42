"""What compiled functions were made of."""

from __future__ import annotations

import pytest

from linkoracle.core.compilation import digest


def test_a_digest_tells_files_apart_and_misses_none(tmp_path):
    one, other = tmp_path / "one.py", tmp_path / "other.py"
    one.write_text("1")
    other.write_text("2")
    (tmp_path / "__pycache__").mkdir()
    before = digest(tmp_path.iterdir())
    assert before == digest([other, one])
    assert before != digest([one])
    other.write_text("3")
    assert before != digest(tmp_path.iterdir())
    other.unlink()
    with pytest.raises(FileNotFoundError, match=r"other\.py"):
        digest([one, other])
