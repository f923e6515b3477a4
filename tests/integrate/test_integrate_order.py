"""The order of convergence of every stepper, fitted on closed forms: without events, and through an impact."""

import numpy as np
import pytest
from integrate_processes import ADAPTIVE, FIXED, STIFF, check_run, plain_walled, walled
from oracles.closed_forms import TEACHING_TABLE, WalledOscillator
from quick_members import members

from sympact import HybridSystem

E = 0.8
MOTION = WalledOscillator(E)
PROCESSES = {"symbolic": walled(E, MOTION.wall), "plain": plain_walled(E, MOTION.wall)}
BEFORE, AFTER = 2.0, 4.0
"""The impact is at 2 pi/3 = 2.094."""
STEPS = {
    "Euler": np.geomspace(1e-3, 1e-2, 5),
    "improved Euler": np.geomspace(5e-3, 5e-2, 5),
    "RK4": np.geomspace(1e-2, 1e-1, 5),
    "RK45": np.geomspace(3e-2, 2e-1, 5),
    "DOP853": np.geomspace(2e-1, 1.0, 5),
}
"""Steps (s) between rounding and the first wiggle of the curve of errors."""
ANY_ERROR = {"rtol": 0.5, "atol": 1e6}
"""Tolerances that ask for nothing, so that an adaptive stepper takes steps of max_step."""


def slope(abscissa, errors):
    """The exponent of `errors` as a power of `abscissa`, by least squares."""
    return np.polyfit(np.log(abscissa), np.log(errors), 1)[0]


def errors(process, t_end, settings):
    """Distances from the exact state at the end, and from the exact time of the impact."""
    at_end, at_impact = [], []
    for options in settings:
        result = process.simulate((0, t_end), [1.0, 0.0], start="free", **options)
        check_run(result)
        at_end.append(np.linalg.norm(result.x[:, -1] - MOTION.state(t_end)))
        assert len(result.events) == (t_end > MOTION.impact)
        at_impact.extend(abs(result.events.t - MOTION.impact))
    return np.array(at_end), np.array(at_impact)


ORDERS = [
    (kind, *method, end) for kind in PROCESSES for method in (FIXED | ADAPTIVE).items() for end in (BEFORE, AFTER)
]
FLIGHTS = [one for one in ORDERS if one[0] == "plain" and one[-1] == BEFORE]
"""Without an impact plain functions are stepped as symbolic ones are."""


@pytest.mark.parametrize(("kind", "method", "order", "t_end"), members(ORDERS, slow=FLIGHTS))
def test_error_falls_with_the_step_at_the_order_of_the_method(kind, method, order, t_end):
    """A wrong coefficient, or an impact that is found too roughly, costs a whole order; wiggles cost 0.4."""
    settings = [{"method": method, "max_step": step, **ANY_ERROR} for step in STEPS[method]]
    at_end, at_impact = errors(PROCESSES[kind], t_end, settings)
    assert slope(STEPS[method], at_end) == pytest.approx(order, abs=0.05 * order)
    if t_end > MOTION.impact:
        assert slope(STEPS[method], at_impact) == pytest.approx(order, abs=0.12 * order)


@pytest.mark.parametrize("t_end", [BEFORE, AFTER])
@pytest.mark.parametrize("method", ADAPTIVE)
@pytest.mark.parametrize("kind", PROCESSES)
def test_error_stays_below_the_tolerance(kind, method, t_end):
    """Half a period with states of size 1: the errors of the steps add up to less than one tolerance."""
    tolerances = 10.0 ** -np.arange(3, 13)
    settings = [{"method": method, "rtol": rtol, "atol": 1e-3 * rtol} for rtol in tolerances]
    at_end, at_impact = errors(PROCESSES[kind], t_end, settings)
    assert (at_end < tolerances).all()
    assert (at_impact < tolerances[: len(at_impact)]).all()


@pytest.mark.parametrize("method", ADAPTIVE)
def test_error_falls_in_proportion_to_the_tolerance(method):
    """Over three periods. The step is (tolerance)^(1/p) with p = 5 and 8, so that every error falls in proportion."""
    tolerances = 10.0 ** -np.arange(5, 12)
    ends = []
    for rtol in tolerances:
        result = walled(E, -2.0).simulate((0, 20), [1.0, 0.0], start="free", method=method, rtol=rtol, atol=1e-3 * rtol)
        ends.append(np.linalg.norm(result.x[:, -1] - [np.cos(20), -np.sin(20)]))
    assert slope(tolerances, ends) == pytest.approx(1.0, abs=0.15)


@pytest.mark.parametrize("t_end", [BEFORE, AFTER])
@pytest.mark.parametrize("method", STIFF)
def test_implicit_methods_follow_their_tolerance(method, t_end):
    """SciPy's own controllers: BDF, of variable order, is known to miss its tolerance by a factor of some ten."""
    tolerances = 10.0 ** -np.arange(3, 9)
    settings = [{"method": method, "rtol": rtol, "atol": 1e-3 * rtol} for rtol in tolerances]
    at_end, at_impact = errors(PROCESSES["symbolic"], t_end, settings)
    assert (at_end < 30 * tolerances).all()
    assert (at_impact < 30 * tolerances[: len(at_impact)]).all()


@pytest.mark.parametrize(("method", "column"), [("improved Euler", "improved_euler"), ("RK4", "rk4")])
def test_textbook_table(method, column):
    """y' = x - y + 1, y(0) = 1, h = 0.1, to the six decimals that textbooks print."""
    line = HybridSystem({"line": lambda x, y: [x - y[0] + 1]}, [])
    result = line.simulate((0, 0.5), [1.0], start="line", method=method, max_step=0.1)
    assert result.x[0, 1:].round(6).tolist() == list(TEACHING_TABLE[column])
