"""What an input costs: a force given as an expression, a number, data or a function against the same term in the load.

A ball above a floor is shaken for 20 s. Ratios are the medians of pairs of runs taken in turns.
"""

from statistics import median

import numpy as np
import sympy as sm
from measure import show, timed
from sympy.physics.mechanics import Force, Particle, Point, ReferenceFrame, System, dynamicsymbols

from sympact import Contact, HybridModel, Interpolated, Plane
from sympact.graph import count
from sympact.mechanics.run.signals import read_signals

PAIRS, SPAN = 41, (0.0, 20.0)
m, g, e, w = sm.symbols("m g e w", positive=True)
(z, v), F, t = dynamicsymbols("z v"), dynamicsymbols("F"), dynamicsymbols._t
NUMBERS = {m: 1.0, g: 9.81, e: 0.9}


def model(force: sm.Expr) -> HybridModel:
    """A ball above a floor with a force on it."""
    N, O = ReferenceFrame("N"), Point("O")
    P = O.locatenew("P", z * N.z)
    system = System(N, O)
    system.add_bodies(Particle("ball", P, m))
    system.add_coordinates(z)
    system.add_speeds(v)
    system.add_kdes(v - z.diff())
    system.apply_uniform_gravity(-g * N.z)
    system.add_loads(Force(P, force * N.z))
    return HybridModel(system, [Contact(P, Plane(O, N.z), restitution=e, friction=0)])


def compared(name: str, load, given, written: HybridModel, driven: HybridModel, numbers: dict) -> list:
    """The CPU times of a run with the term in the load and with the input, their ratio, and how far impacts differ."""
    runs = [
        lambda: written.simulate(SPAN, [1, 0], NUMBERS | numbers),
        lambda: driven.simulate(SPAN, [1, 0], NUMBERS, inputs={F: given}),
    ]
    first, second = runs[0](), runs[1]()
    pairs = [[timed(run)[1] for run in runs] for _ in range(PAIRS)]
    one, other = ([event.t for event in result.events if str(event.kind) == "impact"] for result in (first, second))
    apart = np.abs(np.subtract(one, other)).max(initial=0.0)
    times = [1e3 * median(column) for column in zip(*pairs, strict=True)]
    return [name, *times, median(b / a for a, b in pairs), len(one), apart]


def main() -> None:
    """Print the table, and how many operations a number and a parameter take."""
    driven, shake = model(F), 5 * sm.sin(30 * t)
    pulse = sm.Piecewise((0, t < 5), (200, t < 5.01), (0, True))
    knots = np.linspace(0, 20, 41)
    data = Interpolated(knots, 5 * np.sin(knots))
    ends = [*zip(knots[1:].tolist(), np.diff(data.values) / np.diff(knots), data.values, knots, strict=False)]
    pieces = [(float(c) + float(slope) * (t - float(a)), t <= b) for b, slope, c, a in ends]
    line = sm.Piecewise(*pieces[:-1], (pieces[-1][0], True))
    rows = [
        compared("5 sin 30 t", shake, shake, model(shake), driven, {}),
        compared("a pulse of 10 ms", pulse, pulse, model(pulse), driven, {}),
        compared("a number; a parameter", w, 2.0, model(w), driven, {w: 2.0}),
        compared("40 straight pieces; a Piecewise", line, data, model(line), driven, {}),
        compared("a function; 5 sin 30 t", shake, lambda t: 5 * np.sin(30 * t), model(shake), driven, {}),
    ]
    heads = ["", "in the load (ms)", "as input (ms)", "ratio", "impacts", "impacts apart (s)"]
    show("A force on a ball for 20 s", heads, rows)
    given, written = read_signals(driven, {F: 2.0}, SPAN).compiled, model(w).compile()
    rows = [
        [one.name, *(count(made.model.derivation.graph, f.nodes) for made, f in ((given, one), (written, other)))]
        for one, other in zip(given.functions, written.functions, strict=True)
    ]
    show("Operations", ["", "a number", "a parameter"], rows)


if __name__ == "__main__":
    main()
