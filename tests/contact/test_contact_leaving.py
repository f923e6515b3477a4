"""Contacts that slide and leave their surfaces: once, at the places of closed forms, by every method."""

import numpy as np
import pytest
from sympy.physics.mechanics import Force, Particle, Point, ReferenceFrame, System, dynamicsymbols

from sympact import Contact, HybridModel, Plane, Sphere, Status

METHODS = ("DOP853", "RK45", "RadauIIA", "Radau", "BDF", "LSODA")
t = dynamicsymbols._t


def particle(surface, letters, load=0):
    """A particle of 1 kg on a surface around the origin, under a gravity of 10 m/s^2 and a load upwards."""
    frame, origin = ReferenceFrame("N"), Point("O")
    q, u = ([dynamicsymbols(start + letter) for letter in letters] for start in ("", "u_"))
    place = origin.locatenew("P", sum((a * b for a, b in zip(q, (frame.z, frame.x), strict=False)), 0 * frame.x))
    system = System(frame, origin)
    system.add_bodies(Particle("mass", place, 1))
    system.add_coordinates(*q)
    system.add_speeds(*u)
    system.add_kdes(*(a - b.diff() for a, b in zip(u, q, strict=True)))
    system.add_loads(Force(place, (load - 10) * frame.z))
    contact = Contact(place, surface(origin, frame), restitution=0, friction=0, name="surface")
    return HybridModel(system, [contact], length=1)


DOME = particle(lambda origin, frame: Sphere(origin, 1), "zx")
LIFTED = particle(lambda origin, frame: Plane(origin, frame.z), "z", 5 * t)


@pytest.mark.parametrize("rtol", [1e-6, 1e-8, pytest.param(1e-10, marks=pytest.mark.slow)])
@pytest.mark.parametrize("method", METHODS)
def test_a_point_leaves_a_dome_once(method, rtol):
    """Without friction, from rest at the height z_0 of a dome of radius 1: it leaves at 2 z_0 / 3."""
    top = np.cos(0.1)
    result = DOME.simulate((0, 2), [top, np.sin(0.1), 0, 0], {}, method=method, rtol=rtol, atol=1e-2 * rtol)
    assert result.status is Status.FINISHED
    assert [str(event.kind) for event in result.events] == ["close", "open"]
    assert result.events[1].x_plus[0] == pytest.approx(2 * top / 3, abs=100 * rtol)


@pytest.mark.parametrize("method", METHODS)
def test_a_mass_lifted_by_a_growing_force_leaves_once(method):
    """The force 5 t exceeds the weight of 10 N from 2 s on: z = 5 (t - 2)^3 / 6."""
    result = LIFTED.simulate((0, 4), [0, 0], {}, method=method, rtol=1e-8, atol=1e-10)
    assert [str(event.kind) for event in result.events] == ["close", "open"]
    assert result.events[1].t == pytest.approx(2, abs=1e-7)
    assert result.x[0, -1] == pytest.approx(20 / 3, abs=1e-5)
