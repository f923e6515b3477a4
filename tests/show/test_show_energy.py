"""The picture of the energy: curves are T, V and T + V, each impact's loss is marked with its figure."""

from __future__ import annotations

import math

import numpy as np
import pytest
from dropped_ball import GRAVITY, dropped_ball, flight
from known_model import KnownModel
from matplotlib.figure import Figure

from sympact.integrate.history.event import EventKind
from sympact.integrate.trajectory.evaluator import Facts
from sympact.models import bouncing_ball

MASS = 3.0


KINETIC = {"kinetic_energy": lambda t, x, stage: MASS * x[1] ** 2 / 2}
POTENTIAL = {"potential_energy": lambda t, x, stage: MASS * GRAVITY * x[0]}
FALLING = KnownModel({**KINETIC, **POTENTIAL})
"""The energies of the dropped ball with a mass of 3 kg."""


def lines(figure: Figure, panel: int) -> dict:
    """The curves of a panel by their labels, as pairs of times and values."""
    return {line.get_label(): line.get_data() for line in figure.axes[panel].get_lines()}


def bars(figure: Figure, panel: int, start: str) -> np.ndarray:
    """The ends of the vertical bars of a panel whose label starts so, shape (k, 2, 2)."""
    (found,) = [part for part in figure.axes[panel].collections if part.get_label().startswith(start)]
    return np.array([path.vertices for path in found.get_paths()])


def test_curves_are_the_energies_and_break_at_the_impact():
    """m g (5 - ...) + m v^2/2: 150 J before the impact, a quarter of it after."""
    drawn = lines(dropped_ball(FALLING, kind=EventKind.IMPACT).plot_energy(), 1)
    t, total = drawn["total"]
    assert np.isnan(total[t == 1.0]).sum() == 1
    for side, level in [(t < 1.0, 150.0), (t > 1.0, 37.5)]:
        np.testing.assert_allclose(total[side], level, rtol=1e-12)
    inside = t != 1.0
    np.testing.assert_allclose(drawn["kinetic"][1][inside], MASS * flight(t[inside])[1] ** 2 / 2, atol=1e-9)
    np.testing.assert_allclose(drawn["potential"][1][inside], MASS * GRAVITY * flight(t[inside])[0], atol=1e-9)


def test_a_bar_goes_from_the_energy_before_an_impact_to_that_after_it():
    figure = dropped_ball(FALLING, kind=EventKind.IMPACT).plot_energy(title="A ball")
    np.testing.assert_allclose(bars(figure, 1, "total falls"), [[[1.0, 150.0], [1.0, 37.5]]], rtol=1e-12)
    assert figure.get_suptitle() == "A ball"


def test_the_losses_of_a_bouncing_ball_add_up_to_all_it_had():
    """m g h = 9.81 J; the k-th impact takes (1 - e^2) e^(2 k) of it."""
    figure = bouncing_ball(0.8).simulate().plot_energy()
    ((label, (t, losses)),) = [item for item in lines(figure, 2).items() if item[0].startswith("lost")]
    assert label == "lost: 9.81 J in all"
    np.testing.assert_allclose(losses[:10], 9.81 * (1 - 0.64) * 0.64 ** np.arange(10), rtol=1e-6)
    assert t[0] == pytest.approx(math.sqrt(2 / 9.81), rel=1e-9)


def test_an_elastic_impact_is_no_loss():
    ready = bouncing_ball(1.0)
    figure = ready.simulate().plot_energy()
    assert len(figure.axes) == 2
    assert not [part for part in figure.axes[1].collections if part.get_label().startswith("total")]


def test_a_load_without_a_potential_is_named_in_the_picture():
    model = KnownModel(KINETIC, Facts(without_potential=("the load on 'P'",)))
    figure = dropped_ball(model, kind=EventKind.IMPACT).plot_energy()
    assert "no potential is known for the load on 'P'" in {text.get_text() for text in figure.axes[1].texts}
    assert set(lines(figure, 1)) >= {"kinetic"}
    assert not set(lines(figure, 1)) & {"potential", "total"}


def test_plain_functions_have_no_energy_to_draw():
    with pytest.raises(TypeError, match="no kinetic energy: it was made from plain functions"):
        dropped_ball().plot_energy()
