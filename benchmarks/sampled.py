"""What sampled control costs: a million samples and events of time, Python functions, accelerations, and feedback as an
expression; the eigenvalues of a sampled LQR.

    python benchmarks/sampled.py

CPU times, the least of three. A particle follows a sine under a force that is sampled every 10 ms; what a sample costs
is the difference from a run of the same steps, whose force is the same expression without samples. The feedback is that
of a cart with a pole, over fixed steps, so that both runs take the same number of evaluations.
"""

import math
import runpy
import time
from pathlib import Path

import numpy as np
from sympy import sin, symbols
from sympy.physics.mechanics import Force, Particle, Point, ReferenceFrame, RigidBody, System, dynamicsymbols, inertia

from sympact import Controller, HybridModel, Sampled

PERIOD = 0.01
MANY, SOME = 1_000_000, 100_000


def particle():
    """A particle on a line under the force F."""
    z, v, F = dynamicsymbols("z v F")
    N, O = ReferenceFrame("N"), Point("O")
    place = O.locatenew("P", z * N.x)
    system = System(N, O)
    system.add_bodies(Particle("body", place, 1))
    system.add_coordinates(z)
    system.add_speeds(v)
    system.add_kdes(v - z.diff())
    system.add_loads(Force(place, F * N.x))
    return HybridModel(system, []), z, v, F


def cart():
    """A cart with a pole under the force F."""
    x, theta, v, omega, F = dynamicsymbols("x theta v omega F")
    M, m, l, g = symbols("M m l g")
    N, B, O = ReferenceFrame("N"), ReferenceFrame("B"), Point("O")
    B.orient_axis(N, -theta, N.z)
    pivot = O.locatenew("pivot", x * N.x)
    centre = pivot.locatenew("C", l / 2 * B.y)
    system = System(N, O)
    system.add_bodies(
        Particle("cart", pivot, M), RigidBody("pole", centre, B, m, (inertia(B, 0, 0, m * l**2 / 12), centre))
    )
    system.add_coordinates(x, theta)
    system.add_speeds(v, omega)
    system.add_kdes(v - x.diff(), omega - theta.diff())
    system.apply_uniform_gravity(-g * N.y)
    system.add_loads(Force(pivot, F * N.x))
    return HybridModel(system, []), (x, theta, v, omega), F, {M: 1, m: 0.3, l: 1, g: 9.81}


def cost(run, repeats=3):
    """The least CPU time (s), and the last result."""
    times = []
    for _ in range(repeats):
        begun = time.process_time()
        result = run()
        times.append(time.process_time() - begun)
    return min(times), result


def samples():
    """A million samples, exact times, and a Python function."""
    model, z, v, F = particle()
    law = -4 * (z - sin(dynamicsymbols._t)) - 2 * v

    def run(count, force, **options):
        return lambda: model.simulate((0, count * PERIOD), [1, 0], {}, inputs={F: force}, **options)

    for force in (Sampled(PERIOD, law), law):
        run(100, force)()
    sampled, result = cost(run(MANY, Sampled(PERIOD, law)))
    steps, _ = cost(run(MANY, law, max_step=PERIOD))
    times = result.t[np.flatnonzero(np.diff(result.t) == 0.0)]
    exact = np.arange(1, len(times) + 1) * PERIOD
    print(f"{len(times) + 1:,} samples: {1e6 * sampled / MANY:.2f} us each with its step, the step alone", end=" ")
    print(f"{1e6 * steps / MANY:.2f} us; times differ from k T by {np.abs(times - exact).max():.1g} s")

    def function(t, x):
        return -4 * (x[0] - math.sin(t)) - 2 * x[1]

    called, _ = cost(run(SOME, Sampled(PERIOD, function)))
    compiled, _ = cost(run(SOME, Sampled(PERIOD, law)))
    state = np.array([1.0, 2.0])
    own, _ = cost(lambda: [function(0.1, state) for _ in range(SOME)])
    print(f"a Python function: {1e6 * (called - compiled - own) / SOME:.2f} us a call beyond its own", end=" ")
    print(f"{1e6 * own / SOME:.2f} us")


def recorded():
    """A million times that are recorded as events of a clock."""
    model, _, _, F = particle()

    def run(**options):
        return lambda: model.simulate((0, MANY * PERIOD), [1, 0], {}, inputs={F: 0.0}, **options)

    clock = {"controllers": [Controller(every=PERIOD, record=True, name="clock")], "max_events": 2 * MANY}
    told, result = cost(run(**clock))
    steps, _ = cost(run(max_step=PERIOD))
    times = result.events.t
    error = np.abs(times - np.arange(1, len(times) + 1) * PERIOD).max()
    print(f"{len(times):,} events of time: {1e6 * (told - steps) / MANY:.2f} us each beyond its step", end="; ")
    print(f"times differ from k T by {error:.1g} s")


def accelerations():
    """A law that contains an acceleration, against the same without."""
    model, z, v, F = particle()

    def run(law):
        return lambda: model.simulate((0, SOME * PERIOD), [1, 0], {}, inputs={F: Sampled(PERIOD, law)})

    laws = -4 * z - 2 * v - v.diff() / 10, -4 * (z - sin(dynamicsymbols._t)) - 2 * v
    measured, plain = (cost(run(law))[0] for law in laws)
    print(f"an acceleration in a law: {1e6 * (measured - plain) / SOME:.2f} us a sample")


def period_map():
    """The eigenvalues of the sampled LQR of the example, over one period of the run and of its discretisation."""
    example = runpy.run_path(str(Path(__file__).parent.parent / "examples" / "sampled_cart_pole.py"))
    model = example["cart_with_pole"]()
    phi, gamma = example["discrete"](model)
    gains = example["lqr"](phi, gamma)
    found = np.linalg.eigvals(example["period_map"](model, example["feedback"](gains)))
    expected = np.linalg.eigvals(phi - np.outer(gamma, gains))
    error = np.abs(np.sort_complex(found) - np.sort_complex(expected)).max()
    print(f"sampled LQR: eigenvalues of the period map differ by {error:.1g}")


def feedback():
    """Feedback as an expression against the open loop, in fixed steps; both are driven, so no state decays to 0."""
    model, state, F, numbers = cart()
    pushed = 0.5 * sin(dynamicsymbols._t)
    closed = pushed + 13.1 * state[0] + 74.1 * state[1] + 13.1 * state[2] + 19.0 * state[3]

    def run(force):
        options = {"method": "RK4", "max_step": 1e-3}
        return lambda: model.simulate((0, 300), [0, 0.01, 0, 0], numbers, inputs={F: force}, **options)

    for force in (pushed, closed):
        run(force)()
    ratios = []
    for _ in range(5):
        open_loop, closed_loop = cost(run(pushed))[0], cost(run(closed))[0]
        ratios.append(closed_loop / open_loop)
    print(f"feedback as an expression: {np.median(ratios):.2f} times the open loop ({300_000:,} steps of RK4)")


if __name__ == "__main__":
    samples()
    recorded()
    accelerations()
    period_map()
    feedback()
