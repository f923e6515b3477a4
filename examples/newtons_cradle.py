"""Newton's cradle: an impact propagates through five balls, a millimetre apart, and touching.

    python examples/newtons_cradle.py [PICTURE]

The balls hang a millimetre apart. The first is lifted and released; it stops, and the last one swings out. In between
each ball transfers the part (1 + e)/2 of its speed and keeps the rest, so that with each impact all balls swing a
little more together. The formula is valid for balls that hang vertically; the impacts occur about a millimetre aside,
which changes speeds by some parts in a thousand.

Touching balls are all part of one impact, and momentum and energy alone do not determine its outcome. Resolved at once,
four balls separate together with 2/5 of the speed; one by one, the last ball has all of the speed; with springs between
the balls, of the stiffness of round bodies (Hertz), it has nearly all.
"""

import sys

import numpy as np
from matplotlib.figure import Figure

from sympact import Energetic, ImpulseRatio, Newton, Sequential, Simultaneous
from sympact.models import newtons_cradle

TOUCHING = {
    "at once": (Newton(), Simultaneous()),
    "in turn": (Newton(), Sequential()),
    "as springs": (Energetic(), ImpulseRatio(stiffness=1, exponent=1.5)),
}
"""Laws and resolutions for balls that touch."""


def handed_on(result, count):
    """The speed of the ball that is hit, as a part of the speed of the ball that hits, at the first impacts."""
    impacts = [event for event in result.events if event.kind == "impact"][:count]
    n = len(impacts[0].x_minus) // 2
    return [event.x_plus[n + i + 1] / event.x_minus[n + i] for i, event in enumerate(impacts)]


def touching(law, resolution):
    """A run of a cradle without gaps and without loss, through its first blow."""
    ready = newtons_cradle(balls=5, gap=0.0, resolution=resolution, law=law)
    return ready.with_numbers({"e": 1.0}, t_span=(0, 1.4)).simulate(rtol=1e-12, atol=1e-14)


def parts(result):
    """The speeds after the first blow, as parts of that of the first ball before it."""
    blow = next(event for event in result.events if event.kind == "impact")
    n = len(blow.x_minus) // 2
    return blow.x_plus[n:] / blow.x_minus[n] + 0.0


def strings(panel, result, title):
    """The angles of the strings over time, a line above the other."""
    times = np.linspace(*result.t_span, 3000)
    n = len(result.state_names) // 2
    for i, angle in enumerate(result(times)[:n]):
        panel.plot(times, angle + 0.4 * i, linewidth=1)
    panel.set(title=title)


def draw(result, runs):
    """The strings of the cradle with gaps, its energy, and the strings of those without."""
    figure = Figure(figsize=(9, 7.5), layout="constrained")
    panels = figure.subplot_mosaic([["gaps"] * 3, ["energy"] * 3, [*runs]], height_ratios=[3, 1, 3])
    strings(panels["gaps"], result, "Newton's cradle: the strings of ball 1, below, to ball 5")
    panels["gaps"].set(ylabel="angle (rad), each 0.4 higher")
    panels["energy"].sharex(panels["gaps"])
    panels["energy"].plot(result.t, result.energy - result.potential_energy.min())
    panels["energy"].set(xlabel="t (s)", ylabel="energy (J)", ylim=(0, 2))
    for name, run in runs.items():
        strings(panels[name], run, f"touching, resolved {name}")
        panels[name].set(xlabel="t (s)", ylim=(-0.8, 2.4))
    panels["at once"].set(ylabel="angle (rad), each 0.4 higher")
    return figure


def main(picture="newtons_cradle.png"):
    """Let the first ball go, print the impacts, and compare what is transmitted with the formula and without gaps."""
    ready = newtons_cradle(balls=5, gap=0.001)
    result = ready.simulate(rtol=1e-12, atol=1e-14)
    print(result.events.table(max_rows=12))
    formula = (1 + ready.named_parameters()["e"]) / 2
    given = ", ".join(f"{part:.6f}" for part in handed_on(result, count=4))
    print(f"\nEach ball hands on {given} of its speed; (1 + e)/2 is {formula:.6f}.\n")
    runs = {name: touching(*how) for name, how in TOUCHING.items()}
    for name, run in runs.items():
        print(f"Touching, resolved {name}: the parts of the speed are", *[f"{part:.6f}" for part in parts(run)])
    draw(result, runs).savefig(picture, dpi=150)
    print("The picture is in", picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
