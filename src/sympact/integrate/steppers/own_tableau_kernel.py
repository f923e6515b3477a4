"""Units of explicit Runge-Kutta methods whose tableaus are not known before a run uses them.

A unit is found by its name, also by another process that compiles it: the name is the prefix of the numbers of the
tableau and the task, so that stored machine code belongs to exactly these numbers.
"""

import json
from functools import lru_cache

from sympact.integrate.steppers.runge_kutta_kernel import explicit
from sympact.integrate.steppers.tableau import Tableau

TASKS = ("advance", "dense", "exact")


def __getattr__(name):
    """The kernel of a unit ``PREFIX_TASK``, where the prefix is that of `prefix_of`."""
    prefix, _, task = name.rpartition("_")
    if task not in TASKS or not prefix.startswith("{"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return _kernels(prefix)[TASKS.index(task)]


def prefix_of(a, b, c, error, exponent):
    """The numbers of a method as one string: all digits of the stages, the weights and the error estimate."""
    return json.dumps({"a": a, "b": b, "c": c, "error": error, "exponent": exponent}, separators=(",", ":"))


@lru_cache(maxsize=64)
def _kernels(prefix):
    """The kernels of the method, with the cubic through both ends and their rates as the polynomial of a step."""
    numbers = json.loads(prefix)
    a, b, c = _rows(numbers["a"]), tuple(numbers["b"]), tuple(numbers["c"])
    inner = (0.0,) * (len(b) - 1)
    cubic = ((-1.0, (1.0, *inner, 0.0)), (2.0, (-1.0, *inner, -1.0)))
    return explicit(Tableau(a, b, c, cubic, error=_rows(numbers["error"]), exponent=numbers["exponent"]))


def _rows(rows):
    return tuple(tuple(row) for row in rows)
