"""The old name of `linkoracle.layout_statistics`: what it had warns (`linkoracle.core.renamed`)."""

from typing import TYPE_CHECKING

from linkoracle.core import loader

if TYPE_CHECKING:
    from linkoracle import layout_statistics as new
    from linkoracle.layout_statistics import BLOCK as BLOCK
    from linkoracle.layout_statistics import SHORT as SHORT
    from linkoracle.layout_statistics import bands as bands
    from linkoracle.layout_statistics import block_densities as block_densities
    from linkoracle.layout_statistics import empty_rectangle as empty_rectangle
    from linkoracle.layout_statistics import longest_run as longest_run

    ClueLooks = new.ClueStatistics
    FaceLooks = new.FaceStatistics
    LinkLooks = new.PathStatistics
    Looks = new.LayoutStatistics
    looks, has_looks = new.layout_statistics, new.has_layout_statistics
    clue_looks, face_looks = new.clue_statistics, new.face_statistics
    link_looks = new.path_statistics
else:
    __getattr__ = loader(__name__)
