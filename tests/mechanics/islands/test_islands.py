"""Islands: each is integrated as if it were alone, and together they are the run of the model."""

from __future__ import annotations

import networkx
import numpy as np
import pytest
import sympy.physics.mechanics as me
from hypothesis import strategies as st
from island_models import dice_beside_each_other, springs_between_particles
from quick_members import examples

from sympact import HybridModel, Interpolated, load
from sympact.integrate.steppers.interpolation import Segments
from sympact.mechanics.islands.bounds import Bounds
from sympact.mechanics.islands.coupling import coupling_of
from sympact.mechanics.islands.flight import Flight
from sympact.mechanics.islands.islands import islands_of

SPAN, TOLERANCES = (0.0, 2.0), {"rtol": 1e-10, "atol": 1e-12}


def run(built, *, together: bool = False, **options):
    """A run of a built model; `together`: with one step for all states."""
    model, start, parameters = built
    if together:
        model._made[islands_of] = None
    return model.simulate(SPAN, start, parameters, **TOLERANCES, **options)


@pytest.fixture(scope="module")
def apart():
    """Two dice beside each other, as two islands."""
    return run(dice_beside_each_other([0, 1], mu=0.3))


@examples(
    8,
    25,
    st.integers(1, 6).flatmap(
        lambda n: st.tuples(st.just(n), st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), max_size=6))
    ),
)
def test_springs_couple_the_particles_that_they_connect(case):
    count, springs = case
    springs = [(i, j) for i, j in springs if i != j]
    graph = networkx.Graph(springs)
    graph.add_nodes_from(range(count))
    found = coupling_of(springs_between_particles(count, springs).derivation).states
    assert sorted(sorted(i for i in part if i < count) for part in found) == sorted(
        sorted(part) for part in networkx.connected_components(graph)
    )


def test_each_die_flies_as_if_it_were_alone(apart):
    samples = {}
    for seed in (0, 1):
        alone = run(dice_beside_each_other([seed], mu=0.3))
        samples[seed] = alone
        places = np.searchsorted(apart.t, alone.t)
        assert np.array_equal(apart.t[places], alone.t), "an island has the steps that it has alone"
        own = [k for k, name in enumerate(apart.state_names) if name.endswith(str(seed))]
        before_jumps = np.flatnonzero(np.diff(alone.t, prepend=-1.0) > 0)
        assert np.array_equal(apart.x[np.ix_(own, places[before_jumps])], alone.x[:, before_jumps]), "the same bits"
        events = [event for event in apart.events if event.contacts[0].startswith(f"c{seed}")]
        assert [event.t for event in events] == [event.t for event in alone.events]
        assert [event.kind for event in events] == [event.kind for event in alone.events]
    assert len(apart.events) == sum(len(one.events) for one in samples.values())
    assert apart.steps == sum(one.steps for one in samples.values())


def test_one_run_is_the_same_with_one_step_for_all(apart):
    whole = run(dice_beside_each_other([0, 1], mu=0.3), together=True)
    assert [event.contacts for event in apart.events] == [event.contacts for event in whole.events]
    assert [event.kind for event in apart.events] == [event.kind for event in whole.events]
    np.testing.assert_allclose(apart.events.t, whole.events.t, rtol=0, atol=1e-9)
    times = np.linspace(*SPAN, 301)
    np.testing.assert_allclose(apart(times), whole(times), rtol=0, atol=1e-7)
    assert apart.path[-1] == whole.path[-1]
    np.testing.assert_allclose(apart.normal_force[:, -1], whole.normal_force[:, -1], rtol=1e-6, atol=1e-9)
    for own, other in zip(apart.events, whole.events, strict=True):
        np.testing.assert_allclose(own.impulse, other.impulse, rtol=1e-5, atol=1e-9)


