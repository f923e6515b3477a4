"""What tolerances of contacts decide, on both sides of each: problems so small that their answer is known.

The two sides are a factor of ten from the bound, so that one that moves a hundredfold puts one of them on the wrong
side. `tests/mutants.py` shows that it does.
"""

from __future__ import annotations

import ctypes
from types import SimpleNamespace

import numpy as np
import pytest
from contact_problems import SQUARE, Block, Model, plane_jacobian

from sympact.contact.contact_workspace import CLOSED
from sympact.contact.infeasibility import find_infeasibility
from sympact.contact.memory import contact_codes as codes
from sympact.contact.memory.contact_tolerances import SLOW_SLIP
from sympact.contact.solver_calls import find_rank, least_squares, solve_cone_problem
from sympact.integrate.memory.run_codes import HEAD
from sympact.mechanics.start.consistency import singular_mass

GRAVITY = 9.8
CUBE = np.diag([1.0] * 3 + [1 / 6] * 3)


class Falling(Model):
    """Balls of 1 kg above floors of their own under a weight of 1 m/s^2: the model's length is 1 m, its time 1 s."""

    def __init__(self, restitution: float, coupling=None):
        n = 1 if coupling is None else len(coupling)
        super().__init__(np.eye(n), np.eye(n) if coupling is None else coupling, restitution)

    def _along(self, t, x, xdot, p, out):
        super()._along(t, x, xdot, p, out)
        n = len(self.gaps)
        down = np.full(n, -1.0)
        ctypes.memmove(out + 16 * n, down.ctypes.data, down.nbytes)

    def land(self, speed: float) -> tuple[float, float]:
        """The speed after a landing at a speed, and the impulse."""
        _, after, _, record = self.impact([-speed], gaps=[0.0], rates=[-speed], fired=[0])
        return after[0], record[HEAD]


@pytest.mark.parametrize(("height", "rebounds"), [(1e-9, True), (1e-11, False)])
def test_a_rebound_lower_than_the_dead_band_is_none(height, rebounds):
    """`docs/theory/laws.rst`: rebounds lower than 1e-10 of the length end accumulations; h = (e v)^2 / (2 g)."""
    after, impulse = Falling(0.5).land(2.0 * np.sqrt(2.0 * height))
    assert after == pytest.approx(np.sqrt(2.0 * height) if rebounds else 0.0, rel=1e-12)
    assert impulse > 0.0


@pytest.mark.parametrize(("loss", "rebounds"), [(1e-8, False), (1e-10, True)])
def test_a_low_hop_that_would_last_longer_than_any_run_goes_on(loss, rebounds):
    """Its height falls by 2e-10 of itself at each bounce: after a billion of them, most of it is left."""
    after, _ = Falling(1.0 - loss).land(1e-7)
    assert (after > 0.0) == rebounds


@pytest.mark.parametrize(("speed", "hits"), [(1e-12, True), (1e-15, False)])
def test_an_approach_that_is_rounding_has_no_impulse(speed, hits):
    """Coordinates of 1 m and 1 m/s, the speed of the time scale, are rounded at 1e-16."""
    _, impulse = Falling(0.0).land(speed)
    assert (impulse > 0.0) == hits


@pytest.mark.parametrize(("lean", "named"), [(1e-5, True), (1e-7, False)])
def test_a_wall_that_bears_more_than_the_errors_of_a_solution_is_named(lean, named):
    """Two walls crush a ball, one of which leans, so that a third bears this part of their impulses."""
    rows = np.zeros((9, 2))
    rows[::3] = [1.0, 0.0], [-1.0, -lean], [0.0, 1.0]
    towards = np.where(np.arange(9) % 3 == 0, -1.0, 0.0)
    found = find_infeasibility(rows, towards, towards, np.zeros(3), ("left", "right", "floor"))
    assert found.contacts == (("left", "right", "floor") if named else ("left", "right"))
    assert found.kind == "crush"


