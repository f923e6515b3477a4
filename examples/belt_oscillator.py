"""A mass on a spring on a moving belt sticks and slips in turn; the same mass on a belt at rest.

    python examples/belt_oscillator.py [PICTURE]

While it sticks the mass has the belt's speed w, until the spring pulls with mu_s m g. Then it slips, and swings with
the frequency omega = sqrt(k/m) about x = mu m g/k until it has the belt's speed again. With A = (mu_s - mu) m g/k it
slips for the time 2 (pi - atan(A omega/w))/omega and sticks for 2 A/w.

On a belt at rest friction takes 2 mu m g/k off the amplitude in each half of a period pi/omega. The mass
stops at the first turning point at which the spring pulls with no more than mu_s m g, and not at x = 0.
"""

import sys
from math import atan, pi, sqrt

import numpy as np
from matplotlib.figure import Figure

from sympact.models import belt_oscillator

PULLED = 0.5
"""Where the mass is let go on the belt that stands still (m)."""


def durations(p):
    """How long the mass slips and sticks in the limit cycle, by the formulas (s)."""
    omega, amplitude = sqrt(p["k"] / p["m"]), (p["mu_s"] - p["mu"]) * p["m"] * p["g"] / p["k"]
    return 2 * (pi - atan(amplitude * omega / p["w"])) / omega, 2 * amplitude / p["w"]


def turning_points(p):
    """Where the mass turns on the belt that stands still, the last one where it stays, by the formula (m)."""
    fall, hold = 2 * p["mu"] * p["m"] * p["g"] / p["k"], p["mu_s"] * p["m"] * p["g"] / p["k"]
    points = [PULLED]
    while abs(points[-1]) > hold:
        points.append(-points[-1] + (fall if points[-1] > 0 else -fall))
    return points


def draw(cycle, decay):
    """Place over time and phase portrait on the moving belt; the decay on the other."""
    figure = Figure(figsize=(9, 5.5), layout="constrained")
    panels = figure.subplot_mosaic([["place", "phase"], ["decay", "phase"]], width_ratios=[3, 2])
    times = np.linspace(*cycle.t_span, 3000)
    x = cycle(times)
    panels["place"].plot(times, 1e3 * x[0])
    for first, last in zip(cycle.events, [*cycle.events[1:], None], strict=True):
        if first.target.endswith("sticks"):
            panels["place"].axvspan(first.t, last.t if last else cycle.t_span[1], color="0.9")
    panels["place"].set(ylabel="x (mm)", xlim=cycle.t_span, title="on the moving belt (grey: sticks)")
    panels["phase"].plot(1e3 * x[0], x[2], linewidth=1)
    panels["phase"].set(xlabel="x (mm)", ylabel="v_x (m/s)", title="limit cycle")
    times = np.linspace(*decay.t_span, 3000)
    panels["decay"].plot(times, 1e3 * decay(times)[0])
    turns = [event for event in decay.events if event.kind in ("slip", "stick")]
    panels["decay"].plot([turn.t for turn in turns], [1e3 * turn.x_plus[0] for turn in turns], ".", color="tab:red")
    panels["decay"].axhline(0, color="0.6", linewidth=0.8)
    panels["decay"].set(xlabel="t (s)", ylabel="x (mm)", xlim=decay.t_span, title="on a belt that stands still")
    return figure


def main(picture="belt_oscillator.png"):
    """Run both, compare them with the formulas and draw them."""
    ready = belt_oscillator()
    cycle = ready.simulate(rtol=1e-12, atol=1e-14)
    print(cycle.events.table(max_rows=8))
    times = cycle.events.t[1:]
    slips, sticks = durations(ready.named_parameters())
    print(f"\nIt slips for {times[3] - times[2]:.12f} s, by the formula {slips:.12f} s,")
    print(f"and sticks for {times[4] - times[3]:.12f} s, by the formula {sticks:.12f} s.")
    still = belt_oscillator(belt=0.0).with_numbers(start={"x": PULLED}, t_span=(0, 3))
    decay = still.simulate(rtol=1e-12, atol=1e-14)
    turns = [event.x_plus[0] for event in decay.events if event.kind in ("slip", "stick")]
    print("\nTurning points on a belt that stands still, and by the formula (m):")
    for found, formula in zip(turns, turning_points(still.named_parameters())[1:], strict=True):
        print(f"    {found:15.12f} {formula:15.12f}")
    draw(cycle, decay).savefig(picture, dpi=150)
    print("The picture is in", picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
