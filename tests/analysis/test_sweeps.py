"""Promises of sweeps: states on sections, return maps, bifurcations, basins and periodic orbits of closed forms."""

from __future__ import annotations

import signal
from itertools import pairwise

import numpy as np
import pytest
import sympy as sm
from example_scripts import PNG, load
from scipy.stats import norm, qmc, uniform
from sympy.physics.mechanics import Force, Particle, Point, ReferenceFrame, System, dynamicsymbols

from sympact import (
    Crossing,
    HybridModel,
    HybridSystem,
    Limit,
    Status,
    Strobe,
    SympactWarning,
    Transition,
    basins,
    bifurcation_diagram,
    ensemble,
    find_orbit,
    return_map,
)
from sympact.integrate.batch import batch_worker
from sympact.models import bouncing_ball, shaking_table, tumbling_cube, two_links

G = 9.81
BIFURCATIONS, PENDULUM = load("table_bifurcations"), load("pendulum_basins")


def oscillator(**parameters):
    """A driven oscillator before a wall at x = d: x'' = -x - 2 zeta x' + F cos(w t)."""
    x, v = dynamicsymbols("x v")
    zeta, F, w, d, e = letters = sm.symbols("zeta F w d e")
    N, O, P = ReferenceFrame("N"), Point("O"), Point("P")
    P.set_pos(O, x * N.x)
    system = System(N, O)
    system.add_bodies(Particle("mass", P, 1))
    system.add_coordinates(x)
    system.add_speeds(v)
    system.add_kdes(v - x.diff())
    system.add_loads(Force(P, (-x - 2 * zeta * v + F * sm.cos(w * dynamicsymbols._t)) * N.x))
    model = HybridModel(system, [Limit(d - x, restitution=e, name="wall")])
    numbers = {"zeta": 0.1, "F": 0.5, "w": 1.3, "d": 1.0, "e": 0.7, **parameters}
    return model, {letter: numbers[letter.name] for letter in letters if letter.name in numbers}


def rimless_wheel(alpha=0.3, slope=0.08):
    """A wheel of spokes without inertia, as a pendulum whose foot changes: omega -> cos(2 alpha) omega."""
    theta, omega = dynamicsymbols("theta omega")
    N, O, P = ReferenceFrame("N"), Point("O"), Point("P")
    R = N.orientnew("R", "Axis", (theta, -N.z))
    P.set_pos(O, R.y)
    O.set_vel(N, 0)
    system = System(N, O)
    system.add_bodies(Particle("hub", P, 1))
    system.add_coordinates(theta)
    system.add_speeds(omega)
    system.add_kdes(omega - theta.diff())
    system.apply_uniform_gravity(-G * N.y)
    step = Transition(
        boundary=Crossing(theta - (slope + alpha), 1),
        jump={theta: theta - 2 * alpha, omega: sm.cos(2 * alpha) * omega},
        name="step",
    )
    return HybridModel(system, [], transitions=[step]), (theta, omega)


@pytest.mark.parametrize("workers", [1, 3])
def test_the_states_of_events_are_those_of_the_runs_alone(workers):
    found = ensemble(two_links(), (0, 4), {"u1": uniform(-1, 2)}, runs=12, seed=1, keep="states", workers=workers)
    assert found.alone == 0
    assert found.events.x_plus.shape == (len(found.events), 4)
    for k in range(len(found)):
        events, alone = found.events[found.events.run == k], found[k].events
        assert np.array_equal(events.x_minus, [event.x_minus for event in alone])
        assert np.array_equal(events.x_plus, [event.x_plus for event in alone])


def test_states_of_angles_that_are_integrated_as_quaternions_are_those_of_the_runs_alone():
    found = ensemble(tumbling_cube(), (0, 2), {"omega_phi": [0.0, 1.0, 2.0]}, keep="states")
    assert "attitudes" in found.why_alone
    assert np.array_equal(found.events[found.events.run == 2].x_plus, [event.x_plus for event in found[2].events])


def test_states_of_events_are_in_the_dataset():
    found = ensemble(bouncing_ball(), (0, 1), {"z": [1.0, 2.0]}, keep="states")
    table = found.to_xarray()
    assert np.array_equal(table.event_x_plus, found.events.x_plus)
    assert table.event_x_minus.dims == ("event", "state")


def test_events_without_states_have_none():
    assert ensemble(bouncing_ball(), (0, 1), {"z": [1.0, 2.0]}).events.x_plus is None


