"""From a built `System` to numbers: SymPy's `form_eoms` and `lambdify(cse=True)` against sympact.

Every row is timed in a fresh process with an empty cache, after one small model has loaded what is loaded once.
`python benchmarks/derivation.py` prints CPU times, and how far M and f are apart. SymPy does the planar chain of 10
only: spherical joints multiply its time by five each, planar ones by two.
"""

import json
import sys
from tempfile import TemporaryDirectory
from time import process_time

import numpy as np
import sympy as sm
from measure import run_child, show
from systems import Case, chain

SAMPLES = 5
LARGE = (("planar", 40), ("spherical", 10))


def sample_states(case: Case) -> np.ndarray:
    """A few states to compare M and f at, shape (SAMPLES, n)."""
    return np.random.default_rng(0).uniform(-1, 1, (SAMPLES, len(case.states)))


def by_sympy(case: Case) -> dict[str, object]:
    """Seconds of `form_eoms` and `lambdify`, and M and f at the sample states."""
    began = process_time()
    case.system.form_eoms()
    derived = process_time()
    arguments = [case.states, list(case.parameters)]
    mass_matrix = sm.lambdify(arguments, case.system.mass_matrix, cse=True)
    forcing = sm.lambdify(arguments, list(case.system.forcing), cse=True)
    compiled = process_time()
    numbers = list(case.parameters.values())
    values = [(mass_matrix(x, numbers).tolist(), forcing(x, numbers)) for x in sample_states(case)]
    return {"derive": derived - began, "compile": compiled - derived, "values": values}


def by_sympact(case: Case, *, touching: bool) -> dict[str, object]:
    """Seconds of `HybridModel` and `compile`, and M and f at the sample states."""
    from engine import hybrid_model, parameters

    hybrid_model(chain(2, "spatial"), touching=touching).compile()
    began = process_time()
    model = hybrid_model(case, touching=touching)
    derived = process_time()
    functions = model.compile()
    compiled = process_time()
    numbers = functions.parameters(parameters(model, case))
    values = [functions.mass_forcing(0.0, x, numbers) for x in sample_states(case)]
    values = [(mass_matrix.tolist(), forcing.tolist()) for mass_matrix, forcing in values]
    return {"derive": derived - began, "compile": compiled - derived, "values": values}


def timed(engine: str, kind: str, count: int) -> dict[str, object]:
    """What the child process of one row prints."""
    case = chain(count, kind)
    return by_sympy(case) if engine == "sympy" else by_sympact(case, touching=engine == "touching")


def in_fresh_process(engine: str, kind: str, count: int) -> dict[str, object]:
    """A row, timed in a fresh process with an empty cache."""
    with TemporaryDirectory() as folder:
        return run_child("derivation.py", "--child", engine, kind, str(count), SYMPACT_CACHE_DIR=folder)


def difference(found: dict[str, object], expected: dict[str, object]) -> list[float]:
    """Largest differences of M and of f, relative to their largest entries."""
    worst = [0.0, 0.0]
    for one, other in zip(found["values"], expected["values"], strict=True):
        for index in (0, 1):
            a, b = np.array(one[index]), np.array(other[index])
            worst[index] = max(worst[index], float(np.abs(a - b).max() / np.abs(b).max()))
    return worst


def main() -> None:
    """Print both tables."""
    sympy = in_fresh_process("sympy", "planar", 10)
    whole = sympy["derive"] + sympy["compile"]
    rows = [["form_eoms + lambdify(cse=True)", sympy["derive"], sympy["compile"], 1.0, "", ""]]
    for name, engine in (("sympact, equations of motion", "free"), ("sympact, and ten contacts", "touching")):
        found = in_fresh_process(engine, "planar", 10)
        ratio = whole / (found["derive"] + found["compile"])
        rows.append([name, found["derive"], found["compile"], ratio, *difference(found, sympy)])
    head = ["planar chain of 10", "derive (s)", "compile (s)", "times faster", "error of M", "error of f"]
    show("Deriving and compiling, CPU time", head, rows)
    rows = []
    for kind, count in LARGE:
        found = in_fresh_process("touching", kind, count)
        rows.append([f"{kind} chain of {count}", found["derive"], found["compile"]])
    show("Large chains, a contact at every tip", ["", "derive (s)", "compile (s)"], rows)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        print(json.dumps(timed(sys.argv[2], sys.argv[3], int(sys.argv[4]))))
    else:
        main()
