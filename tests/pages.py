"""The examples of a page, as `doctest` reads them."""

from __future__ import annotations

import re
from pathlib import Path


def doctests_of(page: Path) -> str:
    """The text of a page; an empty line in place of each fence ends what an example prints."""
    return re.sub(r"^```.*$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