def test_buffers_of_states_grow(monkeypatch):
    """More events in a chunk than the first buffers have rows for."""
    monkeypatch.setattr(batch_worker, "_EVENTS", 512)
    found = ensemble(shaking_table(1.0, 0.9), (0, 60), {"z": np.linspace(0.01, 0.05, 40)}, keep="states", workers=1)
    assert len(found.events) > 16 * 512
    alone = found[39].events
    assert np.array_equal(found.events[found.events.run == 39].x_plus, [event.x_plus for event in alone])


def test_crossings_are_columns_of_the_events_of_an_ensemble():
    ball = bouncing_ball()
    (_,), (v,) = ball.model.q, ball.model.u
    watching = ball.model.watching({"apex": Crossing(v, -1)})
    found = ensemble(
        watching, (0, 1.5), {**ball.start, ball.model.q[0]: np.array([1.0, 2.0])}, ball.parameters, keep="states"
    )
    assert found.events.contact_names == ("ball", "apex")
    tops = found.events.of("apex")
    assert set(tops.kind.astype(str)) == {"crossing"}
    np.testing.assert_allclose(tops.x_plus[:2, 0], [0.64, 0.64**2], atol=1e-9)


def test_quasi_random_runs_are_points_of_the_sequence():
    points = qmc.Sobol(d=2, seed=3)
    given = {"z": uniform(1, 2)}, {"e": norm(0.6, 0.05)}
    found = ensemble(bouncing_ball(), (0, 1), *given, runs=16, points=points, keep="end", workers=2)
    fewer = ensemble(bouncing_ball(), (0, 1), *given, runs=8, points=points, keep="end", workers=1)
    points.reset()
    exact = points.random(16)
    assert np.array_equal(found.x0[:, 0], uniform(1, 2).ppf(exact[:, 0]))
    own = next(values for letter, values in found.parameters.items() if letter.name == "e")
    assert np.array_equal(own, norm(0.6, 0.05).ppf(exact[:, 1]))
    assert np.array_equal(found.x[:8], fewer.x)
    assert found.seed is None


def test_a_mean_of_quasi_random_runs_is_nearer_than_that_of_random_ones():
    """The mean time of fall from heights of 1 to 3 m: the integral of sqrt(2 z / g) / 2."""
    exact = np.sqrt(2 / G) * (3**1.5 - 1) / 3
    quasi, random = (
        ensemble(bouncing_ball(), (0, 1), {"z": uniform(1, 2)}, runs=256, **options).events.impacts.first(1).mean()
        for options in ({"points": qmc.Sobol(d=1, seed=1)}, {"seed": 1})
    )
    # a scrambled net of 256 points leaves at most the change of the function within its 256 pieces: .4 s / 256
    assert abs(quasi - exact) < 0.4 / 256 < abs(random - exact)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"points": qmc.Sobol(d=2, seed=1)}, "points has d = 2, expected 1"),
        ({"points": qmc.Sobol(d=1, seed=1), "seed": 3}, "expected one of them"),
        ({"points": 3}, "expected an engine of scipy.stats.qmc"),
    ],
)
def test_points_that_do_not_fit_are_refused(options, message):
    with pytest.raises((ValueError, TypeError), match=message):
        ensemble(bouncing_ball(), (0, 1), {"z": uniform(1, 2)}, runs=4, **options)


def test_functions_of_a_generator_have_no_points():
    with pytest.raises(ValueError, match="x0 is a function"):
        ensemble(bouncing_ball(), (0, 1), lambda rng: {"z": rng.random()}, runs=4, points=qmc.Sobol(d=1, seed=1))


def test_a_ball_keeps_a_part_of_its_speed_from_return_to_return():
    returns = return_map(bouncing_ball(), "ball", (0, 2), {"z": uniform(1, 1)}, runs=20, seed=2)
    now, later = returns.pairs("v")
    np.testing.assert_allclose(later, 0.8 * now, rtol=1e-9)
    assert np.array_equal(returns.value("t"), returns.t)
    np.testing.assert_allclose(returns.value("v", before=True), -returns.value("v") / 0.8, rtol=1e-12)
    table = returns.to_xarray()
    assert table.x.shape == (len(returns), 2)
    assert table.attrs["section"] == "ball"


