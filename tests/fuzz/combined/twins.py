"""Pendulums twice: by angles, and by the places of their bobs with rods as bilateral constraints; both move alike."""

from __future__ import annotations

import functools
import warnings
from dataclasses import dataclass, replace

import numpy as np

from fuzz.check import Verdict
from fuzz.cuts import after_cut, cuts_of
from fuzz.reading import Findings
from sympact import Result

ANGLES, PLACES = "angles", "places"

EVENT_TIME = 1e-6
"""How far events of both may be from each other (s); the tolerances of both runs, enlarged by impacts."""

STATE = 1e-5
"""The same of places, speeds and forces, of one and of their size."""

HEAD = """from sympy import Matrix, cos, sin
from sympy.physics.mechanics import Force, Particle, Point, ReferenceFrame, System, dynamicsymbols

from sympact import Controller, HybridModel, Latch, Limit, RodClosure, Sampled, Stop, Transition

t = dynamicsymbols._t
N, O = ReferenceFrame("N"), Point("O")
O.set_vel(N, 0)
system, n0 = System(N, O), dynamicsymbols("n0")
masses, lengths, angles, rates = {numbers}
last, X, Y, U, V, F, rods, start = O, [], [], [], [], [], [], {{n0: 0.0}}
for k, (m, l) in enumerate(zip(masses, lengths)):
    F.append(dynamicsymbols(f"F{{k}}"))
    if {by_angles}:
        q, w = dynamicsymbols(f"q{{k}} w{{k}}")
        P = last.locatenew(f"P{{k}}", l * (sin(q) * N.x - cos(q) * N.y))
        P.set_vel(N, last.vel(N) + l * w * (cos(q) * N.x + sin(q) * N.y))
        system.add_coordinates(q)
        system.add_speeds(w)
        system.add_kdes(w - q.diff())
        X.append((X[-1] if X else 0) + l * sin(q))
        Y.append((Y[-1] if Y else 0) - l * cos(q))
        U.append((U[-1] if U else 0) + l * cos(q) * w)
        V.append((V[-1] if V else 0) + l * sin(q) * w)
        start.update({{q: angles[k], w: rates[k]}})
    else:
        x, y, u, v = dynamicsymbols(f"x{{k}} y{{k}} u{{k}} v{{k}}")
        P = O.locatenew(f"P{{k}}", x * N.x + y * N.y)
        P.set_vel(N, u * N.x + v * N.y)
        system.add_coordinates(x, y)
        system.add_speeds(u, v)
        system.add_kdes(u - x.diff(), v - y.diff())
        rods.append(RodClosure(last, P, l, name=f"rod{{k}}"))
        turn = [l * sin(angles[k]), -l * cos(angles[k]), l * cos(angles[k]) * rates[k], l * sin(angles[k]) * rates[k]]
        before = [start[one[-1]] if one else 0.0 for one in (X, Y, U, V)]
        start.update({{one: float(a + b) for one, a, b in zip((x, y, u, v), before, turn)}})
        X.append(x), Y.append(y), U.append(u), V.append(v)
    system.add_bodies(Particle(f"bob{{k}}", P, m))
    system.add_loads(Force(P, F[k] * N.x - 9.81 * m * N.y))
    last = P
slower = {{speed: {slower} * speed for speed in system.u}}
"""


@dataclass(frozen=True)
class Twins:
    """A pendulum of one or two rods, and what it meets, as the text of expressions of X, Y, U, V, F, n0, and t."""

    seed: int
    masses: tuple[float, ...]
    lengths: tuple[float, ...]
    walls: tuple[str, ...]
    latch: str
    boundary: str
    slower: float
    laws: tuple[str, ...]
    events: tuple[str, ...]


@dataclass(frozen=True)
class Swing:
    """The start and the numbers of one run."""

    angles: tuple[float, ...]
    rates: tuple[float, ...]
    restitutions: tuple[float, ...]
    span: float
    number: int = 0


