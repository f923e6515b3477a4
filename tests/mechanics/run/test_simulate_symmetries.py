"""What must not change a run: where it is cut, the order of contacts, mirrors, units, and time run backwards."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from contact_models import TIGHT, Case, cube, linkage
from hypothesis import strategies as st
from quick_members import examples

from sympact.integrate.result import Result

ATTITUDE = np.array([0.9, 0.3, -0.3, 0.1])
START = np.array([0, 0, 2, *ATTITUDE / np.linalg.norm(ATTITUDE), 1, 0, -1, 3, -2, 1])
IMPACTS = 5
"""Of the throw, in its 1.5 s; an error grows about threefold with each."""


@cache
def dice() -> Case:
    return cube("quaternion")


def throw(start=START, numbers=None, t_span=(0, 1.5), **options) -> Result:
    return dice().simulate(t_span, start, {"e": 0.7, **(numbers or {})}, **{**TIGHT, **options})


@cache
def thrown() -> Result:
    return throw()


def test_the_throw_has_impacts_to_compare():
    assert len(thrown().events) == IMPACTS


@examples(5, 15, cut=st.one_of(st.floats(0.01, 1.4), st.integers(0, IMPACTS - 1)))
def test_a_run_may_be_cut_in_two(cut):
    """Anywhere, or at the very time of an impact: the second run goes on where the first one ended."""
    time = thrown().events[cut].t if isinstance(cut, int) else cut
    first = throw(t_span=(0, time))
    second = throw(first.x[:, -1], t_span=(time, 1.5))
    times = np.concatenate([first.events.t, second.events.t])
    np.testing.assert_allclose(times, thrown().events.t, rtol=0, atol=1e-8)


def test_without_loss_time_runs_backwards():
    forth = throw(numbers={"e": 1.0}, t_span=(0, 1.2))
    turned = forth.x[:, -1] * np.repeat([1, -1], [7, 6])
    back = throw(turned, numbers={"e": 1.0}, t_span=(0, 1.2))
    assert len(forth.events) > 1
    np.testing.assert_allclose(1.2 - back.events.t[::-1], forth.events.t, rtol=0, atol=1e-11)
    np.testing.assert_allclose(back.x[:, -1] * np.repeat([1, -1], [7, 6]), START, rtol=0, atol=1e-10)


def test_the_order_of_contacts_does_not_matter():
    """For impacts of one corner and for redundant ones: four corners of a flat cube share the impulse evenly."""
    case, other = dice(), cube("quaternion", order=(5, 2, 7, 0, 3, 6, 1, 4))
    for start in (START, [0, 0, 3, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]):
        one, two = (each.simulate((0, 1.2), start, {"e": 0.7}, **TIGHT) for each in (case, other))
        assert np.array_equal(one.events.t[:1], two.events.t[:1])
        for a, b in zip(one.events, two.events, strict=True):
            assert a.t == pytest.approx(b.t, abs=1e-9)
            assert sorted(a.contacts) == sorted(b.contacts)
            by_name = dict(zip(b.contacts, b.impulse, strict=True))
            np.testing.assert_allclose(a.impulse, [by_name[name] for name in a.contacts], rtol=1e-7)


def test_a_mirror_image_moves_as_the_mirror_says():
    """Mirrored in the plane y = 0: y, the components x and z of the quaternion's vector and of the spin change sign."""
    sign = np.array([1, -1, 1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1])
    mirrored = throw(START * sign)
    corners = {name: f"{name[0]}{'-' if name[1] == '+' else '+'}{name[2]}" for name in names()}
    for event, image in zip(thrown().events, mirrored.events, strict=True):
        assert image.t == pytest.approx(event.t, abs=1e-9)
        assert sorted(image.contacts) == sorted(corners[name] for name in event.contacts)
        np.testing.assert_allclose(image.x_plus * sign, event.x_plus, rtol=0, atol=1e-7)


def names() -> list[str]:
    return [contact.name for contact in dice().model.contacts]


@pytest.mark.parametrize(("length", "time"), [(1e3, 1.0), (1e-6, 1.0), (1.0, 60.0), (1e6, 1e-3)])
def test_units_do_not_matter(length, time):
    """The same throw in millimetres, megametres, minutes, and fast: all thresholds are relative."""
    unit = np.repeat([length, 1, length / time, 1 / time], [3, 4, 3, 3])
    numbers = {"h": 0.5 * length, "g": 9.8 * length / time**2}
    numbers |= dict.fromkeys(("i1", "i2", "i3"), length**2 / 6)
    result = throw(START * unit, numbers, (0, 1.5 * time), atol=1e-14 * unit)
    np.testing.assert_allclose(result.events.t / time, thrown().events.t, rtol=0, atol=1e-8)
    for event, known in zip(result.events, thrown().events, strict=True):
        assert event.contacts == known.contacts
        np.testing.assert_allclose(event.x_plus / unit, known.x_plus, rtol=0, atol=1e-6)


def test_gravity_alone_swings_a_chain_as_its_mirror_image():
    """Three links let go on the left and on the right of the pivot."""
    case = linkage()
    left, right = ([side * angle for angle in (0.9, 0.4, -0.3)] for side in (-1, 1))
    one, two = (case.simulate((0, 2), [*q, 0, 0, 0], **TIGHT) for q in (left, right))
    assert len(one.events) >= 2
    np.testing.assert_allclose(one.events.t[:4], two.events.t[:4], rtol=0, atol=1e-10)
    assert [event.contacts for event in one.events[:4]] == [event.contacts for event in two.events[:4]]
