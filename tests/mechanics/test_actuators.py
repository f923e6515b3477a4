"""SymPy's actuators and pathways: the equations of their loads, closed forms, energies, and the states of muscles."""

from __future__ import annotations

import warnings
from itertools import pairwise

import numpy as np
import pytest
import sympy as sm
from quick_members import members
from scipy.integrate import solve_ivp
from scipy.special import ellipk
from sympy.physics.biomechanics import (
    FirstOrderActivationDeGroote2016,
    MusculotendonDeGroote2016,
    ZerothOrderActivation,
)
from sympy.physics.mechanics import (
    DuffingSpring,
    Force,
    ForceActuator,
    KanesMethod,
    LinearDamper,
    LinearPathway,
    LinearSpring,
    ObstacleSetPathway,
    Particle,
    PathwayBase,
    PinJoint,
    Point,
    ReferenceFrame,
    RigidBody,
    System,
    Torque,
    TorqueActuator,
    WrappingCylinder,
    WrappingPathway,
    WrappingSphere,
    dynamicsymbols,
    inertia,
)
from sympy.physics.mechanics import actuator as sympy_actuators
from trajectory import checked_run

from sympact import HybridModel, Status, SympactWarning

m, k, k3, c, F, l, r, mu, mus, vs, g = sm.symbols("m k k3 c F l r mu mus vs g", positive=True)
q, s, u, w = dynamicsymbols("q s u w")
Coulomb = getattr(sympy_actuators, "CoulombKineticFriction", None)
needs_coulomb = pytest.mark.skipif(Coulomb is None, reason="SymPy has CoulombKineticFriction from 1.14 on")


class Hook(PathwayBase):
    """A pathway from a point along N.x and, at a right angle, a fixed length l on: loads by the user."""

    def __init__(self, start, end, axis):
        super().__init__(start, end)
        self.axis = axis

    @property
    def _away(self):
        start, end = self.attachments
        return end.pos_from(start).dot(self.axis)

    @property
    def length(self):
        return sm.sqrt(self._away**2 + l**2)

    @property
    def extension_velocity(self):
        return self.length.diff(dynamicsymbols._t)

    def to_loads(self, force):
        pull = force * self._away / self.length * self.axis
        start, end = self.attachments
        return [Force(start, -pull), Force(end, pull)]


class Cable(PathwayBase):
    """A cable over a drum that turns by the angle s: a length and a torque, `pair` of SymPy's kind or a tuple."""

    def __init__(self, frame, axis, pair=Torque):
        super().__init__(Point("one end"), Point("other end"))
        self.frame, self.axis, self.pair = frame, axis, pair

    length = property(lambda self: l - r * s)
    extension_velocity = property(lambda self: -r * w)

    def to_loads(self, force):
        return [self.pair(self.frame, -r * force * self.axis)]


class Rope(LinearSpring):
    """A spring that pulls only: the force is the user's."""

    @property
    def force(self):
        return -self.stiffness * sm.Max(self.pathway.length - self.equilibrium_length, 0)


class Jet(ForceActuator):
    """A force on one end only: the loads are the user's."""

    def to_loads(self):
        start, end = self.pathway.attachments
        return [Force(end, self.force * end.pos_from(start))]


