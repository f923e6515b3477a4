"""A particle of 1 kg that moves freely in space, for contacts with one point."""

from __future__ import annotations

from sympy.physics.mechanics import Force, Particle, Point, ReferenceFrame, System, dynamicsymbols

x, y, z, v_x, v_y, v_z = STATES = dynamicsymbols("x y z v_x v_y v_z")


def free_particle(loads) -> tuple[System, Particle, ReferenceFrame, Point]:
    """The system with loads along x, y and z (N), the particle, the inertial frame and the origin."""
    N, O = ReferenceFrame("N"), Point("O")
    body = Particle("body", O.locatenew("P", x * N.x + y * N.y + z * N.z), 1)
    system = System(N, O)
    system.add_bodies(body)
    system.add_coordinates(x, y, z)
    system.add_speeds(v_x, v_y, v_z)
    system.add_kdes(v_x - x.diff(), v_y - y.diff(), v_z - z.diff())
    system.add_loads(Force(body.masscenter, sum((load * axis for load, axis in zip(loads, N, strict=True)), 0 * N.x)))
    return system, body, N, O
