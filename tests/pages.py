"""The examples of a page, as `doctest` reads them."""

from __future__ import annotations

import re
from pathlib import Path


def doctests_of(page: Path) -> str:
    """The text of a page; an empty line in place of each fence ends what an example prints.

    Without the names that `scripts/reference.py` lists: their examples are those of docstrings.
    """
    text = page.read_text(encoding="utf-8").partition("\n## All names\n")[0]
    return re.sub(r"^```.*$", "", text, flags=re.MULTILINE)
