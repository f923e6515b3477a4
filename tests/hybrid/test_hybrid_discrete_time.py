"""Stages in discrete time: x+ = F(x, k) at exact multiples of the period."""

import numpy as np
import pytest
import sympy as sm

from sympact import DiscreteTime, HybridSystem, Transition

n, m, x, v, k, T = sm.symbols("n m x v k T")
t = sm.Symbol("t")


def instants(result):
    """The times of the updates: samples with two sides that are no event."""
    twice = result.t[1:][np.diff(result.t) == 0]
    return np.setdiff1d(twice, result.events.t)


@pytest.mark.parametrize("every", [0.1, 0.3, 1 / 3])
def test_instants_are_exact_multiples(every):
    process = HybridSystem.from_sympy({"count": DiscreteTime({n: n + 1}, every=every)}, [], states=[n])
    result = process.simulate((0, 200 * every), [0.0], start="count")
    assert instants(result).tolist() == (np.arange(1, 201) * every).tolist()
    assert result["n"][-1] == 200.0
    assert len(result.events) == 0


@pytest.mark.parametrize("method", ["DOP853", "RK45", "RadauIIA", "BDF", "LSODA", "Euler"])
def test_a_linear_recurrence_is_a_power_of_its_matrix(method):
    """x+ = A x with no rounding but that of the products: the state after k instants is A^k x0."""
    update = [x + v / 4, v - x / 4]
    process = HybridSystem.from_sympy({"turn": DiscreteTime(update, every=0.5)}, [], states=[x, v])
    result = process.simulate((0, 10.2), [1.0, 0.0], start="turn", method=method, max_step=0.3)
    stage = process.stage("turn")
    assert (stage.linear, stage.time_invariant, stage.every) == (True, True, 0.5)
    A = np.array(stage.A, dtype=float)
    for i in range(21):
        truth = np.linalg.matrix_power(A, i) @ [1.0, 0.0]
        np.testing.assert_allclose(result(0.5 * i + 0.1), truth, rtol=1e-14, atol=1e-14)
        np.testing.assert_allclose(result(0.5 * i), truth, rtol=1e-14, atol=1e-14)


def test_the_index_counts_the_instants_before():
    """n+ = n + k: after j instants n = 0 + 1 + ... + (j - 1)."""
    process = HybridSystem.from_sympy({"sum": DiscreteTime({n: n + k}, every=0.5, index=k)}, [], states=[n])
    result = process.simulate((0, 6), [0.0], start="sum")
    assert result(np.arange(13) * 0.5)[0].tolist() == [j * (j - 1) / 2 for j in range(13)]
    assert not process.stage("sum").time_invariant


def test_a_function_updates_as_the_expression_does():
    def forward(state, index):
        return [state[0] + index * state[1], state[1] / 2]

    written = DiscreteTime([x + k * v, v / 2], every=0.2, index=k)
    one = HybridSystem.from_sympy({"a": written}, [], states=[x, v]).simulate((0, 3), [0, 8.0], start="a")
    other = HybridSystem({"a": DiscreteTime(forward, every=0.2)}, [], states=["x", "v"])
    other = other.simulate((0, 3), [0, 8.0], start="a")
    assert one.t.tolist() == other.t.tolist()
    assert one.x.tolist() == other.x.tolist()


def counter(phase):
    """A stage that counts for 1 s, and one that waits for 0.45 s."""
    return HybridSystem.from_sympy(
        {"count": DiscreteTime({n: n + 1, m: k}, every=0.3, index=k, phase=phase), "wait": {x: 1}},
        [
            Transition("count", "wait", boundary=n - 3, jump={x: 0}),
            Transition("wait", "count", boundary=x - 0.45, jump={n: 0, m: 0}),
        ],
        states=[n, m, x],
    )


