"""A ball between a ceiling and a spring: a process of two stages, written as plain functions.

    python examples/ball_ceiling_spring.py [PICTURE]

The ball is thrown up against the ceiling, loses speed there, and falls on a spring, from which it may lift off again.
The process needs no mechanical model: it has a flow for each stage and a transition for each exit of a stage. The
numbers are those of the first example of the multi-stage framework; the damping acts in both stages.
"""

import sys

from sympact import HybridSystem, Transition

picture = sys.argv[1] if len(sys.argv) > 1 else "ball_ceiling_spring.png"

# Mass, damping, gravity, stiffness of the spring, height of the ceiling, coefficient of restitution.
m, c, g, k, h, eta = 1.0, 0.5, 9.8, 10.0, 5.0, 0.8


def free(t, x):
    """Fly: y' = v, v' = -g - c v/m."""
    y, v = x
    return [v, -g - c * v / m]


def spring(t, x):
    """Press on the spring: y' = v, v' = -g - (c v + k y)/m."""
    y, v = x
    return [v, -g - (c * v + k * y) / m]


def bounce(t, x):
    """Hit the ceiling: the velocity is reversed and loses a part."""
    y, v = x
    return [y, -eta * v]


# A boundary is negative inside the stage and fires when it reaches zero. Without a jump the state stays as it is.
process = HybridSystem(
    flows={"free": free, "spring": spring},
    transitions=[
        Transition("free", "free", boundary=lambda t, x: x[0] - h, jump=bounce, name="ceiling"),
        Transition("free", "spring", boundary=lambda t, x: -x[0], name="touch"),
        Transition("spring", "free", boundary=lambda t, x: x[0], name="leave"),
    ],
    states=["y", "v"],
)

result = process.simulate((0, 20), [0.0, 100.0], start="free", rtol=1e-12, atol=1e-14)

print("The transitions:")
print(result.table())
print("\nThe path:", " -> ".join(result.path))
print("At the end y, v =", result(20.0).round(9))

result.plot(title="Ball between a ceiling and a spring", units={"t": "s", "y": "m", "v": "m/s"}).savefig(picture)
print("The picture is in", picture)
