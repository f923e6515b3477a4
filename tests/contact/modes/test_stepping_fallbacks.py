"""Time steps whose law cannot be met as exactly as is asked at first."""

import pytest
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, System, dynamicsymbols

from sympact import Contact, HybridModel, Plane, Status

MASS, FRICTION, SPEED = 2.0, 0.3, 1.0


def fall_into_a_slot(closing: float):
    """A step of a particle that falls to the floor of a slot, whose walls touch it and close in with a speed (m/s)."""
    t, (x, y, vx, vy) = dynamicsymbols._t, dynamicsymbols("x y vx vy")
    N, O = ReferenceFrame("N"), Point("O")
    grain = O.locatenew("grain", x * N.x + y * N.y)
    system = System(N, O)
    system.add_bodies(Particle("grain", grain, MASS))
    system.add_coordinates(x, y)
    system.add_speeds(vx, vy)
    system.add_kdes(vx - x.diff(), vy - y.diff())
    left, right = (O.locatenew(name, sign * closing * t / 2 * N.x) for name, sign in [("left", 1), ("right", -1)])
    sides = [Plane(O, N.y), Plane(left, N.x), Plane(right, -N.x)]
    model = HybridModel(system, [Contact(grain, side, restitution=0, friction=FRICTION) for side in sides], length=1)
    start = {x: 0.0, y: 0.0, vx: 0.0, vy: -SPEED}
    return model.simulate((0, 0.01), start, {}, method="moreau", max_step=0.01)


@pytest.mark.parametrize(("closing", "times"), [(1e-10, 0), (1e-7, 1), (1e-5, 2)])
def test_walls_that_nearly_stand_still_are_met_to_what_they_close_in_by(closing, times):
    """Two walls close in on a particle: no impulse meets the law of both, and each is missed by half their speed.

    It is asked for to 1e-8 of the rates first, here 1 m/s, then to a hundredth of that, twice. The particle stops
    between the walls, whose friction and the floor's push take up its momentum.
    """
    result = fall_into_a_slot(closing)
    assert result.status is Status.FINISHED
    assert result.settings["solvers"]["relaxed"] == times
    (event,) = result.events
    assert event.residual == pytest.approx(closing / 2, rel=1e-3)
    assert result.x[2:, -1] == pytest.approx([0.0, 0.0], abs=1e-12)
    floor, left, right = event.impulse
    assert left == pytest.approx(right, rel=1e-9)
    assert floor + event.friction_impulse[1:, 1].sum() == pytest.approx(MASS * SPEED, rel=1e-9)


def test_walls_that_close_in_faster_than_a_ten_thousandth_of_the_rates_end_the_run():
    """Nothing is given for a solution that misses its law by more."""
    result = fall_into_a_slot(1e-3)
    assert result.status is Status.UNSOLVED_IMPACT
    assert (result.settings["solvers"]["relaxed"], len(result.events)) == (2, 0)