def test_instants_count_from_the_entry_of_the_stage():
    result = counter(None).simulate((0, 3), {n: 0, m: 0}, start="count")
    expected = np.array([0.9, 1.35, 2.25, 2.7])
    np.testing.assert_allclose(result.events.t, expected, rtol=0, atol=1e-12)
    again = result.t[(result.t > 1.36) & (np.append(np.diff(result.t) == 0, False))]
    entry = result.events[1].t
    assert again[:2].tolist() == [entry + 0.3, entry + 2 * 0.3]
    assert result(entry + 0.61)[1] == 1.0  # k = 0, 1, ... from the entry


def test_instants_of_a_common_clock_go_on_while_it_is_not_looked_at():
    result = counter(0.1).simulate((0, 3), {n: 0, m: 0}, start="count")
    expected = [0.7, 0.7 + 0.45, 1.9]  # instants at 0.1, 0.4, 0.7; then 1.3, 1.6, 1.9
    np.testing.assert_allclose(result.events.t[:3], expected, rtol=0, atol=1e-12)
    assert result(1.65)[1] == 5.0  # five came before the one at 1.6


def test_an_update_that_crosses_a_boundary_fires_there():
    """Also one that jumps far beyond it: n = 0, 2, 6, 14, ... crosses 5 at the second instant."""
    process = HybridSystem.from_sympy(
        {"grow": DiscreteTime({n: 2 * n + 2}, every=0.25)},
        [Transition("grow", "grow", boundary=n - 5, jump={n: 0}, name="full")],
        states=[n],
    )
    result = process.simulate((0, 2), [0.0], start="grow")
    assert result.events.t.tolist() == [0.5, 1.0, 1.5, 2.0]
    assert [event.x_minus[0] for event in result.events] == [6.0] * 4
    assert result.path == ("grow",) * 5


def test_boundaries_are_followed_between_instants():
    process = HybridSystem.from_sympy(
        {"hold": DiscreteTime({n: n + 1}, every=1.0), "end": {n: 0}},
        [Transition("hold", "end", boundary=t * n - 5)],
        states=[n],
    )
    result = process.simulate((0, 4), [0.0], start="hold")
    assert result.events.t.tolist() == pytest.approx([2.5], abs=1e-12)


def test_the_period_may_be_a_parameter():
    process = HybridSystem.from_sympy({"a": DiscreteTime({n: n + 1}, every=2 * T)}, [], states=[n], parameters=[T])
    assert instants(process.simulate((0, 1), [0.0], start="a", parameters=[0.125])).tolist() == [0.25, 0.5, 0.75, 1.0]
    with pytest.raises(ValueError, match=r"a period is 0\.0, expected a number above 0"):
        process.simulate((0, 1), [0.0], start="a", parameters=[0.0])


def test_an_exception_in_an_update_keeps_the_run():
    def update(state, index):
        return [1 / (2 - index)]

    process = HybridSystem({"a": DiscreteTime(update, every=0.5)}, [], states=["n"])
    with pytest.raises(ZeroDivisionError) as caught:
        process.simulate((0, 3), [0.0], start="a")
    assert any("raised by the update of n at t = 1.5" in note for note in caught.value.__notes__)
    assert caught.value.result.t[-1] == 1.5


def test_values_that_are_not_finite_end_the_run():
    process = HybridSystem.from_sympy({"a": DiscreteTime({n: 1 / (3 - n)}, every=0.5)}, [], states=[n])
    result = process.simulate((0, 5), [3.0], start="a")
    assert (result.status.name, result.t[-1]) == ("NOT_FINITE", 0.5)


@pytest.mark.parametrize("n", [sm.Symbol("n"), sm.Function("n")(sm.Symbol("t"))])
def test_a_number_changes_at_its_instants_alone(n):
    """So that it may be compared with a whole number, whichever way it is written: there is no time in n(t)."""
    process = HybridSystem.from_sympy({"count": DiscreteTime({n: n + 1}, every=0.1)}, [])
    result = process.simulate((0, 1), {n: 0}, start="count", events={"three": sm.Eq(n, 3)})
    assert result.events.t == pytest.approx([0.3])
