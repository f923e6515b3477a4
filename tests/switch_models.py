"""A mass on a line, with any force on it, and with a floor or without."""

from __future__ import annotations

import sympy as sm
from sympy.physics.mechanics import Force, Particle, PrismaticJoint, RigidBody, System, dynamicsymbols

from sympact import Contact, HybridModel, Plane

M, G, E = sm.symbols("m g e")
Q, U = dynamicsymbols("q u")
_x, _v, _t = sm.symbols("x v t")


def _system(force: sm.Expr) -> tuple[System, RigidBody, Particle]:
    ground, mass = RigidBody("ground"), Particle("mass", mass=M)
    system = System.from_newtonian(ground)
    system.add_joints(PrismaticJoint("line", ground, mass, Q, U, joint_axis=ground.z))
    written = sm.sympify(force).subs({_x: Q, _v: U, _t: dynamicsymbols._t})
    system.add_loads(Force(mass.masscenter, written * ground.z))
    return system, ground, mass


def slider(force: sm.Expr) -> HybridModel:
    """m q'' = force, written with x, v and t."""
    return HybridModel(_system(force)[0], [])


def dropped(force: sm.Expr) -> HybridModel:
    """The same above a floor at 0, with the restitution e."""
    system, ground, mass = _system(force)
    floor = Plane(ground.masscenter, ground.z)
    return HybridModel(system, [Contact(mass.masscenter, floor, restitution=E, friction=0, name="floor")])
