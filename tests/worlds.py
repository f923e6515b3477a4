"""Bodies that move freely, for tests of shapes."""

from __future__ import annotations

from left_out_of_the_check import can_be_checked
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, RigidBody, System, dynamicsymbols, inertia
from trajectory import check_trajectory

from sympact import ConvexPolygon, HybridModel

t = dynamicsymbols._t
G = 9.81


class World:
    """Bodies that move freely; coordinates and speeds in the order in which they were added."""

    def __init__(self) -> None:
        self.N, self.O = ReferenceFrame("N"), Point("O")
        self.system, self.count = System(self.N, self.O), 0

    def letters(self, count: int) -> list:
        q = dynamicsymbols(f"q{self.count}:{self.count + count}")
        u = dynamicsymbols(f"u{self.count}:{self.count + count}")
        self.count += count
        self.system.add_coordinates(*q)
        self.system.add_speeds(*u)
        self.system.add_kdes(*(a - b.diff(t) for a, b in zip(u, q, strict=True)))
        return q

    def particle(self, mass=1, axes=3) -> Point:
        """A particle that moves along the first axes of N."""
        q = self.letters(axes)
        name = f"P{self.count}"
        place = sum((a * e for a, e in zip(q, list(self.N)[:axes], strict=True)), 0 * self.N.x)
        self.system.add_bodies(Particle(name, self.O.locatenew(name, place), mass))
        return self.system.bodies[-1].masscenter

    def slab(self, mass=1, moment=1) -> tuple[ReferenceFrame, Point]:
        """A body in the plane of x and y, with the coordinates x, y and its angle."""
        x, y, angle = self.letters(3)
        name = f"B{self.count}"
        frame = self.N.orientnew(name, "Axis", [angle, self.N.z])
        centre = self.O.locatenew(f"C{self.count}", x * self.N.x + y * self.N.y)
        self.system.add_bodies(RigidBody(name, centre, frame, mass, (inertia(frame, 1, 1, moment), centre)))
        return frame, centre

    def weigh(self, direction) -> None:
        self.system.apply_uniform_gravity(-G * direction)

    def run(self, contacts, t_end, x0, **options):
        length = options.pop("length", 1)
        model = HybridModel(self.system, contacts, length=length)
        result = model.simulate((0, t_end), x0, {}, **options)
        if can_be_checked(model):
            check_trajectory(result, model, {}, gains=False)
        return result


def square(frame, centre, name, half):
    places = [(half, half), (-half, half), (-half, -half), (half, -half)]
    corners = [centre.locatenew(f"{name}{i}", x * frame.x + y * frame.y) for i, (x, y) in enumerate(places)]
    return ConvexPolygon(corners, frame.z, frame, name=name)