def test_a_section_in_time_has_the_states_at_its_times():
    """A free oscillator turns by w T a period, and shrinks by exp(-zeta T)."""
    model, numbers = oscillator(F=0.0, d=100.0)
    period, damped = 1.5, np.sqrt(1 - 0.1**2)
    returns = return_map(model, Strobe(period), (0, 20), [1.0, 0.0], numbers, transient=3.0, rtol=1e-11, atol=1e-13)
    np.testing.assert_allclose(returns.t, period * np.arange(2, 14), rtol=1e-14)
    phase = damped * returns.t
    exact = np.exp(-0.1 * returns.t) * (np.cos(phase) + 0.1 / damped * np.sin(phase))
    np.testing.assert_allclose(returns.value("x"), exact, atol=1e-9)


def test_a_section_by_a_condition():
    model, numbers = oscillator(F=0.0, d=100.0)
    (x,), (v,) = model.q, model.u
    returns = return_map(model, Crossing(v, -1), (0, 40), [1.0, 0.0], numbers, transient=0.1)
    tops = returns.value(x)
    np.testing.assert_allclose(tops[1:] / tops[:-1], np.exp(-0.1 * 2 * np.pi / np.sqrt(1 - 0.01)), rtol=1e-7)


def test_a_section_of_a_process_is_one_of_its_transitions():
    process = HybridSystem(
        {"free": lambda t, x: [x[1], -G]},
        [Transition("free", "free", boundary=lambda t, x: -x[0], jump=lambda t, x: [0.0, -0.5 * x[1]], name="bounce")],
    )
    returns = return_map(process, "bounce", (0, 1), [[1.0, 0.0], [2.0, 0.0]], start="free")
    now, later = returns.pairs("x1")
    np.testing.assert_allclose(later, 0.5 * now, rtol=1e-9)


def test_the_period_of_a_ball_on_a_vibrating_table_doubles_where_the_closed_form_says():
    found = BIFURCATIONS.diagram(values=40, periods=400, kept=32)
    gammas = found.values * BIFURCATIONS.OMEGA**2 / G
    phases = found.phase(BIFURCATIONS.PERIOD) * BIFURCATIONS.OMEGA
    assert gammas[18] > BIFURCATIONS.DOUBLED > gammas[15]
    for k in (0, 8, 14):
        exact, _ = BIFURCATIONS.period_one(gammas[k])
        np.testing.assert_allclose(phases[found.place == k], exact, atol=1e-6)
    for k in (19, 22):  # every other impact is the same, those between them are others
        own = phases[found.place == k]
        np.testing.assert_allclose(own[2:], own[:-2], atol=1e-4)
        assert np.abs(np.diff(own)).min() > 0.1


@pytest.mark.parametrize("gamma", [0.5, 0.8, 1.05, 1.2])
def test_orbits_on_the_table_have_the_phase_and_multipliers_of_the_closed_form(gamma):
    orbit, (phase, multipliers) = BIFURCATIONS.orbit(gamma), BIFURCATIONS.period_one(gamma)
    assert orbit.t * BIFURCATIONS.OMEGA == pytest.approx(phase, abs=1e-9)
    assert orbit.duration == pytest.approx(BIFURCATIONS.PERIOD, abs=1e-12)
    assert orbit.x[1] == pytest.approx(G * BIFURCATIONS.PERIOD / 2, abs=1e-9)
    # runs at 1e-12, in differences over 1e-4 of the states
    np.testing.assert_allclose(np.sort_complex(orbit.multipliers), np.sort_complex(multipliers), atol=1e-6)
    assert orbit.stable == (gamma < BIFURCATIONS.DOUBLED)


def test_the_orbit_of_period_two_beyond_the_doubling():
    found = BIFURCATIONS.diagram(values=20, periods=300, kept=4)
    k = int(np.searchsorted(found.values, BIFURCATIONS.amplitude(1.15)))
    own = found.states.late(-1.0)
    run = np.flatnonzero(own.run == k)[-1]
    table = shaking_table(1.0, BIFURCATIONS.E).with_numbers({"A": found.values[k]})
    period = BIFURCATIONS.PERIOD
    after = own.t[run] % period
    orbit = find_orbit(table, "ball", own.x[run], t_max=3 * period, t_start=after, returns=2, period=period)
    assert orbit.stable
    assert orbit.duration == pytest.approx(2 * period, abs=1e-11)
    assert np.prod(orbit.multipliers).real == pytest.approx(
        BIFURCATIONS.E**4, abs=1e-6
    )  # areas shrink by e^2 an impact


