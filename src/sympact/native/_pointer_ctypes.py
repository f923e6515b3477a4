"""The twin of `_pointer_numba`: the same views and calls for kernels that run as Python.

The address of a unit calls its Python function, so that exceptions reach the caller.
"""

import ctypes

import numpy as np

from sympact.native.addresses import MemoryFault, inside
from sympact.native.kernel import function_at

_REAL, _WHOLE = ctypes.c_double, ctypes.c_int64
_FLOW = ctypes.CFUNCTYPE(None, _REAL, _WHOLE, _WHOLE, _WHOLE)
_BOUNDARY = ctypes.CFUNCTYPE(None, _REAL, _WHOLE, _WHOLE, _WHOLE, _WHOLE)
_TRANSITION = ctypes.CFUNCTYPE(_WHOLE, _REAL, _WHOLE, _WHOLE, _WHOLE, _WHOLE, _WHOLE)
_UNIT = ctypes.CFUNCTYPE(_WHOLE, _WHOLE)


def reals(address, n):
    inside(address, n)
    return np.frombuffer((_REAL * n).from_address(int(address))) if n else np.empty(0)


def reals2(address, m, n):
    return reals(address, m * n).reshape(m, n)


def wholes(address, n):
    inside(address, n)
    return np.frombuffer((_WHOLE * n).from_address(int(address)), dtype=np.int64) if n else np.empty(0, np.int64)


def leading(array, n):
    return _within(array.reshape(-1), n)


def leading2(array, m, n):
    return _within(array.reshape(-1), m * n).reshape(m, n)


def row_of(array, i):
    return array[i]


def _within(numbers, n):
    if n > numbers.size:
        raise MemoryFault(f"a kernel accesses {n} numbers of an array that has {numbers.size}")
    return numbers[:n]


def view(declaration):
    return declaration


def call_flow(address, t, x, data, out):
    function_at(_FLOW, address)(t, x.ctypes.data, int(data), out.ctypes.data)


def call_boundary(address, t, x, xdot, data, out):
    function_at(_BOUNDARY, address)(t, x.ctypes.data, xdot.ctypes.data, int(data), out.ctypes.data)


def call_transition(address, t, x, fired, gaps, data, record):
    call = function_at(_TRANSITION, address)
    return call(t, x.ctypes.data, fired.ctypes.data, gaps.ctypes.data, int(data), record.ctypes.data)


def call_unit(address, frame):
    return function_at(_UNIT, address)(int(frame))
