"""Sines and cosines of machine code agree with mpmath to 1 unit in the last place, and keep their symmetries."""

import itertools
import math
from fractions import Fraction

import mpmath as mp
import numpy as np
import pytest
from graph_values import SIGNATURE, call
from quick_members import members

from sympact.graph import Function, Graph, compile_functions
from sympact.graph.code import llvm, straight
from sympact.graph.code.sine import LANES, sine_batches

BITS = 170  # more than twice the digits of a double, and those that cancel next to a multiple of pi/2
FAR = 2.0**20  # where the C library takes over


@pytest.fixture(scope="module", autouse=True)
def _without_cache():
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setenv("SYMPACT_CACHE_DIR", "off")
        yield


def compiled(count):
    """A function of so many angles, first all sines, then all cosines."""
    graph = Graph()
    angles = [graph.input("x", index) for index in range(count)]
    nodes = tuple(graph.call(name, angle) for name in ("sin", "cos") for angle in angles)
    return compile_functions(graph, [Function("f", nodes, SIGNATURE)])


def sine_cosine(angles):
    """Both, each of the shape of the angles; their number is a multiple of the lanes."""
    code = compiled(LANES)
    found = np.array([call(code, "f", 2 * LANES, 0.0, row, []) for row in np.reshape(angles, (-1, LANES))])
    return found[:, :LANES].ravel(), found[:, LANES:].ravel()


def largest_error(angles):
    """In units in the last place of the exact values; NaN if one of the results is."""
    errors = []
    with mp.workprec(BITS):
        for x, *found in zip(angles, *sine_cosine(angles), strict=True):
            for value, exact in zip(found, mp.cos_sin(mp.mpf(float(x)))[::-1], strict=True):
                errors.append(float(abs(mp.mpf(float(value)) - exact) / math.ulp(float(exact))))
    return np.max(errors)


