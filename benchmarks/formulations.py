"""Formulations of constrained motion side by side: drift of phi and phi', energy, steps and time at three tolerances.

    python benchmarks/formulations.py                      # the table, some minutes
    python benchmarks/formulations.py --time 20            # shorter runs
    python benchmarks/formulations.py --plot figure.png    # and the figure of the manual

Mechanisms: two particles on rods in Cartesian coordinates, released level at rest; a slider-crank that turns, with the
places and angles of its bodies; ten four-bars in a row, hanging, in Cartesian coordinates of their corners. DOP853.
"""

from __future__ import annotations

import argparse
import time
import warnings
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import sympy as sm
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, RigidBody, System, dynamicsymbols, inertia

from sympact import Baumgarte, Direct, HybridModel, NullSpace, Partitioning, Projection, SympactWarning, TangentSpace

G = 9.81
TOLERANCES = (1e-6, 1e-8, 1e-10)
FORMULATIONS = (
    Direct(),
    Baumgarte(20.0),
    Projection(),
    Partitioning(),
    TangentSpace(),
    NullSpace("qr"),
    NullSpace("svd"),
    NullSpace("gram-schmidt"),
)


@dataclass(frozen=True)
class Row:
    """One run: the largest |phi|, |A u + a| and relative change of the energy, accepted steps, processor time (s)."""

    mechanism: str
    formulation: str
    rtol: float
    position: float
    rate: float
    energy: float
    steps: int
    seconds: float
    status: str


def empty(letters):
    """A system with these coordinates, whose derivatives are the speeds."""
    N, O = ReferenceFrame("N"), Point("O")
    O.set_vel(N, 0)
    q = dynamicsymbols(letters)
    u = dynamicsymbols(" ".join(f"u_{name}" for name in letters.split()))
    system = System(frame=N, fixed_point=O)
    system.add_coordinates(*q)
    system.add_speeds(*u)
    system.add_kdes(*(place.diff(dynamicsymbols._t) - speed for place, speed in zip(q, u, strict=True)))
    return system, q, u


def particles(system, places):
    """Particles of 1 kg at these places; their points."""
    N, O = system.frame, system.fixed_point
    points = []
    for k, (x, y) in enumerate(places):
        points.append(O.locatenew(f"P{k}", x * N.x + y * N.y))
        system.add_bodies(Particle(f"p{k}", points[-1], 1))
    return points


def two_points():
    """Released level at rest."""
    system, (x1, y1, x2, y2), _ = empty("x1 y1 x2 y2")
    particles(system, [(x1, y1), (x2, y2)])
    system.add_holonomic_constraints(x1**2 + y1**2 - 1, (x2 - x1) ** 2 + (y2 - y1) ** 2 - 1)
    return system, [1.0, 0.0, 2.0, 0.0] + [0.0] * 4


def slider_crank():
    """It turns once in some 0.7 s."""
    system, q, u = empty("a b x1 y1 x2 y2 x3")
    N, O = system.frame, system.fixed_point
    ends = []
    for k, length in enumerate((1.0, 2.5)):
        frame = N.orientnew(f"R{k}", "Axis", [q[k], N.z])
        frame.set_ang_vel(N, u[k] * N.z)
        centre = O.locatenew(f"C{k}", q[2 + 2 * k] * N.x + q[3 + 2 * k] * N.y)
        system.add_bodies(RigidBody(f"rod{k}", centre, frame, 1, (inertia(frame, 0, 0, length**2 / 12), centre)))
        ends += [centre.locatenew(f"near{k}", -frame.x * length / 2), centre.locatenew(f"far{k}", frame.x * length / 2)]
    slider = O.locatenew("slider", q[6] * N.x)
    system.add_bodies(Particle("block", slider, 1))
    for one, other in ((ends[0], O), (ends[1], ends[2]), (ends[3], slider)):
        away = one.pos_from(other)
        system.add_holonomic_constraints(away.dot(N.x), away.dot(N.y))
    place = 1.0 + 2.5
    rate = 9.0
    return system, [0, 0, 0.5, 0, (1.0 + place) / 2, 0, place, rate, -rate / 2.5, 0, rate / 2, 0, rate / 2, 0]


