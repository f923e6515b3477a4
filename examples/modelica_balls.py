"""The two bouncing balls of the Modelica books, in an event-driven loop that is exact.

    python examples/modelica_balls.py [PICTURE]

The first ball is the classic one: ``when h < 0 then reinit(v, -e * pre(v))``. Tools that find events with a tolerance
let it fall through the floor once its rebounds are lower than that: here is such a loop, made of SciPy's `solve_ivp`,
which starts anew after each event. The second ball has a threshold, ``when {h < 0, h < -eps}``: below it the ball is
done, that is it does not fly any more, and its weight is turned off. Here neither ball gets below the floor, each
rebound is found, and infinitely many of them end at the finite time t_inf = sqrt(2 h/g) (1+e)/(1-e): the first run ends
there with the status ACCUMULATION, and so does the second, because -eps is never reached. A ball that goes on has a
transition in place of the threshold, which takes place where events accumulate.
"""

import sys
from math import sqrt

import numpy as np
from matplotlib.figure import Figure
from scipy.integrate import solve_ivp
from sympy import Piecewise
from sympy.physics.mechanics import Force, Particle, PrismaticJoint, RigidBody, System, dynamicsymbols

from sympact import HybridModel, Transition, When

h, v, done = dynamicsymbols("h v done")
HEIGHT, E, G, EPS = 1.0, 0.8, 9.81, 1e-3
START = {h: HEIGHT, v: 0.0, done: 0.0}


def ball(*transitions):
    """A ball of 1 kg that moves up and down, without weight where it is done."""
    ground, particle = RigidBody("ground"), Particle("ball", mass=1)
    system = System.from_newtonian(ground)
    system.add_joints(PrismaticJoint("height", ground, particle, h, v, joint_axis=ground.z))
    system.add_loads(Force(particle.masscenter, -G * Piecewise((0, done > 0), (1, True)) * ground.z))
    return HybridModel(system, [], discrete=[done], transitions=transitions)


def classic():
    """``when h < 0 then reinit(v, -e * pre(v)); end when``."""
    return ball(Transition(boundary=h < 0, jump={v: -E * v}, name="bounce"))


def stable():
    """``when {h < 0, h < -eps} then done = h < -eps; reinit(v, -e * (if h < -eps then 0 else pre(v))); end when``."""
    below = h < -EPS
    changes = {done: Piecewise((1, below), (0, True)), v: Piecewise((0, below), (-E * v, True))}
    return ball(When([h < 0, below], reinit=changes, name="bounce"))


def resting():
    """The classic ball that lies on the floor from t_inf on."""
    rest = Transition(boundary="accumulation", jump={h: 0, v: 0, done: 1}, name="rest")
    return ball(Transition(boundary=h < 0, jump={v: -E * v}, name="bounce"), rest)


def restarted(t_end):
    """The classic ball by `solve_ivp`, which ends at each event and starts anew; times and heights."""

    def floor(t, x):
        return x[0]

    floor.terminal, floor.direction = True, -1
    t, x, times, heights = 0.0, [HEIGHT, 0.0], [], []
    while t < t_end:
        part = solve_ivp(lambda t, x: [x[1], -G], (t, t_end), x, events=floor, max_step=0.02)
        times, heights = [*times, *part.t], [*heights, *part.y[0]]
        t, x = part.t[-1], [part.y[0, -1], -E * part.y[1, -1]]
    return np.array(times), np.array(heights)


def rebounds(bounces):
    """The heights that the ball reaches after its bounces (m)."""
    return [event.x_plus[2] ** 2 / (2 * G) for event in bounces]


def draw(exact, times, heights, t_inf):
    """Heights over time, and the heights of the rebounds."""
    figure = Figure(figsize=(7, 5.5), layout="constrained")
    above, below = figure.subplots(2, 1)
    shown = np.linspace(*exact.t_span, 2000)
    above.plot(shown, exact(shown)[0], label="sympact")
    above.plot(times, heights, "--", label="solve_ivp, started anew at each event")
    above.axvline(t_inf, color="0.6", linewidth=0.8, label="t_inf")
    above.set(ylim=(-0.3, 1.05), xlabel="t (s)", ylabel="height (m)", title="The balls of the Modelica books")
    above.legend(loc="upper right")
    bounces = exact.events["bounce"]
    below.semilogy(bounces.t, rebounds(bounces), ".")
    below.axhline(EPS, color="0.6", linewidth=0.8, label="eps of the second ball")
    below.legend(loc="lower left")
    below.set(xlabel="t (s)", ylabel="height of the rebound (m)", xlim=above.get_xlim())
    return figure


def main(picture="modelica_balls.png"):
    """Run the balls for six seconds, print how each run ends, and draw the one that goes on."""
    t_inf = sqrt(2 * HEIGHT / G) * (1 + E) / (1 - E)
    print(f"t_inf = {t_inf:.12f} s by the closed form")
    for name, model in (("classic", classic()), ("stable", stable()), ("resting", resting())):
        result = model.simulate((0, 6), START, {}, rtol=1e-12, atol=1e-14)
        bounces, heights = result.events["bounce"], result(np.linspace(*result.t_span, 5000))[0]
        print(
            f"{name}: {result.status.name} at t = {result.t[-1]:.6f} s after {len(bounces)} bounces, t_inf = ", end=""
        )
        print(f"{result.t_inf:.12f} s, never lower than {min(heights.min(), 0.0):.0e} m, done = {result[done][-1]:g}")

    times, heights = restarted(6.0)
    print(f"solve_ivp: the ball is at {heights[-1]:.1f} m at the end")
    draw(result, times, heights, t_inf).savefig(picture, dpi=150)
    print("The picture is in", picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
