"""The frontier engine: exact counts and whole solution sets by dynamic programming.

It takes a `LinkModel`, and imports no kind of puzzle.

>>> from linkoracle.board import Lattice
>>> from linkoracle.board import LinkModel
>>> count(LinkModel.blank_loop(Lattice(11, 11)))
988808811046283595068099
"""

from linkoracle.core import exports

__all__, __getattr__, __dir__ = exports(
    __name__,
    {
        "counts": "by_length count",
        "diagram": "Diagram",
        "family": "Family",
    },
    inner={
        "blank.board": "LEAST_WIDTH Shape",
        "blank.shapes": "blank_board",
        "blank.counting": "estimate moduli",
        "blank.weights": "lengths",
        "counts": "Scale counting ranked_board",
        "diagram": "building listed",
        "order": "frontier_width",
        "plan": "FIRST_SLOT Plan allowed_by",
        "running": "SHARED_STATES Step finished",
        "steps": "Steps",
        "sweep": "FIRST_STATES Windows",
        "weights": "exact",
    },
)