def test_events_are_in_the_order_of_time_and_join_their_samples(apart):
    assert (np.diff(apart.events.t) >= 0.0).all()
    assert (np.diff(apart.t) >= 0.0).all()
    for event in apart.events:
        left, right = apart(event.t, side="left"), apart(event.t)
        if (apart.events.t == event.t).sum() == 1:
            assert np.array_equal(left, event.x_minus)
            assert np.array_equal(right, event.x_plus)
    assert apart.kinetic_energy[-1] < 1e-20


def test_the_accelerations_of_each_die_are_those_of_its_own_forces(apart):
    """Newton's law of each die of 1 kg, with the friction of its corners, and no acceleration at rest."""
    for i in (0, 1):
        own = [k for k, name in enumerate(apart.contact_names) if name.startswith(f"c{i}")]
        force = apart.friction_force[own].sum(axis=0)
        force[2] += apart.normal_force[own].sum(axis=0) - 9.8
        found = [apart[me.dynamicsymbols(f"v{axis}{i}").diff()] for axis in "xyz"]
        np.testing.assert_allclose(found, force, rtol=0, atol=1e-9 * abs(force).max())
        np.testing.assert_allclose(np.array(found)[:, -1], 0.0, rtol=0, atol=1e-9)


def test_a_file_contains_the_joined_run(apart, tmp_path):
    apart.save(tmp_path / "run.npz")
    read = load(tmp_path / "run.npz")
    times = np.linspace(*SPAN, 101)
    assert np.array_equal(read.t, apart.t)
    np.testing.assert_allclose(read(times), apart(times), rtol=0, atol=1e-10)  # polynomials between projected samples
    assert read.path == apart.path


def test_the_result_says_how_many_islands_there_are_or_why_they_are_joined():
    built = dice_beside_each_other([0, 1], mu=0.0)
    assert run(built).settings["islands"] == 2
    fixed = run(built, method="RK4", max_step=0.01, max_events=3)
    assert fixed.settings["islands"] == "joined: the method RK4 takes one step for all states"


def test_a_run_ends_at_the_last_event_permitted():
    built = dice_beside_each_other([0, 1], mu=0.0)
    whole, few = run(built), run(built, max_events=9)
    assert few.status.name == "MAX_EVENTS"
    assert np.array_equal(few.events.t, whole.events.t[:9])
    assert few.t[-1] == few.events.t[-1]


def test_states_at_times_that_are_requested(apart):
    built = dice_beside_each_other([0, 1], mu=0.3)
    times = np.linspace(0.0, 2.0, 50)
    asked = run(built, t_eval=times)
    assert np.array_equal(asked.t, times)
    np.testing.assert_allclose(asked.x, apart(times), rtol=0, atol=1e-14)


@examples(33, 100, st.integers(0, 2**32 - 1), st.floats(0.0, 2.0), st.floats(0.0, 2.0))
def test_bounds_contain_the_states_and_their_rates(seed, a, b):
    rng, columns = np.random.default_rng(seed), np.array([0, 2])
    h = np.array([1.5, 0.5])
    segments = Segments(np.array([0.0, 1.5]), h, rng.normal(size=(2, 3)), rng.normal(size=(2, 7, 3)))
    a, b = min(a, b), max(a, b)
    low, high, least, most = Bounds(segments).over(a, b, columns)
    t = np.maximum(np.linspace(a, b, 40), np.nextafter(a, np.inf))  # at its first time, a step begins, none ends
    x = segments.evaluate(t)[:, columns]
    assert ((x >= low) & (x <= high)).all()
    step = np.maximum(np.searchsorted(segments.t0, t, side="left") - 1, 0)
    if b - a > 1e-3:
        inside = step[1:] == step[:-1]
        slopes = (np.diff(x, axis=0) / np.diff(t)[:, np.newaxis])[inside]
        assert ((slopes >= least - 1e-9) & (slopes <= most + 1e-9)).all()
    middle = 0.5 * (a + b)
    np.testing.assert_allclose(Bounds(segments).at(middle, columns), segments.evaluate(np.array([middle]))[0][columns])


