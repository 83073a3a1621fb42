"""The crowding of faces by the clues around them, while clues change: the loops of `evenness`."""

from array import array
from itertools import accumulate, chain

from libc.stdint cimport int32_t, int64_t, uint8_t


cdef class Crowding:
    """The weights of the clues near each face; all clues are shown at first.

    The faces near a face, and the weights of a clue in it on these, begin in ``near`` and
    ``weights`` at its place in ``starts``. Weights are symmetric. The crowding of a face is its
    weight divided by its ``most``, plus its ``bias``.

    Raises ``ValueError`` for inconsistent arguments and for faces outside the board.
    """

    cdef const int32_t[::1] starts, near, weights
    cdef const double[::1] most, bias
    cdef int64_t[::1] weight  # by face
    cdef double[::1] crowding  # by face
    cdef uint8_t[::1] shown  # by face

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
        self.crowding = array("d", bytes(8 * size))
        self.shown = bytearray(size)
        self.change(range(size), 1)

    cdef Py_ssize_t checked(self, Py_ssize_t face) except -1:
        if not 0 <= face < self.bias.shape[0]:
            raise ValueError(f"expected a face of the board, got {face}")
        return face

    cdef int turn(self, Py_ssize_t face, int sign) except -1:
        cdef Py_ssize_t k, near
        self.shown[self.checked(face)] = sign > 0
        for k in range(self.starts[face], self.starts[face + 1]):
            near = self.near[k]
            self.weight[near] += sign * self.weights[k]
            self.crowding[near] = self.bias[near] + self.weight[near] / self.most[near]
        return 0

    def change(self, faces: Iterable[int], int sign) -> None:
        """Show the clues of these faces, or with a ``sign`` of -1 hide them."""
        cdef Py_ssize_t face
        for face in faces:
            self.turn(face, sign)

    def only(self, set faces not None: set[int]) -> None:
        """Show the clues of these faces, and hide all others."""
        cdef Py_ssize_t face
        cdef bint shown
        for face in range(self.bias.shape[0]):
            shown = face in faces
            if shown != self.shown[face]:
                self.turn(face, 1 if shown else -1)

    def of(self, tuple group not None: tuple[int, ...]) -> float:
        """Return the mean crowding of the faces of a group, with or without clues."""
        cdef double total = 0
        cdef Py_ssize_t face
        if not group:
            raise ValueError("expected a group of faces")
        for face in group:
            total += self.crowding[self.checked(face)]
        return total / len(group)


cdef class Choice:
    """An iterator of groups, the most crowded first, or with a ``sign`` of 1 the least crowded.

    The clues of each group are removed when it is chosen, or added.
    """

    cdef Crowding crowding
    cdef list groups
    cdef int sign
    cdef int32_t[::1] starts, faces  # for each group, where its faces begin in `faces`
    cdef int32_t[::1] left  # the first `size` are the groups that are not chosen yet
    cdef Py_ssize_t size

    def __init__(
        self, Crowding crowding not None: Crowding, groups: Iterable[tuple[int, ...]], int sign
    ):
        self.crowding, self.groups, self.sign = crowding, list(groups), sign
        if () in self.groups:
            raise ValueError("expected groups of faces")
        self.starts = array("i", accumulate(map(len, self.groups), initial=0))
        self.faces = array("i", chain.from_iterable(self.groups))
        for face in self.faces:
            crowding.checked(face)
        self.size = len(self.groups)
        self.left = array("i", range(self.size))

    def __iter__(self) -> Choice:
        return self

    cdef double mean(self, Py_ssize_t group) noexcept:
        cdef Py_ssize_t k, first = self.starts[group], end = self.starts[group + 1]
        cdef double total = 0
        for k in range(first, end):
            total += self.crowding.crowding[self.faces[k]]
        return total / (end - first)

    def __next__(self) -> tuple[int, ...]:
        cdef Py_ssize_t k, best = 0
        cdef double least, value
        if not self.size:
            raise StopIteration
        least = self.sign * self.mean(self.left[0])
        for k in range(1, self.size):
            value = self.sign * self.mean(self.left[k])
            if value < least:
                best, least = k, value
        group = self.groups[self.left[best]]
        self.size -= 1
        self.left[best] = self.left[self.size]
        self.crowding.change(group, self.sign)
        return group

    def undo(self, groups: Iterable[tuple[int, ...]]) -> None:
        """Undo the choice of these groups; they are not chosen again."""
        for group in groups:
            self.crowding.change(group, -self.sign)
