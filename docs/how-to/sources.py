"""The four kinds of SymPy objects that a model is made of, for one mechanism: a pendulum that hits a stop."""

# begin
import numpy as np
from sympy import Matrix, cos, sin, symbols
from sympy.physics.mechanics import (
    LagrangesMethod,
    Lagrangian,
    Particle,
    Point,
    ReferenceFrame,
    SymbolicSystem,
    System,
    dynamicsymbols,
)

from sympact import Contact, HybridModel, Limit, Plane

m, l, g, c, e = symbols("m l g c e", positive=True)
q, u = dynamicsymbols("q u")
numbers = {m: 0.5, l: 0.8, g: 9.81, c: 0.02, e: 0.7}
stop = Limit(q + 0.4, restitution=e, name="stop")  # the condition q + 0.4 >= 0

# lagrange
L = m * l**2 * q.diff() ** 2 / 2 + m * g * l * cos(q)
model = HybridModel(LagrangesMethod(L, [q]), [stop])
print(model.mass_matrix, model.forcing)
undamped = {symbol: numbers[symbol] for symbol in (m, l, g, e)}
result = model.simulate((0, 5), {q: 1.0, q.diff(): 0.0}, undamped)
assert result.state_names == ("q", "q'")
lost = sum(event.energy for event in result.events)
assert abs(result.energy[-1] - result.energy[0] - lost) < 1e-7  # T + V, from L

# bodies
N, O = ReferenceFrame("N"), Point("O")
A = N.orientnew("A", "Axis", [q, N.z])
P = O.locatenew("P", -l * A.y)
O.set_vel(N, 0)
P.v2pt_theory(O, N, A)
bob = Particle("bob", P, m)
bob.potential_energy = m * g * P.pos_from(O).dot(N.y)
damper = (A, -c * q.diff() * N.z)
method = LagrangesMethod(Lagrangian(N, bob), [q], forcelist=[damper], bodies=[bob], frame=N)
wall = Plane(O.locatenew("W", -0.3 * N.x), N.x)
model = HybridModel(method, [Contact(P, wall, restitution=e, friction=0.1)])
damped = model.simulate((0, 5), {q: 1.0, q.diff(): 0.0}, numbers)
damped.animate("pendulum.html")

# system
system = System(N, O)
system.add_bodies(Particle("bob", P, m))
system.add_coordinates(q)
system.add_speeds(q.diff())
system.apply_uniform_gravity(-g * N.y)
system.add_loads(damper)
model = HybridModel(system, [Contact(P, wall, restitution=e, friction=0.1)])
same = model.simulate((0, 5), {q: 1.0, q.diff(): 0.0}, numbers)
np.testing.assert_allclose(same.x[:, -1], damped.x[:, -1], atol=1e-8)

# symbolic
written = SymbolicSystem(
    [q],
    Matrix([-m * g * l * sin(q) - c * u]),
    [u],
    mass_matrix=Matrix([[m * l**2]]),
    coordinate_derivatives=Matrix([u]),
    output_eqns={"energy": m * l**2 * u**2 / 2 - m * g * l * cos(q)},
)
result = HybridModel(written, [stop]).simulate((0, 5), {q: 1.0, u: 0.0}, numbers)
print(result["energy"][[0, -1]])
