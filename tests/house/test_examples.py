"""The examples run as scripts, write their picture, and print the reference's numbers."""

from __future__ import annotations

import json
import math
import re
from functools import cache

import numpy as np
import pytest
from constrained_examples import CONSTRAINED
from example_scripts import PNG, ROOT, load, printed_times, run
from oracles.jack import Jack
from process_examples import PROCESSES
from quick_members import members

from sympact import models
from sympact.__main__ import DEMOS, main

EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
REFERENCED = ("ball_ceiling_spring", "tumbling_cube", "two_links")
"""Those with a file of reference numbers; the others have closed forms, or oracles, in tests of their own."""

ALONE = ("escapement", "hopper", "modelica_balls", "ratchet")
"""Those that build their model in the script, though it has no bilateral constraints."""
MANY_RUNS = {"balls_in_a_store", "box_as_a_die", "pendulum_basins", "table_bifurcations"}
"""Those about many runs."""

CONTROLLED = ("sampled_cart_pole", "swing_up")
"""Those with sampled control, which build models in their scripts; `test_simulate_sampled` has their truth."""

REFERENCE = ROOT / "tests" / "reference"
EULER_RATES = "body 3-1-3, last three entries are angle rates"

PRINTED = 1e-8
"""Allowed for a printed time (s): what the references allow for their last events; closer comparisons are below."""


def reference(name: str) -> dict:
    return json.loads((REFERENCE / f"{name}.json").read_text(encoding="utf-8"))["reference"]


@cache
def demo(name: str):
    """The ready-made run of this name, at the tolerance of the references."""
    return getattr(models, name)().simulate(rtol=1e-12, atol=1e-14)


def expected_times(name: str) -> np.ndarray:
    events = {
        "ball_ceiling_spring": lambda: reference(name)["events"],
        "two_links": lambda: reference("two_link_floor")["impacts"],
        "tumbling_cube": lambda: reference(name)[EULER_RATES]["impacts"],
    }
    return np.array([float(event["t"]) for event in events[name]()])


@pytest.mark.parametrize("name", members(REFERENCED, slow=["two_links", "ball_ceiling_spring"]))
def test_example_prints_the_reference_times_and_writes_its_picture(name, tmp_path):
    text = run(ROOT / "examples" / f"{name}.py", tmp_path)
    np.testing.assert_allclose(printed_times(text), expected_times(name), rtol=0, atol=PRINTED)
    assert (tmp_path / f"{name}.png").read_bytes().startswith(PNG)


@pytest.mark.slow
def test_jack_prints_the_times_of_an_independent_simulation(tmp_path):
    """In a quick run `test_rest_examples` runs its demo, and `test_simulate_jack` compares.

    An error grows from impact to impact; the first twelve are printed to all digits that are right."""
    jack = Jack(1, 1, 9.81, 0.7, 2, 0.1, 20, 0.3, 5)
    exact = [impact[0] for impact in jack.impacts(np.array([0.1, 0.2, 0.3, 1, 2, 3]), 12)]
    text = run(ROOT / "examples" / "jack_in_a_box.py", tmp_path)
    np.testing.assert_allclose(printed_times(text)[:12], exact, rtol=0, atol=PRINTED)
    assert (tmp_path / "jack_in_a_box.png").read_bytes().startswith(PNG)


@pytest.mark.parametrize("name", members(CONTROLLED, slow=["swing_up"]))
def test_example_of_control_writes_its_picture(name, tmp_path):
    text = run(ROOT / "examples" / f"{name}.py", tmp_path)
    assert "Upright at the end: True" in text or "upright to 0.00" in text
    assert (tmp_path / f"{name}.png").read_bytes().startswith(PNG)


