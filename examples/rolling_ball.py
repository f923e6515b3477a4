"""A ball slides on a table until it rolls, falls off the edge, and bounces on the floor.

    python examples/rolling_ball.py [PICTURE]

A ball that starts without spin slides, and friction decelerates it and makes it spin; after 2 v/(7 mu g) it rolls with
5/7 of its speed. It leaves the table where the round edge begins, because it is too fast to follow the edge. On the
floor its lowest point has no slip, so that no friction acts: its rebounds decrease, and it rolls on as fast as before.
A slow ball follows the edge, slips on it before it leaves, and lands closer to the table.
"""

import sys
from math import sqrt

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Circle

from sympact.models import rolling_ball

SLOW = 0.3
"""m/s, of a ball that rolls over the edge."""


def slow_ball():
    """The same ball rolling slowly just before the edge."""
    ready = rolling_ball()
    spin = -SLOW / ready.named_parameters()["r"]
    return ready.with_numbers(start={"x": -0.02, "v_x": SLOW, "omega": spin}, t_span=(0, 0.6))


def formulas(ready):
    """When and where it rolls, when it leaves the table, and where it hits the floor first."""
    p, start = ready.named_parameters(), ready.named_start()
    speed, k, braking = start["v_x"], p["k"], p["mu"] * p["g"]
    rolls = k * speed / ((1 + k) * braking)
    place = start["x"] + speed * rolls - braking * rolls**2 / 2
    leaves = rolls - place * (1 + k) / speed
    return rolls, place, leaves, speed / (1 + k) * sqrt(2 * p["h"] / p["g"])


def scene(panel, ready, results):
    """The ways of the middle of the ball over table and floor."""
    p = ready.named_parameters()
    for name, result in results.items():
        times = np.linspace(*result.t_span, 3000)
        panel.plot(*result(times)[:2], label=name, linewidth=1)
    for t in np.arange(0, 2, 0.15):
        panel.add_patch(Circle(results["fast"](t)[:2], p["r"], fill=False, color="C0", linewidth=0.7))
    panel.fill_between([-p["a"], 0], -2 * p["b"], 0, color="0.7", linewidth=0)
    panel.add_patch(Circle((0, -p["b"]), p["b"], color="0.7", linewidth=0))
    panel.axhline(-p["h"], color="black", linewidth=0.8)
    panel.set(aspect="equal", xlabel="x (m)", ylabel="y (m)")
    panel.legend()


def draw(ready, results):
    """The scene, and the speeds of the middle and of the rim of the fast ball."""
    figure = Figure(figsize=(9, 4.8), layout="constrained")
    panels = figure.subplots(2, 1, height_ratios=[1, 1])
    scene(panels[0], ready, results)
    result, radius = results["fast"], ready.named_parameters()["r"]
    times = np.linspace(*result.t_span, 3000)
    x = result(times)
    panels[1].plot(times, x[3], label="v_x")
    panels[1].plot(times, -radius * x[5], "--", label="-r omega")
    for event in (event for event in result.events if event.kind in ("stick", "open")):
        panels[1].axvline(event.t, color="tab:red", linewidth=0.8)
        panels[1].annotate(f" {'rolls' if event.kind == 'stick' else 'leaves'}", (event.t, 0.5), color="tab:red")
    panels[1].set(xlabel="t (s)", ylabel="m/s")
    panels[1].legend()
    return figure


def main(picture="rolling_ball.png"):
    """Run the fast ball and the slow one, and compare with the formulas."""
    ready = rolling_ball()
    result = ready.simulate(rtol=1e-12, atol=1e-14)
    for event in list(result.events)[:4]:
        print(f"{event.t:.9f} s  {event.kind:<6}  x = {event.x_plus[0] + 0.0:.9f} m  v_x = {event.x_plus[3]:.9f} m/s")
    rolls, place, leaves, reach = formulas(ready)
    found = {event.kind: event for event in list(result.events)[:4]}
    stick, hit = found["stick"], found["impact"]
    print(f"\nIt rolls after {stick.t:.12f} s, by the formula {rolls:.12f} s,")
    print(f"at {stick.x_plus[0]:.12f} m, by the formula {place:.12f} m.")
    print(f"It leaves the table after {found['open'].t:.12f} s, by the formula {leaves:.12f} s.")
    print(f"It hits the floor at {hit.x_plus[0]:.12f} m, by the formula {reach:.12f} m.")
    slow = slow_ball().simulate(rtol=1e-12, atol=1e-14)
    print("\nThe slow ball:")
    for event in slow.events:
        if event.kind in ("slip", "open") or event.contacts == ("floor",):
            print(f"{event.t:.9f} s  {event.kind:<6}  x = {event.x_plus[0]:.9f} m  y = {event.x_plus[1]:.9f} m")
    draw(ready, {"fast": result, "slow": slow}).savefig(picture, dpi=150)
    print("The picture is in", picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
