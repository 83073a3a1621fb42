"""`Progress`: how long work says how far it is."""

from __future__ import annotations

from collections.abc import Callable

#: Called with a line about the work, and the share of it that is done where that is known.
Progress = Callable[[str, float | None], None]