class Parts:
    """A body at the radius l + q on an arm that turns by s in the plane, and the places of actuators."""

    def __init__(self):
        self.N, self.O = ReferenceFrame("N"), Point("O")
        self.O.set_vel(self.N, 0)
        self.A = self.N.orientnew("A", "Axis", (s, self.N.z))
        self.A.set_ang_vel(self.N, w * self.N.z)
        self.P = self.O.locatenew("P", (l + q) * self.A.x)
        self.D = self.O.locatenew("D", l / 3 * self.N.x + l / 5 * self.N.y)
        self.E = self.O.locatenew("E", l * self.N.y)
        self.body = RigidBody("body", self.P, self.A, m, (inertia(self.A, 0, 0, m * l**2), self.P))
        self.kdes = [u - q.diff(), w - s.diff()]
        self.line = LinearPathway(self.D, self.P)
        self.knee = ObstacleSetPathway(self.D, self.E, self.P)
        self.hook = Hook(self.O, self.P, self.N.x)
        start = self.O.locatenew("start", r * self.N.x)
        end = self.O.locatenew("end", r * self.A.x)
        self.ball = WrappingPathway(start, end, WrappingSphere(r, self.O))
        self.drum = WrappingPathway(start, end, WrappingCylinder(r, self.O, self.N.z))
        rising = self.O.locatenew("rising", r * self.A.x + q * self.N.z)
        self.cable = Cable(self.A, self.N.z)
        self.pairs = Cable(self.A, self.N.z, lambda *pair: pair)
        self.screw = WrappingPathway(start, rising, WrappingCylinder(r, self.O, self.N.z))

    def model(self, *actuators):
        system = System(self.N, self.O)
        system.add_bodies(self.body)
        system.add_coordinates(q, s)
        system.add_speeds(u, w)
        system.add_kdes(*self.kdes)
        system.add_actuators(*actuators)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SympactWarning)
            return HybridModel(system, [])

    def kane(self, *actuators):
        kane = KanesMethod(self.N, [q, s], [u, w], kd_eqs=self.kdes)
        kane.kanes_equations([self.body], [load for actuator in actuators for load in actuator.to_loads()])
        speeds = {q.diff(): u, s.diff(): w}
        return kane.mass_matrix.subs(speeds), kane.forcing.subs(speeds)


ACTUATORS = {
    "spring": lambda on: LinearSpring(k, on.line, l),
    "damper": lambda on: LinearDamper(c, on.line),
    "Duffing": lambda on: DuffingSpring(k, k3, on.line, l),
    "force": lambda on: ForceActuator(F * sm.cos(q), on.line),
    "torque": lambda on: TorqueActuator(-k * s - c * w, on.N.z, on.A, on.N),
    "torque on one": lambda on: TorqueActuator(F, on.N.z, on.A),
    "spring over a knee": lambda on: LinearSpring(k, on.knee, l),
    "damper over a knee": lambda on: LinearDamper(c, on.knee),
    "own pathway": lambda on: LinearSpring(k, on.hook, l),
    "damper on an own pathway": lambda on: LinearDamper(c, on.hook),
    "own force": lambda on: Rope(k, on.line, l),
    "own loads": lambda on: Jet(F, on.line),
    "spring round a sphere": lambda on: LinearSpring(k, on.ball, l),
    "damper round a sphere": lambda on: LinearDamper(c, on.ball),
    "spring round a cylinder": lambda on: LinearSpring(k, on.drum, l),
    "damper round a screw": lambda on: LinearDamper(c, on.screw),
    "spring on a cable": lambda on: LinearSpring(k, on.cable, l),
    "damper on a cable": lambda on: LinearDamper(c, on.cable),
    "Duffing on a cable": lambda on: DuffingSpring(k, k3, on.cable, l),
    "force on a cable": lambda on: ForceActuator(F * sm.cos(q), on.cable),
    "pairs of a cable": lambda on: LinearSpring(k, on.pairs, l),
}
if Coulomb is not None:
    ACTUATORS["friction"] = lambda on: Coulomb(mu, F, on.line)
    ACTUATORS["Stribeck"] = lambda on: Coulomb(mu, F, on.line, v_s=vs, sigma=c, mu_s=mus)
    ACTUATORS["friction over a knee"] = lambda on: Coulomb(mu, F, on.knee, v_s=vs, mu_s=mus)
    ACTUATORS["friction round a sphere"] = lambda on: Coulomb(mu, F, on.ball)
    ACTUATORS["friction on a cable"] = lambda on: Coulomb(mu, F, on.cable, v_s=vs, mu_s=mus)


ALIKE = (
    "Duffing",
    "Duffing on a cable",
    "damper on an own pathway",
    "damper over a knee",
    "damper round a sphere",
    "force on a cable",
    "Stribeck",
    "torque on one",
)
"""Laws on pathways, each of which has another law in a quick run, as the law has another pathway."""


KINDS = members(ACTUATORS, slow=[kind for kind in ALIKE if kind in ACTUATORS])