@pytest.mark.parametrize(("part", "took_part"), [(1e-8, True), (1e-10, False)])
def test_a_closed_contact_takes_part_if_it_is_pushed(part, took_part):
    """Its row leans against that of the one that hits: its impulse is so much of the other; solutions miss 1e-10."""
    model = Falling(0.0, [[1.0, 0.0], [-part, 1.0]])
    model.data.mode.statuses[1] = codes.CLOSED
    _, _, found, record = model.impact([-1.0, -part], gaps=[0.0, 0.0], rates=[-1.0, 0.0], fired=[0])
    assert record[HEAD] == pytest.approx(1.0)
    assert found[1] == took_part


@pytest.mark.parametrize(("part", "wakes"), [(1e-14, True), (1e-15, False)])
def test_a_body_at_rest_wakes_where_a_force_moves_it(part, wakes):
    """Along the plane no contact takes a force: the acceleration is this part of gravity, and eight roundings none."""
    block = Block(CUBE, plane_jacobian(SQUARE), [part * GRAVITY, 0, -GRAVITY, 0, 0, 0]).close(0, 1, 2, 3)
    block.data.mode.statuses[4] = 1
    assert (block.ask(CLOSED.margins, np.zeros(12), 4).min() < 0) == wakes


@pytest.mark.parametrize(("gap", "moves"), [(1e-14, True), (2e-16, False)])
def test_a_closed_gap_is_taken_out_down_to_the_rounding_of_the_length(gap, moves):
    """The length is 1 m: a place is known to 2e-16 of it, and one that is so near keeps its bits."""
    block = Block(np.eye(1), [[1.0]], [-1.0]).close(0)
    after = block.ask(CLOSED.project, [gap, 0.0], 2)
    assert after[0] == (0.0 if moves else gap)


@pytest.mark.parametrize(("share", "counts"), [(1e-11, True), (1e-13, False)])
def test_a_row_of_a_contact_counts_unless_it_is_rounding_beside_the_others(share, counts):
    """It is so much shorter than the others; made comparable, a row of rounding would hold what moves freely."""
    rows = [[1.0, 0.0, 0.0], [0.0, share, 0.0], [0.0, 0.0, 1.0]]
    found = find_rank(rows, [0.0, 0.0, 0.0], [0, 1, 2])
    assert found.rank == (3 if counts else 2)


@pytest.mark.parametrize(("apart", "spanned"), [(1e-10, False), (1e-12, True)])
def test_columns_that_differ_by_the_error_of_a_solution_are_one(apart, spanned):
    """x1 a + x2 b = b: one for the second where they are two columns, the same for both where they are one."""
    x, _ = least_squares([[1.0, 1.0], [0.0, apart]], [1.0, apart])
    assert x == pytest.approx([0.5, 0.5] if spanned else [0.0, 1.0], abs=1e-4)


@pytest.mark.parametrize(("opening", "solved"), [(2e-3, True), (2e-4, True), (2e-5, False)])
def test_impulses_that_are_lost_in_rounding_are_refused(opening, solved):
    """Two walls at this angle drive a ball out between them: their impulses are 2 over the square of the angle."""
    rows = np.eye(6, 3)
    rows[3:] = [-1.0, opening, 0.0], [opening, 1.0, 0.0], [0.0, 0.0, 1.0]
    found = solve_cone_problem(rows @ rows.T, [-1.0, 0.0, 0.0, -1.0, 0.0, 0.0], [0.0, 0.0])
    assert (found.code == codes.SOLVED) == solved
    if solved:
        assert found.impulse[[0, 3]] == pytest.approx(2.0 / opening**2, rel=1e-5)


@pytest.mark.parametrize(("eigenvalue", "singular"), [(1e-11, False), (1e-13, True)])
def test_a_mass_matrix_is_singular_where_few_digits_of_its_answers_are_left(eigenvalue, singular):
    """Two speeds that move nearly the same mass; `eigenvalue` is what is left of it across."""
    lean = 1.0 - eigenvalue
    model = SimpleNamespace(u=("u1", "u2"))
    assert bool(singular_mass(model, np.array([[1.0, lean], [lean, 1.0]]))) == singular


def test_slip_that_may_end_stops_within_the_rounding_of_a_place():
    """At 1 m/s^2, the acceleration of the scale: further than a coordinate of 1 m is rounded, less than a gap is."""
    assert 2e-16 < SLOW_SLIP**2 / 2.0 < 1e-13
