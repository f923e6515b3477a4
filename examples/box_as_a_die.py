"""A box of 1:1:2 is thrown as a die: how often does it stand on its small faces?

    python examples/box_as_a_die.py [PICTURE]

A cube and a box with edges 20, 20 and 40 mm are thrown three hundred times each, from random orientations that are
uniformly distributed, with the same spin, and tumble with friction until they rest. One call makes all throws of a
body, on all cores. The probability of each side that can be up has Wilson's confidence interval of 95 %: those of the
cube contain 1/6, and chi squared says how often a fair die deviates more. The box has 20 % of its surface on the two
small faces, but stands on them much more seldom.
"""

import sys
import warnings

import numpy as np
from matplotlib.figure import Figure

import sympact
from sympact.analysis import share_of
from sympact.models import dice

THROWS = 300
SPIN = 30.0  # rad/s about each axis of the body


def attitude(generator):
    """A unit quaternion, uniformly distributed over all orientations (Muller 1959)."""
    numbers = generator.normal(size=4)
    return numbers / np.linalg.norm(numbers)


def start(generator):
    """The start of one throw; the other numbers are those of the ready-made die."""
    turn = dict(zip(("e_0", "e_1", "e_2", "e_3"), attitude(generator), strict=True))
    return turn | {"z": 0.06, "v_x": 0.1, "v_y": 0.0, "v_z": 0.0} | {f"omega_{i}": SPIN for i in (1, 2, 3)}


def throw(height, count=THROWS, seed=1):
    """Which side is up after so many throws of a box whose third edge has this length (m)."""
    die = dice()
    throws = sympact.ensemble(die, (0, 2), start, {"c": height, "e": 0.3}, runs=count, seed=seed, keep="end")
    assert throws.at_rest.all(), "two seconds are enough"
    system = die.model.source
    return throws.sides(system.bodies[0].frame, up=system.frame.z)


def draw(cube, box):
    """The probabilities of both with their intervals."""
    figure = Figure(figsize=(7, 3.6), layout="constrained")
    axes = figure.subplots()
    for shift, shares, name in ((-0.12, cube, "cube"), (0.12, box, "box of 1:1:2")):
        found = [shares[side] for side in shares]
        middle = np.array([one.value for one in found])
        reach = np.abs(np.array([[one.low, one.high] for one in found]).T - middle)
        axes.errorbar(np.arange(len(found)) + shift, middle, reach, fmt="o", capsize=4, label=name)
    axes.axhline(1 / 6, color="0.7", linewidth=1, zorder=0)
    axes.set_xticks(range(6), list(cube))
    axes.set(xlabel="side that is up", ylabel="probability", ylim=(0, None), title=f"{THROWS} throws each")
    axes.legend(frameon=False)
    return figure


def main(picture="box_as_a_die.png"):
    """Throw both, print the probabilities, and draw them."""
    warnings.simplefilter("ignore", sympact.SympactWarning)  # corners that hit nearly together
    cube, box = throw(0.02), throw(0.04)
    print("cube\n", cube, sep="")
    print("chi squared {:.2f}: a fair die deviates more with the probability {:.2f}".format(*cube.chi_square()))
    print("\nbox of 1:1:2\n", box, sep="")
    standing = share_of(box.outcome >= 4)
    print("it stands on a small face:", standing)
    draw(cube, box).savefig(picture, dpi=150)
    print("The picture is in", picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
