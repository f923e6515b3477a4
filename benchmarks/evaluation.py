"""M, f and the solve for u': sympact's machine code called from a compiled loop, SymPy's `lambdify` called from Python.

Both are called the way they are used: the loop of sympact calls by address, `solve_ivp` calls a Python function.
`python benchmarks/evaluation.py` prints nanoseconds per call.
"""

import ctypes

import numpy as np
import sympy as sm
from engine import flow_address, hybrid_model
from measure import best, show
from numba import njit
from systems import Case, chain, cube

CASES = {"planar chain of 10": lambda: chain(10, "planar"), "spatial chain of 5": lambda: chain(5, "spatial"), "cube": cube}
CALLS = 100_000
DOUBLES = ctypes.POINTER(ctypes.c_double)
FLOW = ctypes.CFUNCTYPE(None, ctypes.c_double, DOUBLES, DOUBLES, DOUBLES)


def sympact_rates(case: Case) -> tuple[float, np.ndarray]:
    """Seconds of a call of the compiled flow x' = [q', u'], and its value at the start."""
    flow = FLOW(flow_address(hybrid_model(case)))

    @njit
    def repeat(count, x, p, rates):
        for _ in range(count):
            flow(0.0, x.ctypes, p.ctypes, rates.ctypes)

    x, p = np.array(list(case.start.values())), np.array(list(case.parameters.values()))
    rates = np.empty_like(x)
    seconds = best(lambda: repeat(CALLS, x, p, rates)) / CALLS
    return seconds, rates[len(case.system.q) :]
