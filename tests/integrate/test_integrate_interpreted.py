"""Kernels as Python: what one of them raises ends the run, and none leaves the arrays that were declared for it.

Everything here runs in processes of its own, with ``NUMBA_DISABLE_JIT=1``.
"""

import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from quick_members import members

TESTS = Path(__file__).parents[1]

QUICK = {
    "a contact and a step": (
        "contact/test_contact_closed.py",
        "integrate/test_integrate_first_step.py",
        "-k",
        "not 1e-12 and not 1e-09 and not 1e-06 and not shortest_path and not redundant",
    ),
    "further problems of contacts": ("contact/test_contact_closed.py", "-k", "shortest_path or redundant"),
    "many steps": ("integrate/test_integrate_first_step.py", "-k", "1e-12 or 1e-09 or 1e-06"),
    "complementarity": ("contact/test_contact_lcp.py",),
}
"""Solvers' tests that take seconds as Python, as pytest wants them: at the tighter tolerances the same kernels take ten
times the steps, and of the further problems of contacts each law has a hundred. `make coverage` runs those of all
solvers."""


def python(*arguments, **options):
    options |= {"env": os.environ | {"NUMBA_DISABLE_JIT": "1"}, "capture_output": True, "text": True}
    done = subprocess.run([sys.executable, *arguments], timeout=300, check=False, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def script(text):
    python("-W", "error", "-c", textwrap.dedent(text))


CASES = {
    "the stepper": ("integrate.steppers.runge_kutta_kernel", "growth", "bouncing_ball", {}, ["run", "advance"]),
    "an impact": ("contact.event.transition_kernel", "apply_impact", "bouncing_ball", {}, ["run", "transition"]),
    "its solver": (
        "contact.problem.frictionless_kernel",
        "complement",
        "bouncing_ball",
        {},
        ["run", "transition", "solve"],
    ),
    "a flow": (
        "contact.modes.closed_motion_kernel",
        "constrain_directly",
        "sliding_block",
        {},
        ["run", "advance", "friction_rates"],
    ),
    "its forces": ("contact.problem.coulomb_kernel", "assemble", "sliding_block", {}, ["run", "solve_forces"]),
    "in SciPy": (
        "contact.modes.closed_motion_kernel",
        "constrain_directly",
        "sliding_block",
        {"method": "Radau"},
        ["advance", "rates"],
    ),
}
"""A function of a kernel, by which model it is called, and functions through which what it raises must come."""

FAILING = """
import json, sys, traceback
from importlib import import_module
from sympact import models


def path_of(place, function, model, options, through):
    module = import_module("sympact." + place)
    kept = getattr(module, function)
    def broken(*arguments):
        if set(through) <= {frame.f_code.co_name for frame, _ in traceback.walk_stack(sys._getframe())}:
            raise LookupError("broken on purpose")
        return kept(*arguments)
    setattr(module, function, broken)
    try:
        getattr(models, model)().simulate(**options)
    except LookupError as error:
        return [frame.name for frame in traceback.extract_tb(error.__traceback__)]
    finally:
        setattr(module, function, kept)
    return ["nothing was raised"]


print(json.dumps({name: path_of(*case) for name, case in json.load(sys.stdin).items()}))
"""


@pytest.fixture(scope="module")
def paths():
    return json.loads(python("-W", "error", "-c", FAILING, input=json.dumps(CASES)))


@pytest.mark.parametrize("case", CASES)
def test_an_exception_in_a_kernel_reaches_the_caller_from_every_depth(paths, case):
    names, through = paths[case], CASES[case][-1]
    assert names[-1] == "broken", names
    assert set(through) <= set(names), names


def test_units_that_c_code_calls_lose_nothing():
    """The address of a unit is a C function for whoever calls it from C: what it raises is raised on the way back."""
    script("""
        import ctypes, sys
        from sympact.native import pointer, kernel as unit
        sys.modules["broken"] = broken = type(sys)("broken")
        def fail(data):
            raise LookupError(data)
        broken.fail = fail
        address = unit.Unit("broken", "fail").address()
        unit_type = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)
        middle = unit_type(unit_type(address))
        try:
            pointer.call_unit(ctypes.cast(middle, ctypes.c_void_p).value, 7)
        except LookupError as error:
            assert error.args == (7,)
        else:
            raise SystemExit("nothing was raised")
    """)


def test_views_end_where_their_arrays_end():
    script("""
        import numpy as np
        from sympact.contact import Newton, Simultaneous
        from sympact.contact.contact_workspace import ContactData
        from sympact.native.addresses import MemoryFault
        from sympact.native.pointer import reals, reals2, wholes

        data = ContactData(2, 2, 3, Newton(), Simultaneous(), terms=0, parameters=[], length=1.0)
        for name, size in (("impulse", 3), ("columns", 6), ("participants", 3), ("along", 9)):
            place = getattr(data.problem, name).ctypes.data
            assert len(reals(place, size)) == size
            for view, wrong in ((reals, (place, size + 1)), (wholes, (place + 8, size)), (reals2, (place, size, 2))):
                try:
                    view(*wrong)
                except MemoryFault as error:
                    assert f"which has {size}" in str(error), error
                else:
                    raise SystemExit(f"{name} may be left")
        free = np.zeros(4)
        assert len(reals(free.ctypes.data, 4)) == 4
    """)


def test_what_machine_code_writes_beyond_an_array_is_found():
    """The flow of the model is machine code, which no view holds back."""
    script("""
        import ctypes
        from sympact.contact import Newton, Simultaneous
        from sympact.contact.contact_workspace import ContactData
        from sympact.native.addresses import MemoryFault, check
        from sympact.integrate.loop.workspace import Workspace

        data = ContactData(2, 2, 3, Newton(), Simultaneous(), terms=0, parameters=[], length=1.0)
        check()
        ctypes.memset(data.problem.rates.ctypes.data, 0, 8 * 4)
        check()
        ctypes.memset(data.problem.rates.ctypes.data, 0, 8 * 5)
        try:
            check()
        except MemoryFault as error:
            assert "the array 'Contacts.problem.rates' of Contacts, which has 4 numbers" in str(error), error
        else:
            raise SystemExit("nothing was found")
        check()
    """)


def test_memory_that_is_gone_is_not_judged():
    script("""
        import numpy as np
        from sympact.native import addresses as memory
        for k in range(200):
            array = np.zeros(k + 1)
            memory.inside(memory.address_of(array, "one"), k + 1)
        del array
        memory.check()
        assert not memory._blocks and not memory._starts
    """)


def test_the_scratch_of_least_squares_is_as_large_as_it_is_used():
    script("""
        from sympact.contact.solver_calls import least_squares
        x, rank = least_squares([[1, 1]], [2])
        assert abs(x - 1.0).max() < 1e-15 and rank == 1, (x, rank)
    """)


@pytest.mark.parametrize("name", members(QUICK, slow=["many steps", "complementarity", "further problems of contacts"]))
def test_solvers_as_python(name):
    """A few of the tests that `make coverage` runs so, here in seconds."""
    assert "passed" in python("-m", "pytest", "-q", "-p", "no:cacheprovider", *QUICK[name], cwd=TESTS)
