"""A jump of one's own: a billiard ball that loses a part of its speed at each cushion, and its spin with it."""

# begin
from math import cos, pi, sin

from sympact import HybridSystem, Transition

HALF = 1.0  # half the width of the table (m)
E, KEPT, TURN = 0.9, 0.6, 0.05  # what stays of the normal speed and of the spin; the angle that a spin of 1 turns by


def roll(t, x):
    place, height, v, w, spin = x
    return [v, w, 0.0, 0.0, -0.1 * spin]


def cushion(t, x):
    """Negative inside, zero where the ball touches either of the two cushions."""
    return abs(x[0]) - HALF


def rebound(t, x):
    """The state just after: the speed turns round, and the spin throws the ball aside."""
    place, height, v, w, spin = x
    angle = TURN * spin
    return [place, height, -E * (cos(angle) * v - sin(angle) * w), sin(angle) * v + cos(angle) * w, KEPT * spin]


table = HybridSystem(
    flows={"rolling": roll},
    transitions=[Transition("rolling", "rolling", boundary=cushion, jump=rebound, name="cushion")],
    states=["x", "y", "v", "w", "spin"],
)
result = table.simulate((0, 10), [0, 0, 1, 0.2, 2 * pi], start="rolling")
print(result.events)
for event in result.events[:2]:
    print(event.t, event.x_minus[2], "->", event.x_plus[2])

assert abs(result.events[0].t - 1) < 1e-9  # a metre at a metre per second
assert abs(result["x"]).max() < 1 + 1e-9
