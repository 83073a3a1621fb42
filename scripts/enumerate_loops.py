"""Write all loops of a small board to a file, in the order of `Diagram`.

Streams: beside the diagram only one batch of loops is in memory. The file appears under its name
only when it is complete.

* ``text``: one loop a line, its edge ids separated by spaces;
* ``jsonl``: one object a line, ``{"edges": [...], "clues": [[...], ...]}``, the clues being the
  number of edges around each cell;
* ``npz``: arrays ``rows``, ``cols``, ``count`` and ``edges``: one loop a row, a bit for each edge
  id, packed by `numpy.packbits`.

    python scripts/enumerate_loops.py 4 4 --output loops.jsonl
"""

from __future__ import annotations

import argparse
import json
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import numpy as np
from numpy.typing import NDArray

from linkoracle.board import Lattice, LinkModel
from linkoracle.core import LinkOracleError, atomic_write, default_limit, parse_size
from linkoracle.frontier import Diagram

#: Loops in memory at a time.
BATCH = 8192


def write_text(diagram: Diagram, file: IO[bytes]) -> None:
    for block in diagram.masks(BATCH):
        for loop in block:
            file.write((" ".join(map(str, np.flatnonzero(loop))) + "\n").encode())


def write_jsonl(diagram: Diagram, file: IO[bytes]) -> None:
    lattice = diagram.model.lattice
    for block in diagram.masks(BATCH):
        clues = block[:, lattice.face_edges].sum(axis=2)
        shaped = clues.reshape(len(block), lattice.rows - 1, lattice.cols - 1)
        for loop, grid in zip(block, shaped.tolist(), strict=True):
            record = {"edges": np.flatnonzero(loop).tolist(), "clues": grid}
            file.write((json.dumps(record) + "\n").encode())


def write_npz(diagram: Diagram, file: IO[bytes]) -> None:
    """Write like `numpy.savez_compressed`, but without the whole array in memory."""
    lattice = diagram.model.lattice
    shape = (diagram.count(), -(-lattice.num_edges // 8))

    def packed() -> Iterator[NDArray[np.uint8]]:
        for block in diagram.masks(BATCH):
            yield np.packbits(block, axis=1)

    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        scalars = {"rows": lattice.rows - 1, "cols": lattice.cols - 1, "count": shape[0]}
        for name, value in scalars.items():
            with archive.open(f"{name}.npy", "w") as member:
                np.lib.format.write_array(member, np.array(value))
        with archive.open("edges.npy", "w", force_zip64=True) as member:
            header = {"descr": "|u1", "fortran_order": False, "shape": shape}
            np.lib.format.write_array_header_1_0(member, header)
            for block in packed():
                member.write(block.tobytes())


WRITERS = {"text": write_text, "jsonl": write_jsonl, "npz": write_npz}
SUFFIXES = {".txt": "text", ".jsonl": "jsonl", ".npz": "npz"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rows", type=int, help="rows of cells")
    parser.add_argument("cols", type=int, help="columns of cells")
    parser.add_argument("--output", type=Path, required=True, help="the file to write")
    parser.add_argument("--format", choices=WRITERS, help="default: by the name of the file")
    parser.add_argument("--memory", type=parse_size, help="limit for the diagram, such as 4GB")
    options = parser.parse_args()
    if options.rows < 1 or options.cols < 1:
        parser.error("a board has at least one row and one column")
    kind = options.format or SUFFIXES.get(options.output.suffix)
    if kind is None:
        parser.error(f"--format is needed: {options.output} does not end in {', '.join(SUFFIXES)}")
    model = LinkModel.blank_loop(Lattice(options.rows + 1, options.cols + 1))
    try:
        diagram = Diagram.build(model, memory=options.memory or default_limit())
    except LinkOracleError as error:
        sys.exit(f"{parser.prog}: {error}")
    with atomic_write(options.output) as file:
        WRITERS[kind](diagram, file)
    print(f"{diagram.count()} loops in {options.output}")


if __name__ == "__main__":
    main()
