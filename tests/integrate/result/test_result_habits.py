"""Habits of users: names in place of symbols, events by name, dense tables, pictures in given axes and times."""

from __future__ import annotations

import csv

import matplotlib.pyplot as plt
import numpy as np
import pytest
import sympy as sm
from sympy.physics.mechanics import Particle, PrismaticJoint, RigidBody, System, dynamicsymbols

import sympact
from sympact import Contact, HybridModel, HybridSystem, Plane, Sphere, Transition, contacts_between, models


def falling_ball(**options):
    """A ball over a floor, with symbols that have assumptions."""
    m, g, e = sm.symbols("m g e", positive=True)
    z, v, force = dynamicsymbols("z v F")
    ground, ball = RigidBody("ground"), Particle("ball", mass=m)
    system = System.from_newtonian(ground)
    system.add_joints(PrismaticJoint("height", ground, ball, z, v, joint_axis=ground.z))
    system.add_loads((ball.masscenter, (force - m * g) * ground.z))
    floor = Contact(ball.masscenter, Plane(ground.masscenter, ground.z), restitution=e, friction=0, name="floor")
    return HybridModel(system, [floor], **options), m


def test_names_stand_for_symbols():
    model, m = falling_ball()
    force, (z, v) = model.inputs[0], model.x
    given = dict(zip(model.parameters, [0.8, 9.81, 1.0], strict=True))
    result = model.simulate((0, 2), {z: 1.0, v: 0.0}, given, inputs={force: 0.5})
    by_name = {"e": 0.8, "g": 9.81, m: 1.0}
    again = model.simulate((0, 2), {"z": 1.0, "v(t)": 0.0}, by_name, inputs={"F": 0.5})
    assert np.array_equal(again.x, result.x)
    with pytest.raises(
        ValueError, match=r"unknown \[M\] \('M' is .* none of them, in model.parameters; did you mean 'm'\)"
    ):
        model.simulate((0, 2), [1.0, 0.0], {"e": 0.8, "g": 9.81, "M": 1.0}, inputs={"F": 0.5})
    with pytest.raises(ValueError, match=r"m is another symbol than the m here, which has positive=True; take the one"):
        model.simulate((0, 2), [1.0, 0.0], {"e": 0.8, "g": 9.81, sm.Symbol("m"): 1.0}, inputs={"F": 0.5})
    with pytest.raises(ValueError, match=r"'m' is given as a symbol, too; give it once"):
        model.simulate((0, 2), [1.0, 0.0], {**by_name, "m": 1.0}, inputs={"F": 0.5})


def test_both_simulate_take_the_parameters_third():
    y, v, g = sm.symbols("y v g")
    process = HybridSystem.from_sympy({"air": [v, -g]}, [], states=[y, v], parameters=[g])
    positional = process.simulate((0, 1), {"y": 5, v: 0}, {"g": 10}, start="air")
    keyword = process.simulate((0, 1), [5, 0], start="air", parameters=[10])
    assert np.array_equal(positional.x, keyword.x)


def test_events_by_name_also_of_files(tmp_path):
    ready = models.rod_on_wall()
    result = ready.simulate()
    result.save(tmp_path / "rod.npz")
    for run in (result, sympact.load(tmp_path / "rod.npz")):
        assert [str(kind) for kind in run.events["A on wall"].kinds()] == ["close", "open"]
        assert len(run.events.of("A on wall")) == 2
        assert len(run.events.between(0.1, 10)) == len(run.events) - np.count_nonzero(run.events.t < 0.1)
    with pytest.raises(KeyError, match="nothing in this run has the name 'apex'"):
        result.events["apex"]
    falls = Transition("up", "up", boundary=lambda t, x: -x[0], jump=lambda t, x: [0.0, -0.5 * x[1]], name="ground")
    ball = HybridSystem({"up": lambda t, x: [x[1], -10.0]}, [falls], states=["height", "speed"])
    assert len(ball.simulate((0, 1.2), [5.0, 0.0], start="up").events["ground"]) == 1