def test_the_rimless_wheel_has_its_fixed_point_and_the_multiplier_cos_squared():
    """The speed after a step of the fixed point, and d(omega+)/d(omega) = cos(2 alpha)^2."""
    alpha, slope = 0.3, 0.08
    model, (theta, omega) = rimless_wheel(alpha, slope)
    orbit = find_orbit(model, "step", {theta: slope - alpha, omega: 1.5}, {}, t_max=3.0)
    kept = np.cos(2 * alpha) ** 2
    gained = 4 * G * np.sin(alpha) * np.sin(slope)  # of omega^2 in a step
    assert orbit.x[1] == pytest.approx(np.sqrt(kept * gained / (1 - kept)), abs=1e-9)
    np.testing.assert_allclose(orbit.multipliers, [kept], atol=1e-7)


def test_the_orbit_of_a_driven_oscillator_on_a_section_in_time():
    """Without a wall the multipliers are exp((-zeta +- i w) T), and the amplitude is that of the resonance curve."""
    model, numbers = oscillator(d=100.0)
    period = 2 * np.pi / 1.3
    orbit = find_orbit(model, Strobe(period), [0.3, 0.1], numbers, t_max=period, period=period)
    exact = np.exp(complex(-0.1, np.sqrt(1 - 0.01)) * period)
    np.testing.assert_allclose(
        np.sort_complex(orbit.multipliers), np.sort_complex([exact, exact.conjugate()]), atol=1e-8
    )
    answer = 0.5 / complex(1 - 1.3**2, 2 * 0.1 * 1.3)
    np.testing.assert_allclose(orbit.x, [answer.real, -1.3 * answer.imag], atol=1e-10)


def test_an_oscillator_begins_to_hit_its_wall_where_its_amplitude_is_the_distance():
    """The grazing bifurcation: no impact in the steady motion below this force, impacts above it [Nordmark 1991]."""
    model, numbers = oscillator()
    force = next(letter for letter in numbers if letter.name == "F")
    graze = abs(complex(1 - 1.3**2, 2 * 0.1 * 1.3))
    answer = 1 / complex(1 - 1.3**2, 2 * 0.1 * 1.3)
    del numbers[force]
    forces = graze * np.array([0.9, 0.999, 1.001, 1.1])
    steady = np.array([[f * answer.real, -1.3 * f * answer.imag] for f in forces])
    counts = [
        bifurcation_diagram(
            model, "wall", {force: [f]}, (0, 60), x, numbers, transient=20.0, rtol=1e-11, atol=1e-13
        ).counts[0]
        for f, x in zip(forces, steady, strict=True)
    ]
    assert counts[:2] == [0, 0]
    assert min(counts[2:]) > 0


def test_sweeps_up_and_down_keep_their_branches():
    """Below grazing there are motions with and without impacts: one sweep follows these, the other those."""
    model, numbers = oscillator(zeta=0.02, w=1.1)
    force = next(letter for letter in numbers if letter.name == "F")
    del numbers[force]
    answer, period = 1 / complex(1 - 1.1**2, 2 * 0.02 * 1.1), 2 * np.pi / 1.1
    forces = np.linspace(0.7, 1.1, 9) / abs(answer)
    steady = [forces[0] * answer.real, -1.1 * forces[0] * answer.imag]
    up, down = (
        bifurcation_diagram(
            model, "wall", {force: forces}, (0, 99.5 * period), steady, numbers, transient=90 * period, follow=way,
            period=period,
        )
        for way in ("up", "down")
    )  # fmt: skip
    assert not up.counts[forces * abs(answer) < 0.99].any(), "the motion without impacts is stable up to grazing"
    assert up.counts[-1] > 0
    assert down.counts.all(), "the other one is followed down to 0.7 of the force of grazing"
    np.testing.assert_allclose(up.final[0], steady, atol=1e-6)  # after a whole number of periods


def test_every_start_of_a_pendulum_between_stops_falls_to_the_side_that_its_energy_says():
    found = PENDULUM.picture_of(columns=30, rows=25)
    angle, speed = np.meshgrid(*found.axes.values())
    exact, _, _ = PENDULUM.side(angle, speed)
    assert np.array_equal(np.where(found.labels == 0, 1, -1), exact)
    assert list(found.axes) == ["theta", "omega"]
    assert found.shares["left"] + found.shares["right"] == 1.0
    one = found.ensemble[found.run(3, 20)]
    assert (one.x[0, 0], one.x[1, 0]) == (found.axes["theta"][3], found.axes["omega"][20])
    table = found.to_xarray()
    assert table.label.dims == ("omega", "theta")


