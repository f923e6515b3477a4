"""The examples of contacts that last run as scripts and as demos, and print what the formulas say."""

from __future__ import annotations

import re
from math import acos, asin, cos, sin

import numpy as np
import pytest
from example_scripts import PNG, ROOT, load, printed, run
from oracles.closed_forms import bouncing_ball_accumulation
from oracles.sliding import Bead, Rod
from quick_members import members

from sympact import Status
from sympact.__main__ import main

NEARLY_TOGETHER = "ignore::sympact.mechanics.run.equation_audit.ImpactWarning"
"""Corners of a cube that comes to rest hit nearly together: the warning is right, and no fault of the example."""

RESTING = ("bead_on_hill", "bouncing_ball", "dropped_cube", "rod_on_wall", "shaking_table")


def numbers_in(text: str, pattern: str) -> list[float]:
    """The numbers that stand in the one place of a printed text that fits the pattern."""
    (found,) = re.findall(pattern, text)
    return [float(number) for number in ([found] if isinstance(found, str) else found)]


@pytest.mark.filterwarnings(NEARLY_TOGETHER)
@pytest.mark.parametrize("name", members([*RESTING, "jack_in_a_box"], slow=["bead_on_hill", "shaking_table"]))
def test_demo_runs_to_its_end_and_writes_its_picture(name, tmp_path, capsys):
    picture = tmp_path / "picture.png"
    assert main(["demo", name, "--picture", str(picture)]) == 0
    assert "no events" not in capsys.readouterr().out
    assert picture.read_bytes().startswith(PNG)


@pytest.mark.parametrize("name", members(RESTING, slow=["shaking_table", "dropped_cube"]))
def test_example_runs_and_writes_its_picture(name, tmp_path):
    if name != "dropped_cube":
        assert "The picture is in" in printed(name)
        return
    assert "The picture is in" in run(ROOT / "examples" / f"{name}.py", tmp_path, action="default")
    assert (tmp_path / f"{name}.png").read_bytes().startswith(PNG)


def test_ball_prints_where_the_series_ends():
    formula, found = numbers_in(printed("bouncing_ball"), r"ends at t = ([\d.]+) s; sympact says ([\d.]+) s")
    assert formula == pytest.approx(bouncing_ball_accumulation(1.0, 9.81, 0.8), abs=1e-9)
    assert found == pytest.approx(formula, abs=1e-6)


def test_rod_prints_angle_and_time_of_leaving_the_wall():
    time, angle = numbers_in(printed("rod_on_wall"), r"wall is left at t = ([\d.]+) s, at the angle ([\d.]+) rad")
    assert time == pytest.approx(float(Rod(2.0, 9.81, 1.2).leaving_time), abs=1e-9)
    assert angle == pytest.approx(asin(2 / 3 * sin(1.2)), abs=1e-9)


def test_bead_prints_angle_and_time_of_leaving_the_hill():
    time, angle = numbers_in(printed("bead_on_hill"), r"hill is left at t = ([\d.]+) s, at the angle ([\d.]+) rad")
    assert time == pytest.approx(float(Bead(1.0, 9.81, 0.1).leaving_time), abs=1e-9)
    assert angle == pytest.approx(acos(2 / 3 * cos(0.1)), abs=1e-9)


def test_table_leaves_the_ball_at_the_same_phase_in_every_period():
    example = load("shaking_table")
    result = example.shake(*example.CASES["sticks and flies"])
    phases = example.phases_of_leaving(result)
    assert len(phases) == 10
    np.testing.assert_allclose(phases, asin(1 / 1.5), rtol=0, atol=1e-7)
    assert not len(example.phases_of_leaving(example.shake(*example.CASES["never leaves"])))


@pytest.mark.filterwarnings(NEARLY_TOGETHER)
def test_cubes_come_to_rest_in_every_way_they_are_dropped():
    example = load("dropped_cube")
    for orientation in example.ORIENTATIONS:
        result = example.drop(orientation)
        heights = example.heights_of_corners(orientation, result, np.linspace(*result.t_span, 500))
        assert result.status is Status.FINISHED
        assert heights.min() > -1e-9
        np.testing.assert_allclose(np.sort(heights[:, -1]), [0] * 4 + [1] * 4, rtol=0, atol=1e-9)
