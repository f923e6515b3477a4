"""A shape of one's own: an ellipsoid that falls on a plane."""

# begin
from dataclasses import dataclass
from math import cos, pi, sin

from sympy import symbols
from sympy.physics.mechanics import Point, ReferenceFrame, RigidBody, System, dynamicsymbols, inertia

from sympact import Contact, HybridModel, Plane, Polygon
from sympact.graph.formula import Vector3, sqrt
from sympact.mechanics import Contactor, ContactPair, contact_pair
from sympact.show.animation.shapes import Look, drawn


@dataclass(frozen=True, eq=False)
class Ellipsoid(Contactor):
    """The ellipsoid about a point whose semi-axes a, b and c (m) are along the axes of a frame."""

    center: Point
    frame: ReferenceFrame
    axes: tuple

    @property
    def name(self):
        return self.center.name

    def points(self):
        return (self.center,)

    def vectors(self):
        return (self.frame.x, self.frame.y, self.frame.z)

    def lengths(self):
        return self.axes

    def frames(self):
        return (self.frame,)


# pair
@contact_pair(Ellipsoid, Plane)
class EllipsoidOnPlane(ContactPair):
    def gap(self, motion):
        h, _ = self.support(motion)
        return self.surface.gap(motion, self.body.center) - h

    def normal(self, motion):
        return self.surface.normal_at(motion, self.body.center)

    def arm(self, motion):
        _, lowest = self.support(motion)
        return self.body.center, motion.turn(lowest, self.body.frame, motion.frame)

    def velocity(self, motion):
        center, arm = self.arm(motion)
        return motion.carried(center, self.body.frame, arm)

    def support(self, motion):
        """h, and the vector from the centre to the lowest point, components in the frame of the ellipsoid."""
        a, b, c = map(motion.read, self.body.axes)
        x, y, z = motion.vector_in(self.surface.normal, self.body.frame)
        h = sqrt((a * x) ** 2 + (b * y) ** 2 + (c * z) ** 2)
        return h, -Vector3.of(a**2 * x, b**2 * y, c**2 * z) / h


# look
@drawn(Ellipsoid)
class EllipsoidLook(Look):
    def body(self, side):
        a, _, c = side.axes
        around = [2 * pi * k / 48 for k in range(48)]
        return Polygon(side.frame, [(a * cos(t), 0, c * sin(t)) for t in around], origin=side.center)


# model
m, g, e, a, c = symbols("m g e a c", positive=True)
x, z, theta, vx, vz, omega = dynamicsymbols("x z theta v_x v_z omega")
N, O, C = ReferenceFrame("N"), Point("O"), Point("C")
B = N.orientnew("B", "Axis", [theta, N.y])
C.set_pos(O, x * N.x + z * N.z)
along, across = m * 2 * a**2 / 5, m * (a**2 + c**2) / 5
egg = RigidBody("egg", C, B, m, (inertia(B, across, across, along), C))

system = System(N, O)
system.add_bodies(egg)
system.add_coordinates(x, z, theta)
system.add_speeds(vx, vz, omega)
system.add_kdes(vx - x.diff(), vz - z.diff(), omega - theta.diff())
system.apply_uniform_gravity(-g * N.z)

shape = Ellipsoid(C, B, (a, a, c))
model = HybridModel(system, [Contact(shape, Plane(O, N.z), restitution=e, friction=0.3)])
print(model.gaps)

start = {x: 0, z: 1, theta: 0.5, vx: 0, vz: 0, omega: 0}
result = model.simulate((0, 3), start, {m: 1, g: 9.81, e: 0.6, a: 0.1, c: 0.15})
print(result.table(max_rows=12))
result.animate("egg.html")

# the lowest point is h below the centre: the first impact is that of a free fall by 1 - h
h = (0.1**2 * sin(0.5) ** 2 + 0.15**2 * cos(0.5) ** 2) ** 0.5
assert abs(result.events[0].t - (2 * (1 - h) / 9.81) ** 0.5) < 1e-9
