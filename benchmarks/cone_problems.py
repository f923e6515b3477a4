"""Cone problems of closed contacts: started from the last answer against cold starts, and runs that consist of them.

`python benchmarks/cone_problems.py [--count 200] [--moves 5]` takes the kinds of `tests/random_cones.py`. Each problem
is moved several times, its speeds and its masses by some part in a thousand, as a step of a run moves that of closed
contacts; each is solved from the last answer and cold. Their motions are compared: bodies with redundant contacts have
several, because their friction depends on the shares of the contacts in the load; then both satisfy the law. Of a run
the table has its CPU time, its events, and how many cone problems which method solved.
"""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator
from functools import partial
from time import thread_time

import numpy as np
from measure import best, show
from random_cones import KINDS, Impact, law_residual
from systems import RESTITUTION, falling_chain

from sympact import Contact, HybridModel, Plane, Result
from sympact.contact.memory import contact_codes as codes
from sympact.contact.solver_calls import ConeCall
from sympact.models import struck_stack

MOVED = 1e-3
"""The relative change of speeds and masses from one problem to the next."""
SAME = 1e-9
"""A difference of two motions, relative to the rates, that is none."""


def moved(rng: np.random.Generator, impact: Impact) -> Impact:
    """The same contacts with slightly other speeds and masses."""
    size = len(impact.speeds)
    part = rng.normal(size=(size, size))
    lengths = np.sqrt(np.diag(impact.mass_matrix))
    mass = impact.mass_matrix + MOVED / size * np.outer(lengths, lengths) * (part @ part.T)
    speeds = impact.speeds * (1 + MOVED * rng.normal(size=size))
    return Impact(mass, impact.jacobian, speeds, impact.restitution, impact.friction)


def timed(call: ConeCall) -> float:
    """The CPU time of a call (us)."""
    start = thread_time()
    call()
    return 1e6 * (thread_time() - start)


def moves(kind: Callable[[np.random.Generator], Impact], seed: int, count: int) -> Iterator[tuple]:
    """Of each move: both times (us), whether it started from the last answer, difference of motions, residual."""
    rng = np.random.default_rng(seed)
    impact = kind(rng)
    call = ConeCall(impact.delassus, impact.rate, impact.friction, continues=True)
    call()
    if call.answer().solver < codes.NEWTON:  # no contact approaches, or one contact alone
        return
    for _ in range(count):
        impact = moved(rng, impact)
        cold = ConeCall(impact.delassus, impact.rate, impact.friction)
        started = call.answer().counts["continued"]
        call.move(impact.delassus, impact.rate)
        warm_time, cold_time = timed(call), timed(cold)
        warm, other = call.answer(), cold.answer()
        difference = np.abs(warm.after - other.after).max() / np.abs(impact.rate).max()
        residual = law_residual(impact.delassus, impact.rate, impact.friction, warm.impulse)
        yield warm_time, cold_time, warm.counts["continued"] - started, difference, residual


def show_moves(asked: Namespace) -> None:
    """A row for each kind."""
    rows = []
    for kind in KINDS:
        found = [move for seed in range(asked.count) for move in moves(kind, seed, asked.moves)]
        warm, cold, started, difference, residual = np.array(found).T
        rows.append(
            (
                kind.__name__,
                len(found),
                f"{np.median(warm):.1f} / {np.median(cold):.1f}",
                f"{warm.mean():.1f} / {cold.mean():.1f}",
                f"{started.mean():.0%}",
                f"{(difference > SAME).mean():.0%}",
                f"{difference[difference <= SAME].max():.0e}",
                f"{residual.max():.0e}",
            )
        )
    head = ("kind", "moves", "median (us)", "mean (us)", "continued", "other motion", "difference", "residual")
    show("moved problems, from the last answer / cold", head, rows)


def chain_run(friction: float) -> Callable[[], Result]:
    """A free chain of ten rods, dropped on a floor, to rest."""
    case = falling_chain(10)
    floor = Plane(case.plane_point, case.normal)
    contacts = [
        Contact(point, floor, restitution=RESTITUTION, friction=friction, name=point.name) for point in case.points
    ]
    compiled = HybridModel(case.system, contacts).compile()
    x, p = compiled.state(case.start), compiled.parameters(case.parameters)
    return partial(compiled.simulate, (0, 6), x, p, rtol=1e-8, atol=1e-10, max_events=20_000)


def show_runs() -> None:
    """A row for each run."""
    runs = {
        "struck_stack": struck_stack().simulate,
        "ten rods, mu = 0": chain_run(0.0),
        "ten rods, mu = 0.4": chain_run(0.4),
    }
    names = ("newton", "continued", "descended", "continuation", "within_cones")
    rows = []
    for name, run in runs.items():
        result = run()
        solvers = result.settings["solvers"]
        rows.append(
            (name, f"{1e3 * best(run, repeats=5, least=0):.1f}", len(result.events), *(solvers[key] for key in names))
        )
    show("runs", ("run", "ms", "events", *names), rows)


def main() -> None:
    """Print both tables."""
    parser = ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=200, help="problems of each kind")
    parser.add_argument("--moves", type=int, default=5, help="of each problem")
    show_moves(parser.parse_args())
    show_runs()


if __name__ == "__main__":
    main()
