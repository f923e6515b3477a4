"""The panels of a picture show what the run did: forces, impulses, phase portraits, stages, and labels with units."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest
import sympy as sm
from dropped_ball import dropped_ball
from figures import overlapping_texts, panels
from journeys import NAMES, Happening, journey, rocking
from matplotlib.colors import same_color
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch
from quick_members import members

from sympact import HybridSystem, ImpactWarning, Transition, load
from sympact.integrate.history.event import EventKind
from sympact.models import belt_oscillator, bouncing_ball, dice, dropped_cube, pendulum, rod_on_wall, sliding_block
from sympact.show.kit.palette import KIND_COLOURS

ALL = ("states", "gaps", "energy", "forces", "impulses", "phase", "stages")


def curve(figure: Figure, panel: str, name: str) -> np.ndarray:
    """The points of a curve, shape (2, k), by the label of its panel and its name in the legend."""
    (found,) = [line for line in panels(figure)[panel].get_lines() if line.get_label() == name]
    return np.array(found.get_data(), dtype=float)


def resting_ball():
    """A ball of 1 kg that bounces with e = 0.8 from 1 m until it lies on the floor, from about t = 4 s."""
    ball = bouncing_ball(0.8)
    return ball, ball.simulate()


def test_panels_stand_in_the_order_of_their_names():
    _, result = resting_ball()
    labels = [axes.get_ylabel() for axes in result.plot("impulses", "states", "gaps").axes]
    assert labels == ["", "impulse (N s)", "z (m)", "v (m/s)", "gaps (m)"]


def test_a_force_is_drawn_while_the_contact_is_closed():
    """m g = 9.81 N from the time of rest on, and nothing before."""
    _, result = resting_ball()
    t, force = curve(result.plot("forces"), "normal force (N)", "ball")
    rest = result.events[-1].t
    drawn = np.isfinite(force)
    assert t[drawn].min() == rest
    assert t[drawn].max() == 5.0
    np.testing.assert_allclose(force[drawn], 9.81, rtol=1e-9)


def test_forces_are_those_of_both_sides_of_an_event():
    """A rod slides down a wall until its upper end leaves it, where the wall's force vanishes."""
    result = rod_on_wall().simulate()
    leaves = next(event.t for event in result.events if event.kind == "open")
    names = [name for name in result.contact_names if "wall" in name]
    (wall,) = [name for name in names if result.normal_force_at([0.0])[result.contact_names.index(name), 0] > 0]
    t, force = curve(result.plot("forces"), "normal force (N)", wall)
    drawn = np.isfinite(force)
    assert t[drawn].max() == leaves
    assert force[drawn][-1] == pytest.approx(0.0, abs=1e-6)
    after_start = slice(1, 6)
    np.testing.assert_array_equal(result.normal_force_at(result.t[after_start]), result.normal_force[:, after_start])


def test_friction_has_a_panel_of_its_own_and_keeps_its_sign_along_a_line():
    """A mass on a belt: sticks with k x up to 0.5 m g, then slips with 0.3 m g; the belt carries it to positive x."""
    result = belt_oscillator().simulate()
    figure = result.plot("forces")
    t, normal = curve(figure, "normal force (N)", "mass")
    np.testing.assert_allclose(normal[np.isfinite(normal)], 9.81, rtol=1e-9)
    t, friction = curve(figure, "friction (N)", "mass")
    starts = next(event.t for event in result.events if event.kind == "slip")
    before, after = friction[t == starts][[0, -1]]
    assert (before, after) == pytest.approx((0.5 * 9.81, 0.3 * 9.81), rel=1e-8)
    slips = (t > starts) & (t < starts + 0.1)
    np.testing.assert_allclose(friction[slips], 0.3 * 9.81, rtol=1e-8)


def test_friction_that_turns_is_drawn_by_its_size():
    """A block on a board that tilts: it sticks up to half of its normal force, and slips with 0.4 of it."""
    result = sliding_block().simulate()
    figure = result.plot("forces")
    t, friction = curve(figure, "size of friction (N)", "block")
    _, normal = curve(figure, "normal force (N)", "block")
    starts = result.events[-1].t
    sticks, slips = t < starts, t > starts
    np.testing.assert_allclose(friction[slips], 0.4 * normal[slips], rtol=1e-8)
    assert (np.diff(friction[sticks]) > 0).all()
    assert np.nanmax(friction / normal) == pytest.approx(0.5, abs=1e-8)


