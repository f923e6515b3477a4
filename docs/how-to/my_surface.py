"""A surface of one's own: a bead that bounces in a parabolic bowl."""

# begin
from dataclasses import dataclass

from sympy import symbols
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, System, dynamicsymbols

from sympact import Contact, HybridModel
from sympact.graph.formula import sqrt
from sympact.mechanics import Surface


@dataclass(frozen=True, eq=False)
class Parabola(Surface):
    """The curve z = x^2/(2 r) above a point, in the plane of x and z of a frame; free is what lies above it."""

    vertex: Point
    frame: ReferenceFrame
    radius: object  # of curvature at the vertex (m)

    @property
    def name(self):
        return self.vertex.name

    def points(self):
        return (self.vertex,)

    def vectors(self):
        return (self.frame.x, self.frame.z)

    def lengths(self):
        return (self.radius,)

    def gap(self, motion, point):
        x, z, r = self.place(motion, point)
        return (z - x**2 / (2 * r)) / sqrt(1 + (x / r) ** 2)

    def normal_at(self, motion, point):
        x, _, r = self.place(motion, point)
        along, up = motion.vector(self.frame.x), motion.vector(self.frame.z)
        return (up - x / r * along) / sqrt(1 + (x / r) ** 2)

    def faults(self, motion):
        return []

    def place(self, motion, point):
        """x and z of the point, and r (m)."""
        x, _, z = motion.position_in(self.vertex, point, self.frame)
        return x, z, motion.read(self.radius)


m, g, e, r = symbols("m g e r", positive=True)
x, z, vx, vz = dynamicsymbols("x z v_x v_z")
N, O = ReferenceFrame("N"), Point("O")
bead = Particle("bead", O.locatenew("P", x * N.x + z * N.z), m)

system = System(N, O)
system.add_bodies(bead)
system.add_coordinates(x, z)
system.add_speeds(vx, vz)
system.add_kdes(vx - x.diff(), vz - z.diff())
system.apply_uniform_gravity(-g * N.z)

bowl = Parabola(O, N, r)
model = HybridModel(system, [Contact(bead.masscenter, bowl, restitution=e, friction=0)])
print(model.gaps)

result = model.simulate((0, 20), {x: 0.6, z: 1, vx: 0, vz: 0}, {m: 1, g: 9.81, e: 0.7, r: 1})
print(result.table(max_rows=12))
result.plot().savefig("bowl.png")

# the bead falls by 1 - 0.6^2/2 and meets a slope of 0.6: the normal part of its speed turns round, times e
first = result.events[0]
fallen = 2 * 9.81 * (1 - 0.6**2 / 2)
assert abs(first.t - fallen**0.5 / 9.81) < 1e-9
assert abs(first.impulse[0] - 1.7 * (fallen / (1 + 0.6**2)) ** 0.5) < 1e-8
