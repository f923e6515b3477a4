"""A two-legged walker on a slope: the change of its speeds and its energy in the impact of its front foot.

    python examples/compass_walker.py [PICTURE]

The front foot sticks where it hits the ground, and the rear foot lifts off. The impulse acts at the front foot alone,
so that the angular momentum of the whole walker about this foot stays the same, and that of the rear leg about the hip.
"""

import sys

import numpy as np
from matplotlib.figure import Figure

from sympact.models import compass_walker


def places(x, p):
    """Hip, masses of both legs and feet, in the frame of the slope (m)."""
    hip = x[:2]
    legs = [np.array([np.sin(angle), -np.cos(angle)]) for angle in x[2:4]]
    return hip, [hip + p["b"] * leg for leg in legs], [hip + p["l"] * leg for leg in legs]


def velocities(x, p):
    """Those of the hip and of the masses of both legs (m/s)."""
    turning = [w * np.array([np.cos(angle), np.sin(angle)]) for angle, w in zip(x[2:4], x[6:8], strict=True)]
    return x[4:6], [x[4:6] + p["b"] * turn for turn in turning]


def momenta(x, p):
    """The angular momentum of the walker about its front foot, and of its rear leg about the hip (kg m^2/s)."""
    hip, masses, feet = places(x, p)
    of_hip, of_masses = velocities(x, p)
    parts = [(p["M"], hip, of_hip), *[(p["m"], r, v) for r, v in zip(masses, of_masses, strict=True)]]
    whole = sum(mass * cross(r - feet[1], v) for mass, r, v in parts)
    return whole, p["m"] * cross(masses[0] - hip, of_masses[0])


def cross(a, b):
    """The part of the cross product along z."""
    return a[0] * b[1] - a[1] * b[0]


def draw(result, strike, p):
    """The walker from its start to its end, and the speeds of its legs."""
    figure = Figure(figsize=(9, 4), layout="constrained")
    walk, speeds = figure.subplots(1, 2)
    for t in np.linspace(*result.t_span, 9):
        hip, _, feet = places(result(t), p)
        for foot, color in zip(feet, ("tab:blue", "tab:red"), strict=True):
            walk.plot(*np.transpose([hip, foot]), color=color, alpha=0.25 + 0.75 * t / result.t_span[1])
    walk.axhline(0, color="black", linewidth=0.8)
    walk.set(xlabel="along the slope (m)", ylabel="above it (m)", aspect="equal", title="rear leg blue, front leg red")
    for row, name, color in ((6, "rear leg", "tab:blue"), (7, "front leg", "tab:red")):
        speeds.plot(result.t, result.x[row], color=color, label=name)
    speeds.axvline(strike.t, color="grey", linewidth=0.8)
    speeds.set(xlabel="t (s)", ylabel="angular velocity (rad/s)", title="the impact")
    speeds.legend()
    return figure


def main(picture="compass_walker.png"):
    """Simulate the impact of the foot, and compare angular momenta before and after."""
    ready = compass_walker().with_numbers(t_span=(0, 0.7))  # the impact and the step after it
    result, p = ready.simulate(rtol=1e-12, atol=1e-14), ready.named_parameters()
    print(result.events.table())
    strike = next(event for event in result.events if event.kind == "impact")
    print("\nAngular momentum before and after the impact (kg m^2/s):")
    names = ("of all about the front foot", "of the rear leg about the hip")
    for name, before, after in zip(names, momenta(strike.x_minus, p), momenta(strike.x_plus, p), strict=True):
        print(f"    {name:30} {before:.12f} {after:.12f}")
    print(f"The impact dissipates {-strike.energy:.6f} J.")
    draw(result, strike, p).savefig(picture, dpi=150)
    print("The picture is in", picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