def test_basins_over_parameters_with_names_by_a_function():
    """A ball from 1 m has hit after t where its first bounce is before: t_1 = sqrt(2 z / g)."""
    found = basins(
        bouncing_ball(),
        {"g": [1.0, 4.0, 9.0], "z": [0.5, 1.0, 2.0]},
        lambda runs: np.where(runs.n_events > 0, "hit", "free"),
        (0, 0.8),
    )
    exact = np.sqrt(2 * np.array([[0.5], [1.0], [2.0]]) / np.array([1.0, 4.0, 9.0])) < 0.8
    assert np.array_equal(np.array(found.names)[found.labels] == "hit", exact)


def test_a_search_that_leaves_the_returns_says_where_and_why():
    """Where impacts have accumulated there is no orbit of period one: Newton's method leaves for below the table."""
    table = shaking_table()
    last = table.simulate().events.impacts[-1]
    period = 2 * np.pi / table.named_parameters()["omega"]
    sentence = (
        r"^no periodic orbit with 1 return to the section 'ball' is found near this guess: after 1 Newton step, at "
        r"t = 2\.16\d*, z = .*, v = .*, the search left .* \(the motion cannot start .* below its surface\); begin near"
    )
    with pytest.raises(ValueError, match=sentence):
        find_orbit(table, "ball", last.x_plus, t_max=1.0, t_start=last.t, period=period)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: return_map(bouncing_ball(), "floor", (0, 1)), "the section is 'floor', expected the name"),
        (lambda: return_map(bouncing_ball(), "ball", (0, 1), keep="end"), "the states on the section are kept"),
        (lambda: return_map(3, "ball", (0, 1)), "expected a HybridModel"),
        (lambda: Strobe(0.0), "expected a positive number of seconds"),
        (lambda: return_map(bouncing_ball(), Strobe(1.0, first=5.0), (4.1, 4.9)), "no return"),
        (lambda: bifurcation_diagram(bouncing_ball(), "ball", {}, (0, 1), transient=0), "expected a mapping of one"),
        (
            lambda: bifurcation_diagram(bouncing_ball(), "ball", {"e": [0.5]}, (0, 1), transient=2),
            "expected a time from 0 to that of the runs",
        ),
        (
            lambda: bifurcation_diagram(bouncing_ball(), "ball", {"e": [0.5]}, (0, 1), transient=0, follow="left"),
            "follow is 'left'",
        ),
        (
            lambda: bifurcation_diagram(
                bouncing_ball(), "ball", {"e": [0.5]}, (0, 1), parameters={"e": 0.5}, transient=0
            ),
            "in parameters and in the sweep",
        ),
        (lambda: basins(bouncing_ball(), {"z": [1.0]}, {}, (0, 1)), "two states or parameters"),
        (lambda: basins(bouncing_ball(), {"z": [1.0], "q": [2.0]}, {}, (0, 1)), "expected a state"),
        (lambda: basins(bouncing_ball(), {"z": [1.0], "v": [2.0]}, {"a": 1}, (0, 1)), "expected an inequality"),
        (lambda: basins(bouncing_ball(), {"z": [1.0], "v": [2.0]}, lambda runs: [], (0, 1)), "a name a run"),
        (lambda: find_orbit(bouncing_ball(), "ball", t_max=0.1), "expected 1"),
        (lambda: find_orbit(bouncing_ball(), "ball", t_max=1.0, returns=0), "expected a positive whole number"),
    ],
)
def test_what_does_not_fit_is_refused_in_a_sentence(call, message):
    with pytest.raises((ValueError, TypeError), match=message):
        call()


def test_every_sweep_has_a_picture(tmp_path):
    returns = return_map(bouncing_ball(), "ball", (0, 2), {"z": uniform(1, 1)}, runs=20, seed=2)
    diagram = bifurcation_diagram(bouncing_ball(), "ball", {"e": [0.5, 0.7]}, (0, 1), transient=0)
    sides = PENDULUM.picture_of(columns=6, rows=5)
    orbit = BIFURCATIONS.orbit(0.8)
    pictures = [returns.plot("v"), returns.plot("t", "v"), diagram.plot("v"), sides.plot(), orbit.plot("z", "v")]
    for k, figure in enumerate(pictures):
        figure.savefig(tmp_path / f"{k}.png")
        assert (tmp_path / f"{k}.png").read_bytes().startswith(PNG)
    drawn = pictures[0].axes[0].lines[-1].get_xydata()
    assert np.array_equal(drawn.T, returns.pairs("v"))
    assert [patch.get_label() for patch in sides.plot().axes[0].get_legend().get_patches()] == ["left", "right"]
    assert orbit.to_xarray().sizes["multiplier"] == 2
    assert diagram.to_xarray()["parameter_e"].to_numpy().tolist() == diagram.along.tolist()
    assert "PeriodicOrbit of 0.2 s, stable" in repr(orbit)
    assert all(first <= second for first, second in pairwise(diagram.along.tolist()))