def random_twins(seed: int) -> Twins:
    """Pendulums of any kind; the same for the same seed."""
    rng = np.random.default_rng([seed, 79])
    n = int(rng.integers(1, 3))

    def some(low: float, high: float) -> float:
        return round(float(rng.uniform(low, high)), 3)

    end = n - 1
    walls = [f"{some(0.2, 0.7)} - X[{end}]", f"X[{end}] + {some(0.2, 0.7)}", f"Y[{end}] + {some(0.85, 0.98) * n}"]
    conditions = [
        f"U[{end}] - {some(-0.5, 0.5)}",
        f"X[0] - {some(-0.2, 0.2)}",
        f"t > {some(0.2, 1.5)}",
        f"X[{end}] > {some(0.0, 0.4)}",
        f"Stop(V[{end}] > {some(0.5, 2.0)}, occurrences={rng.integers(2, 5)})",
        f"F[0] > {some(0.0, 1.0)}",
    ]
    laws = []
    for k in range(n):
        law = f"{some(-3, 3)} * X[{k}] - {some(0, 1)} * U[{k}] + {some(-1, 1)} * n0"
        every = rng.choice([0.1, 0.25, some(0.05, 0.4)])
        kinds = [
            f"Sampled({every}, {law})",
            law,
            f"{some(-2, 2)} * sin({some(1, 5)} * t)",
            f"Controller(every={every}, law={{F[{k}]: {law}}}, record=True, name='a{k}')",
        ]
        laws.append(kinds[int(rng.integers(len(kinds)))])
    latch = f"Latch(X[0] - {some(-0.2, 0.2)}, closes=t > {some(0.3, 1.0)}, opens=t > {some(1.1, 1.6)}, name='l0')"
    return Twins(
        seed,
        tuple(some(0.5, 2.0) for _ in range(n)),
        tuple(some(0.5, 1.2) for _ in range(n)),
        tuple(wall for wall in walls[:2] if rng.random() < 0.6),
        latch if n == 2 and rng.random() < 0.4 else "",
        str(rng.choice([f"X[{end}] > {some(0.0, 0.3)}", f"t - {some(0.3, 1.2)}", f"U[{end}] < {some(-1, 0)}"])),
        some(0.5, 1.1),
        tuple(laws),
        tuple(map(str, rng.permutation(conditions)[:3])),
    )


def random_swing(twins: Twins, number: int) -> Swing:
    """A start within the walls."""
    rng = np.random.default_rng([twins.seed, 83, number])
    n = len(twins.masses)
    e = tuple(float(rng.choice([0.0, 0.4, 0.8, 1.0])) for _ in twins.walls)
    angles = tuple(float(a) for a in np.round(rng.uniform(-0.12, 0.12, n), 4))
    return Swing(angles, tuple(map(float, np.round(rng.normal(size=n) * 2.0, 4))), e, 2.0, number)


def twins_script(twins: Twins, swing: Swing, form: str) -> str:
    """The text that makes `model`, `run` and `result`."""
    numbers = twins.masses, twins.lengths, swing.angles, swing.rates
    walls = [
        f'Limit({wall}, restitution={e!r}, name="c{k}")'
        for k, (wall, e) in enumerate(zip(twins.walls, swing.restitutions, strict=True))
    ]
    acts = [law for law in twins.laws if law.startswith("Controller")]
    inputs = [f"F[{k}]: {law}" for k, law in enumerate(twins.laws) if law not in acts]
    events = [f'"w{k}": {event}' for k, event in enumerate(twins.events)]
    latch = f"latches=[{twins.latch}], " if twins.latch else ""
    return "\n".join(
        [
            HEAD.format(numbers=repr(numbers), by_angles=form == ANGLES, slower=twins.slower),
            f'count = Transition(boundary={twins.boundary}, jump={{n0: n0 + 1, **slower}}, name="s0")',
            f"model = HybridModel(system, [{', '.join(walls)}], constraints=rods, transitions=[count], discrete=[n0],",
            f"    {latch}length=1.0)",
            "given = dict(",
            f"    inputs={{{', '.join(inputs)}}}, controllers=[{', '.join(acts)}], events={{{', '.join(events)}}},",
            "    max_events=5000, rtol=1e-11, atol=1e-13,",
            ")",
            "",
            "",
            "def run(span, x0=start):",
            '    """A run over a span, from the start or from an earlier run."""',
            "    return model.simulate(span, x0, {}, **given)",
            "",
            "",
            f"result = run((0, {swing.span!r}))",
            'if __name__ == "__main__":',
            "    print(result.status.name, result.message)",
            "    print(result.events)",
            "",
        ]
    )


