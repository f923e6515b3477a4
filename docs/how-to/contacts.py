"""A ball on a slack string falls, goes taut, swings, and knocks a rod against its end stop."""

# begin
from sympy import Rational, symbols
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, RigidBody, System, dynamicsymbols, inertia

from sympact import Capsule, Contact, HybridModel, Limit, Sphere, String

m, g, l, r, e = symbols("m g l r e", positive=True)
x, y, q = dynamicsymbols("x y q")
vx, vy, w = dynamicsymbols("v_x v_y w")
N, O = ReferenceFrame("N"), Point("O")

ball = Particle("ball", O.locatenew("ball", x * N.x + y * N.y), m)
B = N.orientnew("B", "Axis", [q, N.z])  # a rod of length l, upright on a hinge at H
hinge = O.locatenew("H", l / 2 * N.x - 2 * l * N.y)
tip = hinge.locatenew("T", l * B.y)
middle = hinge.locatenew("G", l / 2 * B.y)
rod = RigidBody("rod", middle, B, m, (inertia(B, 0, 0, m * l**2 / 12), middle))

system = System(N, O)
system.add_bodies(ball, rod)
system.add_coordinates(x, y, q)
system.add_speeds(vx, vy, w)
system.add_kdes(vx - x.diff(), vy - y.diff(), w - q.diff())
system.apply_uniform_gravity(-g * N.y)

contacts = [
    String(O, ball.masscenter, l, restitution=0, name="string"),
    Contact(Sphere(ball.masscenter, r), Capsule(hinge, tip, r / 2, frame=B), restitution=e, friction=0, name="knock"),
    Limit(q + 1, restitution=e, lever=l / 2, name="right stop"),  # one rad to the right
    Limit(Rational(1, 10) - q, restitution=e, lever=l / 2, name="left stop"),
]
model = HybridModel(system, contacts)
start = {x: -0.8, y: 0, q: 0.1, vx: 0, vy: 0, w: 0}
result = model.simulate((0, 3), start, {m: 1, g: 9.81, l: 1, r: 0.1, e: 0.5})
print(result.table(max_rows=12))
result.animate("knock.gif")

# the string is taut where the fall has brought the ball to the circle about O
first = result.events[1] if result.events[0].t == 0 else result.events[0]
assert first.contacts == ("string",)
assert abs(first.t - (2 * 0.6 / 9.81) ** 0.5) < 1e-9
