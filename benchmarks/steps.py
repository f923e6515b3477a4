"""What a run costs that is stepped from outside, and whether a saved one goes on with the same bits in another process.

    python benchmarks/steps.py                     CPU a step, and beyond the integration; steps of an environment
    python benchmarks/steps.py --saved 10000       so many random interruptions over all ready models, each restored in
                                                   a process that has not run it: how many go on with other bits

The integration is the same loop of the machine code, called in a row for the same ends of steps; the rest is what
`SteppedRun.step` adds to it.
"""

import gc
import pickle
import random
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from collections import Counter

import numpy as np
import sympy as sm
from measure import show
from sympy.physics.mechanics import Force, Particle, PrismaticJoint, RigidBody, System, dynamicsymbols

from sympact import Controller, HybridModel, Limit, models
from sympact.integrate.memory.run_memory import RunMemory

from time import process_time  # isort: skip  # after the imports that take long


def cart_pole():
    """A pole on a cart between two stops, pushed by a force; the smallest task of reinforcement learning."""
    m, pole, g, length, e = sm.symbols("m p g l e")
    force, swing = dynamicsymbols("F"), dynamicsymbols("theta omega")
    rail, cart = RigidBody("rail"), Particle("cart", mass=m)
    system = System.from_newtonian(rail)
    system.add_joints(PrismaticJoint("slide", rail, cart))
    (x,), (v,) = system.q, system.u
    turned = rail.frame.orientnew("pole", "Axis", (swing[0], rail.z))
    turned.set_ang_vel(rail.frame, swing[1] * rail.z)
    tip = cart.masscenter.locatenew("tip", length * turned.y)
    tip.v2pt_theory(cart.masscenter, rail.frame, turned)
    system.add_bodies(Particle("ball", tip, pole))
    system.add_coordinates(swing[0])
    system.add_speeds(swing[1])
    system.add_kdes(swing[1] - swing[0].diff(dynamicsymbols._t))
    system.apply_uniform_gravity(-g * rail.y)
    system.add_loads(Force(cart, force * rail.x))
    stops = [Limit(sm.Rational(24, 10) + sign * x, restitution=e, name=f"stop {sign:+d}") for sign in (1, -1)]
    model = HybridModel(system, stops)
    start = {x: 0.0, v: 0.0, swing[0]: 0.05, swing[1]: 0.0}
    return model, start, {m: 1.0, pole: 0.1, g: 9.81, length: 0.5, e: 0.5}, force, (x, v, *swing)


def cases():
    """Name, a function that makes a stepper, the duration of a step, and what is given with it."""
    cube, links, dice = models.tumbling_cube(), models.two_links(), models.dice()
    model, start, numbers, force, (_, v, theta, omega) = cart_pole()
    held = Controller(every=0.01, law={force: 20 * theta + 3 * omega - v}, commands=[force])
    rest = dice.model.simulate((0, 8), dice.start, dice.parameters).x[:, -1]
    yield "tumbling cube", lambda: cube.model.stepper(cube.start, cube.parameters, record=False), 0.01, None
    yield "two links", lambda: links.model.stepper(links.start, links.parameters, record=False), 0.01, None
    yield "die at rest", lambda: dice.model.stepper(rest, dice.parameters, record=False), 0.01, None
    yield (
        "cart-pole, a controller",
        lambda: model.stepper(start, numbers, controllers=[held], t_end=100.0, record=False),
        0.01,
        None,
    )
    yield (
        "cart-pole, a force a step",
        lambda: model.stepper(start, numbers, inputs={force: 0.0}, record=False),
        0.01,
        {force: 0.1},
    )


def costs(count: int, repeats: int) -> list[tuple]:
    """CPU of a step, of the integration in it, and the difference (microseconds); Python calls of a step."""
    rows = []
    for name, make, dt, given in cases():
        own, loop, calls = [], [], 0
        for _ in range(repeats):
            run = make()
            run.step(dt, given)
            own.append(timed(lambda: [run.step(dt, given) for _ in range(count)]) / count)  # noqa: B023
            run = make()
            run.step(dt, given)
            stops, ends = run._session._stops, [run.t + (k + 1) * dt for k in range(count)]
            loop.append(timed(lambda: integrate(run, stops, ends)) / count)  # noqa: B023
            calls = called(lambda: run.step(dt, given))  # noqa: B023
        rows.append((name, f"{min(own):.2f}", f"{min(loop):.2f}", f"{min(own) - min(loop):.2f}", calls))
    return rows


