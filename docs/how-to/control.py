"""A ball that a sampled thrust lifts: what a controller can be."""

# begin
import numpy as np
from sympy import Max, Min, floor, symbols
from sympy.physics.mechanics import Force, Particle, Point, ReferenceFrame, System, dynamicsymbols

from sympact import Contact, Controller, HybridModel, Plane, Sampled

m, g, e = symbols("m g e")
(z, v), (F, W), t = dynamicsymbols("z v"), dynamicsymbols("F W"), dynamicsymbols._t
N, O = ReferenceFrame("N"), Point("O")
ball = O.locatenew("ball", z * N.z)
system = System(N, O)
system.add_bodies(Particle("ball", ball, m))
system.add_coordinates(z)
system.add_speeds(v)
system.add_kdes(v - z.diff(t))
system.apply_uniform_gravity(-g * N.z)
system.add_loads(Force(ball, (F + W) * N.z))
model = HybridModel(system, [Contact(ball, Plane(O, N.z), restitution=e, friction=0)])
numbers = {m: 2.0, g: 9.81, e: 0.5}


def lift(inputs=None, controllers=(), t_end=2.0):
    given = {W: 0.0, **(inputs or {})}
    return model.simulate((0, t_end), {z: 0, v: 0}, numbers, inputs=given, controllers=controllers)


# one
law = m * g + 40 * (1 - z) - 12 * v
result = lift({F: Sampled(0.01, law)})  # machine code
called = lift({F: Sampled(0.01, lambda time, x: 2 * 9.81 + 40 * (1 - x[0]) - 12 * x[1])})  # Python
late = lift({F: Sampled(0.01, law, delay=0.01, quantum=0.5, limits=(0.0, 40.0))})
np.testing.assert_allclose(called(2.0), result(2.0), atol=1e-9)

# memory
total, T = symbols("total"), 0.02
error = 1 - z
pid = Controller(
    every=T,
    law={F: 60 * error + 50 * total - 14 * v, total: total + T * error},
    memory={total: 0.0},
    limits={F: (0.0, 60.0)},
)
result = lift(controllers=[pid], t_end=8.0)
print(f"height {result.x[0, -1]:.4f} m, sum of the error {result[total][-1]:.4f} m s")

# functions
estimate = symbols("estimate")


def observer(time, measured, memory):
    (height,), (speed, before) = measured, memory
    speed = 0.8 * speed + 0.2 * (height - before) / 0.01
    return [2 * 9.81 + 40 * (1 - height) - 12 * speed], [speed, height]


last = symbols("last")
watching = Controller(
    every=0.01, law=observer, commands=[F], measure=[z], memory={estimate: 0.0, last: 0.0}, delay=0.001
)
result = lift(controllers=[watching])
print(f"speed at the end {result.x[1, -1]:.4f} m/s, its estimate {result[estimate][-1]:.4f} m/s")

# rates
aim = symbols("aim")
slow = Controller(every=0.5, law={aim: Min(aim + 0.25, 1.0)}, memory={aim: 0.0})
fast = Controller(every=0.01, law={F: m * g + 40 * (aim - z) - 12 * v})
result = lift(controllers=[slow, fast], t_end=3.0)

# times
clock = Controller(every=0.5, record=True, name="half second")
push = Controller(at=[0.3, 0.7], law={F: F + 15.0}, record=True, name="push")
result = lift(controllers=[clock, push], t_end=1.2)
print(result.events)

# going on
late = {"controllers": [Controller(every=0.02, law={F: m * g + 40 * (1 - z) - 12 * v}, delay=0.02)], "inputs": {W: 0.0}}
first = model.simulate((0, 0.5), {z: 0, v: 0}, numbers, **late)
second = model.simulate((0.5, 2), first, numbers, **late)
whole = model.simulate((0, 2), {z: 0, v: 0}, numbers, **late)
np.testing.assert_allclose((first + second)(2.0), whole(2.0), atol=1e-9)
weighs = Controller(every=0.01, law={F: 0.9 * (m * v.diff() - F) + 40 * (1 - z)}, start={F: 0.0})  # an accelerometer
result = lift(controllers=[weighs])

# shapes
width = 0.05
dead_zone = error - Max(-width, Min(width, error))
encoder = floor(z / 1e-3) * 1e-3  # in a sampled law: no event is needed there
result = lift({F: Sampled(0.01, m * g + 40 * (1 - encoder) - 12 * v)})
change = Max(-0.5, Min(0.5, law - F))  # at most 0.5 N from sample to sample
result = lift({F: Sampled(0.01, F + change)})
# end
assert result.t_span == (0.0, 2.0)
