"""An inverted pendulum between two stops falls to one of them: the basins of both, as a picture.

    python examples/pendulum_basins.py [PICTURE]

It rebounds from the stops at the angles -a and a with the restitution e, and its energy of each swing decides whether
it passes the top once more. With w = theta'^2/2 - (g/l)(1 - cos(theta)), zero for a swing that ends at the top, and
k = (g/l)(1 - cos(a)), the energy of the next swing is

    w_next + k = e^2 (w + k),

so that the side on which it comes to rest follows from the start: that on which it is or to which it moves, changed
with every swing for which w > 0. Each run is compared with this.
"""

import sys

import numpy as np
from sympy import symbols
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, System, dynamicsymbols

from sympact import HybridModel, Limit, basins

G, LENGTH, STOP, E = 9.81, 1.0, 0.6, 0.8

theta, omega = dynamicsymbols("theta omega")
m, g, l, a, e = NAMES = symbols("m g l a e")


def pendulum():
    """The pendulum above its pivot, with stops on both sides."""
    N, O, P = ReferenceFrame("N"), Point("O"), Point("P")
    R = N.orientnew("R", "Axis", (theta, N.z))
    P.set_pos(O, l * R.y)
    O.set_vel(N, 0)
    system = System(N, O)
    system.add_bodies(Particle("bob", P, m))
    system.add_coordinates(theta)
    system.add_speeds(omega)
    system.add_kdes(omega - theta.diff())
    system.apply_uniform_gravity(-g * N.y)
    stops = [Limit(a - theta, restitution=e, name="left"), Limit(a + theta, restitution=e, name="right")]
    return HybridModel(system, stops)


def side(angle, speed):
    """1 where the pendulum comes to rest on the left, -1 on the right, by the energies of its swings."""
    excess, depth = speed**2 / 2 - G / LENGTH * (1 - np.cos(angle)), G / LENGTH * (1 - np.cos(STOP))
    found = np.where(excess > 0, np.sign(speed), np.sign(angle))
    swings = excess.copy()
    while (swings > 0).any():
        swings = np.where(swings > 0, E**2 * (swings + depth) - depth, swings)
        found = np.where(swings > 0, -found, found)
    return found, excess, depth


def picture_of(columns=240, rows=160, t_end=12.0):
    """The runs of a grid of angles and angular velocities."""
    grid = {theta: np.linspace(-0.999, 0.999, columns) * STOP, omega: np.linspace(-7, 7, rows)}
    numbers = dict(zip(NAMES, (1.0, G, LENGTH, STOP, E), strict=True))
    return basins(pendulum(), grid, {"left": theta > 0, "right": theta < 0}, (0, t_end), {}, numbers)


def main(picture="pendulum_basins.png"):
    """Run the grid, compare it with the energies, and draw it."""
    found = picture_of()
    angle, speed = np.meshgrid(*found.axes.values())
    exact, _, _ = side(angle, speed)
    print(found)
    wrong = np.count_nonzero(np.where(found.labels == 0, 1, -1) != exact)
    print(f"{wrong} of {found.labels.size:,} runs end on another side than the energies say")
    figure = found.plot(labels=("angle (rad)", "angular velocity (rad/s)"))
    figure.savefig(picture, dpi=150)
    print("The picture is in", picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
