"""A fixed set of chains and heaps that touch: `make fuzz FAMILY=touching` draws more of them, for hours."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from quick_members import members

from fuzz.reading import Findings
from fuzz.touching.admissible import Closed, accelerations, closed, needed
from fuzz.touching.arcs import check_arcs
from fuzz.touching.endings import painleve
from fuzz.touching.heap import Drop, Heap, Round
from fuzz.touching.hits import check_hits
from fuzz.touching.judge import judge, simulate
from fuzz.touching.populations import box, dominoes, random_dominoes, random_heap, weakening_heap
from fuzz.touching.sight import Sight
from fuzz.touching.touching_rows import gaps, rows
from sympact import Status


def _kinds(heap, drop):
    verdict = judge(heap, drop)
    return [verdict.error, *map(str, verdict.violations[:5])] if verdict.kinds else []


@pytest.mark.parametrize("seed", [1, 3])
def test_two_dominoes_obey_newton_and_coulomb(seed):
    assert _kinds(*random_dominoes(seed, 2)) == []


def test_forces_between_samples_are_those_of_their_own_state():
    assert _kinds(*random_dominoes(6325, 3)) == []


@pytest.mark.parametrize("seed", [12, 13, 20, 23, 25])
def test_heaps_obey_newton_and_coulomb(seed):
    assert _kinds(*random_heap(seed)) == []


@pytest.mark.parametrize("seed", members([101, 102, 103, 105], slow=[105]))
def test_heaps_whose_friction_falls_with_the_slip_obey_newton_and_coulomb(seed):
    assert _kinds(*weakening_heap(seed)) == []


SILENT = [(4, 12), (5, 4), (4, 19)]
"""(dominoes, seed): slips that hardly end beside others that are 1e5 times as fast; friction pushed along the slip."""


@pytest.mark.slow
@pytest.mark.parametrize(("n", "seed"), SILENT)
def test_chains_of_large_ratios_of_speeds_obey_newton_and_coulomb(n, seed):
    assert _kinds(*random_dominoes(seed, n)) == []


ALTERNATED = [(4, 4011), (4, 2021), (5, 4026), (6, 2026), (8, 2015)]
"""(dominoes, seed): the end of one slip gave another one against its friction, or two modes followed each other."""


@pytest.mark.parametrize(("n", "seed"), members(ALTERNATED, slow=[case for case in ALTERNATED if case[0] > 4]))
def test_forces_of_rows_of_dominoes_are_admissible_at_every_sample(n, seed):
    assert _inadmissible(*random_dominoes(seed, n)) == {}


HELD_BACK = (
    (
        *(0.02559521218535877, 0.011201701573054399, -1.2575137946915265),
        *(0.0515538102531114, 0.011201701573054399, -1.2575137946915265),
        *(0.07755099839094935, 0.01112667248056565, -1.2609843892765096),
        *(0.1037983099916774, 0.011112181970864174, -1.2616539570586007),
        *(0.13051394867367846, 0.010202145709148278, -1.3032647801176065),
        *(0.1616127961029774, 0.0040090799737631825, -1.5704179826170446),
    ),
    (
        *(-2.130220560405961e-07, 4.539147741030728e-07, 2.1015431377098065e-05),
        *(-3.585386610246998e-07, -2.512577685438259e-06, -0.00011632779310233551),
        *(-1.0261599524354525e-05, 3.5156573176883404e-05, 0.0016247709634508185),
        *(0.00031359211527998837, -0.0005937490794770663, -0.029141534521711285),
        *(-0.0008633091410478553, 0.002258473005730816, 0.1406439871411062),
        *(-0.006464458852606401, 0.038696463830198716, 1.6124544521217004),
    ),
)
"""q and u after an impact: without the remaining rate of one contact another one slips backwards, and opens."""


def test_a_contact_opens_by_the_slips_it_has_without_those_that_rebound():
    heap, drop = random_dominoes(4004, 6)
    assert _inadmissible(heap, replace(drop, q=HELD_BACK[0], u=HELD_BACK[1], span=1e-4)) == {}


def test_an_impact_that_turns_the_nearest_corners_of_two_faces_is_in_balance():
    heap, drop = random_dominoes(6271, 3)
    assert _inadmissible(heap, replace(drop, span=0.35)) == {}


def _inadmissible(heap, drop):
    """The status of a run that does not finish, and what is beyond its bound: forces that pull or are outside their
    cones, of the weight of a body, and energy that is gained."""
    result, _ = simulate(heap, drop)
    sight, weight = Sight(heap, drop, result), heap.parts[0].mass * drop.gravity
    normal, friction = result.normal_force / weight, np.linalg.norm(result.friction_force, axis=1) / weight
    rise = np.diff(sight.energy(sight.q, sight.u)).max() / sight.energy_scale
    found = {"pull": (-normal.min(), 1e-9), "cone": (np.max(friction - sight.mu[:, None] * normal), 1e-9)}
    found["energy"] = rise, 1e-10
    ends = {} if result.status is Status.FINISHED else {"status": result.status}
    return ends | {name: size for name, (size, bound) in found.items() if not size <= bound}


def slider():
    """A box that slides on the floor to its rest."""
    heap = Heap(0, (box(0.2, 0.1, 1.0),), ())
    drop = Drop((0.0, 0.06, 0.05), (1.0, 0.0, 0.0), 0.6, 0.0, 0.0, 0.3, 0.25)
    return heap, drop, simulate(heap, drop)[0]


def _broken(heap, drop, result):
    found, sight = Findings(), Sight(heap, drop, result)
    check_arcs(sight, found)
    check_hits(sight, found, False)
    return {violation.name for violation in found.list}


def test_what_is_told_wrong_is_noticed():
    heap, drop, result = slider()
    assert _broken(heap, drop, result) == set()
    part = heap.parts[0]
    lower = tuple((x, y + 1e-6) for x, y in part.corners)
    for told, broken in (
        ((heap, replace(drop, gravity=drop.gravity * (1 + 1e-6))), "Newton and Euler over a step"),
        ((heap, replace(drop, floor_friction=0.2499999)), "friction within its cone"),
        ((heap, replace(drop, floor_restitution=0.31)), "Newton's law: what pushes leaves with e"),
        ((replace(heap, parts=(replace(part, inertia=part.inertia * 1.001),)), drop), "momentum"),
        ((replace(heap, parts=(replace(part, corners=lower),)), drop), "closed gaps are zero"),
    ):
        assert broken in _broken(*told, result), broken


def test_rows_are_derivatives_of_gaps():
    heap, drop = random_heap(6)
    assert any(touch.other >= 0 for touch in heap.touches)
    rng = np.random.default_rng(0)
    q = np.array(drop.q) + rng.uniform(-1e-2, 1e-2, len(drop.q))
    u = rng.normal(size=len(q))
    _, N, _ = rows(heap, heap.touches, q)
    ends = gaps(heap, np.array([q - 1e-7 * u, q + 1e-7 * u]))
    np.testing.assert_allclose((ends[:, 1] - ends[:, 0]) / 2e-7, N @ u, atol=1e-7 * np.abs(N).max())


def test_admitted_accelerations_of_a_box_that_is_pushed():
    """A block on a floor slips where it is pushed by more than mu m g; its acceleration is (F - mu m g)/m."""
    heap = Heap(0, (box(0.2, 0.1, 2.0),), ())
    for push, a in ((3.0, 0.0), (8.0, 8.0 / 2.0 - 0.25 * 9.81)):
        drop = Drop((0.0, 0.05, 0.0), (0.0,) * 3, 1.0, 0.0, 0.0, 0.0, 0.25, pushes=(push,))
        sight = Sight(heap, drop, simulate(heap, drop)[0])
        here = closed(sight, np.array(drop.q), np.zeros(3), [0, 1])
        (found,) = accelerations(here, sight.lightest, 1e-9)
        np.testing.assert_allclose(found, [a, 0.0, 0.0], atol=1e-9)
        assert needed(here, found, sight.scale, 1e-9)[0] <= 1e-9
    faster = found + np.array([0.01, 0.0, 0.0])  # the block slips to the right, against all friction that there is
    slips = replace(here, slip=here.T @ [1.0, 0.0, 0.0])
    assert needed(slips, found, sight.scale, 1e-9)[0] <= 1e-9
    assert needed(slips, faster, sight.scale, 1e-9)[0] >= 1e-4


@pytest.mark.parametrize(("mu", "count"), [(0.5, 1), (2.0, 0)])
def test_painleves_rod_has_no_acceleration_where_friction_presses(mu, count):
    """A rod, m = 1, I = 1/3, slides on its lower end at 1 rad: W_N^T M^-1 (W_N + mu W_T) = 1 + 3 c^2 - 3 mu s c."""
    c, s = np.cos(1.0), np.sin(1.0)
    N, T = np.array([[0.0, 1.0, -c]]), np.array([[1.0, 0.0, s]])
    mass, load = np.array([1.0, 1.0, 1.0 / 3.0]), np.array([0.0, -9.81, 0.0])
    assert (1.0 + 3.0 * c * c - 3.0 * mu * s * c > 0.0) == bool(count)
    here = Closed((0,), N, T, np.array([-1.0]), np.zeros((1, 2)), np.array([mu]), mass, load)
    assert len(accelerations(here, 9.81, 1e-9)) == count


def test_a_disc_that_lies_still_is_no_paradox():
    heap = Heap(0, (Round(1.0, 0.005, 0.1),), ())
    drop = Drop((0.0, 0.1, 0.0), (0.0,) * 3, 0.1, 0.0, 0.0, 0.0, 0.3)
    assert painleve(Sight(heap, drop, simulate(heap, drop)[0])) == ""


def test_dominoes_start_as_the_first_one_turns_about_its_corner():
    heap, drop = dominoes(3, 0.02, 0.3, 0.5, 0.0)
    gap, N, T = rows(heap, heap.touches[:4], np.array(drop.q))
    np.testing.assert_allclose([gap[1], N[1] @ drop.u, T[1, 0] @ drop.u], 0.0, atol=1e-17)
