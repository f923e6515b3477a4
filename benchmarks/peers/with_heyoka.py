"""heyoka: Taylor's method with terminal events and jumps in their callbacks; tol 1e-10, for many drops in batches of 4.

Its equations are closed expressions of the accelerations, as its users write them; the numbers are those of the model.
"""

from __future__ import annotations

from time import process_time

import heyoka as hy
import numpy as np
import sympy as sm
from batches import heyoka_batch
from equations import case_of, form_of
from problems import BALL, DROPS, ENDS, Outcome, best, drop_starts, main

from baseline_scipy import _newton, _Symbolic  # isort: skip

TOLERANCE = 1e-10


def expression(given: sm.Expr) -> hy.expression:
    """An expression of heyoka's."""
    number = sm.N(given, 17)
    return hy.expression(float(number)) if number.is_number else hy.from_sympy(number)


def solve(problem: str, setting: str) -> Outcome:
    """One run, or many drops."""
    began = process_time()
    if problem == "ball":
        return ball(began)
    if problem == "drops":
        return drops(began)
    model = _Symbolic.of(case_of(problem))
    jump, names = _newton(model), [str(state) for state in model.states]
    variables = hy.make_vars(*names)
    speeds = [sm.simplify(one) for one in model.mass_matrix.LUsolve(model.forcing)]
    equations = list(zip(variables, [expression(one) for one in (*model.rates, *speeds)], strict=True))
    impacts: list[float] = []

    def callback(index: int):
        def hit(integrator, *_):
            impacts.append(integrator.time)
            integrator.state[:] = jump(np.array(integrator.state), index)
            return True

        return hit

    down = hy.event_direction.negative
    events = [hy.t_event(expression(gap), callback=callback(i), direction=down) for i, gap in enumerate(model.gaps)]
    integrator = hy.taylor_adaptive(equations, list(model.start), t_events=events, tol=TOLERANCE)
    samples: list[tuple[float, np.ndarray]] = []

    def run(kept: bool = False):
        impacts.clear()
        integrator.time = 0.0
        integrator.state[:] = model.start
        integrator.reset_cooldowns()
        if not kept:
            integrator.propagate_until(ENDS[problem])
            return list(impacts)
        for t in np.linspace(0, ENDS[problem], 2001)[1:]:
            integrator.propagate_until(t)
            samples.append((integrator.time, np.array(integrator.state)))
        return None

    run()
    setup = process_time() - began
    seconds, found = best(run)
    run(kept=True)
    t, x = zip(*samples, strict=True)
    told = f"Taylor, tol {TOLERANCE:g}, terminal events"
    return Outcome(told, hy.__version__, setup, seconds, found, form_of(problem), t, x)


def ball(began: float) -> Outcome:
    """The ball: one integrator, whose spring is a parameter that events switch on and off."""
    y, v = hy.make_vars("y", "v")
    free = BALL["g"] + BALL["c"] / BALL["m"] * v
    impacts: list[float] = []

    def ceiling(integrator, *_):
        impacts.append(integrator.time)
        integrator.state[1] *= -BALL["eta"]
        return True

    def touch(integrator, *_):
        impacts.append(integrator.time)
        integrator.pars[0] = BALL["k"]
        return True

    def leave(integrator, *_):
        if integrator.pars[0] > 0.0:  # the start at zero is no release
            impacts.append(integrator.time)
            integrator.pars[0] = 0.0
        return True

    up, down = hy.event_direction.positive, hy.event_direction.negative
    events = [
        hy.t_event(y - BALL["h"], callback=ceiling, direction=up),
        hy.t_event(y, callback=touch, direction=down),
        hy.t_event(y, callback=leave, direction=up),
    ]
    equations = [(y, v), (v, -free - hy.par[0] * y / BALL["m"])]
    integrator = hy.taylor_adaptive(equations, [0.0, BALL["v"]], pars=[0.0], t_events=events, tol=TOLERANCE)
    samples: list[tuple[float, np.ndarray]] = []

    def run(kept: bool = False):
        impacts.clear()
        integrator.time = 0.0
        integrator.state[:] = [0.0, BALL["v"]]
        integrator.pars[0] = 0.0
        integrator.reset_cooldowns()
        for t in np.linspace(0, ENDS["ball"], 2001)[1:] if kept else [ENDS["ball"]]:
            integrator.propagate_until(t)
            if kept:
                samples.append((integrator.time, np.array(integrator.state)))
        return list(impacts)

    run()
    setup = process_time() - began
    seconds, found = best(run)
    run(kept=True)
    t, x = zip(*samples, strict=True)
    return Outcome(f"Taylor, tol {TOLERANCE:g}, terminal events", hy.__version__, setup, seconds, found, "ball", t, x)


def drops(began: float) -> Outcome:
    """Batches of 4 lanes, the best of 4 and 8 here; a twentieth of the drops, in which each takes the same work."""
    rows = drop_starts(DROPS // 20)
    heyoka_batch(rows[:8], 4)
    setup = process_time() - began
    return Outcome(f"Taylor, batch of 4, tol 1e-10, {len(rows)} drops", hy.__version__, setup, heyoka_batch(rows, 4))


if __name__ == "__main__":
    main(solve)
