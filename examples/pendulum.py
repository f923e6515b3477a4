"""A pendulum of three links is released horizontally and hits a floor below it.

    python examples/pendulum.py [PICTURE]

Three slender rods are connected in a chain, 2.1 m above a smooth floor: stretched they are too long by 0.9 m. The lower
end of each rod may touch; each impact dissipates energy, and nothing else does: the joints have no friction. The energy
lost in the impacts equals the decrease of the energy over the run.
"""

import sys

import numpy as np
from matplotlib.figure import Figure

from sympact.models import pendulum


def joints(angles):
    """The pivot and the lower ends of the links, of 1 m each, shape (2, n_links + 1) (m)."""
    return np.cumsum([[0, *np.sin(angles)], [0, *-np.cos(angles)]], axis=1)


def draw(ready, result, t_end=1.6):
    """Pictures of the chain until `t_end` (s), and the energy, which falls at the impacts."""
    n, height = len(ready.model.q), ready.named_parameters()["h"]
    figure = Figure(figsize=(9, 4.2), layout="constrained")
    chain, energy = figure.subplots(1, 2)
    for time in np.arange(0.0, t_end, 0.1):
        chain.plot(*joints(result(time)[:n]), ".-", color="tab:blue", alpha=0.2 + 0.7 * time / t_end)
    for event in result.events:
        if event.kind == "impact" and event.t < t_end:
            chain.plot(*joints(event.x_minus[:n]), ".-", color="tab:red", linewidth=0.8)
    chain.axhline(-height, color="0.3", linewidth=3)
    chain.set(aspect="equal", xlabel="x (m)", ylabel="y (m)", title="every tenth of a second; red: at impacts")
    energy.plot(result.t, result.energy - result.energy[0])
    energy.set(xlabel="t (s)", ylabel="energy (J)", title="lost at impacts only")
    return figure


def main(picture="pendulum.png"):
    """Let the pendulum go, print its events, and compare the energy at its end with what the impacts took."""
    ready = pendulum(links=3)
    result = ready.simulate(rtol=1e-12, atol=1e-14)
    print(result.events.table(max_rows=12))
    taken = -sum(event.energy for event in result.events)
    print(f"\nThe impacts took {taken:.9f} J; the energy has fallen by {result.energy[0] - result.energy[-1]:.9f} J.")
    draw(ready, result).savefig(picture, dpi=150)
    print("The picture is in", picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
