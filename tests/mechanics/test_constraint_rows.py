"""The promise: the rows A u + a = 0 of constraints are those of SymPy, and determine the motion that SymPy derives."""

from __future__ import annotations

from functools import cache

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
from quick_members import members

from sympact.mechanics import derive, describe
from sympact.mechanics.derive.symbolic_formulas import Formulas
from sympact.mechanics.run import bound

CASES = [four_bar, slider_crank, driven_crank, rolling_disc, cartesian_pendulum, knife_edge]


@cache
def made(case):
    found = case()
    return found, derive(describe(found.source))


@pytest.mark.parametrize("case", members(CASES, slow=[four_bar]), ids=lambda case: case.__name__)
def test_rows_are_those_of_sympy(case):
    """phi, A, a from SymPy's expressions; the bias from their second derivatives; at states off the constraints."""
    found, derivation = made(case)
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


@pytest.mark.parametrize(
    "case",
    members([case for case in CASES if case is not driven_crank], slow=[four_bar]),
    ids=lambda case: case.__name__,
)
def test_u_dot_is_that_of_sympy_at_consistent_states(case):
    """M, f and the rows, solved in NumPy, against SymPy's constrained equations of motion.

    SymPy forms none of the driven crank, which has no independent speed.
    """
    found, derivation = made(case)
    n = len(derivation.symbols.u)
    theirs = sympy_numbers(derivation, [*found.left, *found.right])
    for x, p, time in states(derivation, 3):
        x = consistent(derivation, found, x, p, time)
        numbers = theirs(x, p, time)
        left, right = numbers[: len(found.left)].reshape(found.left.shape), numbers[len(found.left) :]
        truth = np.linalg.solve(left, right)[:n]
        ours, _ = accelerations(derivation, x, p, time)
        assert np.abs(ours - truth).max() <= 1e-10 * max(1.0, np.abs(truth).max())


@pytest.mark.parametrize("case", [driven_crank, rolling_disc], ids=lambda case: case.__name__)
def test_formulas_are_the_rows(case):
    """phi, A u + a and A as SymPy writes them, in numbers."""
    found, derivation = made(case)
    formulas = Formulas(derivation)
    n = len(derivation.symbols.u)
    written = {name: formulas.matrix(f"constraint_{name}") for name in ("positions", "rates", "jacobian")}
    assert written["jacobian"].shape == (len(derivation.constraints), n)
    assert len(written["positions"]) == len(found.positions)
    values = sympy_numbers(derivation, [*written["positions"], *written["rates"], *written["jacobian"]])
    for x, p, time in states(derivation, 1):
        phi, a, _, _, rate = rows_of(derivation, x, p, time)
        assert values(x, p, time) == pytest.approx(np.concatenate([phi, rate, a.ravel()]), rel=1e-12, abs=1e-13)


def test_given_inputs_are_written_into_the_rows():
    """With F(t) an expression, phi, A u + a and the bias are those with that expression in place of F."""
    found, derivation = made(driven_crank)
    t = derivation.symbols.time
    F = sm.Function("F")(t)
    shape = sm.sin(3 * t) / 5 + t
    kinds, needed = {F: bound.Formula(shape, ())}, frozenset(derivation.symbols.inputs)
    written = bound._Written(derivation, kinds, needed, {F: shape}, ())
    given = bound._substituted(derivation, written)
    later = {F.diff(t, k): shape.diff(t, k) for k in (2, 1, 0)}
    phi = [one.subs(later).doit() for one in found.positions]
    values = sympy_numbers(derivation, [*phi, *(one.diff(t) for one in phi)])
    for x, p, time in states(derivation, 1):
        position, _, _, _, rate = rows_of(given, x, p, time)
        assert np.concatenate([position, rate]) == pytest.approx(values(x, p, time), rel=1e-12)
