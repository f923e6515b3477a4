"""Promises of fits: numbers of a motion that closed forms made, within the covariance that they state."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
import sympy as sm
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, System, dynamicsymbols

from sympact import Contact, HybridModel, ImpactTimes, Plane, Track, fit
from sympact.models import bouncing_ball

G, E, MU = 9.81, 0.6, 0.2
HEIGHT, SPEED = 0.5, 3.0  # m, m/s
SIGMA = 2e-3  # m
TIMES = np.linspace(0.0, 2.4, 121)


def sliding_bounces(t, e=E, mu=MU):
    """Horizontal and vertical position of a small block that is thrown along a floor, by formulas.

    It falls from HEIGHT with the horizontal SPEED; each impact takes mu (1 + e) times the speed of approach off this
    speed until it is zero, and so does friction after the last bounce.
    """
    x, z = np.zeros_like(t), np.zeros_like(t)
    start, place, along, up, height = 0.0, 0.0, SPEED, 0.0, HEIGHT
    while up > 1e-7 or height > 0.0:
        falls = (up + np.sqrt(up**2 + 2 * G * height)) / G
        inside = (t >= start) & (t < start + falls)
        since = t[inside] - start
        x[inside], z[inside] = place + along * since, height + up * since - G * since**2 / 2
        hit = G * falls - up
        start, place, height = start + falls, place + along * falls, 0.0
        along, up = max(along - mu * (1 + e) * hit, 0.0), e * hit
    rest = t >= start
    since = np.minimum(t[rest] - start, along / (mu * G))
    x[rest] = place + along * since - mu * G * since**2 / 2
    return x, z


@cache
def block():
    """The same as a model."""
    (x, z), (v, w), m, g, e, mu = dynamicsymbols("x z"), dynamicsymbols("v w"), *sm.symbols("m g e mu")
    N, O, P = ReferenceFrame("N"), Point("O"), Point("P")
    P.set_pos(O, x * N.x + z * N.z)
    system = System(N, O)
    system.add_bodies(Particle("block", P, m))
    system.add_coordinates(x, z)
    system.add_speeds(v, w)
    system.add_kdes(v - x.diff(), w - z.diff())
    system.apply_uniform_gravity(-g * N.z)
    model = HybridModel(system, [Contact(P, Plane(O, N.z), restitution=e, friction=mu)])
    return model, (x, z, v, w), (m, g, e, mu)


def fitted(x, z, sigma=SIGMA, **options):
    """Restitution and friction from a track."""
    model, states, (m, g, e, mu) = block()
    data = [Track(states[0], TIMES, x, sigma=sigma), Track(states[1], TIMES, z, sigma=sigma)]
    start = dict(zip(states, (0.0, HEIGHT, SPEED, 0.0), strict=True))
    numbers = {m: 1.0, g: G, e: 0.55, mu: 0.25}
    bounds = {e: (0.0, 1.0), mu: (0.0, 2.0)}
    return fit(model, data, [e, mu], t_span=(0, 2.5), x0=start, parameters=numbers, bounds=bounds, **options)


def test_restitution_and_friction_of_an_exact_track():
    found = fitted(*sliding_bounces(TIMES))
    *_, (_, _, e, mu) = block()
    assert found.success
    assert found.values[e] == pytest.approx(E, abs=1e-6)
    assert found.values[mu] == pytest.approx(MU, abs=1e-6)
    assert np.abs(found.residuals).max() < 1e-3
    assert found.simulate()(TIMES)[0] == pytest.approx(sliding_bounces(TIMES)[0], abs=1e-5)
    assert f"e = {found.values[e]:.6g}" in str(found)


@pytest.mark.slow  # a hundred fits; `test_a_deviation_that_is_not_known_is_estimated` compares one covariance
@pytest.mark.as_machine_code
def test_the_stated_covariance_contains_the_truth_as_often_as_it_says():
    """Of 100 noisy tracks; 95 of 100 have a standard deviation of 2.2."""
    *_, (_, _, e, mu) = block()
    rng, exact = np.random.default_rng(8), sliding_bounces(TIMES)
    inside = 0
    for _ in range(100):
        found = fitted(*(values + rng.normal(0, SIGMA, len(TIMES)) for values in exact))
        inside += found.contains({e: E, mu: MU})
    assert 90 <= inside <= 99


def test_a_deviation_that_is_not_known_is_estimated():
    rng = np.random.default_rng(3)
    noisy = [values + rng.normal(0, SIGMA, len(TIMES)) for values in sliding_bounces(TIMES)]
    known, estimated = fitted(*noisy), fitted(*noisy, sigma=None)
    assert list(estimated.values.values()) == pytest.approx(list(known.values.values()), abs=1e-7)
    ratio = np.sqrt(np.diag(estimated.covariance) / np.diag(known.covariance))
    assert ratio == pytest.approx([1.0, 1.0], abs=0.15)  # 242 values: 1 / sqrt(2 * 240) = 0.046


@pytest.mark.parametrize("guess", [0.5, 0.85])
def test_times_of_impacts_also_where_a_run_has_another_number_of_them(guess):
    """Of a ball dropped from 1 m with e = 0.7: the 12th impact of the truth comes after the accumulation of the
    guess 0.5."""
    n = np.arange(12)
    times = np.sqrt(2 / G) * (1 + 2 * np.cumsum(0.7**n) - 2)
    times[4] = np.nan  # not heard
    found = fit(
        bouncing_ball(), ImpactTimes(times), ["e"], t_span=(0, 4), parameters={"e": guess}, bounds={"e": (0, 1)}
    )
    assert found.values["e"] == pytest.approx(0.7, abs=1e-7)


def test_initial_states_are_found_as_parameters_are():
    t = np.linspace(0.1, 0.7, 9)  # before it hits the floor
    height = 2.0 + 1.5 * t - G * t**2 / 2
    found = fit(bouncing_ball(), Track("z", t, height), ["z", "v", "g"], t_span=(0, 1), x0={"z": 1.8, "v": 1.0})
    assert found.values == pytest.approx({"z": 2.0, "v": 1.5, "g": G}, abs=1e-7)
    assert found.x0 == pytest.approx([2.0, 1.5], abs=1e-7)


def test_what_is_not_determined_has_no_finite_error():
    """The mass of a falling ball changes nothing."""
    t = np.linspace(0.1, 0.4, 4)
    found = fit(bouncing_ball(), Track("z", t, 1 - G * t**2 / 2, sigma=1e-3), ["m"], t_span=(0, 1))
    assert np.isinf(found.errors["m"])


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: fit(bouncing_ball(), ImpactTimes([0.4]), []), r"free is \[\], expected different states"),
        (lambda: fit(bouncing_ball(), ImpactTimes([0.4]), ["f"]), r"free is \['f'\]"),
        (lambda: fit(bouncing_ball(), ImpactTimes([9.0]), ["e"]), "measurements until t = 9, and runs end at 5"),
        (lambda: fit(bouncing_ball(), [], ["e"]), r"data is \[\], expected a Track, an ImpactTimes"),
        (lambda: fit(bouncing_ball(), ImpactTimes([0.4]), ["e", "g"]), "there are 1 measurements, expected at least"),
        (lambda: fit(bouncing_ball(), ImpactTimes([0.4]), ["e"], bounds={"g": (0, 1)}), "bounds are given for .*g"),
        (lambda: fit(bouncing_ball(), ImpactTimes([0.4]), ["e"], bounds={"e": (0, 0.5)}), "e begins at 0.8, expected"),
        (
            lambda: fit(bouncing_ball(), ImpactTimes([0.4]), ["e"], bounds={"e": (1, 0)}),
            r"the bounds of e are \(1, 0\), expected the lower one first and the upper one above it",
        ),
        (
            lambda: fit(bouncing_ball(), ImpactTimes([0.4]), ["e"], bounds={"e": 1}),
            r"the bounds of e are 1, expected a pair \(lower, upper\) of numbers",
        ),
        (
            lambda: fit(bouncing_ball(), [ImpactTimes([0.4]), Track("z", [0.1], [1.0], sigma=0.1)], ["e"]),
            "some measurements have a standard deviation and others none",
        ),
        (lambda: Track("z", [0.2, 0.1], [1.0, 1.0]), "expected increasing times"),
        (lambda: Track("z", [0.1, 0.2], [1.0]), "expected increasing times and a value for each"),
        (lambda: Track("z", [0.1], [np.nan]), "not all finite"),
        (lambda: Track("z", [0.1], [1.0], sigma=0.0), "sigma is 0.0, expected a positive number"),
        (lambda: ImpactTimes([0.2, 0.1]), "expected increasing times, NaN for unknown ones"),
    ],
)
def test_wrong_arguments_are_told(call, said):
    with pytest.raises(ValueError, match=said):
        call()
