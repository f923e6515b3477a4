"""Modes of a stage: how a run tells them apart, names them, finds them again, and how many it may meet."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import cache

import numpy as np
import pytest
import sympy as sm
from contact_models import Case, ball, contact, t
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, System, dynamicsymbols
from trajectory import closed_contacts, forces, forces_at, samples

from sympact import HybridModel, Plane
from sympact.integrate.problem.program import Program
from sympact.integrate.problem.stage import Stage
from sympact.integrate.result import Result
from sympact.integrate.trajectory.mode_names import Modes

BALLS = 7
GRAVITY = 9.8


def address(array: np.ndarray) -> int:
    return array.ctypes.data


def program(statuses: np.ndarray, switches: np.ndarray) -> Program:
    """Two stages of two contacts and two conditions, whose memory is the test's own."""
    free = Stage(
        name="free",
        flow=0,
        boundary_names=("A", "B", "speed", "force"),
        contacts=2,
        statuses=(address(statuses), 3),
        switches=(address(switches), 2),
        switch_names=(("v > 0", "v < 0"), ("F > 0", "F < 0")),
    )
    return Program((free, Stage(**{**vars(free), "name": "closed"})), ("x",))


ROWS = np.array([[0, 0, 0, 0, 1, 1], [1, 1, 0, 0, 0, 1], [1, 1, 1, 0, 1, 0], [1, 1, 1, 1, 1, 1]])


def test_a_mode_is_written_back_into_memory():
    statuses, switches = np.full(3, 7, np.int64), np.full(2, 7.0)
    modes = Modes(program(statuses, switches), ROWS)
    with modes.memory() as memory:
        for mode in (2, 0, 3, 1):
            assert memory.restore(mode) == ROWS[mode, 0] == modes.stage(mode)
            assert np.array_equal(statuses, ROWS[mode, 1:4])
            assert np.array_equal(switches, np.where(ROWS[mode, 4:] == 1, 1.0, -1.0))


def test_modes_are_called_by_their_closed_contacts_and_branches():
    memory = np.zeros(3, np.int64), np.ones(2)
    named = Modes(program(*memory), ROWS).named()
    assert [stage.name for stage in named.stages] == [
        "free [v > 0, F > 0]",
        "A [v < 0, F > 0]",
        "A, B [v > 0, F < 0]",
        "A, B (at rest) [v > 0, F > 0]",
    ]


def test_without_statuses_and_switches_modes_are_stages():
    plain = Program((Stage(name="up", flow=0), Stage(name="down", flow=0)), ("x",))
    modes = Modes(plain, None)
    assert modes.named() is plain
    with modes.memory() as memory:
        assert [modes.stage(k) for k in range(2)] == [memory.restore(k) for k in range(2)] == [0, 1]


@cache
def balls() -> Case:
    """Balls that move up and down side by side above tables of their own, which swing each with a frequency of its own.

    State [y0, ..., v0, ...].
    """
    m, g, A = sm.symbols("m g A")
    y, v = dynamicsymbols(f"y:{BALLS}"), dynamicsymbols(f"v:{BALLS}")
    N, O = ReferenceFrame("N"), Point("O")
    system, contacts = System(N, O), []
    for k in range(BALLS):
        P, place = Point(f"P{k}"), k * N.x
        P.set_pos(O, place + y[k] * N.y)
        system.add_bodies(Particle(f"ball{k}", P, m))
        table = O.locatenew(f"T{k}", place + A * sm.sin(frequency(k) * t) * N.y)
        contacts.append(contact(P, Plane(table, N.y), f"c{k}"))
    system.add_coordinates(*y)
    system.add_speeds(*v)
    system.add_kdes(*(speed - height.diff() for speed, height in zip(v, y, strict=True)))
    system.apply_uniform_gravity(-g * N.y)
    return Case(HybridModel(system, contacts), {"m": 1.0, "g": GRAVITY, "A": 0.1, "e": 0.0})


