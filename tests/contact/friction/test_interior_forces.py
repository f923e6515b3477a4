"""Redundant contacts whose forces of least norm leave their cones: one problem with cones serves an arc."""

import numpy as np
import pytest
from trajectory import check_trajectory

from sympact import models
from sympact.contact.modes import closed_motion_kernel, cone_forces_kernel, margin_kernel
from sympact.contact.problem.closed_margin_kernel import gather_forces
from sympact.contact.problem.interior_force_kernel import follow_interior


@pytest.mark.parametrize("max_step", [1e-2, 2e-3])
def test_cone_problems_do_not_grow_with_the_steps(max_step):
    """A stack that is struck slips on one of its interfaces and sticks on the others, on two contacts each.

    Solved anew at each sample it would be 212 problems, and 896.
    """
    ready = models.struck_stack()
    usual, short = (ready.simulate(max_step=step) for step in (np.inf, max_step))
    check_trajectory(short, ready.model, ready.parameters)
    assert short.counts["steps"] > 5 * usual.counts["steps"]
    assert short.events.t == pytest.approx(usual.events.t, abs=1e-9)
    assert short.settings["solvers"]["newton"] < 2 * usual.settings["solvers"]["newton"] < 60


def test_forces_next_to_those_inside_give_the_same_motion(monkeypatch):
    """Whichever forces inside the cones were known, the equations of the motion are met, and the cones, too."""
    seen = []

    def watched(contacts, total):
        problem = contacts.problem
        found = problem.rank.count[0]
        equations = problem.equations.ravel()[: found * total].reshape(found, total)
        wanted = problem.right_side[:found].copy()
        if not follow_interior(contacts, total):
            return False
        force, by_contact = problem.multipliers[:total], gather_forces(contacts, total)
        miss = np.abs(equations @ force - wanted).max() / np.abs(wanted).max()
        friction = problem.slips[:, -1]
        pull = np.hypot(by_contact[1::3], by_contact[2::3])[: len(friction)]
        beyond = (pull - friction * by_contact[::3][: len(friction)]).max() / np.abs(by_contact).max()
        seen.append((miss, beyond))
        return True

    for module in (margin_kernel, cone_forces_kernel, closed_motion_kernel):
        monkeypatch.setattr(module, "follow_interior", watched)
    ready = models.struck_stack()
    ready.with_numbers(t_span=(0, 0.3)).simulate(engine="interpreted")
    assert len(seen) > 10
    assert max(miss for miss, _ in seen) < 1e-10
    assert max(beyond for _, beyond in seen) < 1e-9
