"""Checks of terms: two ways to count the same agree, counts modulo other primes among them."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

from linkoracle.board import LinkModel
from linkoracle.core import LinkOracleError
from linkoracle.frontier import blank_board
from linkoracle.frontier.blank.board import BlankBoard
from linkoracle.frontier.blank.counting import (
    Answer,
    CountPlan,
    Residue,
    enough_primes,
    from_residues,
    primes,
)
from linkoracle.frontier.blank.tracks import AnyBoard
from linkoracle.frontier.blank.units import answer_in_units


class Contradiction(LinkOracleError):
    """Two ways to count the same gave different numbers."""


def agree(what: str, one: object, other: object, check: str) -> str:
    """Return the name of a check that is passed; raise `Contradiction` for different answers."""
    if one != other:
        raise Contradiction(f"{what}: {check} gives {other}, not {one}")
    return check


def board_of(model: LinkModel) -> BlankBoard:
    board = blank_board(model)
    if not isinstance(board, BlankBoard):
        raise ValueError("expected a blank board of squares")
    return board


def others(board: AnyBoard) -> list[int]:
    """Return enough primes that `count` and `by_length` do not use."""
    used = len(enough_primes(board.most_solutions)) + 1
    return list(islice(primes(), used, 2 * used))


def kept_answer(plan: CountPlan[Answer], store: Path | None, part: str = "") -> Answer:
    """Return the answer of a plan, kept in a store, or beside it as a ``part`` of a count."""
    if store is not None and part:
        store = store.with_name(f"{store.stem}-{part}{store.suffix}")
    return answer_in_units(plan, store=store, resume=store is not None)


def kept_residues(jobs: list[Residue], store: Path | None, check: str) -> list[int]:
    """Return the answers of passes over a board, kept beside the store of the count they check."""
    return kept_answer(CountPlan(jobs[0].board, check, jobs, list[int]), store, check)


def modulo_others(board: AnyBoard, store: Path | None) -> int:
    """Return the number of solutions from residues modulo primes that `count` does not use."""
    taken = others(board)
    jobs = [Residue(board, prime, int(not board.cover)) for prime in taken]
    return from_residues(kept_residues(jobs, store, "primes"), taken)
