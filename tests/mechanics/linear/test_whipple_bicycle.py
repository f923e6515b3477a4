"""The promise: the linearized bicycle has the eigenvalues of the published benchmark."""

import numpy as np
import pytest
from example_scripts import load

PUBLISHED = {
    0: (-5.53094371765393, 5.53094371765393, -3.13164324790656, 3.13164324790656),
    1: (-7.11008014637442, -3.13423125066578, 3.52696170990070 + 0.80774027519930j),
    2: (-8.67387984831735, -3.07158645641514, 2.68234517512745 + 1.68066296590675j),
    3: (-10.35101467245920, -2.63366137253667, 1.70675605663975 + 2.31582447384325j),
    4: (-12.15861426576447, -1.42944427361326, 0.41325331521125 + 3.07910818603206j),
    5: (-14.07838969279822, -0.32286642900409, -0.77534188219585 + 4.46486771378823j),
    6: (-16.08537123098026, -0.00406690076970, -1.52644486584142 + 5.87673060598709j),
    7: (-18.15788466125262, 0.10268170574766, -2.13875644258362 + 7.19525913329805j),
    8: (-20.27940894394569, 0.14327879765713, -2.69348683581097 + 8.46037971396931j),
    9: (-22.43788559040858, 0.15790184030917, -3.21675402252485 + 9.69377351531791j),
    10: (-24.62459635017404, 0.16105338653172, -3.72016840437287 + 10.90681139476287j),
}
"""By speed (m/s), of each conjugate pair one: table 2 of Meijaard, Papadopoulos, Ruina and Schwab,
doi:10.1098/rspa.2007.1857."""

BICYCLE = load("whipple_bicycle")


@pytest.fixture(scope="module")
def model():
    return BICYCLE.bicycle()


@pytest.mark.parametrize("speed", PUBLISHED)
def test_eigenvalues_of_roll_and_steer_are_the_published_ones(model, speed):
    """All fourteen decimals that are printed, but for the rounding of A."""
    found = [value for value in BICYCLE.eigenvalues(model, float(speed)) if value.imag >= 0.0]
    assert len(found) == len(PUBLISHED[speed])
    published = np.array(PUBLISHED[speed], dtype=complex)
    order = [np.lexsort((values.real, values.imag)) for values in (np.array(found), published)]
    np.testing.assert_allclose(np.array(found)[order[0]], published[order[1]], atol=2e-12)


def test_the_ride_is_steady_and_has_three_speeds(model):
    state, linear = BICYCLE.straight_ahead(model, 4.6)
    fast = [state[letter] for letter in model.u]
    np.testing.assert_allclose(linear.rate, [*fast, *np.zeros(8)], atol=1e-12)
    assert linear.states[:2] == (model.q[3], model.q[5])
    assert len(linear.states) == 10  # seven coordinates, three speeds
    assert len(linear.constraints) == 5


def test_the_stable_speeds_are_the_published_ones(model):
    assert BICYCLE.stable_speeds(model) == pytest.approx((4.29238253634111, 6.02426201538837), abs=1e-10)


def test_all_eigenvalues_contain_the_published_ones(model):
    """The six zeros of places, turns and the speed are a defective group, which rounding spreads to about 1e-5."""
    _, linear = BICYCLE.straight_ahead(model, 5.0)
    values = linear.eigenvalues()
    assert np.sum(np.abs(values) < 1e-4) == 6
    for value in PUBLISHED[5]:
        assert np.abs(values - value).min() < 1e-10
    assert linear.stable is None
