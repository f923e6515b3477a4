"""M, f and the solve for u': sympact's machine code called from a compiled loop, `lambdify` called from Python.

Each is called the way it is used: the loop of sympact calls by address, `solve_ivp` calls a Python function.
`python benchmarks/evaluation.py` prints nanoseconds per call.
"""

import ctypes

import numpy as np
import sympy as sm
from engine import hybrid_model, parameters
from measure import best, show
from numba import njit
from systems import Case, chain

CASES = (("planar", 10), ("spatial", 5), ("spherical", 3))
CALLS = 100_000
DOUBLES = ctypes.POINTER(ctypes.c_double)
STATE_FUNCTION = ctypes.CFUNCTYPE(None, ctypes.c_double, DOUBLES, DOUBLES, DOUBLES)


def by_sympact(case: Case) -> tuple[float, np.ndarray]:
    """Seconds of a call of the compiled flow x' = [q', u'], and u' at the start."""
    model = hybrid_model(case, touching=False)
    compiled = model.compile()
    flow = STATE_FUNCTION(compiled.addresses["flow"])

    @njit
    def repeat(count, x, p, rates):
        for _ in range(count):
            flow(0.0, x.ctypes, p.ctypes, rates.ctypes)

    x = compiled.state(case.start)
    p = compiled.all_parameters(compiled.parameters(parameters(model, case)))
    rates = np.empty_like(x)
    seconds = best(lambda: repeat(CALLS, x, p, rates)) / CALLS
    return seconds, rates[len(model.q) :]


def by_sympy(case: Case) -> tuple[float, np.ndarray]:
    """Seconds of lambdified M and f with `np.linalg.solve`, and u' at the start."""
    case.system.form_eoms()
    arguments = [case.states, list(case.parameters)]
    mass_matrix = sm.lambdify(arguments, case.system.mass_matrix, cse=True)
    forcing = sm.lambdify(arguments, list(case.system.forcing), cse=True)
    x, numbers = np.array([case.start[state] for state in case.states]), list(case.parameters.values())

    def accelerations() -> np.ndarray:
        return np.linalg.solve(mass_matrix(x, numbers), forcing(x, numbers))

    return best(accelerations), accelerations()


def main() -> None:
    """Print the table."""
    rows = []
    for kind, count in CASES:
        ours, found = by_sympact(chain(count, kind))
        theirs, expected = by_sympy(chain(count, kind))
        error = float(np.abs(found - expected).max() / np.abs(expected).max())
        rows.append([f"{kind} chain of {count}", 1e9 * ours, 1e9 * theirs, theirs / ours, error])
    head = ["", "sympact (ns)", "lambdify and solve (ns)", "times faster", "error of u'"]
    show("M, f and the solve for u'", head, rows)


if __name__ == "__main__":
    main()
