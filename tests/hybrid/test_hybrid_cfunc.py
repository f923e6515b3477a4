"""numba's cfuncs as flows, boundaries and jumps: called by address, alone or among Python functions."""

import numpy as np
import pytest
import sympy as sm

from sympact import HybridSystem, Transition

numba = pytest.importorskip("numba")

SIGNATURE = "void(float64, CPointer(float64), CPointer(float64), CPointer(float64))"


def fall(t, x, p, out):
    out[0] = x[1]
    out[1] = -p[0]


def ground(t, x, p, out):
    out[0] = -x[0]


def bounce(t, x, p, out):
    out[0] = 0.0
    out[1] = -p[1] * x[1]


@pytest.fixture(autouse=True, scope="module")
def compiling():
    """A user's cfuncs are machine code also where sympact's own kernels run as Python."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(numba.config, "DISABLE_JIT", 0)
        yield


@pytest.fixture(scope="module")
def compiled(compiling):
    return {function.__name__: numba.cfunc(SIGNATURE)(function) for function in (fall, ground, bounce)}


PYTHON = {
    "fall": lambda t, x: [x[1], -10.0],
    "ground": lambda t, x: -x[0],
    "bounce": lambda t, x: [0.0, -0.5 * x[1]],
}


def process(functions):
    transitions = [
        Transition("air", "air", boundary=functions["ground"], jump=functions["bounce"]),
        Transition("air", "air", boundary=lambda t, x: t - 99.0, jump=functions["bounce"]),
    ]
    return HybridSystem({"air": functions["fall"]}, transitions[: 1 if functions["alone"] else 2])


@pytest.mark.parametrize("machine", [{"fall"}, {"ground"}, {"bounce"}, {"fall", "ground", "bounce"}])
@pytest.mark.parametrize("alone", [True, False], ids=["alone", "beside a Python boundary"])
def test_every_mixture_gives_the_same_bits(compiled, machine, alone):
    mixed = {name: compiled[name] if name in machine else function for name, function in PYTHON.items()}
    result = process(mixed | {"alone": alone}).simulate((0, 2.2), [5.0, 0.0], start="air", parameters=[10.0, 0.5])
    expected = process(PYTHON | {"alone": alone}).simulate((0, 2.2), [5.0, 0.0], start="air")
    assert np.array_equal(result.t, expected.t)
    assert np.array_equal(result.x, expected.x)


def test_another_signature_is_refused(compiled):
    scalar = numba.cfunc("float64(float64, CPointer(float64))")(lambda t, x: x[0])
    with pytest.raises(ValueError, match="the boundary of transition 'air -> air' is a cfunc of another signature"):
        process({"fall": compiled["fall"], "ground": scalar, "bounce": compiled["bounce"], "alone": True})


def test_cfuncs_beside_expressions_have_the_states_of_all_stages(compiling):
    """The stage "air" has no temperature: its cfunc gives it no rate."""
    y, v, T, g = sm.symbols("y v T g")

    def falling(t, x, p, out):
        out[0] = x[1]
        out[1] = -p[0]
        out[2] = 0.0

    def splash(t, x, p, out):
        out[0] = -x[0]

    def cool(t, x, p, out):
        out[0] = x[0]
        out[1] = x[1] / 2
        out[2] = 60.0

    made = [numba.cfunc(SIGNATURE)(function) for function in (falling, splash, cool)]
    results = []
    for flow, boundary, jump in (made, [{y: v, v: -g}, -y, {v: v / 2, T: 60}], [made[0], -y, made[2]]):
        process = HybridSystem.from_sympy(
            {"air": flow, "water": {y: v, v: -v, T: -T}},
            [Transition("air", "water", boundary=boundary, jump=jump)],
            states={"air": [y, v], "water": [y, v, T]},
            parameters=[g],
        )
        results.append(process.simulate((0, 2), [5.0, 0.0], start="air", parameters=[10.0], rtol=1e-12, atol=1e-12))
    for result in results:
        assert np.isnan(result(0.5)[2])
        assert result.events.t.tolist() == pytest.approx([1.0], abs=1e-11)
        assert result(2.0)[2] == pytest.approx(60 * np.exp(-1), abs=1e-8)
    with pytest.raises(ValueError, match="flow of stage 'air' is a cfunc of another signature"):
        HybridSystem.from_sympy({"air": numba.cfunc("float64(float64)")(lambda x: x)}, [], states=[y])