def four_bars(count=10):
    """Corners that hang on the ground points (k, 0) by rods, and on each other by rods of length 1."""
    system, q, _ = empty(" ".join(f"x{k} y{k}" for k in range(count + 1)))
    corners = [(q[2 * k], q[2 * k + 1]) for k in range(count + 1)]
    particles(system, corners)
    system.add_holonomic_constraints(*((x - k) ** 2 + y**2 - 1 for k, (x, y) in enumerate(corners)))
    pairs = pairwise(corners)
    system.add_holonomic_constraints(*((z - x) ** 2 + (w - y) ** 2 - 1 for (x, y), (z, w) in pairs))
    start = [number for k in range(count + 1) for number in (k + np.sin(1.0), -np.cos(1.0))]
    return system, start + [0.0] * len(start)


MECHANISMS = {"two points": two_points, "slider-crank": slider_crank, "ten four-bars": four_bars}


def run(name, formulation, rtol, end):
    """The row of one run, the second of its model."""
    system, start = MECHANISMS[name]()
    system.apply_uniform_gravity(-sm.Float(G) * system.frame.y)
    model = HybridModel(system, [], formulation=formulation)
    settings = {"rtol": rtol, "atol": rtol}
    model.simulate((0.0, 0.1), start, {}, **settings)
    begun = time.process_time()
    result = model.simulate((0.0, end), start, {}, **settings)
    seconds = time.process_time() - begun
    compiled, k = model.compile(), len(model.derivation.constraints)
    p = compiled.all_parameters(np.zeros(0))
    values = np.array(
        [compiled.raw("constraints", t, x, p)[: 2 * k] for t, x in zip(result.t, result.x.T, strict=True)]
    )
    energy = result.energy
    return Row(
        name,
        str(formulation),
        rtol,
        np.abs(values[:, :k]).max(),
        np.abs(values[:, k:]).max(),
        np.abs(energy - energy[0]).max() / np.abs(result.kinetic_energy).max(),
        result.steps,
        seconds,
        result.status.name,
    )


def table(end):
    """All rows, printed as they are found."""
    print(
        f"runs of {end:g} s\n{'mechanism':14}{'formulation':30}{'rtol':>8}{'phi':>10}{'rate':>10}{'energy':>10}"
        f"{'steps':>8}{'s':>9}  status"
    )
    rows = []
    for name in MECHANISMS:
        for formulation in FORMULATIONS:
            for rtol in TOLERANCES:
                rows.append(run(name, formulation, rtol, end))
                r = rows[-1]
                print(
                    f"{r.mechanism:14}{r.formulation:30}{r.rtol:8.0e}{r.position:10.1e}{r.rate:10.1e}{r.energy:10.1e}"
                    f"{r.steps:8d}{r.seconds:9.4f}  {r.status}",
                    flush=True,
                )
    return rows


def plot(rows, path):
    """Energy error and drift over time, a line for each formulation."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(2, len(MECHANISMS), figsize=(11, 6), sharey="row", layout="constrained")
    for column, name in enumerate(MECHANISMS):
        for formulation in map(str, FORMULATIONS):
            own = [r for r in rows if r.mechanism == name and r.formulation == formulation]
            seconds = [r.seconds for r in own]
            axes[0, column].loglog(seconds, [r.energy for r in own], "o-", label=formulation)
            axes[1, column].loglog(seconds, [max(r.position, 1e-17) for r in own], "o-")
        axes[0, column].set_title(name)
        axes[1, column].set_xlabel("processor time (s)")
    axes[0, 0].set_ylabel("energy error, relative")
    axes[1, 0].set_ylabel("drift of phi")
    figure.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=4, frameon=False)
    figure.savefig(path, dpi=110)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--time", type=float, default=100.0, help="the end of the runs (s)")
    parser.add_argument("--plot", help="where to save the figure")
    given = parser.parse_args()
    warnings.simplefilter("ignore", SympactWarning)
    found = table(given.time)
    if given.plot:
        plot(found, given.plot)