def test_ctrl_c_keeps_what_all_islands_have(monkeypatch):
    model, start, parameters = dice_beside_each_other([0, 1, 2], mu=0.0)
    finish, calls = Flight.finish, []

    def interrupted(self, *limits):
        calls.append(self)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return finish(self, *limits)

    monkeypatch.setattr(Flight, "finish", interrupted)
    result = model.simulate(SPAN, start, parameters, **TOLERANCES)
    assert result.status.name == "INTERRUPTED"
    assert 0.0 < result.t[-1] < SPAN[1]
    assert result.x[:, 0].tolist() == [start[state] for state in model.x]


def test_the_number_of_attempts_is_that_of_all_islands():
    built = dice_beside_each_other([0, 1], mu=0.0)
    result = run(built, max_steps=100)
    assert result.status.name == "MAX_STEPS"
    assert result.steps + result.rejected <= 101


def test_inputs_given_as_data_act_on_their_own_island():
    """Two masses of 1 kg, each with a force that is constant on pieces: x = the double integral of the pieces."""
    q, u, force = me.dynamicsymbols("q:2"), me.dynamicsymbols("u:2"), me.dynamicsymbols("F:2")
    frame, origin = me.ReferenceFrame("N"), me.Point("O")
    origin.set_vel(frame, 0)
    system = me.System(frame, origin)
    system.add_coordinates(*q)
    system.add_speeds(*u)
    system.add_kdes(*[a.diff() - b for a, b in zip(q, u, strict=True)])
    for i in range(2):
        point = origin.locatenew(f"P{i}", q[i] * frame.x)
        system.add_bodies(me.Particle(f"p{i}", point, 1))
        system.add_loads(me.Force(point, force[i] * frame.x))
    inputs = {
        force[0]: Interpolated([0.0, 0.5], [1.0, 3.0], kind="hold"),
        force[1]: Interpolated([0.0, 0.25], [0.0, -2.0], kind="hold"),
    }
    result = HybridModel(system, []).simulate((0.0, 1.0), dict.fromkeys([*q, *u], 0.0), {}, inputs=inputs)
    assert result.settings["islands"] == 2
    assert result[q[0]][-1] == pytest.approx(0.5 * 1.0**2 + 0.5 * 2.0 * 0.5**2, abs=1e-9)
    assert result[q[1]][-1] == pytest.approx(-0.5 * 2.0 * 0.75**2, abs=1e-9)


def test_reactions_of_islands_are_those_of_the_data_at_their_time():
    """Carts of 1 kg and 2 kg in pairs; each pair is one body, the first cart of which is pushed by F = 1 + 3 t N.

    The acceleration is F/3, and the constraint bears 2 F/3 of what pushes the first cart.
    """
    ground, (x, u, F) = me.RigidBody("ground"), (me.dynamicsymbols(f"{letter}0:4") for letter in "xuF")
    system = me.System.from_newtonian(ground)
    for k in range(4):
        cart = me.Particle(f"cart{k}", mass=1 + k % 2)
        system.add_joints(me.PrismaticJoint(f"J{k}", ground, cart, x[k], u[k]))
        system.add_loads(me.Force(cart.masscenter, F[k] * ground.x))
    model = HybridModel(system, [], constraints=[x[1] - x[0], x[3] - x[2]], length=1.0)
    times = np.linspace(0.0, 2.0, 5)
    pushed = Interpolated(times, 1.0 + 3.0 * times)
    result = model.simulate(
        (0.0, 2.0), dict.fromkeys(model.x, 0.0), {}, inputs={F[0]: pushed, F[1]: 0.0, F[2]: pushed, F[3]: 0.0}
    )
    assert result.settings["islands"] == 2
    for name in result.reaction:
        np.testing.assert_allclose(np.abs(result.reaction[name][0]), 2.0 * (1.0 + 3.0 * result.t) / 3.0, rtol=1e-9)
    np.testing.assert_allclose(result[u[0].diff()], (1.0 + 3.0 * result.t) / 3.0, rtol=1e-9)
