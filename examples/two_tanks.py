"""Two tanks in a row, with valves that are open or closed.

    python examples/two_tanks.py [PICTURE]

The upper tank is filled through one valve and empties into the lower one through another; the lower one empties all the
time, as Torricelli says: the outflow is proportional to the root of the level. Floats open and close the valves at the
ends of a band of each level, so that the process has a stage for each pair of positions. With both valves at rest a
level follows in closed form, h(t) = (sqrt(h0) - c t / 2)^2, which the script compares, and all water is accounted for.
"""

import sys
from math import sqrt

import numpy as np
from matplotlib.figure import Figure
from sympy import sqrt as root
from sympy import symbols

from sympact import HybridSystem, Transition

upper, lower, used = symbols("upper lower used")  # the levels (m), the water that has left (m^3 per m^2 of the tanks)
INFLOW, PIPE, OUTLET = 0.02, 0.04, 0.015  # m/s; m^(1/2)/s of the valve between the tanks, and of the outlet
UPPER, LOWER = (0.3, 0.8), (0.2, 0.5)  # the bands of the levels (m)


def flow(filling, passing):
    """The rates with the valves open (1) or closed (0)."""
    between, out = PIPE * passing * root(upper), OUTLET * root(lower)
    return {upper: INFLOW * filling - between, lower: between - out, used: out}


def valve(number, level, band, opens, closes):
    """The transitions of one valve for each position of the other."""
    low, high = band
    edges = []
    for other in (0, 1):
        shut, wide = ((0, other), (1, other)) if number == 0 else ((other, 0), (other, 1))
        edges.append(Transition(name(*shut), name(*wide), boundary=low - level, name=f"{opens} {other}"))
        edges.append(Transition(name(*wide), name(*shut), boundary=level - high, name=f"{closes} {other}"))
    return edges


def name(filling, passing):
    """The name of a stage."""
    return {(0, 0): "closed", (1, 0): "filling", (0, 1): "passing", (1, 1): "both"}[filling, passing]


def tanks():
    """The process: four stages, and eight transitions of two floats."""
    return HybridSystem.from_sympy(
        {name(i, j): flow(i, j) for i in (0, 1) for j in (0, 1)},
        [
            *valve(0, upper, UPPER, "inlet opens", "inlet closes"),
            *valve(1, lower, LOWER, "valve opens", "valve closes"),
        ],
        states=[upper, lower, used],
    )


def draw(result):
    """The levels with their bands, and the positions of the valves."""
    figure = Figure(figsize=(9, 4.5), layout="constrained")
    levels, valves = figure.subplots(2, 1, sharex=True, height_ratios=[3, 1])
    times = np.linspace(*result.t_span, 3000)
    for row, (label, band) in enumerate([("upper", UPPER), ("lower", LOWER)]):
        (line,) = levels.plot(times, result(times)[row], label=label)
        for end in band:
            levels.axhline(end, color=line.get_color(), linestyle=":", linewidth=1)
    levels.set(ylabel="level (m)", ylim=(0, 1))
    levels.legend(loc="upper right", ncols=2)
    for row, stages in enumerate([("filling", "both"), ("passing", "both")]):
        wide = np.isin(result.stages, stages)
        valves.fill_between(result.t, row, row + 0.8 * wide, step="post", color=f"C{row}", linewidth=0)
    valves.set(xlabel="t (s)", yticks=[0.4, 1.4], yticklabels=["inlet", "valve"], ylim=(0, 2))
    return figure


def main(picture="two_tanks.png"):
    """Five minutes of the tanks."""
    process = tanks()
    print(process)
    result = process.simulate((0, 300), {upper: 0.5, lower: 0.45, used: 0}, start="closed", rtol=1e-12, atol=1e-12)
    print(result.events.table(12))
    first = result.events[0]
    print(f"{first.contacts[0]}: t = {first.t:.9f} s, Torricelli {2 * (sqrt(0.45) - sqrt(LOWER[0])) / OUTLET:.9f} s")
    ends = [*result.events.t, result.t[-1]]
    begins = [(0.0, "closed"), *((event.t, event.target) for event in result.events)]
    filled = INFLOW * sum(end - begin for (begin, stage), end in zip(begins, ends, strict=True) if stage in FILLING)
    stored = result.x[:2, -1].sum() - 0.95
    print(
        f"filled {filled:.9f}, used {result['used'][-1]:.9f}, stored {stored:.9f}, missing"
        f" {filled - result['used'][-1] - stored:.1e}"
    )
    draw(result).savefig(picture, dpi=150)
    print("The picture is in", picture)


FILLING = ("filling", "both")

if __name__ == "__main__":
    main(*sys.argv[1:])
