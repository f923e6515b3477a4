"""Linkages with many contacts, from starts chosen by hypothesis: every trajectory keeps to the rules."""

from __future__ import annotations

import warnings
from functools import cache

import numpy as np
import pytest
from contact_models import Case, cart_pole, coupled_masses, cube, linkage
from contact_truth import Truth
from hypothesis import assume
from hypothesis import strategies as st
from quick_members import examples

from sympact import ImpactWarning, Status

ENDINGS = (Status.FINISHED, Status.MAX_EVENTS)
restitutions = st.sampled_from([0.0, 0.2, 0.5, 0.8, 1.0])
accuracies = st.sampled_from([{}, {"rtol": 1e-12, "atol": 1e-14}, {"rtol": 1e-6}, {"method": "RK45", "rtol": 1e-8}])


def within(bound: float, count: int) -> st.SearchStrategy:
    return st.lists(st.floats(-bound, bound), min_size=count, max_size=count)


def keeps_to_the_rules(case: Case, start: list[float], numbers: dict[str, float], options: dict) -> None:
    """A run of some seconds from a start above all surfaces; its trajectory is checked."""
    truth = Truth.of(case.model, case.parameters(**numbers))
    assume(truth.at(0.0, np.array(start)).gaps.min() >= 0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ImpactWarning)  # contacts that nearly hit together
        result = case.simulate((0, 3), start, numbers, max_events=150, **options)
    assert result.status in ENDINGS


@cache
def chain() -> Case:
    return linkage()


@cache
def masses() -> Case:
    return coupled_masses()


@cache
def pole() -> Case:
    return cart_pole()


@examples(13, 40, within(3, 3), within(3, 3), restitutions, st.sampled_from([0.9, 1.5, 2.5]), accuracies)
def test_three_links_above_a_floor(q, u, e, h, options):
    keeps_to_the_rules(chain(), q + u, {"e": e, "h": h}, options)


@examples(13, 40, within(2, 2), within(5, 2), restitutions, accuracies)
def test_two_masses_with_a_spring_a_stop_and_a_bumper(q, u, e, options):
    keeps_to_the_rules(masses(), q + u, {"e": e}, options)


@examples(13, 40, within(1.2, 1), within(3, 1), within(4, 2), restitutions, accuracies)
def test_a_cart_with_a_pole_between_walls(x, angle, u, e, options):
    keeps_to_the_rules(pole(), x + angle + u, {"e": e}, options)


@cache
def dice() -> Case:
    return cube("quaternion")


ATTITUDES = {
    "flat": (1.0, 0.0, 0.0, 0.0),
    "on an edge": (np.cos(np.pi / 8), np.sin(np.pi / 8), 0.0, 0.0),
    "tilted": (0.9, 0.3, -0.3, 0.1),
}


@examples(
    6,
    40,
    attitude=st.sampled_from(sorted(ATTITUDES)),
    height=st.floats(0.9, 3),
    velocity=within(3, 3),
    spin=within(8, 3),
    moments=st.lists(st.floats(0.1, 0.2), min_size=3, max_size=3).filter(lambda i: 2 * max(i) < sum(i)),
    e=restitutions,
    options=accuracies,
)
def test_a_block_thrown_on_a_floor(attitude, height, velocity, spin, moments, e, options):
    """Three different moments of inertia: no closed form."""
    quaternion = np.array(ATTITUDES[attitude]) / np.linalg.norm(ATTITUDES[attitude])
    numbers = {"e": e, **dict(zip(("i1", "i2", "i3"), moments, strict=True))}
    keeps_to_the_rules(dice(), [0, 0, height, *quaternion, *velocity, *spin], numbers, options)


def test_momentum_of_the_coupled_masses():
    """The spring and the damper act between the masses: the total momentum changes by the stop's impulses alone."""
    case = masses()
    result = case.simulate((0, 3), [0.0, 0.8, 3.0, 0.5])
    momentum = result.x[2] + 2 * result.x[3]
    start = momentum[0]
    stopped = [
        float(event.impulse[event.contacts.index("stop")]) for event in result.events if "stop" in event.contacts
    ]
    assert stopped
    assert momentum[-1] == pytest.approx(start - sum(stopped), abs=1e-8)
