"""Which certificates a catalogue takes, and which it gives away."""

from __future__ import annotations

from typing import TYPE_CHECKING

from linkoracle.core.errors import CatalogueError, NoCertificate, counted

if TYPE_CHECKING:
    from linkoracle.certificates import Certificate
    from linkoracle.kinds import Puzzle

#: The bytes that are read of a certificate: as `verify_certificate.MOST_BYTES`, which takes the
#: verifier to load.
MOST_BYTES = 2 * 10**7


def data_of(certificate: Certificate, puzzle: Puzzle | None) -> bytes:
    """The bytes of a certificate that comes; ``ValueError`` if it is not of one solution of this.

    It is taken to hold, as all do that `linkoracle.certificate` makes.
    """
    if certificate.puzzle != puzzle:
        raise ValueError("expected a certificate of this puzzle, got one of another")
    if len(certificate.solutions) != 1:
        found = counted(len(certificate.solutions), "solution")
        raise ValueError(f"expected a certificate of one solution, got one of {found}")
    return certificate.data


def check_bytes(data: bytes, puzzle: Puzzle) -> None:
    """Verify a certificate that comes from a file, in which somebody may have changed it.

    Raises `CatalogueError` if it does not prove that this very puzzle has one solution.
    """
    from linkoracle.certificates import verify_certificate as checker
    from linkoracle.certificates.writing import record_of

    try:
        _, number, _ = checker.verify(data, checker.Puzzle(record_of(puzzle)))
    except (checker.Refused, NoCertificate, MemoryError) as error:
        raise CatalogueError(f"its certificate does not hold: {error}") from None
    if number != 1:
        raise CatalogueError(f"its certificate is of {counted(number, 'solution')}, expected one")
