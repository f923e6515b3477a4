"""A cart with a pole, once with the angle of the pole as a coordinate and once with the pivot as a constraint.

    python examples/constrained_cart_pole.py [PICTURE]

In the second model the pole is a body of its own with the coordinates x_p, y_p, theta of its centre, and a
`BallClosure` joins its lower end to the cart: two holonomic constraints in the plane. Cart and tip hit the same walls.
The events of both models are the same, because impacts keep the constraints; they differ by what the integration
allows.
"""

import sys

import numpy as np
from matplotlib.figure import Figure
from sympy import symbols
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, RigidBody, System, dynamicsymbols, inertia

from sympact import BallClosure, Contact, HybridModel, Plane
from sympact.models import cart_pole


def with_pivot_as_constraint():
    """The model whose pole has three coordinates."""
    M, m, l, b, w, g, e = symbols("M m l b w g e")
    q, u = dynamicsymbols("x x_p y_p theta"), dynamicsymbols("v v_x v_y omega")
    N, B, O = ReferenceFrame("N"), ReferenceFrame("B"), Point("O")
    B.orient_axis(N, -q[3], N.z)
    cart = O.locatenew("cart", q[0] * N.x)
    centre = O.locatenew("C", q[1] * N.x + q[2] * N.y)
    low, tip = centre.locatenew("low", -l / 2 * B.y), centre.locatenew("tip", l / 2 * B.y)
    pole = RigidBody("pole", centre, B, m, (inertia(B, 0, 0, m * l**2 / 12), centre))
    system = System(N, O)
    system.add_bodies(Particle("cart", cart, M), pole)
    system.add_coordinates(*q)
    system.add_speeds(*u)
    system.add_kdes(*(place.diff(dynamicsymbols._t) - speed for place, speed in zip(q, u, strict=True)))
    system.apply_uniform_gravity(-g * N.y)
    contacts = []
    for part in ("cart", "tip"):
        for name, way in (("left", N.x), ("right", -N.x)):
            point = tip if part == "tip" else cart.locatenew(f"{name} side", -b / 2 * way)
            wall = Plane(O.locatenew(name, -w * way), way)
            contacts.append(Contact(point, wall, restitution=e, friction=0, name=f"{part} on {name}"))
    return HybridModel(system, contacts, constraints=[BallClosure(cart, low, name="pivot")])


def simulate(t_end):
    """Runs of both models from the same start; the constrained one and the plain one."""
    ready = cart_pole().with_numbers(t_span=(0, t_end))
    plain = ready.simulate(rtol=1e-11, atol=1e-13)
    model = with_pivot_as_constraint()
    numbers, start = ready.named_parameters(), ready.named_start()
    parameters = {symbol: numbers[symbol.name] for symbol in model.parameters}
    half, lean = numbers["l"] / 2, start["theta"]
    places = [start["x"], start["x"] + half * np.sin(lean), half * np.cos(lean), lean]
    result = model.simulate((0, t_end), [*places, start["v"], start["v"], 0, 0], parameters, rtol=1e-11, atol=1e-13)
    return result, plain, numbers


def draw(result, plain, numbers):
    """Cart and tip of the constrained model over those of the plain one, and how far its pivot is open."""
    figure = Figure(figsize=(8, 5), layout="constrained")
    places, pivot = figure.subplots(2, 1, sharex=True, height_ratios=[3, 2])
    times = np.linspace(*result.t_span, 2000)
    l = numbers["l"]
    x, theta = plain(times)[:2]
    places.plot(times, x, linewidth=4, alpha=0.3, label="cart, plain")
    places.plot(times, x + l * np.sin(theta), linewidth=4, alpha=0.3, label="tip, plain")
    x, x_p, _, theta = result(times)[:4]
    places.plot(times, x, color="C0", linewidth=1, label="cart, constraint")
    places.plot(times, x_p + l / 2 * np.sin(theta), color="C1", linewidth=1, label="tip, constraint")
    for event in result.events:
        places.axvline(event.t, color="tab:red", linewidth=0.5)
    for wall in (-numbers["w"], numbers["w"]):
        places.axhline(wall, color="0.3", linewidth=3)
    places.set(ylabel="x (m)", title="Cart with a pole between two walls; red: impacts", ylim=(-1.95, 1.3))
    places.legend(loc="lower left", ncols=2, fontsize="small")
    pivot.plot(result.t, 1e15 * opening(result.x, l), ".", markersize=3)
    pivot.set(xlabel="t (s)", ylabel="pivot open (1e-15 m)")
    return figure


def opening(x, l):
    """The distance of the pole's lower end from the cart for states x of shape (8, k) (m)."""
    return np.hypot(x[1] - l / 2 * np.sin(x[3]) - x[0], x[2] - l / 2 * np.cos(x[3]))


def main(picture="constrained_cart_pole.png"):
    """Run both models and compare their events."""
    result, plain, numbers = simulate(t_end=3.0)
    print(result.events.table(max_rows=12))
    both = list(zip(result.events, plain.events, strict=True))
    apart = max(abs(one.t - other.t) for one, other in both)
    impulses = max(np.abs(np.subtract(one.impulse, other.impulse)).max() for one, other in both)
    print(f"\n{len(both)} events; from the plain model times differ by up to {apart:.0e} s,", end=" ")
    print(f"impulses by {impulses:.0e} N s.")
    print(f"The pivot is open by up to {opening(result.x, numbers['l']).max():.0e} m.")
    draw(result, plain, numbers).savefig(picture, dpi=150)
    print("The picture is in", picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