def test_fixed_steps_let_the_ball_sink_through_the_floor():
    """After the first hit it never comes up again, though every step is an exact parabola."""
    ball = load("bouncing_ball")
    times, heights = ball.fixed_steps(step=0.01, t_end=20.0)
    assert heights[times > 0.46].max() < 0
    assert heights[-1] < heights[times > 5][0] < -0.04
    assert ball.accumulation() == pytest.approx(math.sqrt(2 / 9.81) * 9, rel=1e-15)


def test_the_balls_of_modelica_end_where_their_bounces_accumulate(tmp_path):
    """The closed form of t_inf; the loop with a tolerance falls through, none of these balls gets below the floor."""
    text, t_inf = run(ROOT / "examples" / "modelica_balls.py", tmp_path), 9 * math.sqrt(2 / 9.81)
    found = re.findall(r"(\w+): (\w+) at t = .* t_inf = ([\d.]+) s, never lower than (\S+) m, done = (\d)", text)
    ends = {"classic": ("ACCUMULATION", "0"), "stable": ("ACCUMULATION", "0"), "resting": ("FINISHED", "1")}
    assert {name: (status, done) for name, status, _, _, done in found} == ends
    for _, _, time, lowest, _ in found:
        assert float(time) == pytest.approx(t_inf, abs=2e-12)
        assert float(lowest) > -1e-13
    assert float(re.search(r"the ball is at (\S+) m", text)[1]) < -1
    assert (tmp_path / "modelica_balls.png").read_bytes().startswith(PNG)


def test_balls_dropped_close_together_part_on_the_lively_table():
    _, apart = load("shaking_table").apart(t_end=10.0)
    assert apart[0] == pytest.approx(1e-9, rel=1e-6)
    assert apart.max() > 0.1


def test_example_writes_its_picture_where_it_is_told(tmp_path):
    text = run(ROOT / "examples" / "ball_ceiling_spring.py", tmp_path, "elsewhere.png")
    assert "elsewhere.png" in text
    assert [path.name for path in tmp_path.iterdir()] == ["elsewhere.png"]


def test_first_example_of_the_manual_runs_and_is_that_of_the_readme(tmp_path):
    quickstart = ROOT / "docs" / "quickstart.py"
    code = quickstart.read_text(encoding="utf-8").partition("# begin\n")[2]
    assert f"```python\n{code}```" in (ROOT / "README.md").read_text(encoding="utf-8")
    text = run(quickstart, tmp_path)
    # the end A, the lower one, is at the height 2 - t^2 g/2 - sin(1/2 + t)/2 and hits where this vanishes
    first = printed_times(text)[0]
    assert 2 - 9.81 / 2 * first**2 == pytest.approx(math.sin(0.5 + first) / 2, abs=1e-9)
    assert (tmp_path / "rod.png").exists()


@pytest.mark.parametrize("name", REFERENCED)
def test_demo_of_the_installed_package_does_what_the_example_does(name, tmp_path, capsys):
    picture = tmp_path / "picture.png"
    assert main(["demo", name, "--picture", str(picture)]) == 0
    np.testing.assert_allclose(printed_times(capsys.readouterr().out), expected_times(name), rtol=0, atol=PRINTED)
    assert picture.read_bytes().startswith(PNG)


@pytest.mark.slow
def test_thrown_boxes_have_probabilities_with_intervals(tmp_path):
    """Ten thousand throws; `test_fair_die` makes some hundreds, of which it tells the same."""
    text = run(ROOT / "examples" / "box_as_a_die.py", tmp_path)
    chance, standing = re.search(r"the probability ([\d.]+)", text), re.search(r"small face: ([\d.]+) \[", text)
    assert float(chance[1]) > 0.001, "the cube is fair"
    assert 0.005 < float(standing[1]) < 0.05, "10,000 throws have 2.1 %"
    assert (tmp_path / "box_as_a_die.png").read_bytes().startswith(PNG)


