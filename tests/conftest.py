"""What holds for every property test."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

# How long an example takes, and how many random boards come to nothing, says more of the machine
# and of luck than of the code: a test must not fail of it.
settings.register_profile(
    "linkoracle",
    deadline=None,
    suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
)
settings.load_profile("linkoracle")
