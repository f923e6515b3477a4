"""Random impact problems with friction: how many are solved, how well, by what, at what cost, and what energy does.

`python benchmarks/impact_problems.py [--count 100000] [--seed 0] [--expansion]` takes the kinds of
`tests/random_cones.py` in turn; with `--expansion` each is compressed first, and the problem is the expansion of
Poisson's law, whose least impulses are e times those of compression, e between 0 and 1 for each contact. The law is
measured with NumPy, by another function than the solver's; energy is that of the contacts, the sum of
Lambda . (gamma+ + gamma-)/2, relative to the kinetic energy before (with `--expansion` of both phases).
"""

from argparse import ArgumentParser, Namespace
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from time import thread_time

import numpy as np
from measure import show
from random_cones import KINDS, Impact, law_residual, nearly_jammed

from sympact.contact.memory import contact_codes as codes
from sympact.contact.solver_calls import ConeCall, solve_cone_problem

SOLVERS = {
    codes.NOTHING: "nothing",
    codes.ALONE: "alone",
    codes.NEWTON: "Newton",
    codes.DESCENDED: "descent",
    codes.FOLLOWED: "path",
}
UNSOLVED = "unsolved"
ROUNDING = 1e-12
"""Gain of energy, relative to the kinetic energy before, that is none."""


@dataclass
class Study:
    """What was found for one kind of problems."""

    solver: Counter = field(default_factory=Counter)
    seconds: dict = field(default_factory=lambda: defaultdict(list))
    worst: float = 0.0
    plastic: float = -np.inf
    gains: int = 0

    def add(self, impact: Impact, e: np.ndarray | None = None) -> None:
        """Solve a problem and take its figures down; with `e` that of the expansion."""
        delassus, rate, least, taken = impact.delassus, impact.rate, np.zeros(len(impact.friction)), 0.0
        if e is not None:
            before = impact.jacobian @ impact.speeds
            first = solve_cone_problem(delassus, before, impact.friction)
            rate, least, taken = first.after, e * first.impulse[::3], first.impulse @ (first.after + before) / 2
        call = ConeCall(delassus, rate, impact.friction, least=least)
        start = thread_time()
        code = call()
        elapsed = thread_time() - start
        answer = call.answer()
        self.solver[SOLVERS[answer.solver] if code == codes.SOLVED else UNSOLVED] += 1
        if code != codes.SOLVED:
            return
        if answer.solver != codes.NOTHING:
            self.seconds[len(impact.friction)].append(elapsed)
        self.worst = max(self.worst, law_residual(delassus, rate, impact.friction, answer.impulse, least))
        if e is None:
            self.take_energy(impact, answer)
        else:
            gain = taken + answer.impulse @ (answer.after + rate) / 2
            self.gains += gain > ROUNDING * 0.5 * impact.speeds @ impact.mass_matrix @ impact.speeds

    def take_energy(self, impact: Impact, answer) -> None:
        """The largest gain of the plastic impacts; how many of the others gain."""
        work = answer.impulse @ (answer.after + impact.jacobian @ impact.speeds) / 2
        if impact.restitution > 0:  # U is gamma+ + e gamma- in its normal part
            work -= impact.restitution * answer.impulse[::3] @ (impact.jacobian @ impact.speeds)[::3] / 2
        gain = float(work / (0.5 * impact.speeds @ impact.mass_matrix @ impact.speeds))
        if impact.restitution == 0:
            self.plastic = max(self.plastic, gain)
        elif gain > ROUNDING:
            self.gains += 1


def study(kind: Callable[[np.random.Generator], Impact], count: int, seed: int, expansion: bool) -> Study:
    """Solve so many problems of one kind."""
    found = Study()
    for k in range(count):
        rng = np.random.default_rng([seed, k])
        impact = kind(rng)
        found.add(impact, rng.uniform(size=len(impact.friction)) if expansion else None)
    return found


def show_studies(studies: dict[str, Study]) -> None:
    """What solved the problems, by kind, and the promises."""
    heads = [*SOLVERS.values(), UNSOLVED]
    rows = [
        (name, *(found.solver[head] for head in heads), f"{found.worst:.1e}", f"{found.plastic:.1e}", found.gains)
        for name, found in studies.items()
    ]
    head = ("kind", *heads, "worst residual", "largest gain, e = 0", "gains, e > 0")
    show("impact problems with friction, by what solved them", head, rows)


def show_times(studies: list[Study]) -> None:
    """The time of a problem by the number of contacts."""
    rows = []
    for n in sorted({n for found in studies for n in found.seconds}):
        us = 1e6 * np.concatenate([found.seconds[n] for found in studies if n in found.seconds])
        rows.append((n, len(us), *(f"{figure:.1f}" for figure in (np.median(us), us.mean(), np.percentile(us, 99)))))
    show("time of a problem (us), where a contact approaches", ("contacts", "problems", "median", "mean", "99 %"), rows)


def arguments() -> Namespace:
    """What the command line asks for."""
    parser = ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=100_000, help="problems, those that nearly jam not counted")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--expansion", action="store_true", help="Poisson's expansion after the compression of each")
    return parser.parse_args()


def main() -> None:
    """Run the study and print its tables."""
    asked = arguments()
    each = -(-asked.count // len(KINDS))
    studies = {kind.__name__: study(kind, each, asked.seed, asked.expansion) for kind in KINDS}
    show_times(list(studies.values()))
    unsolved = sum(found.solver[UNSOLVED] for found in studies.values())
    studies["nearly_jammed"] = study(nearly_jammed, each // 10, asked.seed, asked.expansion)
    show_studies(studies)
    print(f"\n{each * len(KINDS) - unsolved} of {each * len(KINDS)} solved, those that nearly jam not counted")


if __name__ == "__main__":
    main()
