"""A die is tossed and comes to rest on a face; two hundred tosses count the faces.

    python examples/dice.py [PICTURE]

The die tumbles over its eight corners, which hit one by one, then in pairs; from some time on four of them are closed
contacts and a face lies flat. Friction, mu = 0.3, decelerates it until it is at rest. Tossed two hundred times with
spins drawn at random, each face comes up about as often; chi squared gives the probability that a fair die deviates
more.
"""

import sys
import warnings

import numpy as np
from matplotlib.figure import Figure
from scipy.stats import chisquare

from sympact import ImpactWarning
from sympact.models import dice

TOSSES = 200
FACES = ("+x", "-x", "+y", "-y", "+z", "-z")


def corners_of(x, edge):
    """The heights of the eight corners, shape (8, k) (m), for states x of shape (13, k)."""
    signs = edge / 2 * np.array(np.meshgrid(*[(1, -1)] * 3)).reshape(3, 8)
    return x[2] + np.einsum("ik,ij->jk", uprights(x), signs)


def uprights(x):
    """How far each axis of the die points up, shape (3, k): the last row of the rotation by the quaternion."""
    e0, e1, e2, e3 = x[3:7]
    return np.array([2 * (e1 * e3 - e0 * e2), 2 * (e2 * e3 + e0 * e1), e0**2 - e1**2 - e2**2 + e3**2])


def upper_face(x):
    """The number of the face that lies on top at the end of a run, 0 to 5 as in `FACES`; None if the die stands aslant.

    A face lies flat when one axis of the die is upright.
    """
    upright = uprights(x)
    axis = int(np.argmax(np.abs(upright)))
    return 2 * axis + int(upright[axis] < 0) if abs(upright[axis]) > 1 - 1e-9 else None


def toss(count, seed=1):
    """How often each face comes up in so many tosses, and how many of them do not end on a face."""
    ready, random = dice(), np.random.default_rng(seed)
    counts = np.zeros(len(FACES), dtype=int)
    for _ in range(count):
        spin = dict(zip(("omega_1", "omega_2", "omega_3"), random.normal(0, 30, 3), strict=True))
        face = upper_face(ready.with_numbers(start=spin).simulate().x[:, -1])
        if face is not None:
            counts[face] += 1
    return counts, count - counts.sum()


def draw(result, counts):
    """The heights of the corners of one toss, and the faces of many."""
    figure = Figure(figsize=(9, 4), layout="constrained")
    heights, faces = figure.subplots(1, 2, width_ratios=[3, 2])
    last = result.events[-1].t
    times = np.linspace(0, min(last + 0.1, result.t_span[1]), 3000)
    heights.plot(times, 1e3 * corners_of(result(times), edge=0.02).T, linewidth=0.8)
    heights.set(xlabel="t (s)", ylabel="corners (mm)", title=f"one toss: {len(result.events)} events")
    faces.bar(FACES, counts)
    faces.axhline(counts.sum() / len(FACES), color="0.4", linewidth=0.8)
    faces.set(xlabel="face on top", ylabel="times", title=f"{counts.sum()} tosses")
    return figure


def main(picture="dice.png"):
    """Toss the die once and print its events, then toss it often and count."""
    warnings.simplefilter("ignore", ImpactWarning)  # corners that hit nearly together: chance is what dice are for
    result = dice().simulate(rtol=1e-12, atol=1e-14)
    print(result.events.table(max_rows=12))
    print("\nOn top lies the face", FACES[upper_face(result.x[:, -1])])
    counts, aslant = toss(TOSSES)
    print(f"Tossed {TOSSES} times:", ", ".join(f"{face} {n}" for face, n in zip(FACES, counts, strict=True)))
    print(f"{aslant} end on no face. A fair die strays further with the probability {chisquare(counts).pvalue:.2f}.")
    draw(result, counts).savefig(picture, dpi=150)
    print("The picture is in", picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
