"""Runs of a model one after the other share memory: none of them may notice."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from contact_models import ball
from quick_members import members
from sympy.physics.mechanics import dynamicsymbols

from sympact import CustomLaw, HybridModel, Interpolated, models
from sympact.contact import ImpactLaw

READY = ("bouncing_ball", "tumbling_cube", "dice", "two_links", "woodpecker", "belt_oscillator")


def numbers(result) -> list[np.ndarray]:
    """What a result can be asked for: samples, states between them, forces, gaps."""
    t = np.linspace(*result.t_span, 50)
    found = [result.t, result.x, result(t), result.events.t]
    if not result._model.knows("force"):
        return found
    return [*found, result._model.quantity("force")(result.t, result.x, result._record.stage)]


def simulate(ready, span, **options):
    """A ready-made model over another span of time."""
    return ready.model.simulate(span, ready.start, ready.parameters, **options)


def equal(first: list[np.ndarray], second: list[np.ndarray]) -> bool:
    return all(np.array_equal(one, other, equal_nan=True) for one, other in zip(first, second, strict=True))


@pytest.mark.parametrize("name", READY)
def test_a_run_in_used_memory_has_the_same_bits(name):
    """The third run has the memory of the first one; a run of another kind was in between."""
    ready = getattr(models, name)()
    first = numbers(ready.simulate())
    simulate(ready, (0.0, 0.5 * ready.t_span[1]), rtol=1e-4)
    assert equal(first, numbers(ready.simulate()))


@pytest.mark.parametrize("name", READY)
def test_a_result_outlives_the_runs_after_it(name):
    """States between samples and forces are worked out after the memory could have been overwritten."""
    ready = getattr(models, name)()
    kept = ready.simulate()
    for rtol in (1e-3, 1e-5, 1e-7):
        ready.simulate(rtol=rtol)
    assert equal(numbers(kept), numbers(ready.simulate()))


def test_results_that_are_kept_need_no_memory_of_the_model():
    """Runs one after the other have the same memory, and so have the states between samples of each of them."""
    ready = models.woodpecker()
    ready.simulate()
    waiting = ready.model.compile().waiting
    memory = waiting[-1]
    results = [ready.simulate() for _ in range(10)]
    assert all(equal(numbers(results[0]), numbers(other)) for other in results[1::3])
    assert waiting[-1] is memory


def test_two_results_are_evaluated_at_once():
    """Each has memory of its own while it is; a step of the second one is rebuilt within one of the first."""
    ready = models.woodpecker()
    first, second = ready.simulate(), ready.simulate(rtol=1e-5)
    alone = numbers(second)
    second = ready.simulate(rtol=1e-5)
    with first._run.piece.modes.memory() as memory:
        memory.restore(1)
        assert equal(alone, numbers(second))
    assert equal(numbers(first), numbers(ready.simulate()))


@pytest.mark.parametrize("name", READY)
def test_settings_and_starts_of_other_runs_leave_no_trace(name):
    """The prepared memory of a run is that of its own settings, whatever was run between."""
    ready = getattr(models, name)()
    span = (0.0, 0.5 * ready.t_span[1])
    alone = numbers(simulate(ready, span, rtol=1e-11))
    ready.simulate(max_events=2)
    simulate(ready, (0.0, 0.1 * ready.t_span[1]), method="RK45")
    assert equal(alone, numbers(simulate(ready, span, rtol=1e-11)))


def test_options_that_only_compare_equal_are_checked_again():
    """1, 1.0 and True have one hash: what was right for one is not accepted for another."""
    ready = models.two_links()
    ready.simulate(max_events=1)
    with pytest.raises(ValueError, match="max_events"):
        ready.simulate(max_events=True)
    assert len(ready.simulate(max_events=1).events) == 1


def test_a_long_run_between_short_ones_changes_nothing():
    """The columns of samples grow in it, and are then at other addresses."""
    ready = models.bouncing_ball()
    short = {"max_step": 1e-2}
    alone = numbers(simulate(ready, (0.0, 1.0), **short))
    long = simulate(ready, (0.0, 1.0), max_step=1e-4)
    assert len(long.t) > 5000
    assert equal(alone, numbers(simulate(ready, (0.0, 1.0), **short)))


@pytest.mark.parametrize("name", members(["dice", "tumbling_cube"], slow=["dice"]))
def test_eight_threads_have_memories_of_their_own(name):
    """Of dice with friction, and of a cube whose start and states are mapped from angles to a quaternion."""
    ready = getattr(models, name)()
    spans = [(0.0, 0.3 + 0.02 * k) for k in range(24)]
    alone = [numbers(simulate(ready, span)) for span in spans]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda span: numbers(simulate(ready, span)), spans))
    assert all(equal(one, other) for one, other in zip(alone, together, strict=True))


FORCE = dynamicsymbols("F")


def falling(law: ImpactLaw | None = None) -> tuple[HybridModel, dict, dict]:
    """A ball 1 m above a table, pushed up by a force F(t); its start and its parameters."""
    case = ball(load=FORCE)
    model = case.model if law is None else HybridModel(case.model.source, case.model.contacts, impact=law)
    return model, dict(zip(model.x, (1.0, 0.0), strict=True)), case.parameters(g=9.81)


def test_data_of_one_run_are_not_those_of_the_next():
    """Half a second of thrust that just carries the ball, then of twice its weight, then none."""
    model, start, parameters = falling()
    heights = []
    for thrust in (9.81, 19.62, 0.0, 9.81):
        data = Interpolated([0.0, 0.2, 0.4], [thrust, 0.0, thrust], kind="hold")
        result = model.simulate((0, 0.4), start, parameters, inputs={FORCE: data})
        heights.append(result.x[0, -1])
    fall = 0.5 * 9.81 * 0.2**2
    assert heights[0] == heights[3]
    np.testing.assert_allclose(heights[0], 1.0 - fall, rtol=0, atol=1e-12)
    np.testing.assert_allclose(heights[1], 1.0 + fall + 0.2 * 0.2 * 9.81 - fall, rtol=0, atol=1e-12)
    np.testing.assert_allclose(heights[2], 1.0 - 4 * fall, rtol=0, atol=1e-12)


def test_a_law_of_python_is_that_of_its_run():
    """What a law raises ends the run in which it does; the next run is whole."""
    calls = []

    def elastic(mass_matrix, jacobian, velocity, restitution, friction):
        calls.append(1)
        if len(calls) == 1:
            raise ZeroDivisionError("the first impact")
        impulses = 0 * velocity
        impulses[:, 0] = -2 * velocity[:, 0] * mass_matrix[0, 0]
        return impulses

    model, start, parameters = falling(CustomLaw(elastic))
    with pytest.raises(ZeroDivisionError):
        model.simulate((0, 0.5), start, parameters, inputs={FORCE: 0.0})
    result = model.simulate((0, 0.5), start, parameters, inputs={FORCE: 0.0})
    height = np.sqrt(2 / 9.81)
    np.testing.assert_allclose(result.events.t, [height], rtol=0, atol=1e-12)
    np.testing.assert_allclose(result.x[0, -1], 1 - 9.81 / 2 * (2 * height - 0.5) ** 2, rtol=0, atol=1e-12)
