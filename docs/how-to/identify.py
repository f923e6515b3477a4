"""Restitution and friction of a block from a noisy track, which time stepping has made."""

# begin
import numpy as np
from sympy import symbols
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, System, dynamicsymbols

import sympact
from sympact import Contact, HybridModel, Plane, Track

x, z, v, w = dynamicsymbols("x z v w")
m, g, e, mu = symbols("m g e mu")
N, O, P = ReferenceFrame("N"), Point("O"), Point("P")
P.set_pos(O, x * N.x + z * N.z)
system = System(N, O)
system.add_bodies(Particle("block", P, m))
system.add_coordinates(x, z)
system.add_speeds(v, w)
system.add_kdes(v - x.diff(), w - z.diff())
system.apply_uniform_gravity(-g * N.z)
model = HybridModel(system, [Contact(P, Plane(O, N.z), restitution=e, friction=mu)])

# data
start = {x: 0.0, z: 0.5, v: 3.0, w: 0.0}
truth = {m: 1.0, g: 9.81, e: 0.6, mu: 0.2}
times, noise = np.linspace(0, 1.5, 151), np.random.default_rng(4)
film = model.simulate((0, 1.6), start, truth, method="moreau", max_step=1e-4)  # another method makes the data
track = film(times)[:2] + noise.normal(0, 2e-3, (2, len(times)))

# fit
found = sympact.fit(
    model,
    [Track(x, times, track[0], sigma=2e-3), Track(z, times, track[1], sigma=2e-3)],
    free=[e, mu],
    t_span=(0, 1.6),
    x0=start,
    parameters={m: 1.0, g: 9.81, e: 0.5, mu: 0.3},  # e and mu are guesses
    bounds={e: (0, 1), mu: (0, 1)},
)
print(found)
print("mean square of the residuals:", (found.residuals**2).mean().round(3))
best = found.simulate()  # the run with the numbers found

# check
assert found.success
assert found.contains({e: 0.6, mu: 0.2}, level=0.999)
assert best.success
