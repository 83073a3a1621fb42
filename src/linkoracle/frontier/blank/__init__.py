"""Counts over blank boards without a hash table: see `docs/explanation/frontier.md`."""

from linkoracle.core import exports

__all__, __getattr__, __dir__ = exports(
    __name__,
    {},
    inner={
        "board": "LEAST_WIDTH BlankBoard Shape",
        "shapes": "blank_board",
        "tracks": "AnyBoard",
        "counting": "CountPlan Runner solutions",
        "weights": "lengths",
        "ranks_kernel": "PLACES",
        "units": "answer_in_units",
    },
)