def frequency(k: int) -> sm.Rational:
    """Of a table (rad/s); at amplitude 0.1 m its acceleration is above gravity."""
    return sm.Rational(21, 2) + sm.Rational(37, 100) * k


@cache
def juggled() -> Result:
    """A run in which every ball leaves its table and lands again, so that most of the 128 sets of closed ones occur."""
    speeds = [0.1 * float(frequency(k)) for k in range(BALLS)]
    return balls().simulate((0, 15), [*[0.0] * BALLS, *speeds])


def test_orders_of_landing_give_their_modes():
    """Balls let go above tables at rest: who lies joins the name; when the last one lies, all is at rest."""
    heights = [0.5 + 0.1 * ((3 * k) % BALLS) for k in range(BALLS)]
    result = balls().simulate((0, 1), [*heights, *[0.0] * BALLS], {"A": 0.0})
    order = np.argsort(heights)
    for k, name in enumerate(result.path[1:]):
        assert name.removesuffix(" (at rest)") == ", ".join(f"c{i}" for i in sorted(order[: k + 1]))
    assert [name.endswith(" (at rest)") for name in result.path] == [False] * BALLS + [True]
    assert forces(result)[:, -1] == pytest.approx([GRAVITY] * BALLS, rel=1e-14)


def test_a_run_may_meet_more_modes_than_its_table_holds_at_first():
    """64 rows at first; the table grows, and every sample still belongs to the mode of its closed contacts."""
    result = juggled()
    names = {stage.name for stage in result._program.stages}
    assert len(names) == len(result._program.stages) > 64
    times, states, mode = samples(result)
    gaps = states[:BALLS] - np.array([0.1 * np.sin(float(frequency(k)) * times) for k in range(BALLS)])
    closed = np.array([closed_contacts(result, k) for k in range(mode.max() + 1)])[mode].T
    assert np.abs(gaps[closed]).max() <= 1e-14


@pytest.mark.parametrize("k", range(BALLS))
def test_balls_know_nothing_of_each_other(k):
    """One of many closes and opens when it does alone."""
    alone = ball(sm.Rational(1, 10) * sm.sin(frequency(k) * t))
    single = alone.simulate((0, 15), [0.0, 0.1 * float(frequency(k))], {"e": 0.0})
    record = juggled()._record
    closed = np.array([closed_contacts(juggled(), mode)[k] for mode in range(len(juggled()._program.stages))])
    shared = record.event_t[closed[record.event_source] != closed[record.event_target]]
    np.testing.assert_allclose(shared, single.events.t, rtol=0, atol=1e-8)


def test_polynomials_are_rebuilt_in_the_modes_of_their_steps():
    """Just before its end a step's polynomial is near the sample there: nearer than 40 m/s or m/s^2 lead away."""
    result = juggled()
    record = result._record
    steps = np.flatnonzero(record.h)
    before = 1e-7 * (record.t[steps] - record.t[steps - 1])
    states = result(record.t[steps] - before)
    assert (np.abs(states - record.x[steps].T) <= 40 * before + 1e-11).all()


def test_two_threads_may_ask_one_result_at_once():
    """Forces and dense output both write the mode of a sample into the memory of the run: never at the same time."""
    expected, force = juggled()(np.linspace(0, 15, 2001)), forces(juggled())
    speeds = [0.1 * float(frequency(k)) for k in range(BALLS)]
    for _ in range(3):
        result = balls().model.simulate((0, 15), [*[0.0] * BALLS, *speeds], balls().parameters())
        with ThreadPoolExecutor(4) as pool:
            asked = [pool.submit(forces, result) for _ in range(3)]
            states = pool.submit(result, np.linspace(0, 15, 2001))
            assert np.array_equal(states.result(), expected)
            for each in asked:
                assert np.array_equal(each.result(), force)


def test_a_mode_asked_for_out_of_order_has_its_own_forces():
    result = juggled()
    times, states, mode = samples(result)
    order = np.random.default_rng(0).permutation(len(times))
    shuffled = forces_at(result, times[order], states[:, order], mode[order])
    assert np.array_equal(shuffled, forces(result)[:, order])
