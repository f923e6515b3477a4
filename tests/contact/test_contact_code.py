"""The same kernels as machine code without numba, and as plain Python."""

import os
import subprocess
import sys

import numpy as np

from sympact.contact import Newton, Simultaneous, solve_impact

PROGRAM = """
import sys
import numpy as np
from sympact.contact import solve_impact

corners = [(0, 0, 1, y, -x, 0) for x in (-0.5, 0.5) for y in (-0.5, 0.5)]
mass = np.diag([1.0] * 3 + [1 / 6] * 3)
solution = solve_impact(mass, corners, np.array(corners) @ [0.1, 0.2, -3.0, 0.4, 0.5, 0.6], 0.8)
print("numba" in sys.modules, *(value.hex() for value in solution.impulses.tolist()))
"""


def run(**environment):
    process = subprocess.run(
        [sys.executable, "-W", "error", "-c", PROGRAM],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=True,
    )
    imported, *numbers = process.stdout.split()
    return imported == "True", np.array([float.fromhex(number) for number in numbers])


def test_second_process_loads_machine_code_without_numba():
    solve_impact([[1.0]], [[1.0]], [-1.0], 0.5)
    assert run()[0] is False


def test_interpreted_kernels_agree_with_compiled_ones():
    """Rounding differs, because compiled code contracts a*b + c."""
    _, interpreted = run(NUMBA_DISABLE_JIT="1")
    _, compiled = run(NUMBA_DISABLE_JIT="0")
    assert np.abs(interpreted - compiled).max() <= 1e-14 * compiled.max()


def test_laws_are_values():
    assert Newton() == Newton()
    assert Simultaneous() == Simultaneous()
    assert {Newton(): 1}[Newton()] == 1
