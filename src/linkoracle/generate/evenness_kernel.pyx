"""How crowded faces are by the clues around them, while clues come and go: the loops of `evenness`."""

from array import array

from libc.stdint cimport int32_t, int64_t


cdef class Crowding:
    """Of each face the weights of the clues near it, all of which are shown at first.

    ``near`` has the faces on which a clue weighs, and ``weights`` by how much, for each face from
    its place in ``starts`` on; a clue weighs the same on both sides. The crowding of a face is its
    weight divided by that in ``most``, and its ``bias``.

    Raises ``ValueError`` for arguments that do not belong together, and faces the board has not.
    """

    cdef const int32_t[::1] starts, near, weights
    cdef const double[::1] most, bias
    cdef int64_t[::1] weight  # by face

    def __init__(
        self,
        const int32_t[::1] starts not None: array[int],
        const int32_t[::1] near not None: array[int],
        const int32_t[::1] weights not None: array[int],
        const double[::1] most not None: array[float],
        const double[::1] bias not None: array[float],
    ):
        cdef Py_ssize_t face, k, size = bias.shape[0]
        if not size or not starts.shape[0] - 1 == most.shape[0] == size:
            raise ValueError("expected a bias for each face")
        if starts[0] or not starts[size] == near.shape[0] == weights.shape[0]:
            raise ValueError("expected a weight for each face that is near")
        for face in range(size):
            if starts[face] > starts[face + 1] or not most[face] > 0:
                raise ValueError("expected a list for each face, and the most that it can weigh")
        self.starts, self.near, self.weights = starts, near, weights
        self.most, self.bias = most, bias
        for k in range(near.shape[0]):
            self.checked(near[k])
        self.weight = array("q", bytes(8 * size))
        self.change(range(size), 1)

    cdef Py_ssize_t checked(self, Py_ssize_t face) except -1:
        if not 0 <= face < self.bias.shape[0]:
            raise ValueError(f"expected a face of the board, got {face}")
        return face

    def change(self, faces: Iterable[int], int sign) -> None:
        """Add the weights of the clues of these faces, or with a ``sign`` of -1 take them away."""
        cdef Py_ssize_t face, k
        for face in faces:
            self.checked(face)
            for k in range(self.starts[face], self.starts[face + 1]):
                self.weight[self.near[k]] += sign * self.weights[k]

    def of(self, tuple group not None: tuple[int, ...]) -> float:
        """How crowded the faces of a group are in the mean."""
        cdef double total = 0
        cdef Py_ssize_t face
        if not group:
            raise ValueError("expected a group of faces")
        for face in group:
            self.checked(face)
            total += self.bias[face] + self.weight[face] / self.most[face]
        return total / len(group)
