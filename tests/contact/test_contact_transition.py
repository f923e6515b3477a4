"""The impact as the loop calls it: by address, on a state, with a record."""

import numpy as np
import pytest
from contact_problems import SQUARE, Model, plane_jacobian
from hypothesis import given
from hypothesis import strategies as st

from sympact.contact import ImpactLaw
from sympact.contact.laws.impact_laws import Plan
from sympact.contact.memory import contact_codes as codes
from sympact.integrate.memory.run_codes import ENERGY, HEAD

CUBE = np.diag([1.0] * 3 + [1 / 6] * 3)
CORNERS = plane_jacobian(SQUARE)
UNSOLVED, NOT_FINITE, NO_EFFECT = -3, -4, -1
FREE, CLOSED = 0, 1  # the stages of a model with contacts


def touching(jacobian, u, wall=0.0):
    return {"gaps": np.zeros(len(jacobian)), "rates": jacobian @ u + wall}


def test_speeds_jump_and_the_record_tells_how():
    u = np.array([0.3, -0.2, -2.0, 0.0, 0.0, 0.7])
    code, after, took_part, record = Model(CUBE, CORNERS, 0.5).impact(u, **touching(CORNERS, u), fired=[0])
    assert code == FREE
    assert after == pytest.approx([0.3, -0.2, 1.0, 0.0, 0.0, 0.7], abs=1e-14)
    assert took_part.all()
    assert record[HEAD : HEAD + 4] == pytest.approx([0.75] * 4, rel=1e-13)
    assert record[ENERGY] == pytest.approx(-1.5, rel=1e-13)  # (1 - e^2) m v^2/2


@given(st.floats(-3, 3), st.floats(-3, 3), st.floats(0, 1))
def test_energy_of_a_moving_wall_is_left_out(speed, wall, e):
    """In the wall's frame the ball loses (1 - e^2) m gamma^2/2, however the wall moves."""
    m, rate = 1.7, speed - wall
    code, after, _, record = Model([[m]], [[1.0]], e, wall=[-wall]).impact([speed], gaps=[0.0], rates=[rate], fired=[0])
    if rate >= 0:
        assert code == (NO_EFFECT if rate > 0 else CLOSED)
        assert after[0] == pytest.approx(speed, abs=1e-150)
        return
    assert after[0] - wall == pytest.approx(-e * rate, abs=1e-14)
    assert record[ENERGY] == pytest.approx(-(1 - e**2) * m * rate**2 / 2, rel=1e-10, abs=1e-13)


def test_impact_that_changes_nothing_says_so():
    code, after, _, record = Model([[2.0]], [[1.0]], 0.5).impact([1.0], gaps=[0.0], rates=[1.0], fired=[0])
    assert code == NO_EFFECT
    assert after[0] == 1.0
    assert not record[[ENERGY, HEAD]].any()


def test_singular_mass_matrix_leaves_the_state_and_names_the_speed():
    model = Model([[1.0, 0.0], [0.0, 0.0]], [[1.0, 0.0]], 0.5)
    code, after, *_ = model.impact([-1.0, 2.0], gaps=[0.0], rates=[-1.0], fired=[0])
    assert code == UNSOLVED
    assert model.data.singular_speed == 1
    assert after.tolist() == [-1.0, 2.0]


def test_parameters_that_change_during_a_run_are_seen():
    model = Model([[1.0, 0.0], [0.0, 0.0]], [[1.0, 0.0]], 0.5)
    assert model.impact([-1.0, 2.0], gaps=[0.0], rates=[-1.0], fired=[0])[0] == UNSOLVED
    model.terms[3] = 1.0
    assert model.impact([-1.0, 2.0], gaps=[0.0], rates=[-1.0], fired=[0])[0] == FREE
    assert model.data.singular_speed is None


def test_walls_that_close_in_are_unsolved():
    model = Model([[1.0]], [[1.0], [-1.0]], 0.5, wall=[-1.0, -1.0])
    code, after, *_ = model.impact([0.0], gaps=[0.0, 0.0], rates=[-1.0, -1.0], fired=[0])
    assert code == UNSOLVED
    assert after[0] == 0.0


@pytest.mark.parametrize("place", [0, 1, 2, 3], ids=["mass", "jacobian", "wall", "restitution"])
@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_number_that_is_not_finite_leaves_the_state(place, value):
    model = Model([[1.0]], [[1.0]], 0.5)
    model.terms[place] = value
    code, after, *_ = model.impact([-1.0], gaps=[0.0], rates=[-1.0], fired=[0])
    assert code == NOT_FINITE
    assert after[0] == -1.0


def test_repeated_impacts_give_the_same_bits():
    u = np.array([0.3, -0.2, -2.0, 0.4, 0.1, 0.7])
    model = Model(CUBE, CORNERS, 0.5)
    first = model.impact(u, **touching(CORNERS, u), fired=[0])
    again = model.impact(u, **touching(CORNERS, u), fired=[0])
    assert np.array_equal(first[1], again[1])
    assert np.array_equal(first[3], again[3])


class Callback:
    """A solver in Python, reached by address as compiled ones are."""

    def __init__(self, function):
        import ctypes

        self._function = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(function)
        self._address = ctypes.cast(self._function, ctypes.c_void_p).value

    def address(self):
        return self._address


class Halt(ImpactLaw):
    """A law of the test's own: the contact takes all speed of a unit mass, by an impulse that it may keep to itself."""

    def __init__(self, impulse):
        self.model, self.impulse = None, impulse
        self.unit = Callback(self.solve)

    def together(self, friction):
        return Plan(self.unit)

    def why_gains(self, friction):
        return "it takes all speed"

    def solve(self, data):
        self.model.data.problem.change[:] = -self.model.speed
        self.model.data.problem.rate_plus[:] = 0.0
        self.model.data.problem.impulse[:] = self.impulse
        return codes.SOLVED


def halted(impulse):
    """What the transition answers for a unit mass that hits with 1 m/s, and the speeds after."""
    law = Halt(impulse)
    law.model = model = Model(np.eye(2), [[0.0, 1.0]], 0.5, law=law)
    model.speed = np.array([0.0, -1.0])
    code, after, *_ = model.impact(model.speed, gaps=[0.0], rates=[-1.0], fired=[0])
    return code, after, model.data.imbalance


def test_another_law_joins_without_touching_the_transition():
    code, after, _ = halted(1.0)
    assert code == CLOSED, "without a rebound, nor a force that opens it, the contact stays closed"
    assert not after.any()


@pytest.mark.parametrize("impulse", [0.0, 0.99, 1.01, -1.0, np.nan])
def test_speeds_that_change_by_other_than_their_impulse_are_refused(impulse):
    """M du - W Lambda = 1 - Lambda, whose energy is (1 - Lambda)^2/2."""
    code, _, imbalance = halted(impulse)
    assert code == codes.UNBALANCED
    if np.isnan(impulse):
        assert imbalance.fault == codes.NOT_A_NUMBER
    else:
        assert (imbalance.fault, imbalance.beside) == (codes.WITHOUT_IMPULSE, 0.5)
        assert imbalance.found == pytest.approx((1 - impulse) ** 2 / 2, rel=1e-12)