def integrate(run, stops, ends) -> None:
    """The loop of the machine code alone, to each of these times."""
    slots, doubles, times = stops._slots, stops._doubles, stops._times
    loop, address, place = stops._loop, stops._address, RunMemory.fields["t_stop"].slot
    budget, following, samples = (RunMemory.fields[name].slot for name in ("budget", "next_stop", "samples"))
    for until in ends:
        times[0] = doubles[place] = until
        slots[following], slots[budget], slots[samples] = 0, 10_000, 1
        loop(address)


def timed(function) -> float:
    """CPU (microseconds)."""
    gc.collect()
    gc.disable()
    began = process_time()
    function()
    used = (process_time() - began) * 1e6
    gc.enable()
    return used


def called(function) -> int:
    """The Python functions that are called."""
    count = 0

    def note(frame, event, argument):
        nonlocal count
        count += event == "call"

    sys.setprofile(note)
    function()
    sys.setprofile(None)
    return count - 1


def environment(count: int) -> float:
    """Steps a second of an environment: the cart-pole between its stops."""
    from sympact import Environment

    model, start, numbers, force, states = cart_pole()
    env = Environment(model, start, numbers, {force: (-10, 10)}, states, lambda run: 1.0, dt=0.02)
    env.reset(seed=1)
    actions = np.random.default_rng(1).uniform(-10, 10, (count, 1))
    env.step(actions[0])
    return count / (timed(lambda: [env.step(action) for action in actions]) / 1e6)


PROGRAM = """
import pickle, sys, warnings
import numpy as np
from sympact import models
warnings.simplefilter("ignore")
name, file = sys.argv[1:]
ready = getattr(models, name)()
cases = pickle.load(open(file, "rb"))
run = ready.model.stepper(ready.start, ready.parameters)
wrong = 0
for saved, steps, expected in cases:
    run.restore(saved)
    for dt in steps:
        run.step(dt)
    wrong += not np.array_equal(run.x, expected, equal_nan=True)
print(wrong)
"""


def interruptions(total: int, seed: int) -> list[tuple]:
    """For each ready model: how many saves, how many with other bits afterwards."""
    names = [name for name in models.__all__ if isinstance(made(name), models.ReadyModel)]
    rng, rows = random.Random(seed), []
    for name in names:
        ready, cases = made(name), []
        for _ in range(total // len(names)):
            cases.append(interrupted(ready, rng))
        with tempfile.NamedTemporaryFile(suffix=".pickle") as file:
            file.write(pickle.dumps(cases))
            file.flush()
            done = subprocess.run([sys.executable, "-c", PROGRAM, name, file.name], capture_output=True, text=True)
        kinds = Counter(str(case[0].status) for case in cases)
        rows.append((name, len(cases), done.stdout.strip() or done.stderr[-200:], dict(kinds)))
        print(*rows[-1], flush=True)
    return rows


def made(name: str):
    """A ready system, or None for what is none."""
    try:
        return getattr(models, name)()
    except TypeError:
        return None


def interrupted(ready, rng: random.Random):
    """A run saved at a random step, the durations of the steps after it, and where it comes."""
    span = ready.t_span[1] - ready.t_span[0]
    run = ready.model.stepper(ready.start, ready.parameters)
    for _ in range(rng.randrange(1, 12)):
        run.step(span * rng.uniform(0.002, 0.08))
    saved, steps = run.save(), [span * rng.uniform(0.002, 0.05) for _ in range(rng.randrange(1, 6))]
    for dt in steps:
        run.step(dt)
    return saved, steps, run.x


if __name__ == "__main__":
    parser = ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--saved", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--repeats", type=int, default=7)
    arguments = parser.parse_args()
    if arguments.saved:
        interruptions(arguments.saved, arguments.seed)
    else:
        show(
            "A step from outside, CPU",
            ("run", "us a step", "integration", "beyond it", "Python calls"),
            costs(arguments.count, arguments.repeats),
        )
        print(f"environment, cart-pole between stops: {environment(20_000):,.0f} steps a second of CPU")
