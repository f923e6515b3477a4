"""Random mechanisms whose trees of SymPy joints are closed to loops at a known configuration."""

from __future__ import annotations

import numpy as np
import sympy as sm
from sympy.physics.mechanics import (
    PinJoint,
    Point,
    PrismaticJoint,
    ReferenceFrame,
    RigidBody,
    SphericalJoint,
    System,
    inertia,
)

from sympact import BallClosure, Contact, HybridModel, LineClosure, Plane, RodClosure

G = 9.81


class ClosedMechanism:
    """A tree of bodies with random joints, and closures that are met at `places`.

    Parameters
    ----------
    seed : int
    planar : bool
        All pins about one axis, slides in the plane.
    floor : bool
        A contact of the last body with a floor below.
    **options
        Of `HybridModel`.
    """

    def __init__(self, seed: int, *, planar: bool, floor: bool = False, **options) -> None:
        self.rng, self.planar = np.random.default_rng([seed, planar]), planar
        ground = RigidBody("ground")
        self.system, self.N, self.O = System.from_newtonian(ground), ground.frame, ground.masscenter
        self.bodies, self.places = [ground], []
        for k in range(int(self.rng.integers(3, 7 if planar else 6))):
            self._add_body(k)
        self.system.apply_uniform_gravity(-G * self.N.y)
        closures = [self._closure(k) for k in range(int(self.rng.integers(1, 3)))]
        contacts = [self._contact(options.pop("restitution", 0.6), options.pop("friction", 0.0))] if floor else []
        self.model = HybridModel(self.system, contacts, constraints=closures, **options)
        speeds = self.rng.uniform(-1.0, 1.0, len(self.model.u))
        self.start = np.concatenate([self.places, speeds])

    def _number(self, low: float, high: float) -> sm.Float:
        return sm.Float(self.rng.uniform(low, high))

    def _vector(self, frame: ReferenceFrame, size: float):
        axes = (frame.x, frame.y) if self.planar else (frame.x, frame.y, frame.z)
        return sum((self._number(-size, size) * axis for axis in axes), 0 * frame.x)

    def _axis(self, frame: ReferenceFrame):
        if self.planar:
            return frame.z
        along = self.rng.normal(size=3)
        along /= np.linalg.norm(along)
        return sum((sm.Float(a) * axis for a, axis in zip(along, frame, strict=True)), 0 * frame.x)

    def _add_body(self, k: int) -> None:
        parent = self.bodies[max(0, len(self.bodies) - 1 - int(self.rng.integers(0, 2)))]
        frame, centre = ReferenceFrame(f"F{k}"), Point(f"C{k}")
        moments = [self._number(0.02, 0.1) for _ in range(3)]
        moments[2] = sm.Float(0.9 * float(moments[0] + moments[1]))
        body = RigidBody(f"b{k}", centre, frame, self._number(0.3, 2.0), (inertia(frame, *moments), centre))
        place = parent.masscenter.locatenew(f"p{k}", self._vector(parent.frame, 0.5))
        near = centre.locatenew(f"n{k}", self._vector(frame, 0.5))
        kind = self.rng.choice(["pin", "pin", "pin", "slide"] if self.planar else ["pin", "pin", "slide", "ball"])
        points = {"parent_point": place, "child_point": near}
        if kind == "pin":
            joint = PinJoint(f"j{k}", parent, body, joint_axis=self._axis(parent.frame), **points)
        elif kind == "slide":
            along = parent.frame.x if self.planar else self._axis(parent.frame)
            joint = PrismaticJoint(f"j{k}", parent, body, joint_axis=along, **points)
        else:
            joint = SphericalJoint(f"j{k}", parent, body, **points)
        self.system.add_joints(joint)
        self.bodies.append(body)
        size = 0.5 if kind == "slide" else 1.0
        self.places += self.rng.uniform(-size, size, len(joint.coordinates)).tolist()

    def _closure(self, k: int):
        """A closure between two bodies, its points where they coincide in the given configuration."""
        first, second = (self.bodies[i] for i in self.rng.choice(len(self.bodies), 2, replace=False))
        P = first.masscenter.locatenew(f"P{k}", self._vector(first.frame, 0.5))
        free = HybridModel(self.system, [])
        arm = free.walk(lambda derivation: derivation.kinematics.position_in(second.masscenter, P, second.frame))(
            0.0, np.concatenate([self.places, np.zeros(len(free.u))]), np.zeros(0)
        )
        meet = second.masscenter.locatenew(
            f"Q{k}", sum((sm.Float(a) * axis for a, axis in zip(arm, second.frame, strict=True)), 0 * second.frame.x)
        )
        kind = self.rng.choice(["line", "rod", "rod"] if self.planar else ["rod", "rod", "ball", "line"])
        if self.planar and kind == "line":
            return LineClosure(P, meet, self.N.z, name=f"c{k}")
        if kind == "ball":
            return BallClosure(P, meet, name=f"c{k}")
        if kind == "line":
            return LineClosure(P, meet, first.frame.z, name=f"c{k}")
        away = second.masscenter.locatenew(
            f"R{k}",
            meet.pos_from(second.masscenter) + self._vector(second.frame, 0.4),
        )
        gap = away.pos_from(meet).to_matrix(second.frame)
        return RodClosure(P, away, float(sm.sqrt((gap.T * gap)[0])), name=f"c{k}")

    def _contact(self, restitution: float, friction: float) -> Contact:
        body = self.bodies[-1]
        tip = body.masscenter.locatenew("tip", self._vector(body.frame, 0.5))
        free = HybridModel(self.system, [])
        height = free.walk(lambda derivation: [derivation.kinematics.position_between(self.O, tip)[1]])(
            0.0, np.concatenate([self.places, np.zeros(len(free.u))]), np.zeros(0)
        )[0]
        floor = self.O.locatenew("floor", sm.Float(height - self.rng.uniform(0.01, 0.3)) * self.N.y)
        return Contact(tip, Plane(floor, self.N.y), restitution=restitution, friction=friction, name="tip")
