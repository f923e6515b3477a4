"""The woodpecker toy pecks its way down a pole, and its motion repeats itself some seven times in a second.

    python examples/woodpecker.py [PICTURE]

A spring connects a bird to a sleeve that is wider than its pole. The sleeve turns, its lower edge sticks by
self-locking while the bird swings; the edge slips, opens, and the sleeve falls. The upper edge hits, the beak hits and
throws the bird back, and the lower edge locks again. The potential energy of the toy supplies the losses by impacts and
friction. The numbers are those of C. Glocker, *Dynamik von Starrkörpersystemen mit Reibung und Stößen*, PhD thesis, TU
München 1995. From one impact of the beak to the next the run approaches its limit cycle, on which losses equal the
potential energy that is released.
"""

import sys

import numpy as np
from matplotlib.figure import Figure

from sympact.models import woodpecker


def pecks(result):
    """The events in which the beak hits."""
    return [event for event in result.events if event.kind == "impact" and "beak" in event.contacts]


def draw(result, hits):
    """Angles over two periods with the modes of the sleeve, the way down, and the limit cycle of the bird."""
    figure = Figure(figsize=(9, 5.5), layout="constrained")
    panels = figure.subplot_mosaic([["angles", "cycle"], ["height", "cycle"]], width_ratios=[3, 2])
    times = np.linspace(hits[-3].t, hits[-1].t, 4000)
    x = result(times)
    panels["angles"].plot(times, x[1], label="sleeve")
    panels["angles"].plot(times, x[2], label="bird")
    for event, after in zip(result.events, [*result.events[1:], None], strict=True):
        if after and event.target.endswith("sticks") and event.t > times[0]:
            panels["angles"].axvspan(event.t, after.t, color="0.88")
    title = "two periods (grey: self-locking)"
    panels["angles"].set(xlabel="t (s)", ylabel="angle (rad)", xlim=times[[0, -1]], title=title)
    panels["angles"].legend(loc="lower right")
    panels["cycle"].plot(x[2], x[5], linewidth=1)
    panels["cycle"].set(xlabel="phi_S (rad)", ylabel="omega_S (rad/s)", title="limit cycle of the bird")
    whole = np.linspace(*result.t_span, 5000)
    panels["height"].plot(whole, 1e3 * result(whole)[0])
    panels["height"].set(xlabel="t (s)", ylabel="y (mm)", xlim=result.t_span, title="the way down")
    return figure


def main(picture="woodpecker.png"):
    """Run the toy for four seconds, print the events of the last period, and draw it."""
    ready = woodpecker().with_numbers(t_span=(0, 4))
    result = ready.simulate(rtol=1e-12, atol=1e-14)
    hits = pecks(result)
    print("From one peck to the next:\n")
    for event in result.events:
        if hits[-2].t <= event.t <= hits[-1].t:
            print(f"    {event.t:.9f} s  {event.kind:<6}  {event.contacts[0]:<9}  {event.source} -> {event.target}")
    period, fall = hits[-1].t - hits[-2].t, hits[-2].x_minus[0] - hits[-1].x_minus[0]
    print(
        f"\nThe period is {period:.6f} s, the one before it {hits[-2].t - hits[-3].t:.6f} s; it goes down {fall:.6f} m."
    )
    p = ready.named_parameters()
    given = (p["m_M"] + p["m_S"]) * p["g"] * fall
    lost = -sum(event.energy for event in result.events if hits[-2].t < event.t <= hits[-1].t)
    print(f"The height supplies {given:.6e} J in a period; impacts dissipate {lost:.6e} J, friction the rest.")
    draw(result, hits).savefig(picture, dpi=150)
    print("The picture is in", picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