@pytest.mark.parametrize("kind", KINDS)
def test_the_motion_is_that_of_the_loads_of_sympy(kind):
    parts = Parts()
    model = parts.model(ACTUATORS[kind](parts))
    other = Parts()
    letters = [q, s, u, w, *model.parameters]
    kane = sm.lambdify(letters, other.kane(ACTUATORS[kind](other)), cse=True, docstring_limit=0)
    compiled, random = model.compile(), np.random.default_rng(3)
    for _ in range(4):
        x, p = random.normal(size=4), random.uniform(0.5, 1.5, len(model.parameters))
        x[1] = random.uniform(0.2, 3.0)  # where SymPy's geodesics go the short way round
        mass, forcing = kane(*x, *p)
        expected = np.linalg.solve(np.array(mass, float), np.array(forcing, float).ravel())
        np.testing.assert_allclose(compiled.flow(0.0, x, p)[2:], expected, rtol=1e-12, atol=1e-12)


def mass_on_axis(act, *further):
    """A particle at q on an axis, on which `act(O, P)` acts."""
    N, O = ReferenceFrame("N"), Point("O")
    P = O.locatenew("P", q * N.x)
    system = System(N, O)
    system.add_bodies(Particle("bob", P, m))
    system.add_coordinates(q)
    system.add_speeds(u)
    system.add_kdes(u - q.diff())
    system.add_actuators(act(O, P))
    system.add_loads(*(Force(P, value * N.x) for value in further))
    return HybridModel(system, [])


def test_the_period_of_a_duffing_spring():
    """T = 4 K(n) / sqrt(k + k3 a^2) with n = k3 a^2 / (2 (k + k3 a^2)), from rest at a."""
    model = mass_on_axis(lambda O, P: DuffingSpring(k, k3, LinearPathway(O, P)))
    a, stiff, cubic = 1.5, 2.0, 3.0
    top = stiff + cubic * a**2
    period = 4 * ellipk(cubic * a**2 / (2 * top)) / np.sqrt(top)
    result = checked_run(model, (0, 5 * period), [a, 0], {m: 1, k: stiff, k3: cubic}, rtol=1e-11, atol=1e-13)
    np.testing.assert_allclose(result.x[:, -1], [a, 0], rtol=0, atol=1e-8)
    np.testing.assert_allclose(result.energy, stiff * a**2 / 2 + cubic * a**4 / 4, rtol=1e-9)


@pytest.mark.parametrize("path", ["line", "knee", "hook", "cable", "ball"])
def test_a_spring_keeps_the_energy_on_every_pathway(path):
    """Round a sphere the spring is reversed and has the energy -V, see the warning; k < 0 turns that round."""
    parts = Parts()
    stiffness = -k if path == "ball" else k
    model = parts.model(DuffingSpring(stiffness, stiffness, getattr(parts, path), l))
    start = [0.2, 1.2, 0.3, -0.4]
    result = checked_run(
        model, (0, 0.8), start, {m: 1, k: 2, l: 1, **({r: 0.5} if path in ("ball", "cable") else {})}, rtol=1e-10
    )
    assert np.ptp(result.potential_energy) > 1e-2
    np.testing.assert_allclose(result.energy, result.energy[0], rtol=1e-8)


def test_a_pathway_whose_loads_are_reversed_is_told():
    parts = Parts()
    system = System(parts.N, parts.O)
    system.add_bodies(parts.body)
    system.add_coordinates(q, s)
    system.add_speeds(u, w)
    system.add_kdes(*parts.kdes)
    system.add_actuators(LinearDamper(c, parts.ball), LinearDamper(c, parts.hook), LinearDamper(c, parts.line))
    with pytest.warns(SympactWarning, match="'start' and 'end': the loads of the pathway pull") as caught:
        HybridModel(system, [])
    assert "'O' and 'P'" not in str(caught[0].message)


@pytest.mark.parametrize("kind", KINDS)
def test_the_energy_of_every_actuator_is_stored_or_its_work(kind):
    parts = Parts()
    model = parts.model(ACTUATORS[kind](parts))
    random = np.random.default_rng(5)
    numbers = dict(zip(model.parameters, random.uniform(0.5, 1.5, len(model.parameters)), strict=True))
    result = model.simulate((0, 0.5), [0.2, 1.2, 0.3, -0.4], numbers, rtol=1e-10, atol=1e-13)
    balance = result.energy - result.work.total
    scale = np.abs(result.kinetic_energy).max() + np.ptp(result.potential_energy) + np.abs(result.work.total).max()
    np.testing.assert_allclose(balance, balance[0], rtol=0, atol=1e-9 * scale)