@pytest.mark.slow
@pytest.mark.as_machine_code
def test_balls_in_a_store_come_to_rest_when_they_do_in_theory(tmp_path):
    """Twenty thousand runs; `test_ensemble_store` has some of them, and `test_hybrid_accumulation` the theory."""
    pytest.importorskip("zarr", reason="stores need zarr, the extra `store`")
    text = run(ROOT / "examples" / "balls_in_a_store.py", tmp_path)
    assert "20,000 FINISHED; seed 5" in text
    # contacts close up to 0.1 ms before the limit: a ball in five hundred changes its interval of 50 ms
    assert int(re.search(r"Largest difference in an interval: (\d+)", text)[1]) <= 5
    assert (tmp_path / "balls_in_a_store.png").read_bytes().startswith(PNG)


@pytest.mark.slow
def test_sweeps_agree_with_their_closed_forms(tmp_path):
    """Tens of thousands of runs; `test_sweeps` compares with the same formulas in a few."""
    text = run(ROOT / "examples" / "table_bifurcations.py", tmp_path)
    pairs = re.findall(r"largest multiplier ([\d.]+), by the formula ([\d.]+)", text)
    assert len(pairs) == 3
    np.testing.assert_allclose(*np.array(pairs, dtype=float).T, rtol=0, atol=2e-6)
    text = run(ROOT / "examples" / "pendulum_basins.py", tmp_path)
    assert "\n0 of 38,400 runs end on another side than the energies say" in text
    for name in ("table_bifurcations", "pendulum_basins"):
        assert (tmp_path / f"{name}.png").read_bytes().startswith(PNG)


def test_every_example_and_every_model_is_a_demo():
    others = {*CONSTRAINED, *ALONE, *PROCESSES, *CONTROLLED, *MANY_RUNS}
    assert {path.stem for path in EXAMPLES} - others == set(DEMOS)
    assert set(DEMOS) == set(models.__all__) - {"ReadyModel", "ReadyProcess"}


def test_the_gallery_of_the_manual_shows_every_example():
    _, *groups = (ROOT / "docs" / "examples.rst").read_text(encoding="utf-8").split(".. gallery::\n")
    shown = [name for group in groups for name in re.findall(r"^   (\w+) ", group, flags=re.MULTILINE)]
    assert sorted(shown) == [path.stem for path in EXAMPLES]


@pytest.mark.parametrize(("arguments", "code"), [(["demo"], 0), (["demo", "cube"], 2)])
def test_demo_without_a_known_name_lists_them(arguments, code, capsys):
    assert main(arguments) == code
    printed = capsys.readouterr().out
    assert all(name in printed for name in DEMOS)


def test_demo_refuses_a_missing_folder_before_it_runs(capsys):
    with pytest.raises(SystemExit) as stop:
        main(["demo", "tumbling_cube", "--picture", "no/such/folder/cube.png"])
    assert stop.value.code == 2
    assert "there is no folder 'no/such/folder'" in capsys.readouterr().err


def test_ball_takes_the_path_of_the_framework():
    result, expected = demo("ball_ceiling_spring"), reference("ball_ceiling_spring")
    assert result.path == tuple({1: "free", 2: "spring"}[stage] for stage in expected["path"])
    assert [event.contacts for event in result.events] == [
        ({"release": "leave"}.get(event["event"], event["event"]),) for event in expected["events"]
    ]


def test_ball_meets_every_reference_time_and_speed():
    result, expected = demo("ball_ceiling_spring"), reference("ball_ceiling_spring")
    for event, exact in zip(result.events, expected["events"], strict=True):
        assert event.t == pytest.approx(float(exact["t"]), abs=1e-10)
        # a speed changes by the acceleration, at most 300 m/s^2 on the spring, times the allowed error of the time
        assert event.x_minus[1] == pytest.approx(float(exact["v_minus"]), abs=3e-8)
        assert event.x_plus[1] == pytest.approx(float(exact["v_plus"]), abs=3e-8)
    final = [float(expected["final"][name]) for name in "yv"]
    np.testing.assert_allclose(result(20.0), final, rtol=0, atol=1e-9)


