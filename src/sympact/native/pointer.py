"""Views of memory and calls by address, for kernels.

Each function has two forms: an intrinsic that numba inlines, and a ctypes twin that runs when kernels are interpreted.

- ``reals(address, n)``, ``reals2(address, m, n)``, ``wholes(address, n)``: float64 and int64 arrays over memory.
- ``view(declaration)``: the function that makes typed memory (`sympact.native.memory`) of the address of its table.
- ``leading(array, n)``, ``leading2(array, m, n)``: the first numbers of an array in another shape; ``row_of(array,
i)``. - ``call_flow(address, t, x, data, out)``: ``void(double, const double *, const void *, double *)``. -
``call_boundary(address, t, x, xdot, data, out)``: the same with the rates of the state. - ``call_transition(address, t,
x, fired, gaps, data, record)``: returns the next stage or a negative code. - ``call_unit(address, frame)``:
``int64(int64)``.
"""

from sympact.native.kernel import interpreted

if interpreted():
    from sympact.native._pointer_ctypes import (
        call_boundary,
        call_flow,
        call_transition,
        call_unit,
        leading,
        leading2,
        reals,
        reals2,
        row_of,
        view,
        wholes,
    )
else:
    from sympact.native._memory_numba import view
    from sympact.native._pointer_numba import (
        call_boundary,
        call_flow,
        call_transition,
        call_unit,
        leading,
        leading2,
        reals,
        reals2,
        row_of,
        wholes,
    )

__all__ = [
    "call_boundary",
    "call_flow",
    "call_transition",
    "call_unit",
    "leading",
    "leading2",
    "reals",
    "reals2",
    "row_of",
    "view",
    "wholes",
]
