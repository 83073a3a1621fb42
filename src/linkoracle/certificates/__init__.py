"""Certificates: proofs of "exactly these solutions" that anyone can check.

`certificate` makes one; `verify_certificate`, a single file that is independent of this package,
checks it. docs/explanation/certificates.md has the format, and the proofs of its lemmas.
"""

from linkoracle.certificates.making import Certificate, certificate

__all__ = ["Certificate", "certificate"]