@functools.lru_cache(maxsize=4)
def simulate(twins: Twins, swing: Swing, form: str) -> dict[str, object]:
    """The names that the script of one form makes."""
    names: dict[str, object] = {"__name__": "fuzz_twins"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(compile(twins_script(twins, swing, form), f"<twins {twins.seed} by {form}>", "exec"), names)
    return names


def judge(twins: Twins, swing: Swing, again: bool = False) -> Verdict:
    """Run both, and compare them; cut the constrained one."""
    found = Findings()
    try:
        both = [simulate(twins, swing, form) for form in (ANGLES, PLACES)]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            until = check_events(*(names["result"] for names in both), found)
            _check_motion(both, until, found)
            _check_cuts(twins, swing, both[1], found)
    except Exception as error:
        return Verdict("ERROR", "", str(error), found.list, error=f"{type(error).__name__}: {str(error)[:120]}")
    result = both[0]["result"]
    found.expect(float(result.status is not both[1]["result"].status), 0.0, "the same end", result.t[-1])
    return Verdict(result.status.name, "finished", result.message, found.list, len(result.events))


def check_events(one: Result, other: Result, found: Findings) -> float:
    """The same events; returns until when both are compared: the end, or the first bounces that end."""
    ends = [event.t for run in (one, other) for event in run.events if event.kind == "accumulation"]
    until = min([one.t[-1], other.t[-1], *(t - 0.02 for t in ends)])
    names = [
        [(event.t, name) for event in run.events for name in event.contacts if event.t < until - EVENT_TIME]
        for run in (one, other)
    ]
    lost = [entry for entry in names[0] if not _near(entry, names[1])]
    more = [entry for entry in names[1] if not _near(entry, names[0])]
    found.expect(len(lost), 0, "an event of angles is none of places", until, str(lost[:3]))
    found.expect(len(more), 0, "an event of places is none of angles", until, str(more[:3]))
    return until


def _near(entry: tuple[float, str], others: list[tuple[float, str]]) -> bool:
    return any(name == entry[1] and abs(t - entry[0]) <= EVENT_TIME for t, name in others)


def _check_motion(both: list[dict], until: float, found: Findings) -> None:
    """The same places, speeds and forces between events."""
    runs = [names["result"] for names in both]
    if found.list:
        return
    times = np.linspace(0.0, until, 30)[1:-1]
    times = times[np.abs(times[:, np.newaxis] - runs[0].events.t).min(axis=1, initial=np.inf) > 1e-4]
    there = [run.at_times(times) for run in runs]
    for letter in "XYUV":
        for k in range(len(both[0][letter])):
            a, b = (part[names[letter][k]] for part, names in zip(there, both, strict=True))
            found.expect(np.abs(a - b) / (1.0 + np.abs(a)), STATE, "places and speeds", until, f"{letter}{k}")
    forces = [run.normal_force_at(times) for run in runs if run.contact_names]
    if forces:
        found.expect(np.abs(forces[0] - forces[1]), 1e2 * STATE * (1.0 + np.abs(forces[0]).max()), "forces", until)
    if "l0" in runs[0].reaction:
        a, b = (run.reaction.at(times)["l0"] for run in runs)
        found.expect(np.abs(a - b), 1e2 * STATE * (1.0 + np.abs(a).max()), "reactions", until)


def _check_cuts(twins: Twins, swing: Swing, names: dict, found: Findings) -> None:
    """The constrained run cut at two of its events has the events of the whole."""
    whole, rng = names["result"], np.random.default_rng([twins.seed, 89, swing.number])
    if whole.status.name != "FINISHED":
        return
    for cut in rng.permutation(np.array([*cuts_of(whole, np.zeros(0))]))[:2].tolist():
        difference = after_cut(names["run"], whole, cut)
        found.expect(len(difference.lost), 0, "a cut loses an event", cut, str(difference.lost))
        found.expect(len(difference.doubled), 0, "a cut doubles an event", cut, str(difference.doubled))


def shrink_twins(twins: Twins, swing: Swing, fails) -> tuple[Twins, Swing]:
    """Fewer walls, no latch, fewer events, plain inputs, as long as it fails."""
    smaller = True
    while smaller:
        smaller = False
        cases = [(replace(twins, latch=""), swing)] if twins.latch else []
        cases += [(replace(twins, events=twins.events[:-1]), swing)] if twins.events else []
        cases += [
            (replace(twins, walls=twins.walls[:-1]), replace(swing, restitutions=swing.restitutions[:-1]))
        ] * bool(twins.walls)
        cases += [(replace(twins, laws=("0.0",) * len(twins.laws)), swing)] * any(law != "0.0" for law in twins.laws)
        for case in cases:
            if fails(*case):
                (twins, swing), smaller = case, True
                break
    return twins, swing
