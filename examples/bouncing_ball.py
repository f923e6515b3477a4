"""A bouncing ball that comes to rest, and a fixed time step that lets it fall through the floor.

    python examples/bouncing_ball.py [PICTURE]

The durations of the rebounds of a ball with the coefficient of restitution e decrease by the factor e, so that
infinitely many of them end at the finite time t_inf = sqrt(2 h/g) (1+e)/(1-e). sympact simulates them one by one as
long as they are higher than the tolerance, then closes the contact, and continues with the ball at rest on the floor. A
simple loop with fixed steps, even with exact parabolas, reverses the velocity wherever the ball is below the floor. If
the first impact leaves the ball deeper than the next step lifts it, its velocity is reversed again, this time downward:
the ball never comes up, and falls through the floor.
"""

import sys
from math import sqrt

import numpy as np
from matplotlib.figure import Figure

from sympact.models import bouncing_ball

HEIGHT, RESTITUTION, GRAVITY = 1.0, 0.8, 9.81


def fixed_steps(step, t_end):
    """Move the ball by fixed steps with the check `if z < 0: v = -e v` after each; return times and heights."""
    z, v, heights = HEIGHT, 0.0, [HEIGHT]
    times = np.arange(0.0, t_end, step)
    for _ in times[1:]:
        z, v = z + step * v - step**2 * GRAVITY / 2, v - step * GRAVITY
        if z < 0:
            v = -RESTITUTION * v
        heights.append(z)
    return times, np.array(heights)


def accumulation():
    """The time at which the series of the rebounds ends (s)."""
    return sqrt(2 * HEIGHT / GRAVITY) * (1 + RESTITUTION) / (1 - RESTITUTION)


def draw(result, times, heights):
    """Heights over time, and the duration of each rebound."""
    figure = Figure(figsize=(7, 5.5), layout="constrained")
    above, below = figure.subplots(2, 1)
    shown = np.linspace(*result.t_span, 2000)
    above.plot(shown, result(shown)[0], label="sympact")
    above.plot(times, heights, "--", label=f"fixed steps of {times[1]:g} s")
    above.axvline(accumulation(), color="0.6", linewidth=0.8, label="t_inf")
    above.set(ylim=(-0.1, 1.05), xlabel="t (s)", ylabel="height (m)", title="Bouncing ball")
    above.legend(loc="upper right")
    impacts = [event.t for event in result.events if event.kind == "impact"]
    below.semilogy(range(1, len(impacts)), np.diff(impacts), ".")
    below.set(xlabel="rebound", ylabel="duration (s)")
    return figure


def main(picture="bouncing_ball.png"):
    """Run the ball for five seconds, print its events and draw them beside the fixed steps."""
    result = bouncing_ball(RESTITUTION).simulate(rtol=1e-12, atol=1e-14)
    print(result.events.table(max_rows=12))
    end = next(event for event in result.events if event.kind == "accumulation")
    print(f"\nThe series of the rebounds ends at t = {accumulation():.9f} s; sympact says {end.t_inf:.9f} s.")
    print("At the end height and velocity are", result(result.t_span[1]))

    times, heights = fixed_steps(step=0.01, t_end=result.t_span[1])
    print(f"By fixed steps of {times[1]:g} s the ball ends at the height {heights[-1]:.3f} m.")

    draw(result, times, heights).savefig(picture, dpi=150)
    print("The picture is in", picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