def test_tables_at_equal_distances(tmp_path):
    result = models.bouncing_ball().simulate()
    times, states = result.sample(0.25)
    table = result.to_dataframe(dt=0.25)
    assert np.array_equal(table.index, times)
    assert np.array_equal(table[["z", "v"]].to_numpy().T, states)
    result.to_csv(tmp_path / "ball.csv", dt=0.25)
    with open(tmp_path / "ball.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [float(row["z"]) for row in rows] == states[0].tolist()
    assert result.to_xarray(dt=0.25).z.shape == times.shape
    whole = result.at_times(times)
    assert np.array_equal(whole.x, states)
    assert len(whole.events) == len(result.events)
    with pytest.raises(ValueError, match="dt is -1, expected a positive number"):
        result.to_csv(tmp_path / "ball.csv", dt=-1)


def test_contacts_between_points_and_surfaces():
    frame = sm.physics.vector.ReferenceFrame("N")
    points = [sm.physics.vector.Point(name) for name in "PQR"]
    floor, wall = (Plane(sm.physics.vector.Point(name), axis) for name, axis in (("O", frame.z), ("W", frame.x)))
    e, mu = sm.symbols("e mu")
    found = contacts_between([points[0], Sphere(points[1], 0.1)], (floor, wall), restitution=e, friction=mu)
    assert [contact.name for contact in found] == ["P on O", "P on W", "Q on O", "Q on W"]
    assert {(contact.restitution, contact.friction) for contact in found} == {(e, mu)}
    with pytest.raises(TypeError, match=r"surfaces is .*, expected a list of surfaces"):
        contacts_between(points, floor, restitution=e, friction=mu)


def test_outputs_are_drawn_and_tabulated():
    model, _ = falling_ball(outputs={"momentum": sm.Symbol("m", positive=True) * dynamicsymbols("v")})
    result = model.simulate((0, 2), {"z": 1.0, "v": 0.0}, {"e": 0.8, "g": 9.81, "m": 2.0}, inputs={"F": 0.0})
    figure = result.plot("outputs", units={"momentum": "N s"})
    panel = figure.axes[1]
    assert panel.get_ylabel() == "momentum\n(N s)"
    curve = max(panel.get_lines(), key=lambda line: len(line.get_xdata()))  # the others are those of events
    t, drawn = (np.asarray(values) for values in curve.get_data())
    inside = np.isfinite(drawn)
    np.testing.assert_allclose(drawn[inside][-1], 2.0 * result["v"][-1], rtol=1e-12)
    assert np.isnan(drawn).sum() == len(result.events)
    assert "momentum" in result.to_dataframe()
    assert result.to_xarray({"momentum": "N s"}).momentum.units == "N s"
    assert len(t) > 100
    with pytest.raises(TypeError, match=r"'outputs' cannot be drawn.*outputs=\{name: expression\}"):
        models.bouncing_ball().simulate().plot("outputs")


def test_pictures_of_a_part_of_the_run_in_given_axes():
    result = models.bouncing_ball().simulate()
    figure = result.plot("gaps", "energy", t_span=(1.0, 2.0))
    assert all(axes.get_xlim() == (1.0, 2.0) for axes in figure.axes)
    met = result.events.between(1.0, 2.0)
    first = 1 + np.count_nonzero(result.events.t < 1.0)
    numbers = [text.get_text() for text in figure.axes[0].texts]
    assert str(first) in numbers
    assert str(first + len(met)) not in numbers
    own, axes = plt.subplots(3)
    assert result.plot("gaps", "states", ax=axes, title="a ball") is own
    assert [panel.get_ylabel() for panel in axes] == ["gaps (m)", "z (m)", "v (m/s)"]
    assert axes[0].get_title() == "a ball"
    plt.close(own)
    with pytest.raises(ValueError, match=r"t_span is \(2, 9\), expected two times of this run, from 0 to 5"):
        result.plot(t_span=(2, 9))
    with pytest.raises(ValueError, match="ax: found 3, expected 2 matplotlib Axes"):
        result.plot("states", ax=axes)
    with pytest.raises(ValueError, match="ax: phase portraits have axes of their own"):
        result.plot("phase", ax=axes[0])


def test_the_report_has_friction_and_no_empty_columns(tmp_path):
    ready = models.sliding_block()
    ready.simulate().report(tmp_path / "block.html")
    page = (tmp_path / "block.html").read_text(encoding="utf-8")
    assert "<th>friction</th>" in page
    models.bouncing_ball().simulate().report(tmp_path / "ball.html", units={})
    page = (tmp_path / "ball.html").read_text(encoding="utf-8")
    assert "<th>friction</th>" not in page
    assert "<th>unit</th>" not in page


def test_a_start_below_a_surface_asks_for_the_normal():
    model, _ = falling_ball()
    numbers = {"e": 0.8, "g": 9.81, "m": 2.0}
    with pytest.raises(ValueError, match=r"expected a gap >= 0; is the normal of the surface on its free side\?"):
        model.simulate((0, 2), {"z": -1.0, "v": 0.0}, numbers, inputs={"F": 0.0})
