"""How crowded cells are by the clues around them, while clues come and go: the loops of `evenness`.

The board has a rim as wide as weights reach, so that all offsets lie in the memory. A clue weighs on
the cells around it only, not on its own.
"""

from array import array

from libc.stdint cimport int64_t

cdef enum:
    WIDEST = 1 << 14  # rows and columns


cdef class Crowding:
    """Of each face ``row * cols + col``, the weights of the clues around it, all shown at first.

    ``around`` has tuples of rows down, columns to the right and the weight there; a clue weighs the
    same on both sides of it. ``bias`` is added to the crowding of each face.

    Raises ``ValueError`` for arguments that do not belong together, and faces the board has not.
    """

    cdef int rows, cols, step, reach
    cdef int64_t[::1] weight  # by place on the board with its rim
    cdef int64_t[::1] offset, by
    cdef double[::1] most  # by face, what would be as crowded as can be
    cdef double[::1] bias

    def __init__(
        self,
        int rows,
        int cols,
        list around not None: list[tuple[int, int, int]],
        double[::1] bias not None: array[float],
    ):
        cdef Py_ssize_t k, face
        cdef int64_t whole
        if not (0 < rows < WIDEST and 0 < cols < WIDEST and around):
            raise ValueError("expected a board, and weights")
        if bias.shape[0] != <Py_ssize_t>rows * cols:
            raise ValueError("expected a bias for each face")
        self.reach = max(max(abs(down), abs(right)) for down, right, _ in around)
        self.rows, self.cols, self.step = rows, cols, cols + 2 * self.reach
        self.offset = array("q", [down * self.step + right for down, right, _ in around])
        self.by = array("q", [by for _, _, by in around])
        self.weight = array("q", bytes(8 * self.step * (rows + 2 * self.reach)))
        self.most = array("d", bytes(8 * rows * cols))
        self.bias = bias
        self.change(range(rows * cols), 1)
        # Beside the rim less can be around a cell. To count a fifth of what is off the board as
        # empty leaves the rim a little denser than the rest, as people make it.
        whole = sum(by for _, _, by in around)
        for face in range(self.most.shape[0]):
            self.most[face] = (whole + 4 * self.weight[self.place_of(face)]) / <double>5

    cdef Py_ssize_t place_of(self, Py_ssize_t face) except -1:
        if not 0 <= face < self.most.shape[0]:
            raise ValueError(f"expected a face of the board, got {face}")
        return (face // self.cols + self.reach) * self.step + face % self.cols + self.reach

    cdef double one(self, Py_ssize_t face) except? -1:
        cdef int64_t weight = self.weight[self.place_of(face)]
        return self.bias[face] + weight / self.most[face]

    def change(self, faces: Iterable[int], int sign) -> None:
        """Add the weights of the clues of these faces, or with a ``sign`` of -1 take them away."""
        cdef Py_ssize_t face, place, k
        for face in faces:
            place = self.place_of(face)
            for k in range(self.offset.shape[0]):
                self.weight[place + self.offset[k]] += sign * self.by[k]

    def of(self, tuple group not None: tuple[int, ...]) -> float:
        """How crowded the faces of a group are in the mean."""
        cdef double total = 0
        cdef Py_ssize_t face
        if not group:
            raise ValueError("expected a group of faces")
        for face in group:
            total += self.one(face)
        return total / len(group)