def rod_on_a_cable(act):
    """A rod of the inertia m that turns by s, on which `act` acts along a cable at the constant arm r."""
    N, O = ReferenceFrame("N"), Point("O")
    O.set_vel(N, 0)
    A = N.orientnew("A", "Axis", (s, N.z))
    A.set_ang_vel(N, w * N.z)
    system = System(N, O)
    system.add_bodies(RigidBody("rod", O, A, 1, (inertia(A, 0, 0, m), O)))
    system.add_coordinates(s)
    system.add_speeds(w)
    system.add_kdes(w - s.diff())
    system.add_actuators(act(Cable(A, N.z)))
    return HybridModel(system, [], length=1)


def test_a_pathway_at_a_constant_arm():
    """m s'' = -k r^2 s for a spring that is slack at s = 0, m s'' = -c r^2 s' for a damper: the work of the torque."""
    numbers = {m: 2, k: 3, l: 1, r: 0.1, c: 5}
    rate, decay = np.sqrt(3 * 0.1**2 / 2), 5 * 0.1**2 / 2
    spring = rod_on_a_cable(lambda on: LinearSpring(k, on, l))
    result = spring.simulate((0, 20), [1, 0.2], {key: numbers[key] for key in spring.parameters}, rtol=1e-10)
    expected = np.cos(rate * result.t) + 0.2 / rate * np.sin(rate * result.t)
    np.testing.assert_allclose(result.x[0], expected, atol=1e-8)
    np.testing.assert_allclose(result.energy, 0.02 * 2 + 0.015, rtol=1e-8)
    part = []
    damper = rod_on_a_cable(lambda on: part.append(LinearDamper(c, on)) or part[0])
    result = damper.simulate((0, 20), [1, 0.2], {key: numbers[key] for key in damper.parameters}, rtol=1e-10)
    speed = 0.2 * np.exp(-decay * result.t)
    np.testing.assert_allclose(result.x[1], speed, rtol=1e-8)
    np.testing.assert_allclose(result.work[part[0]], speed**2 - 0.2**2, atol=1e-9)