def test_links_meet_every_reference_impact():
    result, expected = demo("two_links"), reference("two_link_floor")
    for number, (event, exact) in enumerate(zip(result.events, expected["impacts"], strict=True)):
        of_time, of_state = links_tolerance(expected["crosscheck_dt_dx"], number)
        assert event.t == pytest.approx(float(exact["t"]), abs=of_time)
        before = [float(exact[name]) for name in ("q1", "q2", "u1_minus", "u2_minus")]
        after = [float(exact[name]) for name in ("q1", "q2", "u1_plus", "u2_plus")]
        np.testing.assert_allclose(event.x_minus, before, rtol=0, atol=of_state)
        np.testing.assert_allclose(event.x_plus, after, rtol=0, atol=of_state)
        # the impulse is made of the speeds before it, with factors below 10
        np.testing.assert_allclose(event.impulse, [float(exact["impulse"])], rtol=0, atol=10 * of_state)


def links_tolerance(crosscheck: list[list[float]], number: int) -> tuple[float, float]:
    """For time and state: a hundred times the reference's own cross-check, which ends at the 14th impact.

    Beyond it the allowance goes on doubling with every impact, as the cross-check does.
    """
    known = crosscheck[min(number, len(crosscheck) - 1)]
    growth = 2.0 ** max(0, number - len(crosscheck) + 1)
    of_time, of_state = (max(1e-10, 100 * growth * difference) for difference in known)
    return of_time, of_state


def test_cube_meets_every_reference_impact():
    result, expected = demo("tumbling_cube"), reference("tumbling_cube")[EULER_RATES]
    for number, (event, exact) in enumerate(zip(result.events, expected["impacts"], strict=True)):
        assert event.t == pytest.approx(float(exact["t"]), abs=1e-11 if number == 0 else 1e-9)
        assert event.contacts == ("".join("+" if sign > 0 else "-" for sign in exact["vertex"]),)
        # with spins up to 30 rad/s an impulse of 10 N s changes by less than 1e-7 in the 1e-9 s allowed for the time
        np.testing.assert_allclose(event.impulse, [float(exact["P"])], rtol=0, atol=1e-7)
        assert event.energy == pytest.approx(float(exact["dT"]), abs=1e-6)
        np.testing.assert_allclose(event.x_minus[6:9], numbers(exact["v_minus"]), rtol=0, atol=1e-7)
        np.testing.assert_allclose(event.x_plus[6:9], numbers(exact["v_plus"]), rtol=0, atol=1e-7)
    final = expected["final"]
    np.testing.assert_allclose(result(5.0)[:3], numbers(final["p"]), rtol=0, atol=1e-7)


def numbers(texts: list[str]) -> list[float]:
    return [float(text) for text in texts]


@pytest.mark.slow
def test_the_hopper_gains_in_a_period_what_it_loses(tmp_path):
    """The sum of the work and of the energy of impacts, and the parabola of the mass centre in flight.

    In a quick run the balance of energy and periodic motions have tests of their own, and `make docs` runs the example.
    """
    lines = run(ROOT / "examples" / "hopper.py", tmp_path).splitlines()
    words = [line.split() for line in lines]
    joules = {line[0]: float(line[1]) for line in words if line and line[0] in ("thrust", "damper", "impacts", "sum")}
    assert abs(joules["sum"]) < PRINTED < 1.0 < joules["thrust"]
    flight = next(line.split() for line in lines if line.startswith("    0.") and len(line.split()) == 2)
    assert float(flight[0]) == pytest.approx(float(flight[1]), abs=PRINTED)
    changes = [float(line.split(":")[1]) for line in lines if line.startswith("    period")]
    assert changes[-1] < 1e-9 < 1e-2 < changes[0]
    assert (tmp_path / "hopper.png").read_bytes().startswith(PNG)
