"""What holds for every property test."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

# How long an example takes, and how many random boards come to nothing, says more of the machine
# and of luck than of the code: a test must not fail of it. Nor may what lands depend on luck: by
# default a test tries the same examples each time; `make test-explore` tries others.
for name, same in (("same", True), ("explore", False)):
    settings.register_profile(
        name,
        deadline=None,
        derandomize=same,
        suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
    )
settings.load_profile("same")
