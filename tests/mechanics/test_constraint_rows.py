"""The promise: the rows A u + a = 0 of constraints are those of SymPy, and determine the motion that SymPy derives."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sm
from constrained_models import (
    accelerations,
    cartesian_pendulum,
    consistent,
    driven_crank,
    four_bar,
    kinematics_of,
    knife_edge,
    linear,
    rolling_disc,
    rows_of,
    slider_crank,
    velocity_constraints,
)
from mechanics_oracle import states, sympy_numbers

from sympact.mechanics import derive, describe

CASES = [four_bar, slider_crank, driven_crank, rolling_disc, cartesian_pendulum, knife_edge]


@pytest.fixture(scope="module", params=CASES, ids=lambda case: case.__name__)
def case(request):
    found = request.param()
    return found, derive(describe(found.source))


def test_rows_are_those_of_sympy(case):
    """phi, A, a from SymPy's expressions; the bias from their second derivatives; at states off the constraints."""
    found, derivation = case
    n, m = len(derivation.symbols.q), len(derivation.symbols.u)
    rates = sympy_numbers(derivation, velocity_constraints(found))
    phi = sympy_numbers(derivation, list(found.positions) or [sm.S.Zero])
    for x, p, time in states(derivation, 3):
        position, a, rest, bias, rate = rows_of(derivation, x, p, time)
        columns, truth, drift = linear(rates, x, p, time, n, m)
        assert np.abs(position - phi(x, p, time)[: len(position)]).max(initial=0.0) <= 1e-13
        assert np.abs(a - columns).max() <= 1e-12
        assert np.abs(rest - drift).max() <= 1e-12
        assert np.abs(rate - truth).max() <= 1e-12
        assert np.abs(bias - _bias(derivation, found, x, p, time)).max() <= 1e-12


def _bias(derivation, found, x, p, time):
    """The second derivatives that SymPy forms with q' and q'' of the kinematic equations, at u' = 0."""
    symbols, moving = derivation.symbols, derivation.symbols.time
    still = {u.diff(moving): 0 for u in symbols.u}
    solved = kinematics_of(found)
    bent = {letter.diff(): value.diff(moving).subs(solved).subs(still) for letter, value in solved.items()}
    slopes = [one.diff(moving).subs(bent).subs(still) for one in velocity_constraints(found)]
    return sympy_numbers(derivation, slopes)(x, p, time)


def test_u_dot_is_that_of_sympy_at_consistent_states(case):
    """M, f and the rows, solved in NumPy, against SymPy's constrained equations of motion."""
    found, derivation = case
    n = len(derivation.symbols.u)
    if not found.left.rows:
        pytest.skip("SymPy's KanesMethod forms no equations without independent speeds")
    theirs = sympy_numbers(derivation, [*found.left, *found.right])
    for x, p, time in states(derivation, 3):
        x = consistent(derivation, found, x, p, time)
        numbers = theirs(x, p, time)
        left, right = numbers[: len(found.left)].reshape(found.left.shape), numbers[len(found.left) :]
        truth = np.linalg.solve(left, right)[:n]
        ours, _ = accelerations(derivation, x, p, time)
        assert np.abs(ours - truth).max() <= 1e-10 * max(1.0, np.abs(truth).max())
