"""Kane's double pendulum: one impact under four impact laws, of which one gains energy.

    python examples/kane_pendulum.py [PICTURE]

The tip slips backwards when it hits the floor. Newton's law prescribes e times the approach speed and depends only on
the slip after the impact, which is forwards: friction acts backwards during the whole impact, and the pendulum
separates with 2.8 times its kinetic energy (Kane 1985). Reducing e just enough (the guard) preserves the energy;
Poisson's law, which is based on impulses, and the energetic law, which is based on the work along the path, dissipate
energy.
"""

import sys
import warnings

import numpy as np
from matplotlib.figure import Figure

from sympact import Energetic, ImpactWarning, Newton, Poisson
from sympact.models import kane_pendulum

LAWS = {
    "Newton": Newton(),
    "Newton, guarded": Newton(guard=True),
    "Poisson": Poisson(),
    "energetic": Energetic(),
}


def strike(law):
    """A run; that Newton's law gains energy is what is shown here."""
    with warnings.catch_warnings():
        if law == Newton():
            warnings.simplefilter("ignore", ImpactWarning)
        return kane_pendulum(law).simulate(rtol=1e-12, atol=1e-14)


def draw(runs, before, after):
    """The kinetic energies around the impact, and the height of the tip after it."""
    figure = Figure(figsize=(9, 3.6), layout="constrained")
    bars, heights = figure.subplots(1, 2)
    colours = [f"C{i}" for i in range(len(runs))]
    bars.bar([*runs], [1000 * energy for energy in after.values()], color=colours)
    bars.axhline(1000 * before, color="black", linestyle="--", linewidth=1)
    bars.annotate("before the impact", (1.6, 1000 * before), xytext=(0, 3), textcoords="offset points")
    bars.set(ylabel="kinetic energy after the impact (mJ)")
    bars.tick_params(axis="x", labelrotation=20)
    for name, result in runs.items():
        times = np.linspace(0, 0.3, 1500)
        first, second = result(times)[:2]
        height = np.cos(first[0]) + np.cos(second[0]) - np.cos(first) - np.cos(second)
        heights.plot(1000 * times, 1000 * height, label=name)
    heights.set(xlabel="t (ms)", ylabel="height of the tip (mm)")
    heights.legend()
    return figure


def main(picture="kane_pendulum.png"):
    """Compute the impact under each law and print the energies."""
    runs = {name: strike(law) for name, law in LAWS.items()}
    before = runs["Newton"].kinetic_energy[0]
    after = {}
    for name, result in runs.items():
        hit = result.events[0]
        after[name] = before + hit.energy
        print(
            f"{name:>15}: impulse {hit.impulse[0]:.9f} N s, kinetic energy {before:.9f} J before, "
            f"{after[name]:.9f} J after ({round(100 * hit.energy / before, 2) + 0.0:+} %), factor of e {hit.factor:.6f}"
        )
    draw(runs, before, after).savefig(picture, dpi=150)
    print("The picture is in", picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
