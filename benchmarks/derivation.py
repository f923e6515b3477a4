"""From a built `System` to numbers: SymPy's `form_eoms` and `lambdify(cse=True)` against sympact.

Every row is timed in a fresh process with an empty cache, after one small model has loaded what is loaded once.
`python benchmarks/derivation.py` prints CPU times and how far M and f differ; SymPy is run for the planar chain of 10
only, since the others would take it from an hour to for ever.
"""

import json
import sys
from tempfile import TemporaryDirectory
from time import process_time

import numpy as np
import sympy as sm
from measure import run_child, show
from systems import Case, chain

COMPARED = (10, "planar")
LARGE = ((40, "planar"), (10, "spherical"))
SMALL = (2, "planar")
SAMPLES = 5


def sample_states(case: Case) -> np.ndarray:
    """A few states to compare M and f at, shape (SAMPLES, n)."""
    return np.random.default_rng(0).uniform(-1, 1, (SAMPLES, len(case.states)))


def by_sympy(case: Case) -> dict[str, object]:
    """Seconds of `form_eoms` and of `lambdify`, and M and f at the sample states."""
    began = process_time()
    case.system.form_eoms()
    derived = process_time()
    arguments = [case.states, list(case.parameters)]
    mass_matrix = sm.lambdify(arguments, case.system.mass_matrix, cse=True)
    forcing = sm.lambdify(arguments, list(case.system.forcing), cse=True)
    compiled = process_time()
    numbers = list(case.parameters.values())
    states = sample_states(case)
    return {
        "derive": derived - began,
        "compile": compiled - derived,
        "mass_matrix": [mass_matrix(x, numbers).tolist() for x in states],
        "forcing": [forcing(x, numbers) for x in states],
    }
