"""Certificates: proofs of "exactly these solutions" that anybody can check.

`certificate` makes one; `verify_certificate`, a single file that needs nothing of this package,
checks it. docs/certificates.md has the format, and the proofs of what is taken for granted.
"""

from linkoracle.certificates.making import Certificate, certificate

__all__ = ["Certificate", "certificate"]
