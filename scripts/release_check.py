"""Check that a tag such as v0.1.0 is ready to be published.

The version in meson.build, CITATION.cff and CHANGELOG.md must be that of the tag, and the changelog
must date it: ``## 0.1.0 (2026-11-25)``.

    python scripts/release_check.py v0.1.0
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def faults(tag: str, root: Path = ROOT) -> list[str]:
    """Return the faults that prevent publishing ``tag``, a line for each."""
    version = tag.removeprefix("v")
    patterns = {
        "meson.build": rf"^  version: '{re.escape(version)}',$",
        "CITATION.cff": rf"^version: {re.escape(version)}$",
        "CHANGELOG.md": rf"^## {re.escape(version)} \(\d{{4}}-\d\d-\d\d\)$",
    }
    found = [
        f"{name}: no line matches {pattern}"
        for name, pattern in patterns.items()
        if not re.search(pattern, (root / name).read_text(encoding="utf-8"), re.MULTILINE)
    ]
    return found if tag.startswith("v") else [f"{tag}: a tag of a release begins with v", *found]


if __name__ == "__main__":
    sys.exit("\n".join(faults(sys.argv[1])) or None)
