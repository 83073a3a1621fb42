"""Slitherlinks: clues that make a loop the only solution.

`request` has the options, `plan` what they mean for each step, and `maker` runs the steps.
"""

from typing import TYPE_CHECKING

from linkoracle.core import loader

if not TYPE_CHECKING:
    __getattr__ = loader(__name__)
