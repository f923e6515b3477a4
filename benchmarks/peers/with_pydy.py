"""PyDy: its code generator's right-hand side in Cython, which solves M u' = f, in SciPy's DOP853 with rtol 1e-9."""

from __future__ import annotations

from dataclasses import replace
from time import process_time

import numpy as np
import pydy
import sympy as sm
from equations import case_of, form_of
from problems import ENDS, Outcome, best, main
from pydy.codegen.ode_function_generators import generate_ode_function

from baseline_scipy import Setting, simulate, usual  # isort: skip


def solve(problem: str, setting: str) -> Outcome:
    """One run."""
    began = process_time()
    case = case_of(problem)
    given = usual(case, ENDS[problem])
    system, kdes = case.system, case.system.eom_method.kindiffdict()
    constants = sorted((one for one in case.parameters if one.name != "e"), key=lambda one: one.name)
    used = system.mass_matrix.free_symbols | system.forcing.free_symbols
    constants = [one for one in constants if one in used]
    rates = sm.Matrix([kdes[q.diff()] for q in system.q])
    function = generate_ode_function(
        system.forcing, list(system.q), list(system.u), constants, mass_matrix=system.mass_matrix,
        coordinate_derivatives=rates, generator="cython", constants_arg_type="array",
    )  # fmt: skip
    numbers = np.array([case.parameters[one] for one in constants], dtype=float)
    given = replace(given, flow=lambda t, x: np.array(function(x, t, numbers)))  # it returns one array each time
    given.flow(0.0, given.start)
    setup = process_time() - began
    seconds, (impacts, t, x) = best(lambda: simulate(given, Setting("DOP853", 1e-9)))
    told = "Cython right-hand side, solve_ivp, DOP853, rtol 1e-9"
    return Outcome(told, pydy.__version__, setup, seconds, impacts, form_of(problem), t, x.T)


if __name__ == "__main__":
    main(solve)
