"""The same run in other processes: interpreted, under other hash seeds, and from the cache without numba."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest
from quick_members import members

CHILD = """
import json, sys
from hashlib import sha256
import sympy as sm
from sympact import HybridSystem, Transition

q, u, e = sm.symbols("q u e")
runs = {}
symbolic = HybridSystem.from_sympy(
    {"air": [u, -10 - q * sm.sin(u) / 50], "net": [u, -10 - 200 * q]},
    [
        Transition("air", "air", boundary=q - 4, jump={u: -e * u}, name="ceiling"),
        Transition("air", "net", boundary=-q),
        Transition("net", "air", boundary=q),
    ],
    states=[q, u],
    parameters=[e],
)
plain = HybridSystem(
    {"air": lambda t, x: [x[1], -10.0 - 0.1 * x[1]]},
    [Transition("air", "air", boundary=lambda t, x: -x[0], jump=lambda t, x: [0.0, -0.7 * x[1]])],
)
for method, step in (("DOP853", 0.5), ("RK45", 0.5), ("RK4", 0.02)):
    runs["symbolic " + method] = symbolic.simulate(
        (0, 3), [1.0, 9.0], start="air", parameters={e: 0.9}, method=method, max_step=step
    )
    runs["plain " + method] = plain.simulate((0, 3), [3.0, 0.0], start="air", method=method, max_step=step)
answer = {
    name: {
        "t": run.events.t.tolist(),
        "path": run.path,
        "end": run.x[:, -1].tolist(),
        "middle": run(1.1).tolist(),
        "bits": sha256(run.t.tobytes() + run.x.tobytes()).hexdigest(),
    }
    for name, run in runs.items()
}
print(json.dumps({"runs": answer, "numba": "numba" in sys.modules}))
"""


def child(**environment):
    """What the runs of a fresh process give."""
    process = subprocess.run(
        [sys.executable, "-c", CHILD],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert process.returncode == 0, process.stderr
    return json.loads(process.stdout)


@pytest.fixture(scope="module")
def compiled():
    """The runs of a process that compiles what is not in the cache yet."""
    return child(PYTHONHASHSEED="0")


def test_the_runs_have_events(compiled):
    assert all(len(run["t"]) >= 3 for run in compiled["runs"].values())


@pytest.mark.parametrize("seed", members(["1", "2"], slow=["2"]))
def test_same_bits_whatever_the_hash_seed(compiled, seed):
    assert child(PYTHONHASHSEED=seed)["runs"] == compiled["runs"]


def test_a_second_process_does_not_import_numba(compiled):
    """Its code comes from the cache; numba's import alone would take a third of a second."""
    assert compiled["runs"]
    assert child()["numba"] is False


def test_interpreted_kernels_do_the_same(compiled):
    """The kernels as Python, for coverage and a debugger: the same steps, but for the contraction a*b + c."""
    twin = child(NUMBA_DISABLE_JIT="1")
    assert twin["numba"] is False
    for name, run in compiled["runs"].items():
        other = twin["runs"][name]
        assert other["path"] == run["path"]
        np.testing.assert_allclose(other["t"], run["t"], rtol=0, atol=1e-12)
        np.testing.assert_allclose(other["end"], run["end"], rtol=0, atol=1e-10)
        np.testing.assert_allclose(other["middle"], run["middle"], rtol=0, atol=1e-10)