def test_without_friction_there_is_no_panel_of_it():
    figure = resting_ball()[1].plot("forces")
    assert not any("friction" in axes.get_ylabel() for axes in figure.axes)


def test_every_impulse_has_a_stem():
    """m (1 + e) v: the ball comes with sqrt(2 g) at first, and each time with e times the speed before."""
    _, result = resting_ball()
    t, impulse = curve(result.plot("impulses"), "impulse (N s)", "ball")
    speeds = math.sqrt(2 * 9.81) * 0.8 ** np.arange(8)
    np.testing.assert_allclose(impulse[:8], 1.8 * speeds, rtol=1e-7)
    np.testing.assert_array_equal(t, result.events.t[: len(t)])


def test_equal_impulses_and_forces_of_several_contacts_are_all_seen():
    """A cube falls flat: four corners share one impulse and one weight, so that no mark hides another."""
    result = dropped_cube("flat").simulate()
    figure = result.plot("forces", "impulses")
    for label, size in [("impulse (N s)", "get_markersize"), ("normal force (N)", "get_linewidth")]:
        lines = [line for line in panels(figure)[label].get_lines() if not line.get_label().startswith("_")]
        sizes = [getattr(line, size)() for line in lines]
        assert len(sizes) == 4
        assert sizes == sorted(set(sizes), reverse=True)


def test_a_portrait_is_the_motion_and_breaks_at_the_impact():
    """Of the ball dropped from 5 m: z = 5 - v^2/20 before it, z = 1.25 - v^2/20 after it."""
    figure = dropped_ball().plot("phase", units={"height": "m", "speed": "m/s"})
    (panel,) = figure.axes
    assert (panel.get_xlabel(), panel.get_ylabel()) == ("height (m)", "speed (m/s)")
    z, v = panel.get_lines()[0].get_data()
    (gap,) = np.flatnonzero(np.isnan(z))
    np.testing.assert_allclose(z[:gap], 5 - v[:gap] ** 2 / 20, atol=1e-9)
    np.testing.assert_allclose(z[gap + 1 :], 1.25 - v[gap + 1 :] ** 2 / 20, atol=1e-9)


def test_a_jump_is_a_dashed_arrow_with_both_sides_as_dots():
    (panel,) = dropped_ball(kind=EventKind.IMPACT).plot("phase").axes
    (jump,) = [patch for patch in panel.patches if isinstance(patch, FancyArrowPatch)]
    assert (jump._posA_posB[0], jump._posA_posB[1]) == ((0.0, -10.0), (0.0, 5.0))
    assert jump.get_linestyle() not in ("-", "solid")
    dots = [line.get_xydata().tolist() for line in panel.get_lines() if line.get_marker() == "o"]
    assert [[0.0, -10.0]] in dots
    assert [[0.0, 5.0]] in dots


def test_hundreds_of_jumps_are_lines_with_both_ends():
    result = bouncing_ball(0.99).with_numbers(t_span=(0, 60)).simulate()
    (panel,) = result.plot("phase").axes
    (lines,) = panel.collections
    ends = np.array([path.vertices[:, 1] for path in lines.get_paths()])
    assert len(ends) > 60
    np.testing.assert_allclose(ends[:, 1], -0.99 * ends[:, 0], rtol=1e-9)
    assert not [patch for patch in panel.patches if isinstance(patch, FancyArrowPatch)]


def test_a_state_that_only_rounding_moves_has_no_jumps():
    """Impacts without friction do not change the speed along the floor."""
    figure = dice(friction=0).simulate(max_events=8).plot("phase", phase=[("x", "v_x")])
    assert not figure.axes[0].patches
    assert [len(line.get_xdata()) for line in figure.axes[0].get_lines() if line.get_marker() == "o"] == [0] * 4


def labels_of(figure: Figure) -> list[tuple[str, str]]:
    return [(axes.get_xlabel(), axes.get_ylabel()) for axes in figure.axes if axes.get_visible()]


def test_portraits_are_those_of_coordinates_whose_rate_is_a_speed():
    """The attitude of the die is a quaternion, which has no speeds of its own."""
    result = dice().simulate(max_events=3)
    assert labels_of(result.plot("phase", units={})) == [("x", "v_x"), ("y", "v_y"), ("z", "v_z")]
    assert len(labels_of(pendulum(4).simulate(max_events=1).plot("phase"))) == 4


def symbolic_oscillator():
    """Two masses without coupling, the states in an order of their own."""
    x, y, v, w = sm.symbols("x y v w")
    wall = Transition("on", "on", boundary=x - 1, jump={v: -v})
    process = HybridSystem.from_sympy({"on": [v, -y, -x, w]}, [wall], states=[x, w, v, y])
    return (x, w, v, y), process.simulate((0, 3), [0.0, 0.5, 2.0, 1.0], start="on")


