"""How runs end that cannot go on: the status says why, and everything before is kept and right."""

from itertools import product

import numpy as np
import pytest
import sympy as sm
from integrate_processes import ADAPTIVE, FIXED, STIFF, ball, check_run, plain_ball, q, t, u
from quick_members import members

from sympact import HybridSystem, Status, Transition

EVERY = [*ADAPTIVE, *FIXED, *STIFF]
STEP = 0.01


def pieces(process, start, t_end, **options):
    """A run whose samples and dense output are found to be finite."""
    result = process.simulate((0, t_end), start, start="only", **options)
    check_run(result)
    if len(result.t) > 1:
        assert np.isfinite(result(np.linspace(*result.t_span, 1001))).all()
    return result


def symbolic(flow, boundary=None, states=(q, u)):
    edges = [] if boundary is None else [Transition("only", "only", boundary=boundary, jump=[0 * s for s in states])]
    return HybridSystem.from_sympy({"only": flow}, edges, states=states)


def root_flow(kind):
    """q'' = -sqrt(1 - t): defined up to t = 1, where q = 50 - 2/5 and q' = -2/3."""
    if kind == "symbolic":
        return symbolic([u, -sm.sqrt(1 - t)], boundary=-q)
    edge = Transition("only", "only", boundary=lambda t, x: -x[0], jump=lambda t, x: 0 * x)

    def flow(t, x):
        return [x[1], -np.sqrt(1 - t) if t <= 1 else np.nan]

    return HybridSystem({"only": flow}, [edge])


@pytest.mark.parametrize("kind", ["symbolic", "plain"])
@pytest.mark.parametrize("method", EVERY)
def test_a_flow_that_is_no_number_from_some_time_on(kind, method):
    """The run comes to the last place where the method finds numbers, and invents no event."""
    result = pieces(root_flow(kind), [50.0, 0.0], 2, method=method, max_step=STEP)
    assert result.status is Status.NOT_FINITE
    assert len(result.events) == 0
    last = result.t_span[1]
    assert 1 - 1.5 * STEP < last <= 1 + 1e-12 if method != "LSODA" else 0.9 < last <= 1
    if method in ADAPTIVE:
        assert last == pytest.approx(1, abs=1e-12)
    rest = (1 - result.t).clip(0)
    exact = 50 - 2 / 3 * result.t - 4 / 15 * rest**2.5 + 4 / 15
    np.testing.assert_allclose(result.x[0], exact, rtol=0, atol=STEP if method == "Euler" else 1e-4)


@pytest.mark.parametrize("method", EVERY)
def test_a_flow_that_is_no_number_at_its_start(method):
    result = pieces(HybridSystem({"only": lambda t, x: [1.0 if t == 0 else np.nan]}, []), [0.0], 1, method=method,
                    max_step=STEP)  # fmt: skip
    assert result.status is Status.NOT_FINITE
    assert result.t_span[1] <= STEP


@pytest.mark.parametrize("beyond", [np.nan, np.inf])
@pytest.mark.parametrize("method", ADAPTIVE)
def test_the_probes_of_the_first_step_may_leave_the_domain(method, beyond):
    """x' = 1 at x = 0 only: no first step is found, and none is searched for ever."""
    result = pieces(HybridSystem({"only": lambda t, x: [1.0 if x[0] == 0 else beyond]}, []), [0.0], 1, method=method)
    assert result.status is Status.NOT_FINITE


LOGARITHM = sm.log(1 - q) - 5
"""Falls to minus infinity at q = 1 and is no number beyond; never zero before."""


@pytest.mark.parametrize("kind", ["symbolic", "plain"])
@pytest.mark.parametrize("method", EVERY)
def test_a_boundary_that_leaves_its_domain_is_no_event(kind, method):
    """With x' = 1 the domain ends at t = 1; a stepper that chooses its step comes close to it."""
    if kind == "symbolic":
        process = symbolic([1], LOGARITHM, states=(q,))
    else:

        def boundary(t, x):
            return np.log(1 - x[0]) - 5 if x[0] < 1 else np.nan

        edge = Transition("only", "only", boundary=boundary, jump=lambda t, x: [0.0])
        process = HybridSystem({"only": lambda t, x: [1.0]}, [edge])
    result = pieces(process, [0.0], 2, method=method, max_step=0.3)
    assert result.status is Status.NOT_FINITE
    assert len(result.events) == 0
    assert (1 - 1e-12 if method in ADAPTIVE else 0.39) < result.t_span[1] <= 1


