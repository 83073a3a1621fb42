"""Certificates: proofs of "exactly these solutions" that anyone can check.

`certificate` makes one; `verify_certificate`, a single file that is independent of this package,
checks it. docs/reference/certificate-format.md has the format, docs/explanation/certificates.md
the proofs.
"""

from linkoracle.core import exports

__all__, __getattr__, __dir__ = exports(
    __name__,
    {
        "making": "Certificate certificate",
        "proved": "verify_proved",
    },
    inner={
        "writing": "record_of",
    },
)
