"""Promises of the estimates from many runs: intervals of the literature, sides of bodies, pictures."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import uniform

from sympact import ensemble
from sympact.analysis import bootstrapped, mean_of, share_of
from sympact.analysis.faces import SIDES, Shares
from sympact.models import bouncing_ball, dice


def test_wilson_interval_of_the_literature():
    """Newcombe, Statistics in Medicine 17 (1998), table I, method 3: 81 of 263, 15 of 148, 0 of 20, 1 of 29."""
    published = {
        (81, 263): (0.2553, 0.3662),
        (15, 148): (0.0624, 0.1605),
        (0, 20): (0, 0.1611),
        (1, 29): (0.0061, 0.1718),
    }
    for (count, n), ends in published.items():
        found = share_of(np.arange(n) < count)
        assert (found.low, found.high) == pytest.approx(ends, abs=5e-5)


def test_interval_of_students_distribution():
    """t of 9 degrees of freedom at 97.5 % is 2.262, at 99.5 % 3.250, in every table."""
    values = np.arange(10.0)
    error = values.std(ddof=1) / np.sqrt(10)
    assert mean_of(values).high - 4.5 == pytest.approx(2.262 * error, rel=2e-4)
    assert mean_of(values, 0.99).high - 4.5 == pytest.approx(3.250 * error, rel=2e-4)


def test_intervals_contain_the_truth_as_often_as_they_say():
    """Of 400 samples of 50 exponential numbers: their mean is 1, their median log 2, P(x > 1) = 1/e."""
    rng = np.random.default_rng(3)
    samples = rng.exponential(size=(400, 50))
    shares = [share_of(one > 1.0) for one in samples]
    assert 0.92 < np.mean([one.low < np.exp(-1) < one.high for one in shares]) <= 0.98  # binomial: 0.95 +- 0.033 at 3 s
    few = [bootstrapped(one, level=0.9) for one in samples[:60]]
    assert np.mean([one.low <= np.log(2) <= one.high for one in few]) > 0.75


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: share_of([0.2, 0.3]), "condition has the type float64"),
        (lambda: share_of([True], level=95), "level is 95, expected a probability"),
        (lambda: mean_of([1.0]), "there are 1 runs, expected at least 2"),
        (lambda: mean_of([1.0, np.nan]), "1 of them not finite"),
    ],
)
def test_wrong_values_are_told(call, said):
    with pytest.raises(ValueError, match=said):
        call()


def test_chi_square_of_equal_outcomes():
    """With one degree of freedom its probability is erfc(sqrt(c / 2)), with two exp(-c / 2)."""
    fair = Shares(("a", "b"), np.repeat([0, 1], [60, 40]))
    assert fair.chi_square()[0] == pytest.approx(4.0)
    assert fair.chi_square()[1] == pytest.approx(0.0455, abs=5e-5)  # 2 sigma
    value, probability = Shares(("a", "b", "c"), np.repeat([0, 1, 2], [40, 30, 20])).chi_square()
    assert value == pytest.approx(20 / 3)
    assert probability == pytest.approx(np.exp(-10 / 3))
    assert fair.counts == {"a": 60, "b": 40}
    with pytest.raises(KeyError, match="no outcome 'c'"):
        fair["c"]


def attitudes():
    """The quaternions that bring each axis of a body up, as they are named."""
    h = np.sqrt(0.5)
    return {
        "+x": (h, 0, -h, 0),
        "-x": (h, 0, h, 0),
        "+y": (h, h, 0, 0),
        "-y": (h, -h, 0, 0),
        "+z": (1, 0, 0, 0),
        "-z": (0, 1, 0, 0),
    }


def test_sides_that_are_up():
    ready = dice()
    start = {name: np.full(6, value) for name, value in ready.named_start().items()}
    names = [name for name in start if name.startswith("e")][:4]
    for name, values in zip(names, np.array(list(attitudes().values())).T, strict=True):
        start[name] = values
    start |= {name: np.zeros(6) for name in start if name.startswith("omega")}
    found = ensemble(ready, (0, 1e-3), start)
    system = ready.model.source
    shares = found.sides(system.bodies[0].frame, system.frame.z)
    assert [SIDES[k] for k in shares.outcome] == list(attitudes())
    assert shares["+x"].value == pytest.approx(1 / 6)


def test_quantiles_over_time_and_pictures(tmp_path):
    found = ensemble(bouncing_ball(), (0, 0.4), {"z": uniform(1, 1)}, runs=200, seed=7, keep=np.linspace(0, 0.4, 5))
    fall = found.x0[:, :1] - 0.5 * 9.81 * found.keep.times**2
    assert np.allclose(found.bands("z", [0.5]), np.median(fall, axis=0), rtol=0, atol=1e-12)
    figure = found.plot("z", label="height (m)")
    (axes,) = figure.axes
    assert axes.get_ylabel() == "height (m)"
    assert np.allclose(axes.lines[0].get_ydata(), np.median(fall, axis=0))
    ends = ensemble(bouncing_ball(), (0, 0.4), {"z": uniform(1, 1)}, runs=200, seed=7)
    (axes,) = ends.plot("z").axes
    assert sum(bar.get_height() * bar.get_width() for bar in axes.patches) == pytest.approx(1.0)  # a density
    assert "200 runs" in axes.get_title(loc="left")
    (axes,) = Shares(("a", "b"), np.repeat([0, 1], [60, 40])).plot().axes
    assert [label.get_text() for label in axes.get_xticklabels()] == ["a", "b"]
    figure.savefig(tmp_path / "bands.png")
    with pytest.raises(ValueError, match="symmetric"):
        found.plot("z", quantiles=[0.1, 0.5])
    with pytest.raises(ValueError, match="no state or output"):
        ends.plot("height")
