"""A cart with a stop, stepped at a fixed rate, saved and restored, and as an environment."""

# begin
from sympy import symbols
from sympy.physics.mechanics import Force, Particle, PrismaticJoint, RigidBody, System, dynamicsymbols

from sympact import HybridModel, Limit

m, k, e = symbols("m k e")
force = dynamicsymbols("F")
rail, cart = RigidBody("rail"), Particle("cart", mass=m)
system = System.from_newtonian(rail)
system.add_joints(PrismaticJoint("slide", rail, cart))
(x,), (v,) = system.q, system.u
system.add_loads(Force(cart, (force - k * x) * rail.x))
model = HybridModel(system, [Limit(0.2 - x, restitution=e, name="stop")])
numbers = {m: 1, k: 4, e: 0.5}

# loop
run = model.stepper({x: 0.1, v: 0}, numbers, inputs={force: 0.0})
while run.t < 2:
    run.step(0.01, {force: 2 - run[v]})
    for event in run.events:
        print(f"{event.t:.4f} s: {event.kind}, {event.impulse.sum():.3f} N s")
print(run.result)

# saved
saved = run.save()
futures = []
for push in (-2.0, 0.0, 2.0):
    run.restore(saved)
    run.step(0.5, {force: push})
    futures.append(float(run[x]))
print([round(place, 4) for place in futures])

# environment
from sympact import Environment  # noqa: E402  # a page may import where it needs

env = Environment(
    model,
    lambda rng: {x: rng.uniform(-0.1, 0.1), v: 0},
    numbers,
    actions={force: (-5, 5)},
    observations=[x, v],
    reward=lambda run: -(run[x] ** 2) - 0.1 * run.n_events,
    dt=0.02,
    max_time=2.0,
)
seen, info = env.reset(seed=1)
total, over = 0.0, False
while not over:
    seen, reward, terminated, truncated, info = env.step([-20 * seen[0] - 2 * seen[1]])
    total, over = total + reward, terminated or truncated
print(f"the reward of an episode of {env.run.t:.2f} s: {total:.4f}")
# end