@pytest.mark.parametrize("kind", ["symbolic", "plain"])
@pytest.mark.parametrize("method", ADAPTIVE)
def test_a_crossing_shortly_before_the_end_of_the_domain_is_found(kind, method):
    """sqrt(1 - t) falls through 1e-3 at t = 1 - 1e-6; a step beyond t = 1 is taken back."""
    if kind == "symbolic":
        edge = Transition("a", "b", boundary=sm.Rational(1, 1000) - sm.sqrt(1 - q))
        process = HybridSystem.from_sympy({"a": [1], "b": [1]}, [edge], states=[q])
    else:

        def boundary(t, x):
            return 1e-3 - np.sqrt(1 - x[0]) if x[0] <= 1 else np.nan

        flow = dict.fromkeys("ab", lambda t, x: [1.0])
        process = HybridSystem(flow, [Transition("a", "b", boundary=boundary)])
    result = process.simulate((0, 2), [0.0], start="a", method=method)
    assert result.status is Status.FINISHED
    assert result.events.t.tolist() == pytest.approx([1 - 1e-6], abs=1e-12)


SINGULAR = [*product(["pole", "blow-up"], [*ADAPTIVE, *STIFF])]


@pytest.mark.parametrize(
    ("kind", "method"), members(SINGULAR, slow=[one for k, one in enumerate(SINGULAR) if (k + k // 6) % 2])
)
def test_a_singularity_ends_the_run_before_it(kind, method):
    """x' = 1/(1-t)^2 and x' = x^2 both give x = 1/(1-t), less 1 for the first; no step is small enough at t = 1."""
    flows = {"pole": lambda t, x: [1 / (1 - t) ** 2], "blow-up": lambda t, x: x**2}
    offset = 1.0 if kind == "pole" else 0.0
    with np.errstate(all="ignore"):
        result = pieces(HybridSystem({"only": flows[kind]}, []), [1.0 - offset], 2, method=method, rtol=1e-7)
    assert result.status in (Status.STEP_TOO_SMALL, Status.NOT_FINITE)
    assert result.t_span[1] == pytest.approx(1, abs=1e-5)
    early = result.t < 0.9
    np.testing.assert_allclose(result.x[0, early], 1 / (1 - result.t[early]) - offset, rtol=2e-5)


@pytest.mark.parametrize("build", [ball, plain_ball])
def test_events_are_counted(build):
    """The k-th bounce of a ball with e = 1 is at 2k - 1 s; the run stops after the one that was asked for."""
    for count in (1, 2, 7):
        result = build(1.0).simulate((0, 100), [5.0, 0.0], start="air", max_events=count)
        check_run(result)
        assert result.status is Status.MAX_EVENTS
        assert result.events.t.tolist() == pytest.approx([2 * k + 1 for k in range(count)], abs=1e-12)
        assert result.x[1, -1] == pytest.approx(10, abs=1e-11)


@pytest.mark.parametrize("method", EVERY)
def test_a_jump_without_effect(method):
    """The state and everything up to the event are there, and no event is."""
    edge = Transition("only", "only", boundary=-q, jump=[q, u])
    process = HybridSystem.from_sympy({"only": [u, -10]}, [edge], states=[q, u])
    result = pieces(process, [5.0, 0.0], 3, method=method, max_step=STEP)
    assert result.status is Status.JUMP_WITHOUT_EFFECT
    assert len(result.events) == 0
    assert result.t_span[1] == pytest.approx(1, abs=2 * STEP if method == "Euler" else 1e-6)
    assert abs(result.x[0, -1]) < 1e-14


def test_stages_that_lead_to_each_other_at_once():
    """Two stages whose boundaries fire at once: time does not advance, and the run names the loop; it has no t_inf."""
    flows = dict.fromkeys("ab", lambda t, x: [1.0])
    edges = [Transition(*names, boundary=lambda t, x: x[0] - 1.0, jump=lambda t, x: [1.0]) for names in ("ab", "ba")]
    result = HybridSystem(flows, edges).simulate((0, 2), [0.0], start="a")
    check_run(result)
    assert result.status is Status.EVENT_LOOP
    assert result.t_span[1] == pytest.approx(1, abs=1e-14)
    assert "the loop of transitions is a -> b, b -> a" in result.message
