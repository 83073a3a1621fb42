"""Certificates: proofs of "exactly these solutions" that anyone can check.

`certificate` makes one; `verify_certificate`, a single file that is independent of this package,
checks it. docs/reference/certificate-format.md has the format, docs/explanation/certificates.md
the proofs.
"""

from typing import TYPE_CHECKING

from linkoracle.core import loader

if TYPE_CHECKING:
    from linkoracle.certificates.making import Certificate, certificate

__all__ = ["Certificate", "certificate"]

if not TYPE_CHECKING:
    # Compiled modules make certificates; none is needed to verify them.
    __getattr__ = loader(__name__, dict.fromkeys(__all__, "making"))