class Interrupted:
    """A ball of plain functions, whose runs are made one by one; Ctrl-C comes in the bounce of this number."""

    def __init__(self, bounce: int) -> None:
        self.left = bounce
        floor = Transition("up", "up", boundary=lambda t, x: -x[0], jump=self.jump, name="floor")
        self.process = HybridSystem({"up": lambda t, x: [x[1], -G]}, [floor], states=["z", "v"])

    def jump(self, t, x):
        self.left -= 1
        if not self.left:
            signal.raise_signal(signal.SIGINT)
        return [0.0, -0.5 * x[1]]


def test_basins_label_no_run_that_ctrl_c_has_left_out():
    grid = {"z": [1.0, 1.1, 1.2], "v": [0.0, 0.1]}
    for attractors in (lambda runs: np.where(runs.n_events >= 0, "all", "none"), lambda runs: np.full(6, "all")):
        with pytest.warns(SympactWarning, match=r"basins: Ctrl-C has ended the runs; 3 of 6 runs were not made"):
            found = basins(Interrupted(4).process, grid, attractors, (0, 0.6), start="up")
        assert found.labels.ravel().tolist() == [0, 0, 0, -1, -1, -1]
        assert found.shares == {"all": 0.5}
        assert repr(found).endswith("all 50 %; 3 of 6 runs were not made>")
        assert "not made" in found._repr_html_()
        assert np.isnan(found.ensemble.x[3:]).all()
        assert found.ensemble.n_events.tolist() == [1, 1, 1, 0, 0, 0]
        assert found.ensemble.events.run.tolist() == [0, 1, 2]


def test_return_maps_and_diagrams_count_what_ctrl_c_has_left_out():
    heights = np.column_stack([np.linspace(1, 1.2, 4), np.zeros(4)])
    with pytest.warns(SympactWarning, match="return_map: .*; 2 of 4 runs were not made"):
        returns = return_map(Interrupted(3).process, "floor", (0, 0.6), heights, start="up")
    assert returns.run.tolist() == [0, 1]
    assert repr(returns) == "<2 returns of 4 runs to the section 'floor'; 2 of 4 runs were not made>"
    table = shaking_table(1.0, 0.3)
    values = {"e": np.linspace(0.1, 0.3, 4)}
    whole = bifurcation_diagram(table, "ball", values, (0, 3), transient=0, follow="up")
    assert whole.made.all()
    assert "not made" not in repr(whole)


@pytest.mark.parametrize("follow", [None, "down"])
def test_diagrams_end_at_ctrl_c(follow, monkeypatch):
    from sympact.analysis.sweeps import section_states

    def interrupted(*args, **options):
        calls.append(1)
        runs = ensemble(*args, **options)
        if len(calls) == (1 if follow is None else 3):
            runs._rows.status[-1] = Status.INTERRUPTED.code
            runs._rows.leave_whole_runs()
        return runs

    calls: list[int] = []
    monkeypatch.setattr(section_states, "ensemble", interrupted)
    e, options = np.linspace(0.5, 0.7, 5), {"transient": 0, "follow": follow}
    with pytest.warns(SympactWarning, match="bifurcation_diagram: .* of 5 runs were not made"):
        found = bifurcation_diagram(bouncing_ball(), "ball", {"e": e}, (0, 1.7), **options)
    made = [True, True, True, True, False] if follow is None else [True, True, False, False, False]
    assert found.made.tolist() == made
    assert np.isfinite(found.final).all(axis=1).tolist() == made
    counts = [2, 3, 3, 3, 0] if follow is None else [0, 0, 0]
    assert found.counts[: len(counts)].tolist()[-1] == 0
    assert len(found.value_of_run) == 5
    assert repr(found).endswith(f"; {made.count(False)} of 5 runs were not made>")
