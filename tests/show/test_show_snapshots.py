"""Snapshots show the bodies where they were, at the times that are written below them, and the impacts in red."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from dropped_ball import dropped_ball
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import same_color, to_hex
from matplotlib.patches import Circle, Polygon
from PIL import Image
from quick_members import members

from sympact import Ball, Ground, models
from sympact.__main__ import DEMOS, WITHOUT_BODIES, main
from sympact.show.kit.palette import KIND_COLOURS

RED = to_hex(KIND_COLOURS["impact"])


@cache
def run(name: str):
    ready = getattr(models, name)()
    return ready, ready.simulate()


@cache
def snapshots(name: str):
    figure = run(name)[1].snapshots(title=DEMOS[name])
    FigureCanvasAgg(figure).draw()
    return figure


def times_below(figure) -> list[tuple[float, bool]]:
    """The times written below the strip, and whether they are red."""
    labels = figure.axes[0].get_xticklabels()
    return [(float(label.get_text().split()[0]), same_color(label.get_color(), RED)) for label in labels]


def test_a_ball_is_drawn_at_its_height_at_the_times_below_it():
    """Its discs are round, so that metres are the same in both directions; their middles are those of the run."""
    ready, result = run("bouncing_ball")
    point = ready.model.contacts[0].point
    figure = result.snapshots(shapes=[Ball(point, 0.1), Ground(ready.model.contacts[0].surface)], times=[0, 0.3, 0.7])
    strip = figure.axes[0]
    balls = [patch for patch in strip.patches if isinstance(patch, Circle)]
    np.testing.assert_allclose([ball.center[1] for ball in balls], result(np.array([0, 0.3, 0.7]))[0], atol=1e-12)
    np.testing.assert_allclose([ball.center[0] for ball in balls], strip.get_xticks(), atol=1e-12)
    across, up = np.diff(strip.transData.transform([[0, 0], [1, 1]]), axis=0)[0]
    assert across == pytest.approx(up, rel=1e-9)
    # the snapshots are above their times on the axis of the energy
    places = strip.transData.transform([[x, 0] for x in strip.get_xticks()])[:, 0]
    below = figure.axes[1].transData.transform([[t, 0] for t in (0, 0.3, 0.7)])[:, 0]
    np.testing.assert_allclose(places, below, atol=1e-6)


def test_the_cube_is_shown_at_the_start_the_end_and_its_impacts():
    _, result = run("tumbling_cube")
    times = times_below(snapshots("tumbling_cube"))
    assert (times[0], times[-1]) == ((0.0, False), (5.0, False))
    impacts = np.array([event.t for event in result.events if event.kind == "impact"])
    red = [t for t, struck in times if struck]
    assert len(red) == 3
    assert all(np.abs(impacts - t).min() < 0.005 for t in red)
    assert len(times) > 8


def test_arrows_end_at_the_corners_that_hit_the_floor():
    """Each red arrow is upright, and the red dot at its head is a corner of a side that is drawn."""
    strip = snapshots("tumbling_cube").axes[0]
    arrows = [patch for patch in strip.patches if isinstance(patch, Polygon) and same_color(patch.get_facecolor(), RED)]
    dots = [line.get_xydata()[0] for line in strip.get_lines() if line.get_marker() == "o"]
    faces = [p for p in strip.patches if isinstance(p, Polygon) and p.get_linewidth() > 0]
    corners = np.concatenate([face.get_xy() for face in faces])
    assert len(arrows) == len(dots) == 5  # two pairs of impacts within milliseconds
    for patch, dot in zip(arrows, dots, strict=True):
        assert np.ptp(patch.get_xy()[[3, 0], 0]) < np.ptp(patch.get_xy()[[3, 0], 1])
        np.testing.assert_allclose(patch.get_xy()[3], dot, atol=1e-9)
        assert np.linalg.norm(corners - dot, axis=1).min() < 0.1  # the other corner of a pair hits 5 ms later


def test_the_energy_falls_at_each_impact():
    """The total is as high as the energy of the run, on both sides of the first impact."""
    _, result = run("tumbling_cube")
    panel = snapshots("tumbling_cube").axes[1]
    (total,) = [line for line in panel.get_lines() if line.get_label() == "total"]
    t, energy = total.get_data()
    assert {"kinetic", "potential"} <= {line.get_label() for line in panel.get_lines()}
    first = result.events[0].t
    before, after = energy[t < first][-1], energy[(t > first + 0.01) & np.isfinite(energy)][0]
    assert before == pytest.approx(result.energy[0], rel=1e-6)
    assert before - after == pytest.approx(-sum(event.energy for event in list(result.events)[:2]), rel=1e-6)


@pytest.mark.parametrize(
    "name",
    members(
        ["tumbling_cube", "dice", "woodpecker", "rimless_wheel", "struck_stack", "bead_on_hill"],
        slow=("woodpecker", "rimless_wheel", "struck_stack"),
    ),
)
def test_nothing_is_cut_off_and_no_times_overlap(name):
    figure = snapshots(name)
    width, height = figure.canvas.get_width_height()
    strip, panel = figure.axes
    low, high = panel.get_xlim()
    ticks = [label for label in panel.get_xticklabels() if low <= label.get_position()[0] <= high]
    texts = [*figure.texts, *strip.get_xticklabels(), *ticks, *panel.get_legend().get_texts()]
    boxes = [text.get_window_extent() for text in [*texts, strip.yaxis.label] if text.get_text()]
    assert all(min(box.x0, box.y0, width - box.x1, height - box.y1) >= 0 for box in boxes)
    labels = [text.get_window_extent() for text in strip.get_xticklabels()]
    assert all(left.x1 < right.x0 for left, right in pairwise(labels))


def test_wrong_wishes_and_runs_without_bodies_are_refused():
    with pytest.raises(TypeError, match=r"cannot be shown in snapshots: it was made from plain functions"):
        dropped_ball().snapshots()
    with pytest.raises(ValueError, match=r"times: \[9\] outside this run, which goes from 0 to 5"):
        run("bouncing_ball")[1].snapshots(times=[0, 9])


def test_the_demo_makes_a_picture_of_the_cube(tmp_path, capsys):
    """The picture at the top of README is the same, and small."""
    assert main(["demo", "tumbling_cube", "--picture", str(tmp_path / "cube.png")]) == 0
    assert "impact" in capsys.readouterr().out
    with Image.open(tmp_path / "cube.png") as image:
        pixels = np.asarray(image.convert("RGB")).astype(int)
    blue = (np.abs(pixels - [0x7D, 0xA7, 0xD9]).max(axis=-1) < 24).any(axis=0)
    assert np.sum(np.diff(blue.astype(int)) == 1) >= 10  # cubes with white between them
    assert (np.abs(pixels - [0xC8, 0x37, 0x2D]).max(axis=-1) < 10).sum() > 500
    with Image.open("docs/static/tumbling_cube.png") as image:
        kept = np.asarray(image.convert("RGB").resize(pixels.shape[1::-1])).astype(int)
    assert (np.abs(kept - pixels).max(axis=-1) > 60).mean() < 0.01


def test_a_demo_without_bodies_keeps_its_plot(tmp_path):
    (name,) = WITHOUT_BODIES
    assert main(["demo", name, "--picture", str(tmp_path / "ball.png")]) == 0
    assert (tmp_path / "ball.png").stat().st_size > 10_000
