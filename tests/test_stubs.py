"""`scripts/stubs.py`: what a kernel offers stands in its stub, with the types that it states."""

from __future__ import annotations

import inspect
from importlib import import_module
from pathlib import Path
from runpy import run_path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src"
KERNELS = sorted(SOURCE.rglob("*.pyx"))
STUBS = run_path(str(ROOT / "scripts" / "stubs.py"))

KERNEL = '''\
"""def no_function(): of prose."""

from libc.stdint cimport int32_t
from linkoracle.zdd.zdd_kernel cimport LAST, Nodes

cdef enum:
    HIDDEN = 3
cpdef enum:
    # Comments are no members.
    SHOWN  # of one kind
    ALSO = 1 << 4

#: A number.
MOST: int = HIDDEN
NAMES: dict[str, int] = {
    "a": 1,
}
Pair: TypeAlias = "tuple[int, int]"


cdef int helper(int x):
    return x


def merge(
    Nodes nodes not None,  # a comment, with (brackets
    const int32_t[:, ::1] rows not None,
    const Row[::1] records,
    const uint8_t[::1] mask=None,
    bytes fixed=b"",
    int limit=MOST,
    list pairs: list[Pair] | None = None,
    *,
    bint deep=True,
    double warmth,
    object deadline: Deadline,
    anything,
) -> tuple[
    int, int
]:
    def inner(int x):
        return x


cdef class Base:
    cdef int hidden
    cdef readonly size_t size

    def __cinit__(self, *_, **__):
        pass

    def __init__(self, int rows):
        pass

    def __dealloc__(self):
        pass

    @property
    def answer(self) -> int:
        return 0


cdef class Derived(Base):
    cdef int value


class Row(NamedTuple):
    """A row: of two."""

    first: list[int]
'''
STUB = """\
from linkoracle.core.limits import Deadline
from linkoracle.zdd.zdd_kernel import Nodes
SHARED: int
SHOWN: int
ALSO: int
MOST: int
NAMES: dict[str, int]
Pair: TypeAlias = 'tuple[int, int]'

def merge(nodes: Nodes, rows: NDArray[np.int32], records: NDArray[np.void], \
mask: NDArray[np.uint8] | None=None, fixed: bytes=b'', limit: int=..., \
pairs: list[Pair] | None=None, *, deep: bool=True, warmth: float, deadline: Deadline, anything) \
-> tuple[int, int]:
    ...

class Base:
    size: int

    def __init__(self, rows: int) -> None:
        ...

    @property
    def answer(self) -> int:
        ...

class Derived(Base):
    ...

class Row(NamedTuple):
    first: list[int]
"""


def test_types_come_from_annotations_and_types_of_c(tmp_path):
    kernel = tmp_path / "kernel.pyx"
    kernel.write_text(KERNEL)
    kernel.with_suffix(".pxd").write_text("cpdef enum:\n    SHARED\n\ncdef class Base:\n    pass\n")
    assert STUBS["stub_of"](kernel) == STUBS["LIBRARIES"] + STUB


@pytest.mark.parametrize("argument", ["int *pointer", "pair=((1, 2), (3, 4))"])
def test_what_is_not_understood_is_named(argument, tmp_path):
    kernel = tmp_path / "kernel.pyx"
    kernel.write_text(f"def merge({argument}) -> int:\n    pass\n")
    with pytest.raises(SystemExit, match=r"kernel\.pyx: no stub can be made of: def merge"):
        STUBS["stub_of"](kernel)


def test_stubs_follow_their_kernels(tmp_path):
    kernel, stub = tmp_path / "kernel.pyx", tmp_path / "kernel.pyi"
    for result in ("int", "str"):
        kernel.write_text(f"def merge() -> {result}:\n    pass\n")
        STUBS["write_all"](tmp_path)
        assert f"-> {result}:" in stub.read_text()
    written = stub.stat()
    STUBS["write_all"](tmp_path)
    assert (stub.stat().st_ino, stub.stat().st_mtime_ns) == (written.st_ino, written.st_mtime_ns)
    kernel.unlink()
    STUBS["write_all"](tmp_path)
    assert list(tmp_path.iterdir()) == []


def offered(module: ModuleType) -> dict[str, Any]:
    """The functions and classes that a module has of its own."""
    return {
        name: value
        for name, value in vars(module).items()
        if not name.startswith("_") and getattr(value, "__module__", None) == module.__name__
    }


def members(kind: type) -> dict[str, Any]:
    """What a class has of its own, as far as both forms of it show the same."""
    names = [*vars(kind), *vars(kind).get("__annotations__", ())]
    return {name: vars(kind).get(name) for name in names if not name.startswith("_")}


def parameters(function: Any) -> list[tuple[str, object, bool]]:
    found = inspect.signature(function).parameters.values()
    return [(each.name, each.kind, each.default is each.empty) for each in found]


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda path: path.stem)
def test_a_stub_has_what_its_kernel_offers(kernel):
    """The compiled module has the same functions and classes, members and arguments."""
    name = ".".join(kernel.relative_to(SOURCE).with_suffix("").parts)
    compiled, stub = import_module(name), ModuleType(name)
    text = "from __future__ import annotations\n" + STUBS["stub_of"](kernel)
    exec(text, vars(stub))
    assert offered(stub)
    assert offered(stub).keys() == offered(compiled).keys()
    assert all(hasattr(compiled, constant) for constant in vars(stub).get("__annotations__", ()))
    for key, value in offered(stub).items():
        pairs = [(value, offered(compiled)[key])]
        if isinstance(value, type):
            found = members(offered(compiled)[key])
            assert members(value).keys() == found.keys()
            pairs = [(member, found[each]) for each, member in members(value).items()]
        for ours, theirs in pairs:
            assert callable(ours) == callable(theirs)
            if callable(ours):
                assert parameters(ours) == parameters(theirs)
