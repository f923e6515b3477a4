"""A cart with a pole: equilibria, linearisation, a feedback that balances it; a block on its corners; a constraint."""

# begin
import numpy as np
import sympy as sm
from scipy.signal import place_poles
from sympy.physics.mechanics import Force, Particle, Point, ReferenceFrame, System, dynamicsymbols

from sympact import HybridModel
from sympact.models import rocking_block

M, m, l, g, c = sm.symbols("M m l g c", positive=True)
x, theta, v, omega, F = dynamicsymbols("x theta v omega F")
N, B, O = ReferenceFrame("N"), ReferenceFrame("B"), Point("O")
B.orient_axis(N, -theta, N.z)  # theta: from the upward vertical
pivot = O.locatenew("pivot", x * N.x)
system = System(N, O)
system.add_bodies(Particle("cart", pivot, M), Particle("bob", pivot.locatenew("tip", l * B.y), m))
system.add_coordinates(x, theta)
system.add_speeds(v, omega)
system.add_kdes(v - x.diff(), omega - theta.diff())
system.apply_uniform_gravity(-g * N.y)
system.add_loads(Force(pivot, (F - c * v) * N.x))
model = HybridModel(system, [], outputs={"tip": x + l * sm.sin(theta)})
numbers = {M: 1.0, m: 0.3, l: 0.5, g: 9.81, c: 0.4}

# equilibrium
hanging = model.equilibrium([0.0, 2.5], numbers, inputs={F: 0})
print(hanging)
print(hanging.stable, hanging.linearization.eigenvalues())

# linearize
upright = model.linearize([0, 0, 0, 0], numbers, inputs={F: 0})
print(upright)
for mode in upright.modes():
    print(f"{mode.eigenvalue:.4g}, {mode.frequency:.4g} rad/s, damping ratio {mode.damping_ratio:.4g}")

# feedback
gains = place_poles(upright.A, upright.B, [-2, -3, -4, -5]).gain_matrix[0]
control = -sum(float(k) * state for k, state in zip(gains, model.x, strict=True))
balanced = model.linearize([0, 0, 0, 0], numbers, inputs={F: control})
print(balanced.eigenvalues().real.round(6), balanced.stable)
run = model.simulate((0, 5), [0, 0.2, 0, 0], numbers, inputs={F: control})
assert abs(run.x[:, -1]).max() < 1e-2

# along
along = model.linearize(run, numbers, t=0.5, inputs={F: control})
print(along.eigenvalues())

# export
space = upright.to_state_space()
print(space.A.shape, space.C)

# closed
block = rocking_block(friction=0.5)
lying = block.model.equilibrium([0.0, 2.0, 0.1], block.parameters)  # above the floor, tilted
print(lying.closed, lying.normal_force)
balanced_block = block.model.equilibrium([0.0, 0.5, 0.2], block.parameters, closed=["left"])
print(balanced_block)
print(balanced_block.linearization)

# constraints
X, Y, V, W = dynamicsymbols("X Y V W")
tied = System(N, O)
bob = O.locatenew("bob", X * N.x + Y * N.y)
tied.add_bodies(Particle("cart", pivot, M), Particle("bob", bob, m))
tied.add_coordinates(x, X, Y)
tied.add_speeds(v, V, W)
tied.add_kdes(v - x.diff(), V - X.diff(), W - Y.diff())
tied.add_holonomic_constraints((X - x) ** 2 + Y**2 - l**2)
tied.apply_uniform_gravity(-g * N.y)
tied.add_loads(Force(pivot, (F - c * v) * N.x))
rod = HybridModel(tied, [])
hung = rod.equilibrium([0.0, 0.2, -0.4], numbers, inputs={F: 0})
print(hung, 2 * abs(hung.reaction["holonomic 1"][0]) * numbers[l])  # m g
chosen = rod.linearize(hung.x, numbers, inputs={F: 0}, independent=[x, X])
print(chosen)
# end

assert (hanging.stable, upright.stable, balanced.stable) == (None, False, True)
assert np.allclose(chosen.eigenvalues(), hanging.linearization.eigenvalues(), atol=1e-6)
assert np.isclose(2 * abs(hung.reaction["holonomic 1"][0]) * numbers[l], 0.3 * 9.81)
assert np.allclose(np.sort(balanced.eigenvalues().real), [-5, -4, -3, -2])