@pytest.mark.parametrize("order", [0, 1])
def test_a_muscle_at_a_constant_arm(order):
    """Its torque -r F against SciPy's LSODA on SymPy's own force; the energy follows its work."""
    made = []
    activation = FirstOrderActivationDeGroote2016 if order else ZerothOrderActivation

    def act(on):
        of = activation.with_defaults("b") if order else activation("b")
        made.append(MusculotendonDeGroote2016.with_defaults("b", on, of, **MUSCLE))
        return made[0]

    model = rod_on_a_cable(act)
    part = made[0]
    numbers = {m: 0.5, l: 0.4, r: 0.1}
    result = model.simulate(
        (0, 0.3), [0.1, *[0.2] * order, 0.3], numbers, inputs={part.r[0]: 0.4}, rtol=1e-9, atol=1e-11
    )
    angle, speed = sm.symbols("angle speed")
    states = sm.symbols(f"z:{order}")
    plain = {s: angle, w: speed, **dict(zip(part.x, states, strict=True)), part.r[0]: 0.4, **numbers}
    rates = [speed, *part.rhs(), -r * part.force / m]
    function = sm.lambdify(
        [angle, *states, speed], [sm.sympify(rate).subs(plain) for rate in rates], cse=True, docstring_limit=0
    )
    start = [0.1, *[0.2] * order, 0.3]
    other = solve_ivp(lambda t, x: function(*x), (0, 0.3), start, method="LSODA", rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(result.x[:, -1], other.y[:, -1], rtol=0, atol=2e-8)
    np.testing.assert_allclose(result.energy - result.work.total, 0.25 * 0.3**2, rtol=1e-7)


def test_loads_of_a_pathway_that_are_none_are_told():
    parts = Parts()
    with pytest.raises(ValueError, match=r"to_loads\(\) of LinearSpring or its pathway gives .*expected Force"):
        parts.model(LinearSpring(k, Cable(parts.A, parts.N.z, lambda frame, torque: torque), l))


def test_loads_that_do_not_fit_the_length_do_work():
    class Twice(Hook):
        def to_loads(self, force):
            return super().to_loads(2 * force)

    parts = Parts()
    spring = LinearSpring(k, Twice(parts.O, parts.P, parts.N.x), l)
    model = parts.model(spring)
    result = model.simulate((0, 0.5), [0.2, 1.2, 0.3, -0.4], dict.fromkeys(model.parameters, 1.0), rtol=1e-10)
    assert list(result.work) == ["the actuator between 'O' and 'P'"]
    assert np.array_equal(result.work[spring], result.work.total)
    np.testing.assert_allclose(result.energy - result.work.total, result.energy[0], rtol=1e-9)


@needs_coulomb
def test_coulomb_friction_stops_a_mass():
    """v0^2 / (2 mu F/m) ahead at v0 / (mu F/m); there the motion would slide along the condition."""
    model = mass_on_axis(lambda O, P: Coulomb(mu, F, LinearPathway(O, P)))
    result = checked_run(model, (0, 5), [-1, 2], {m: 1, mu: 0.5, F: 2}, rtol=1e-10, atol=1e-12)
    assert result.status is Status.SLIDING
    np.testing.assert_allclose([result.t[-1], result.x[0, -1]], [2.0, 1.0], rtol=1e-9)
    np.testing.assert_allclose(result.energy[[0, -1]], [2.0, 0.0], atol=1e-12)


@needs_coulomb
def test_a_driven_mass_turns_round_at_events_of_friction():
    """From rest under f cos t with f > mu F the mass slides all the time; each reversal is an event with u = 0."""
    t = dynamicsymbols._t
    model = mass_on_axis(lambda O, P: Coulomb(mu, F, LinearPathway(O, P)), 10 * sm.cos(t))
    result = checked_run(model, (0, 20), [5, 1], {m: 1, mu: 0.5, F: 2}, rtol=1e-10, atol=1e-12)
    assert result.status is Status.FINISHED
    assert len(result.events) >= 6
    np.testing.assert_allclose([event.x_minus[1] for event in result.events], 0, atol=1e-9)
    ends = np.array([0, *result.events.t])
    for left, right in pairwise(ends):  # m u = 10 sin t -+ mu F t between two reversals
        sign = np.sign(result((left + right) / 2)[1])
        before = 1.0 if left == 0 else 0.0
        assert 10 * (np.sin(right) - np.sin(left)) - sign * (right - left) + before == pytest.approx(0, abs=1e-8)


MUSCLE = {
    "tendon_slack_length": sm.Float(0.2),
    "peak_isometric_force": sm.Integer(100),
    "optimal_fiber_length": sm.Float(0.2),
    "maximal_fiber_velocity": sm.Integer(10),
    "optimal_pennation_angle": sm.Rational(1, 10),
    "fiber_damping_coefficient": sm.Rational(1, 10),
}


def muscle(formulation):
    """A weight that hangs from a muscle, and the muscle."""
    made = []

    def act(O, P):
        activation = FirstOrderActivationDeGroote2016.with_defaults("b")
        dynamics = {"musculotendon_dynamics": formulation}
        made.append(MusculotendonDeGroote2016.with_defaults("b", LinearPathway(O, P), activation, **MUSCLE, **dynamics))
        return made[0]

    return mass_on_axis(act, m * g), made[0]


@pytest.mark.parametrize(("formulation", "fiber"), [(0, []), (1, [1.0]), (2, [0.1])])
def test_the_states_of_a_muscle_are_coordinates(formulation, fiber):
    """Rigid tendon, fiber length and tendon force as states, against SciPy's LSODA on SymPy's own equations."""
    model, part = muscle(formulation)
    assert model.x == (q, *part.x, u)
    excitation, t = part.r[0], dynamicsymbols._t
    start = [0.4, *fiber, 0.2, 0.0]
    given = {excitation: sm.Rational(1, 2) + sm.Rational(2, 5) * sm.sin(10 * t)}
    result = model.simulate((0, 0.3), start, {m: 5, g: 9.81}, inputs=given, rtol=1e-9, atol=1e-11)
    place, speed, e = sm.Symbol("place", positive=True), sm.Symbol("speed"), sm.Symbol("e")
    states = sm.symbols(f"z:{len(part.x)}")
    plain = [(q.diff(), speed), (q, place), *zip(part.x, states, strict=True), (excitation, e)]
    rates = [speed, *part.rhs(), part.force / 5 + 9.81]
    function = sm.lambdify(
        [place, *states, speed, e], [sm.sympify(rate).subs(plain).doit() for rate in rates], cse=True
    )

    def flow(time, x):
        return np.array(function(*x, 0.5 + 0.4 * np.sin(10 * time)), dtype=float)

    other = solve_ivp(flow, (0, 0.3), start, method="LSODA", rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(result.x[:, -1], other.y[:, -1], rtol=0, atol=2e-8)


def test_a_muscle_that_cannot_start_is_told_without_gimbals():
    model, part = muscle(1)
    with pytest.raises(ValueError, match=r"the rate of l_M_tilde_b\(t\).* is not finite there") as caught:
        model.simulate((0, 0.1), [0.4, 0.05, 0.2, 0], {m: 5, g: 9.81}, inputs={part.r[0]: lambda t: 0.5})
    assert "gimbal" not in str(caught.value)


def test_a_state_that_the_user_declares_keeps_the_users_equation():
    part = muscle(0)[1]
    N, O = ReferenceFrame("N"), Point("O")
    P = O.locatenew("P", q * N.x)
    activation = part.x[0]
    system = System(N, O)
    system.add_bodies(Particle("bob", P, m))
    system.add_coordinates(q, activation)
    system.add_speeds(u)
    system.add_kdes(u - q.diff(), activation.diff() + activation)
    dynamics = FirstOrderActivationDeGroote2016.with_defaults("b")
    system.add_actuators(MusculotendonDeGroote2016.with_defaults("b", LinearPathway(O, P), dynamics, **MUSCLE))
    own = HybridModel(system, [])
    assert own.inputs == ()
    result = own.simulate((0, 1), [0.4, 0.5, 0], {m: 5}, rtol=1e-10, atol=1e-12)
    assert result.x[1, -1] == pytest.approx(0.5 * np.exp(-1), abs=1e-9)


def in_a_plane(act):
    """A particle at (q, s) in a plane, on which `act(O, P)` acts."""
    N, O = ReferenceFrame("N"), Point("O")
    P = O.locatenew("P", q * N.x + s * N.y)
    system = System(N, O)
    system.add_bodies(Particle("bob", P, m))
    system.add_coordinates(q, s)
    system.add_speeds(u, w)
    system.add_kdes(u - q.diff(), w - s.diff())
    system.add_actuators(act(O, P))
    return HybridModel(system, [])


def test_a_run_passes_a_length_of_zero_in_a_plane():
    """Straight through the fixed end, where the force jumps by 2 k l without a condition that tells it."""
    model = in_a_plane(lambda O, P: LinearSpring(k, LinearPathway(O, P), l))
    result = model.simulate((0, 5), [1.5, 0, 0, 0], {m: 1, k: 3, l: 0.5}, rtol=1e-10, atol=1e-12)
    assert result.status is Status.FINISHED
    assert result.x[0].min() < -0.9
    np.testing.assert_allclose(result.energy, 3 * 1.0**2 / 2, rtol=1e-7)


def on_a_crank(path, act=lambda on: LinearSpring(k, on, l)):
    """A particle on a crank of the radius r about O, and a path from D over E, at the same radius, or a line from E."""
    N, O = ReferenceFrame("N"), Point("O")
    O.set_vel(N, 0)
    A = N.orientnew("A", "Axis", (s, N.z))
    A.set_ang_vel(N, w * N.z)
    P = O.locatenew("P", r * A.x)
    P.set_vel(N, r * w * A.y)
    D, E = O.locatenew("D", -2 * N.x), O.locatenew("E", r * N.y)
    system = System(N, O)
    system.add_bodies(Particle("bob", P, m))
    system.add_coordinates(s)
    system.add_speeds(w)
    system.add_kdes(w - s.diff())
    system.add_actuators(act(ObstacleSetPathway(D, E, P) if path == "obstacle" else LinearPathway(E, P)))
    return HybridModel(system, [])


@pytest.mark.parametrize("path", ["obstacle", "line"])
def test_a_pathway_that_shrinks_to_zero_is_an_event(path):
    """The leg from E to P is 2 r |sin((pi/2 - s)/2)|: its corner at s = pi/2 cuts a step, and the order is kept."""
    model = on_a_crank(path)
    start = [1.0, 1.5 if path == "line" else 0.7]
    errors = []
    for rtol in (1e-8, 1e-11):
        result = checked_run(model, (0, 3), start, {m: 1, k: 2, l: 1, r: 1}, rtol=rtol, atol=1e-3 * rtol)
        assert len(result.events) > 0
        np.testing.assert_allclose([event.x_minus[0] for event in result.events], np.pi / 2, atol=1e-9)
        assert {str(event.kind) for event in result.events} == {"switch"}
        errors.append(np.abs(result.energy - result.energy[0]).max())
    assert errors[0] < 1e-7
    assert errors[1] < 2e-11


LAWS = {
    "damper": lambda on: LinearDamper(c, on),
    "Duffing": lambda on: DuffingSpring(k, k3, on, l),
    "force": lambda on: ForceActuator(-F, on),
}


@pytest.mark.parametrize("path", ["obstacle", "line"])
@pytest.mark.parametrize("kind", LAWS)
def test_every_law_passes_length_zero_with_the_loads_of_sympy(kind, path):
    """The acceleration on both sides is that of SymPy's loads; the work balances through the passage."""
    model = on_a_crank(path, LAWS[kind])
    numbers = {letter: 1.0 + 0.1 * i for i, letter in enumerate(model.parameters)}
    P, N = (model.description.bodies[0].masscenter, model.description.frame)
    (actuator,) = model.description.actuators
    loads = [one for one in actuator.to_loads() if one.location is P]
    for angle in (0.4, 2.0):
        place = {s.diff(): w}
        power = sum(one.vector.dot(P.vel(N)) for one in loads).subs(place).subs({s: angle, w: 1.0}).subs(numbers)
        p = [numbers[letter] for letter in model.parameters]
        found = model.compile().flow(0.0, [angle, 1.0], p)[1]
        assert found * numbers[m] * numbers[r] ** 2 == pytest.approx(float(power), rel=1e-12)
    result = model.simulate((0, 1.5), [1.0, 2.0], numbers, rtol=1e-11, atol=1e-13)
    assert result.x[0].max() > np.pi / 2
    balance = result.energy - result.work.total
    np.testing.assert_allclose(balance, balance[0], rtol=1e-9)


def test_links_of_equal_levers_around_a_moving_pin():
    """The pin of the second joint: the distance of two points at the lever l from it depends on the relative angle."""
    ground = RigidBody("ground")
    upper, lower = (RigidBody(name, mass=m) for name in ("upper", "lower"))
    system = System.from_newtonian(ground)
    system.add_joints(
        PinJoint("hip", ground, upper, s, w, joint_axis=ground.z, child_point=upper.y),
        PinJoint("knee", upper, lower, q, u, joint_axis=upper.z, parent_point=-upper.y, child_point=lower.y),
    )
    ends = (
        upper.masscenter.locatenew("a", -upper.y + l * upper.x),
        lower.masscenter.locatenew("b", lower.y + l * lower.y),
    )
    system.add_actuators(LinearSpring(k, LinearPathway(*ends), r))
    model = HybridModel(system, [])
    numbers = dict.fromkeys(model.parameters, 1.0) | {l: 0.5, r: 0.3}
    result = model.simulate((0, 2), [0.2, -0.3, 0.0, -3.0], numbers, rtol=1e-11, atol=1e-13)
    assert len(result.events) > 0
    np.testing.assert_allclose(np.abs(np.sin([event.x_minus[1] for event in result.events])), 1, atol=1e-9)
    np.testing.assert_allclose(result.energy, result.energy[0], rtol=1e-9)


def test_a_leg_along_an_axis_passes_an_obstacle():
    """A slider at q from D over the origin: the leg |q| has a corner, where a quotient would have no value."""

    def act(O, P):
        ((_, N),) = P.pos_from(O).args
        return LinearSpring(k, ObstacleSetPathway(O.locatenew("D", -l * N.y), O, P), r)

    model = mass_on_axis(act)
    result = checked_run(model, (0, 5), [1, -1], {m: 1, k: 2, l: 1, r: 1.5}, rtol=1e-10, atol=1e-13)
    assert len(result.events) >= 2
    np.testing.assert_allclose([event.x_minus[0] for event in result.events], 0, atol=1e-9)
    np.testing.assert_allclose(result.energy, result.energy[0], rtol=1e-9)


def test_a_step_that_ends_at_length_zero_ends_the_run():
    model = in_a_plane(lambda O, P: ForceActuator(F, LinearPathway(O, P)))
    result = model.simulate((0, 2), [1, 0, -1, 0], {m: 1, F: 0}, method="RK4", max_step=0.25)
    assert result.status is Status.NOT_FINITE
    assert result.t[-1] == 0.75
    assert "a division by zero" in result.message
