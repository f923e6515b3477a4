"""Typed memory: what is declared once is what Python and kernels read and write, whatever the sizes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sympact.native.addresses import MemoryFault
from sympact.native.debugging import DEBUGGED
from sympact.native.image import Image
from sympact.native.kernel import Unit, kernel
from sympact.native.memory import Address, Memory, Part, Real, Reals, Size, View, Whole, Wholes
from sympact.native.pointer import clear, leading, leading2, put_word, row_of, view


class Inner(Memory):
    rows = Size("rows")
    count = Whole("rows in use")
    matrix = Reals(rows, rows, meaning="a square")


class Outer(Memory):
    n = Size("speeds")
    m = Size("contacts")
    used = Size("contacts in use")
    t = Real("time", unit="s")
    function = Address("a function")
    whole = Reals(n * n + 2 * m, meaning="a square, then two vectors")
    square = Part(whole, 0, n, n, meaning="the square")
    second = Part(whole, n * n + m, m, meaning="the second vector")
    marks = Wholes(m + 1, meaning="marks")
    present = Reals(used, capacity=m, meaning="of those in use")
    seldom = Reals(m, meaning="of a part", when="seldom")
    inner = View(Inner, "twice as many rows as contacts", rows=2 * m)
    other = View(Inner, "as many rows as speeds", rows=n)


sizes = st.integers(1, 5)


@given(sizes, sizes)
def test_arrays_have_their_shapes_and_share_no_number(n, m):
    memory = Outer.allocate({"n": n, "m": m, "used": m}, ["seldom"])
    arrays = [memory.whole, memory.marks, memory.present, memory.seldom, memory.inner.matrix, memory.other.matrix]
    assert [array.shape for array in arrays] == [(n * n + 2 * m,), (m + 1,), (m,), (m,), (2 * m, 2 * m), (n, n)]
    for k, array in enumerate(arrays):
        array[...] = k + 1
    assert all((array == k + 1).all() for k, array in enumerate(arrays))
    assert (memory.n, memory.m, memory.t, memory.function, memory.inner.rows) == (n, m, 0.0, 0, 2 * m)


@given(sizes, sizes)
def test_parts_lie_within_their_array(n, m):
    memory = Outer.allocate({"n": n, "m": m, "used": m})
    memory.whole[:] = np.arange(n * n + 2 * m)
    assert memory.square.ravel().tolist() == list(range(n * n))
    assert memory.second.tolist() == list(range(n * n + m, n * n + 2 * m))


def test_memory_at_an_address_is_the_memory_that_was_made():
    memory = Outer.allocate({"n": 2, "m": 3, "used": 3})
    memory.t, memory.marks[1], memory.inner.matrix[5, 4] = 0.25, 7, 1.5
    again = Outer(memory.address)
    assert (again.t, again.marks.tolist(), again.inner.matrix[5, 4]) == (0.25, [0, 7, 0, 0], 1.5)


def test_what_was_left_out_is_named():
    memory = Outer.allocate({"n": 2, "m": 3, "used": 3})
    with pytest.raises(AttributeError, match=r"Outer\.seldom was not allocated; it is of the part 'seldom'"):
        _ = memory.seldom
    with pytest.raises(AttributeError, match=r"Outer\.marks is no number"):
        memory.marks = [1]
    with pytest.raises(KeyError, match="used"):
        Outer.allocate({"n": 2, "m": 3})


def test_a_field_that_somebody_else_owns_is_placed():
    memory, numbers = Outer.allocate({"n": 2, "m": 3, "used": 3}), np.arange(3.0)
    Outer.seldom.place(memory, numbers.ctypes.data)
    assert memory.seldom.tolist() == [0.0, 1.0, 2.0]


def test_the_length_in_use_is_less_than_the_capacity():
    memory = Outer.allocate({"n": 2, "m": 3, "used": 3})
    memory.present[:] = [1.0, 2.0, 3.0]
    memory.used = 2
    assert memory.present.tolist() == [1.0, 2.0]


class Function(Memory):
    n = Size("numbers")
    called = Address("a function")
    inner = View(Outer, "with two more", used=n)


def test_addresses_are_replaced_in_all_views():
    memory = Function.allocate({"n": 2, "m": 1})
    memory.called, memory.inner.function, memory.inner.t = 7, 8, 7.0
    assert memory.addresses() == {7, 8}
    memory.replace_addresses({7: 70, 8: 80, 9: 90})
    assert (memory.called, memory.inner.function, memory.inner.t, memory.n) == (70, 80, 7.0, 2)


outer_at = view(Outer)


@kernel
def work(outer):
    """Numbers and arrays of both memories read and written by name."""
    outer.t = 0.5 * outer.n
    outer.t += 1.0
    inner = outer.inner
    inner.count = inner.matrix.shape[0]
    row_of(inner.matrix, 1)[2] = outer.second[0]
    leading2(inner.matrix, 2, 2)[1, 1] = 8.0
    leading(outer.marks, 2)[1] = 9
    outer.other = inner
    return outer.square.shape[1] + outer.other.rows


def both(address):
    return work(outer_at(address))


@kernel
def renew(outer, start):
    """Numbers written, cleared as words and read again, in one kernel."""
    outer.second[0] = 5.0
    before = outer.second[0]
    clear(start, outer.whole.size)
    after = outer.second[0]
    put_word(start, 1)
    outer.marks[0] = outer.whole.size
    return before + 10.0 * after


def renewed(address, start):
    return renew(outer_at(address), start)


MACHINE_CODE = pytest.mark.skipif(DEBUGGED, reason="numba compiles nothing under NUMBA_DISABLE_JIT=1")


def compiled(function):
    """The same function as machine code."""
    import numba

    from sympact.native.lowering._kernels_numba import make_known

    make_known([work, renew])
    return numba.njit(function)


@pytest.mark.parametrize("engine", ["interpreted", pytest.param("compiled", marks=MACHINE_CODE)])
def test_kernels_read_and_write_the_same_memory(engine):
    called = both if engine == "interpreted" else compiled(both)
    memory = Outer.allocate({"n": 3, "m": 2, "used": 2})
    memory.second[0] = 4.0
    assert called(memory.address) == 3 + 4
    assert (memory.t, memory.inner.count, memory.marks.tolist()) == (2.5, 4, [0, 9, 0])
    assert memory.inner.matrix.ravel().tolist() == [0, 0, 0, 8, 0, 0, 4, 0, *[0] * 8]
    assert memory.other.address == memory.inner.address


@MACHINE_CODE
def test_numba_optimises_no_unit_and_all_that_a_unit_calls_is_internal(monkeypatch):
    """numba optimises each function with all below it, at every level of calls, which takes most of its time."""
    from numba.core.codegen import CPUCodeLibrary

    from sympact.native.lowering import _kernels_numba

    def optimised(library):
        if isinstance(library, _kernels_numba._Lowered):
            passed.append(library.name)
        optimise(library)

    optimise, passed = CPUCodeLibrary._optimize_final_module, []
    monkeypatch.setattr(CPUCodeLibrary, "_optimize_final_module", optimised)
    signature = "void(int64, float64, int64, int64, int64)"
    lines = Unit("sympact.integrate.search.switch_kernel", "settle", signature).emit().splitlines()
    assert passed == []
    assert [line for line in lines if line.startswith("define") and "settle" in line] == []
    assert [line for line in lines if line.startswith("declare") and "sympact" in line] == []
    defined = [line for line in lines if line.startswith("define")]
    assert [line for line in defined if " internal " not in line and "@unit(" not in line] == []


@pytest.mark.parametrize("engine", ["interpreted", pytest.param("compiled", marks=MACHINE_CODE)])
def test_words_that_are_cleared_are_zero_whatever_stands_there(engine):
    called = renewed if engine == "interpreted" else compiled(renewed)
    memory = Outer.allocate({"n": 3, "m": 2, "used": 2})
    memory.whole[:] = 3.0
    assert called(memory.address, memory.whole.ctypes.data) == 5.0
    assert memory.whole.view(np.int64).tolist() == [1, *[0] * 12]
    assert memory.marks[0] == 13


@pytest.mark.skipif(not DEBUGGED, reason="bounds are looked at under NUMBA_DISABLE_JIT=1")
def test_interpreted_kernels_do_not_leave_an_array():
    memory = Outer.allocate({"n": 2, "m": 3, "used": 3})
    with pytest.raises(MemoryFault, match="5 numbers of an array that has 4"):
        leading(memory.marks, 5)
    memory.used = 9
    with pytest.raises(MemoryFault, match="which has 3"):
        _ = Outer(memory.address).present


class Growing(Memory):
    n = Size("contacts")
    room = Size("room for participants")
    count = Whole("participants")
    gap = Reals(n, meaning="of each contact")
    matrix = Reals(room, room, meaning="of participants")
    first = Part(matrix, 0, room, meaning="its first row")
    inner = View(Inner, "of participants", rows=2 * room)
    other = View(Inner, "of contacts", rows=n)


@given(sizes, sizes, sizes)
def test_arrays_that_grow_change_their_shapes_and_nothing_else(n, room, more):
    memory = Growing.allocate({"n": n, "room": room}, growing=["room"])
    address, inner = memory.address, memory.inner.address
    memory.count, memory.gap[:], memory.other.matrix[:] = 3, 2.0, 4.0
    memory.matrix[:], memory.inner.count = 5.0, 6
    before = memory.growing
    memory.grow({"n": n, "room": room + more}, (), ["room"])
    assert (memory.matrix.shape, memory.first.shape) == (2 * (room + more,), (room + more,))
    assert memory.inner.matrix.shape == 2 * (2 * (room + more),)
    assert not memory.matrix.any()
    assert not memory.inner.matrix.any()
    assert (memory.count, memory.inner.count, memory.address, memory.inner.address) == (3, 6, address, inner)
    assert (memory.gap == 2.0).all()
    assert (memory.other.matrix == 4.0).all()
    memory.matrix[:] = 7.0
    assert (before[: room * room] == 5.0).all()


def test_an_image_puts_back_arrays_that_have_grown():
    memory = Growing.allocate({"n": 2, "room": 1}, growing=["room"])
    memory.matrix[:] = 5.0
    image = Image(memory)
    memory.grow({"n": 2, "room": 4}, (), ["room"])
    memory.matrix[:] = 6.0
    image.restore()
    assert memory.matrix.tolist() == [[5.0]]
    assert memory.inner.rows == 2