def test_portraits_of_a_symbolic_process_are_read_from_its_flows(tmp_path):
    (x, w, _, _), result = symbolic_oscillator()
    assert labels_of(result.plot("phase")) == [("x", "v"), ("y", "w")]
    assert labels_of(result.plot("phase", phase=[(w, x)])) == [("w", "x")]
    result.save(tmp_path / "run.npz")
    assert labels_of(load(tmp_path / "run.npz").plot("phase")) == [("x", "v"), ("y", "w")]


def test_pairs_of_plain_functions_are_asked_for():
    three = HybridSystem({"on": lambda t, x: [1.0, 2.0, 3.0]}, []).simulate((0, 1), [0.0, 0.0, 0.0], start="on")
    with pytest.raises(TypeError, match=r"no known pairs of a state and its rate.*phase=\[\('x0', 'x2'\)\]"):
        three.plot("phase")
    assert labels_of(three.plot("phase", phase=[("x0", "x2")])) == [("x0", "x2")]


def test_units_may_be_given_by_symbols_and_replace_those_that_are_known():
    ball, result = resting_ball()
    z, v = ball.model.x
    figure = result.plot("states", "energy", units={z: "m", v: "m/s", "t": "min", "energy": "mJ"})
    assert {"z (m)", "v (m/s)", "energy (mJ)", "change (mJ)"} <= set(panels(figure))
    assert {axes.get_xlabel() for axes in figure.axes} == {"", "t (min)"}
    assert list(panels(result.plot(states=[v], units={v: ""}))) == ["gaps (m)", "v"]


def test_stages_have_a_line_each_with_bars_for_their_times():
    figure = rocking().plot("stages")
    panel = panels(figure)["stages"]
    assert [label.get_text() for label in panel.get_yticklabels()] == list(NAMES)
    boxes = [[path.get_extents() for path in bars.get_paths()] for bars in panel.collections]
    spans = [[(box.x0, box.x1) for box in row] for row in boxes]
    assert spans == [[(0.0, 1.75)], [(1.75, 3.0)], [(3.0, 3.0)], [(3.0, 4.0)]]


def test_of_many_stages_those_of_the_longest_times_have_lines():
    names = [f"stage {k}" for k in range(30)]
    result = journey(names, [Happening(1.0 + (k % 7), EventKind.TRANSITION, k) for k in range(1, 30)], 1.0)
    panel = panels(result.plot("stages"))["stages\n(+18)"]
    assert len(panel.get_yticklabels()) == 12


def test_a_panel_of_a_model_without_events_is_empty():
    result = bouncing_ball().simulate(max_events=1, t_eval=[0.0])
    assert "impulse (N s)" in panels(result.plot("impulses"))
    calm = bouncing_ball().with_numbers(t_span=(0, 0.1)).simulate()
    assert len(calm.events) == 0
    assert len(calm.plot(*ALL).axes) == 10


BUSY = {"ball": lambda: bouncing_ball(0.99).with_numbers(t_span=(0, 250)), "dice": dice, "rod": rod_on_wall}


@pytest.mark.parametrize("name", members(BUSY, slow=["rod", "dice"]))
def test_all_panels_of_a_busy_run_can_be_read(name):
    """Up to 13 states, and more than 500 events."""
    ready = BUSY[name]()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ImpactWarning)  # of the die, whose corners hit shortly after one another
        result = ready.simulate()
    assert overlapping_texts(result.plot(*ALL, units=ready.units, title="A title")) == []


def test_a_run_read_from_a_file_draws_what_it_kept(tmp_path):
    _, result = resting_ball()
    result.save(tmp_path / "run.npz")
    read = load(tmp_path / "run.npz")
    assert labels_of(read.plot("phase")) == [("z", "v")]
    read.plot("states", "gaps", "energy", "impulses", "stages")
    with pytest.raises(TypeError, match=r"no contact forces, .* read from a file"):
        read.plot("forces")


def test_jumps_have_the_colours_of_their_kinds():
    result = bouncing_ball(0.5).simulate()
    assert set(result.events.kinds()) > {EventKind.IMPACT}
    jumps = [patch for patch in result.plot("phase").axes[0].patches if isinstance(patch, FancyArrowPatch)]
    assert all(same_color(jump.get_edgecolor(), KIND_COLOURS["impact"]) for jump in jumps)