def random_angles(count):
    """Of both signs and all sizes from 1e-300 to 1e6, half of them between 1e-3 and 1e6."""
    generator = np.random.default_rng(3)
    exponents = np.concatenate([generator.uniform(-300, 6, count // 2), generator.uniform(-3, 6, count - count // 2)])
    return generator.choice([-1.0, 1.0], count) * 10.0**exponents


def angles_at_quadrants(count):
    """Doubles next to multiples of pi/4, where a sine or cosine is smallest or the quadrant changes."""
    generator = np.random.default_rng(4)
    multiples = np.concatenate([np.arange(1, count // 2 + 1), generator.integers(1, 4 * FAR / math.pi, count // 2)])
    nearest = multiples * (math.pi / 4)
    return nearest + generator.integers(-2, 3, len(nearest)) * np.spacing(nearest)


@pytest.mark.parametrize("count", members([20_000, 100_000], slow=[100_000]))
def test_within_one_unit_in_the_last_place(count):
    assert largest_error(random_angles(count)) < 1


def test_within_one_unit_in_the_last_place_next_to_multiples_of_a_quarter_of_pi():
    assert largest_error(angles_at_quadrants(20_000)) < 1


def test_within_one_unit_in_the_last_place_at_the_doubles_closest_to_multiples_of_half_pi():
    """They are the numerators of the best fractions for pi/2 times powers of two."""
    with mp.workprec(BITS):
        half_pi = Fraction(int(mp.ldexp(mp.pi, BITS - 4)), 2 ** (BITS - 3))
    closest = []
    for shift, bits in itertools.product(range(50), range(2, 20)):
        numerator = (half_pi * 2**shift).limit_denominator(2**bits).numerator
        if numerator < 2**53:
            closest.append(numerator / 2**shift)
    assert largest_error(closest[: len(closest) // LANES * LANES]) < 1


def test_sine_is_odd_and_cosine_even_in_every_bit():
    angles = np.concatenate([random_angles(4000), angles_at_quadrants(4000), [0.0, 5e-324, 1e-310, FAR]])
    sine, cosine = sine_cosine(angles)
    sine_of_opposite, cosine_of_opposite = sine_cosine(-angles)
    np.testing.assert_array_equal(sine_of_opposite, -sine)
    np.testing.assert_array_equal(cosine_of_opposite, cosine)


def test_tiny_angles_are_their_sines():
    tiny = [5e-324, -5e-324, 1e-310, 2.0**-1022, 1e-200, -1e-20, 1e-9, 0.0]
    sine, cosine = sine_cosine(tiny)
    assert sine.tolist() == tiny
    assert cosine.tolist() == [1.0] * len(tiny)


def test_angles_that_are_not_finite_give_nan_and_leave_the_others_alone():
    for lane in range(LANES):
        for angle in (math.nan, math.inf, -math.inf):
            angles = np.linspace(0.3, 2.1, LANES)
            before = np.array(sine_cosine(angles))
            angles[lane] = angle
            after = np.array(sine_cosine(angles))
            assert np.isnan(after[:, lane]).all()
            np.testing.assert_array_equal(np.delete(after, lane, axis=1), np.delete(before, lane, axis=1))


def test_far_angles_are_the_c_librarys():
    far = [FAR, -FAR, 1e22, 1.7e308]
    sine, cosine = sine_cosine(far)
    assert sine.tolist() == [math.sin(x) for x in far]
    assert cosine.tolist() == [math.cos(x) for x in far]


@pytest.mark.parametrize("count", range(1, 2 * LANES + 2))
def test_an_angle_gives_the_same_bits_in_any_company(count):
    angles = random_angles(2 * LANES + 2)[-count:]
    found = call(compiled(count), "f", 2 * count, 0.0, angles, [])
    alone = [call(compiled(1), "f", 2, 0.0, [angle], []) for angle in angles]
    np.testing.assert_array_equal(found.reshape(2, count).T, alone)


def test_nested_sines_beside_others():
    """sin(cos(x) + y), cos(sin x) and sin(y) need two batches; each is the sum of what its parts give alone."""
    graph = Graph()
    x, y = graph.input("x", 0), graph.input("x", 1)
    inner = graph.add(graph.call("cos", x), y)
    nodes = graph.call("sin", inner), graph.call("cos", graph.call("sin", x)), graph.call("sin", y), inner
    found = call(compile_functions(graph, [Function("f", nodes, SIGNATURE)]), "f", 4, 0.0, [0.7, -2.5], [])
    expected = [math.sin(math.cos(0.7) - 2.5), math.cos(math.sin(0.7)), math.sin(-2.5), math.cos(0.7) - 2.5]
    np.testing.assert_allclose(found, expected, rtol=1e-15)


def test_deeply_nested_sines():
    graph = Graph()
    node, expected = graph.input("x", 0), 1.0
    for _ in range(2000):
        node, expected = graph.call("sin", node), math.sin(expected)
    code = compile_functions(graph, [Function("f", (node,), SIGNATURE)])
    assert call(code, "f", 1, 0.0, [1.0], [])[0] == pytest.approx(expected, rel=1e-12)


def test_batches_hold_angles_of_one_depth():
    rows = [["input", "x", 0]]
    for index in range(1, LANES + 2):
        rows += [["input", "x", index], ["sin", len(rows)], ["cos", len(rows)]]
    rows.append(["sin", 2])
    batches = sine_batches(rows, range(len(rows)))
    assert [len(batches[position]) for position in (2, 3, len(rows) - 2, len(rows) - 1)] == [LANES, LANES, 1, 1]
    assert batches[2] == {1: [2, 3], 4: [5, 6], 7: [8, 9], 10: [11, 12]}


def test_without_fused_products_the_c_library_is_called(monkeypatch):
    monkeypatch.setattr(straight, "has_fused_product", lambda: False)
    monkeypatch.setattr(llvm, "_emitter", lambda: "without fused products")
    code = compiled(2)
    angles = [0.3, 200.0]
    expected = [math.sin(x) for x in angles] + [math.cos(x) for x in angles]
    assert call(code, "f", 4, 0.0, angles, []).tolist() == expected
