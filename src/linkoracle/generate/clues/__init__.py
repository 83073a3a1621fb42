"""Slitherlinks: clues that make a loop the only solution.

`request` has the options, `plan` what they mean for each step, and `maker` runs the steps.
"""

from linkoracle.core import exports

__all__, __getattr__, __dir__ = exports(__name__, {})
