"""Forces of closed contacts by products of their directions: those that an orthonormal basis of these directions gives.

Both are evaluated at every state of a run; the models slide, stick and roll on one, two and four contacts, whose forces
are unique or of least norm.
"""

import numpy as np
import pytest
from quick_members import members

from sympact import models
from sympact.contact.modes import closed_motion_kernel
from sympact.contact.problem import closed_friction_kernel as closed
from sympact.contact.problem.determinant_ratio_kernel import left_by_friction


def states(model, monkeypatch, span, change=()):
    """Run a ready model interpreted; (found directly, difference of rates, of forces, of ratios) at each state."""
    found, quick = [], closed.constrain_directly

    def both(contacts, t, x, with_forces):
        problem = contacts.problem
        total = closed.constrain_with_friction(contacts, t, x, with_forces)
        rates, forces = problem.rates.copy(), problem.multipliers[: max(total, 0)].copy()
        ratio = left_by_friction(contacts, total) if total > 0 else 1.0
        again = quick(contacts, t, x, with_forces)
        size, push = 1.0 + np.abs(rates).max(), np.abs(forces).max(initial=1e-300)
        differs = np.abs(problem.rates - rates).max() / size
        moved = np.abs(problem.multipliers[: max(total, 0)] - forces).max(initial=0.0) / push
        assert total in (again, 0)
        other = left_by_friction(contacts, again) if total > 0 else 1.0
        found.append((problem.decided_directly, differs, moved, abs(other - ratio)))
        return again

    monkeypatch.setattr(closed_motion_kernel, "constrain_directly", both)
    start = {state: dict(change).get(state.name, value) for state, value in model.start.items()}
    model.model.simulate(span, start, model.parameters, engine="interpreted")
    return np.array(found)


CASES = {
    "a block slides": (lambda: models.sliding_block(), (0, 0.5), {"v_x": 5.0}),
    "a ball slides and rolls": (lambda: models.rolling_ball(), (0, 0.6), {}),
    "a cube slides on its corners": (
        lambda: models.dropped_cube("tilted", friction=0.3),
        (0, 0.01),
        {"e_0": 1.0, "e_1": 0.0, "e_2": 0.0, "e_3": 0.0, "z": 0.5, "v_x": 5.0, "omega_3": 1.0},
    ),
    "blocks in a stack": (lambda: models.struck_stack(), (0, 0.02), {}),
}


@pytest.mark.parametrize("case", members(CASES, slow=["a block slides"]))
def test_forces_and_motion_are_those_by_a_basis(case, monkeypatch):
    build, span, change = CASES[case]
    found = states(build(), monkeypatch, span, change.items())
    assert len(found) > 20
    assert found[:, 0].mean() > 0.9
    assert found[:, 1].max() < 1e-12
    assert found[:, 2].max() < 1e-10
    if case == "a ball slides and rolls":  # one contact: the ratio does not depend on which contacts are picked
        assert found[:, 3].max() < 1e-12
