"""A run of a ready model is drawn with its shapes and units wherever it goes, and no run waits for them."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys

import numpy as np
import pytest

from sympact import load, models

SHAPED = ("cart_pole", "newtons_cradle", "struck_stack", "woodpecker")
"""Bodies that cannot be guessed from their points."""


def drawn(animation) -> list[tuple]:
    """The kinds of all items, their colours and sizes."""
    return [(type(item).__name__, item.colour, getattr(item, "width", 0.0)) for item in animation.scene.items]


@pytest.mark.parametrize("name", SHAPED)
def test_a_run_of_a_ready_model_has_its_shapes_and_units(name):
    ready = getattr(models, name)().with_numbers(t_span=(0, 0.2))
    result, expected = ready.simulate(), ready.animate(fps=10)
    shown = result.animate(fps=10)
    assert drawn(shown) == drawn(expected)
    assert shown.scene.view.labels == expected.scene.view.labels
    assert "(m)" in shown.scene.view.labels[0]
    guessed = ready.model.simulate(ready.t_span, ready.start, ready.parameters).animate(fps=10)
    assert drawn(guessed) != drawn(expected)


def appearances(result) -> tuple:
    return drawn(result.animate(fps=10)), result.plot().axes[-1].get_ylabel()


def test_the_appearance_survives_slices_sums_copies_pickles_and_files(tmp_path):
    ready = models.cart_pole().with_numbers(t_span=(0, 0.3))
    result = ready.simulate()
    expected = appearances(result)
    further = ready.model.simulate((0.3, 0.5), result, ready.parameters)
    result.save(tmp_path / "cart.npz")
    others = {
        "at times": result.at_times([0.0, 0.1, 0.3]),
        "goes on": further,
        "sum": result + further,
        "goes on after a sum": ready.model.simulate((0.5, 0.6), result + further, ready.parameters),
        "copy": copy.deepcopy(result),
        "pickle": pickle.loads(pickle.dumps(result)),
        "pickled sum": pickle.loads(pickle.dumps(result + further)),
        "file": load(tmp_path / "cart.npz", model=ready),
    }
    assert {name: appearances(other) for name, other in others.items() if appearances(other) != expected} == {}
    np.testing.assert_array_equal(others["pickle"]["theta"], result["theta"])


def test_given_shapes_and_units_come_first():
    ready = models.cart_pole().with_numbers(t_span=(0, 0.2))
    result = ready.simulate()
    assert result.animate(shapes=[], units={"length": "ft"}, fps=10).scene.view.labels[0].endswith("(ft)")
    assert drawn(result.animate(shapes=[], fps=10)) != drawn(result.animate(fps=10))


def test_a_report_and_a_process_have_their_units(tmp_path):
    ready = models.bouncing_ball().with_numbers(t_span=(0, 0.5))
    ready.simulate().report(tmp_path / "ball.html")
    assert "<td>m/s</td>" in (tmp_path / "ball.html").read_text(encoding="utf-8")
    process = models.ball_ceiling_spring()
    assert f"({process.units['t']})" in process.simulate().plot().axes[-1].get_xlabel()


def test_a_run_makes_no_shapes():
    """Neither a run nor its samples load matplotlib; shapes are made when a picture is asked for."""
    program = """
import sys
from sympact import models
result = models.cart_pole().with_numbers(t_span=(0, 0.1)).simulate()
result["theta"], result.events, result.energy
print({"matplotlib"} & set(sys.modules))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "set()", done.stderr
