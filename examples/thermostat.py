"""A room with a thermostat, which keeps another temperature at night.

    python examples/thermostat.py [PICTURE]

The heater is switched on at the lower temperature of a band and off at the upper one, so that the temperature rises and
falls in exponentials: the period follows in closed form, and the script compares it. Day and night are two stages of
the house, and each is a process itself, a thermostat with a band of its own. With a narrower band the heater switches
more often. In the limit of no band the flow has the condition T < 21, along which the room slides by Filippov's
combination of heater on and heater off: its share of "on" is the power that the outside needs.
"""

import sys
from math import log

import numpy as np
from matplotlib.figure import Figure
from sympy import Heaviside, symbols

from sympact import HybridSystem, Nested, Transition

T, h, E = symbols("T h E")  # the temperature (degrees Celsius), the hour of the day, the heat (kWh)
OUTSIDE, TAU, POWER, RISE = 2.0, 8.0, 6.0, 36.0  # 2 degrees; 8 h; 6 kW, which hold the room 36 K above the outside


def flow(on):
    """The rates with the heater on or off, or with any share of it."""
    return {T: (OUTSIDE - T + RISE * on) / TAU, h: 1, E: POWER * on}


def thermostat(low, high):
    """The heater works from the lower to the upper temperature."""
    edges = [Transition("on", "off", boundary=T - high), Transition("off", "on", boundary=low - T)]
    return HybridSystem.from_sympy({"on": flow(1), "off": flow(0)}, edges, states=[T, h, E])


def house():
    """From 6 to 22 o'clock the room has 20 to 22 degrees, at night 16 to 18."""
    return HybridSystem.from_sympy(
        {"day": Nested(thermostat(20, 22), start="on"), "night": Nested(thermostat(16, 18), start="off")},
        [
            Transition("day", "night", boundary=h - 22),
            Transition("night", "day", boundary=h - 30, jump={h: 6}),
        ],
        states=[T, h, E],
    )


def period(low, high):
    """The time of a cycle, and the part of it in which the heater is on (h), by the exponentials."""
    top = OUTSIDE + RISE
    on, off = TAU * log((top - low) / (top - high)), TAU * log((high - OUTSIDE) / (low - OUTSIDE))
    return on + off, on


def ideal():
    """A thermostat without a band."""
    return HybridSystem.from_sympy({"room": flow(Heaviside(21 - T))}, [], states=[T, h, E], sliding="filippov")


def draw(result):
    """The temperature, and the power in colour below it."""
    figure = Figure(figsize=(9, 4), layout="constrained")
    room, clock = figure.subplots(2, 1, sharex=True, height_ratios=[4, 1])
    times = np.linspace(*result.t_span, 4000)
    room.plot(times, result(times)[0])
    for event in result.events:
        if event.source.split(".")[0] != event.target.split(".")[0]:
            room.axvline(event.t, color="0.6", linewidth=0.8)
            room.annotate(event.target.split(".")[0], (event.t, 22.3), xytext=(3, 0), textcoords="offset points")
    room.set(ylabel="T (°C)", ylim=(15, 23.2))
    on = [stage.endswith("on") for stage in result.stages]
    clock.fill_between(result.t, np.where(on, POWER, 0.0), step="post", color="#c8372d", linewidth=0)
    clock.set(xlabel="t (h)", ylabel="heater (kW)")
    return figure


def main(picture="thermostat.png"):
    """Two days of the house, cycles with bands of several widths, and none."""
    result = house().simulate((0, 48), {T: 21, h: 6, E: 0}, start="day")
    print(result.events.table(14))
    print(f"heat in two days: {result['E'][-1]:.6f} kWh")
    for width in (2.0, 0.5, 0.1):
        low, high = 21 - width / 2, 21 + width / 2
        run = thermostat(low, high).simulate((0, 24), [21, 0, 0], start="on", rtol=1e-12, atol=1e-12)
        cycle, on = period(low, high)
        found = run.events.t[-1] - run.events.t[-3]
        print(
            f"band of {width} K: {len(run.events)} events, cycle {60 * found:.9f} min (closed form {60 * cycle:.9f}),"
            f" on {on / cycle:.6f} of it"
        )
    sliding = ideal().simulate((0, 24), [20, 0, 0], start="room", rtol=1e-12, atol=1e-12)
    entry = sliding.events[0].t
    share = (sliding["E"][-1] - POWER * entry) / (POWER * (24 - entry))
    print(f"no band: {sliding.path[-1]} from t = {60 * entry:.6f} min on, heater on {share:.6f} of the time")
    draw(result).savefig(picture, dpi=150)
    print("The picture is in", picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
