"""Views of memory and calls by address, for kernels.

Each function has two forms: the one here, for kernels that run as Python, and an intrinsic of the same name in
`_pointer_numba`, which numba inlines. The address of a unit calls its Python function, so that exceptions reach the
caller.

Arrays are views of memory, float64 or int64. Of the functions called by address, a flow is
``void(double t, const double *x, const void *data, double *out)``; boundary functions take the rates of x after x, and
those of chosen boundaries the choice after `out`.
"""

import ctypes

import numpy as np

from sympact.native.addresses import MemoryFault, inside
from sympact.native.kernel import function_at

__all__ = [
    "call_boundary",
    "call_chosen",
    "call_chosen_flow",
    "call_flow",
    "call_transition",
    "call_unit",
    "clear",
    "leading",
    "leading2",
    "put_word",
    "reals",
    "reals2",
    "row_of",
    "view",
    "wholes",
]

_REAL, _WHOLE = ctypes.c_double, ctypes.c_int64
_FLOW = ctypes.CFUNCTYPE(None, _REAL, _WHOLE, _WHOLE, _WHOLE)
_BOUNDARY = ctypes.CFUNCTYPE(None, _REAL, _WHOLE, _WHOLE, _WHOLE, _WHOLE)
_CHOSEN = ctypes.CFUNCTYPE(None, _REAL, _WHOLE, _WHOLE, _WHOLE, _WHOLE, _WHOLE)
_TRANSITION = ctypes.CFUNCTYPE(_WHOLE, _REAL, _WHOLE, _WHOLE, _WHOLE, _WHOLE, _WHOLE)
_UNIT = ctypes.CFUNCTYPE(_WHOLE, _WHOLE)
_views = []  # declarations that are not registered with numba yet


def reals(address, n):
    """The n float64 numbers at an address."""
    inside(address, n)
    return np.frombuffer((_REAL * n).from_address(int(address))) if n else np.empty(0)


def reals2(address, m, n):
    """The m x n float64 numbers at an address."""
    return reals(address, m * n).reshape(m, n)


def wholes(address, n):
    """The n int64 numbers at an address."""
    inside(address, n)
    return np.frombuffer((_WHOLE * n).from_address(int(address)), dtype=np.int64) if n else np.empty(0, np.int64)


def clear(address, n):
    """Write zero into n places of memory, whatever stands there."""
    wholes(address, n)[:] = 0


def put_word(address, word):
    """Write the 64 bits of a whole number into a place of memory, whatever stands there."""
    wholes(address, 1)[0] = word


def leading(array, n):
    """The first n numbers of an array."""
    return _within(array.reshape(-1), n)


def leading2(array, m, n):
    """The first m x n numbers of an array."""
    return _within(array.reshape(-1), m * n).reshape(m, n)


def row_of(array, i):
    """Row i of an array."""
    return array[i]


def _within(numbers, n):
    if n > numbers.size:
        raise MemoryFault(f"a kernel accesses {n} numbers of an array that has {numbers.size}")
    return numbers[:n]


def view(declaration):
    """The function (address) -> memory of this declaration."""
    _views.append(declaration)
    return declaration


def call_flow(address, t, x, data, out):
    """Call a flow."""
    function_at(_FLOW, address)(t, x.ctypes.data, int(data), out.ctypes.data)


def call_boundary(address, t, x, xdot, data, out):
    """Call boundary functions."""
    function_at(_BOUNDARY, address)(t, x.ctypes.data, xdot.ctypes.data, int(data), out.ctypes.data)


def call_chosen(address, t, x, xdot, data, out, chosen):
    """Call boundary functions for the boundaries whose whole number in `chosen` is not zero; others may keep what
    `out` has."""
    function_at(_CHOSEN, address)(t, x.ctypes.data, xdot.ctypes.data, int(data), out.ctypes.data, chosen.ctypes.data)


def call_chosen_flow(address, t, x, data, out, chosen):
    """The same for functions of the state alone."""
    function_at(_BOUNDARY, address)(t, x.ctypes.data, int(data), out.ctypes.data, chosen.ctypes.data)


def call_transition(address, t, x, fired, gaps, data, record):
    """Call a transition; the next stage or a negative code."""
    call = function_at(_TRANSITION, address)
    return call(t, x.ctypes.data, fired.ctypes.data, gaps.ctypes.data, int(data), record.ctypes.data)


def call_unit(address, frame):
    """Call a unit ``int64(int64)``."""
    return function_at(_UNIT, address)(int(frame))
