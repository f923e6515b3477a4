"""Impact laws and resolutions in models: runs against the same impact posed in matrices."""

from __future__ import annotations

import math
import warnings
from functools import cache

import numpy as np
import pytest
import sympy as sm
from impact_problems import double_pendulum
from quick_members import members
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, RigidBody, System, dynamicsymbols, inertia
from trajectory import checked_run

from sympact import (
    Contact,
    CustomLaw,
    Energetic,
    HybridModel,
    ImpactWarning,
    ImpulseRatio,
    Newton,
    Plane,
    Plastic,
    Poisson,
    Sequential,
    Simultaneous,
    Status,
    load,
    solve_impact,
)
from sympact.models import struck_stack

t = dynamicsymbols._t


@cache
def apply_impact(law) -> tuple[HybridModel, list[float]]:
    """Kane's double pendulum at the instant of its strike, a floor at the height of its tip."""
    q, u = dynamicsymbols("q1:3"), dynamicsymbols("u1:3")
    N, O = ReferenceFrame("N"), Point("O")
    O.set_vel(N, 0)
    system, end = System(N, O), O
    for k in range(2):
        A = N.orientnew(f"A{k}", "Axis", (q[k], N.z))
        A.set_ang_vel(N, u[k] * N.z)
        middle, tip = end.locatenew(f"C{k}", -A.y / 2), end.locatenew(f"P{k}", -A.y)
        middle.v2pt_theory(end, N, A)
        tip.v2pt_theory(end, N, A)
        system.add_bodies(RigidBody(f"rod {k}", middle, A, 1, (inertia(A, 0, 0, sm.Rational(1, 12)), middle)))
        end = tip
    system.add_coordinates(*q)
    system.add_speeds(*u)
    system.add_kdes(*(u[k] - q[k].diff(t) for k in range(2)))
    system.apply_uniform_gravity(-sm.Rational(981, 100) * N.y)
    first, second = math.radians(20), math.radians(30)
    floor = Plane(O.locatenew("floor", -(math.cos(first) + math.cos(second)) * N.y), N.y)
    contact = Contact(end, floor, restitution=0.7, friction=0.5, name="tip")
    return HybridModel(system, [contact], impact=law, length=1), [first, second, -0.1, -0.2]


def run(law, **options):
    model, start = apply_impact(law)
    return model.simulate((0, 1e-3), start, {}, **options)


@pytest.mark.parametrize("law", [Poisson(), Energetic(), Newton(guard=True)])
def test_a_strike_in_a_run_is_the_one_posed_in_matrices(law):
    with warnings.catch_warnings():
        warnings.simplefilter("error", ImpactWarning)
        event = run(law).events[0]
    assembled = double_pendulum(e=0.7, mu=0.5)
    hit = assembled.solve(law)
    assert event.kind == "impact"
    assert event.x_plus[2:] == pytest.approx(assembled.u + hit.speed_change, rel=1e-11)
    assert event.impulse == pytest.approx(hit.impulses, rel=1e-11)
    assert np.abs(event.friction_impulse).max() == pytest.approx(np.abs(hit.friction_impulses).max(), rel=1e-11)
    assert event.energy == pytest.approx(hit.energy, rel=1e-9, abs=1e-14)
    assert event.factor == pytest.approx(hit.factor, rel=1e-9)


def test_a_gain_is_told_with_its_cause_and_cure():
    with pytest.warns(ImpactWarning, match=r"tip.*176 %.*with friction.*Energetic\(\).*Newton\(guard=True\)"):
        event = run(Newton()).events[0]
    assert event.energy == pytest.approx(double_pendulum(e=0.7, mu=0.5).solve(Newton()).energy, rel=1e-11)
    assert event.factor == 1.0


def test_the_factor_of_the_guard_is_kept_in_files(tmp_path):
    result = run(Newton(guard=True))
    result.save(tmp_path / "strike.npz")
    assert load(tmp_path / "strike.npz").events[0].factor == result.events[0].factor < 1
    assert result.events.columns()["factor"][0] == result.events[0].factor


def test_a_model_compares_its_impact_under_all_laws():
    model, start = apply_impact(Newton())
    found = model.compare_impacts(0.0, start, {})
    assembled = double_pendulum(e=0.7, mu=0.5)
    for outcome in found.outcomes:
        assert outcome.solution.speed_change == pytest.approx(assembled.solve(outcome.law).speed_change, rel=1e-11)
    assert not found.agree
    with pytest.raises(ValueError, match=r"no contact touches at this state: the nearest gap is .* 'tip'"):
        model.compare_impacts(0.0, [0.5, 0.6, 0.0, 0.0], {})
    named = model.compare_impacts(0.0, [0.5, 0.6, -0.1, -0.1], {}, contacts=["tip"], pairs=[(Newton(), Simultaneous())])
    assert len(named.outcomes) == 1


@pytest.mark.parametrize("rates", [(0.0, 0.0), (3e-13, -2e-13), (0.1, 0.2)], ids=["rest", "rounding", "leaves"])
def test_a_state_without_an_impact_has_nothing_to_compare(rates):
    model, start = apply_impact(Newton())
    found = model.compare_impacts(0.0, [*start[:2], *rates], {})
    assert found.agree
    assert found.sentence() == "no contact approaches at this state: there is no impact; give a state just before one"


@cache
def balls_in_a_row(law, resolution, count: int = 3) -> HybridModel:
    """Balls of 1 kg and no size on a line, all but the first of which touch the next."""
    q, u = dynamicsymbols(f"q1:{count + 1}"), dynamicsymbols(f"u1:{count + 1}")
    N, O = ReferenceFrame("N"), Point("O")
    system, points = System(N, O), [Point(f"P{k}") for k in range(count)]
    for k, point in enumerate(points):
        point.set_pos(O, q[k] * N.x)
        system.add_bodies(Particle(f"ball {k}", point, 1))
    system.add_coordinates(*q)
    system.add_speeds(*u)
    system.add_kdes(*(u[k] - q[k].diff(t) for k in range(count)))
    contacts = [
        Contact(points[k], Plane(points[k + 1], -N.x), restitution=1, friction=0, name=f"{k} on {k + 1}")
        for k in range(count - 1)
    ]
    return HybridModel(system, contacts, impact=law, resolution=resolution, length=1)


@pytest.mark.parametrize(
    ("law", "resolution"),
    [
        (Newton(), Simultaneous()),
        (Newton(), Sequential()),
        (Poisson(), Sequential()),
        (Energetic(), Sequential(order="first")),
        (Energetic(), ImpulseRatio(1, 1.5)),
    ],
)
def test_a_row_of_balls_that_touch_passes_the_blow_as_in_matrices(law, resolution):
    """The contact of the balls at rest is closed; its restitution counts where contacts hand impulses on."""
    model = balls_in_a_row(law, resolution)
    result = checked_run(model, (0, 1), [-0.5, 0, 0, 1, 0, 0], {})
    event = next(event for event in result.events if event.kind == "impact")
    rows, u = np.array([[-1.0, 1.0, 0.0], [0.0, -1.0, 1.0]]), np.array([1.0, 0.0, 0.0])
    hit = solve_impact(np.eye(3), rows, rows @ u, 1.0, law=law, resolution=resolution)
    assert event.t == pytest.approx(0.5, abs=1e-12)
    assert event.x_plus[3:] == pytest.approx(u + hit.speed_change, abs=1e-12)
    assert event.energy == pytest.approx(0.0, abs=1e-10)


def test_a_plastic_strike_that_would_take_a_pull_is_braked_by_friction():
    """The tip of Kane's pendulum cannot be stopped by pushing: G^-1 of its speeds asks for a pull.

    With boundless friction and no normal impulse at all, P_T = -gamma_N/G_NT ends its approach and leaves it the slip
    gamma_T - G_TT gamma_N/G_NT. A coefficient of 1000 asks for a normal impulse of a thousandth of P_T.
    """
    assembled = double_pendulum(e=0.7, mu=0.5)
    g = assembled.delassus()[:2, :2]
    rate, slip = assembled.rates[0], assembled.slip[0, 0]
    assert -np.linalg.solve(g, [rate, slip])[0] < 0
    friction = -rate / g[0, 1]
    assert friction * (slip + g[1, 1] * friction) < 0 < friction * -slip
    hit = assembled.solve(Plastic())
    near = 3e-3 * abs(friction) * g.max()
    assert [hit.gap_rate_plus[0], hit.slip_plus[0, 0]] == pytest.approx([0.0, slip + g[1, 1] * friction], abs=near)
    assert 0 <= hit.impulses[0] <= 1.001e-3 * abs(hit.friction_impulses[0, 0])
    event = next(event for event in run(Plastic()).events if event.kind == "impact")
    assert event.x_plus[2:] - event.x_minus[2:] == pytest.approx(hit.speed_change, abs=1e-6)
    assert event.energy < 0


def test_a_plastic_foot_stays_where_it_strikes():
    """However small the coefficient, the strike stops all; afterwards the coefficient decides."""
    x, y, v, w = dynamicsymbols("x y v w")
    N, O, P = ReferenceFrame("N"), Point("O"), Point("P")
    P.set_pos(O, x * N.x + y * N.y)
    system = System(N, O)
    system.add_bodies(Particle("foot", P, 2))
    system.add_coordinates(x, y)
    system.add_speeds(v, w)
    system.add_kdes(v - x.diff(t), w - y.diff(t))
    system.apply_uniform_gravity(-10 * N.y)
    contact = Contact(P, Plane(O, N.y), restitution=0.9, friction=0.01, name="foot")
    model = HybridModel(system, [contact], impact=Plastic(), length=1)
    result = checked_run(model, (0, 1), [0, 0, 4, -3], {})
    event = result.events[0]
    assert event.x_plus[2:] == pytest.approx([0.0, 0.0], abs=1e-14)
    assert event.energy == pytest.approx(-25.0, rel=1e-13)
    assert result.x[:2, -1] == pytest.approx([0.0, 0.0], abs=1e-12)


@cache
def rough_box(law, resolution) -> HybridModel:
    """A box of 1 kg, 1 m by 0.6 m, that moves in a plane above a rough floor; its four corners are contacts."""
    x, y, turn, v, w, spin = dynamicsymbols("x y turn v w spin")
    N, B, O, C = ReferenceFrame("N"), ReferenceFrame("B"), Point("O"), Point("C")
    B.orient_axis(N, N.z, turn)
    B.set_ang_vel(N, spin * N.z)
    C.set_pos(O, x * N.x + y * N.y)
    C.set_vel(N, v * N.x + w * N.y)
    system = System(N, O)
    system.add_bodies(RigidBody("box", C, B, 1, (inertia(B, 0, 0, (1 + sm.Rational(9, 25)) / 12), C)))
    system.add_coordinates(x, y, turn)
    system.add_speeds(v, w, spin)
    system.add_kdes(v - x.diff(t), w - y.diff(t), spin - turn.diff(t))
    system.apply_uniform_gravity(-10 * N.y)
    corners = [
        C.locatenew(f"{i}{j}", sm.Rational(i, 2) * B.x + sm.Rational(3 * j, 10) * B.y) for i in (-1, 1) for j in (-1, 1)
    ]
    floor = Plane(O, N.y)
    contacts = [Contact(P, floor, restitution=0.5, friction=0.4, name=P.name) for P in corners]
    return HybridModel(system, contacts, impact=law, resolution=resolution)


BY_RATIO = pytest.param(Energetic(), ImpulseRatio(1, 1.5), id="by ratio")
PAIRS = [
    (law, resolution)
    for law in (Newton(guard=True), Poisson(), Energetic())
    for resolution in (Simultaneous(), Sequential(max_impacts=20_000))
]


@pytest.mark.parametrize(("law", "resolution"), [*members(PAIRS, slow=PAIRS[1:4]), BY_RATIO])
def test_a_box_on_a_rough_floor_comes_to_rest_under_every_law(law, resolution):
    """Closed corners keep their restitution in impacts of the others, and hops die away all the same."""
    model = rough_box(law, resolution)
    for turn, spin in ((0.4, 1.0), (2.0, -3.0), (0.0, 0.0)):
        result = checked_run(model, (0, 8), [0, 1.5, turn, 0.7, 0, spin], {})
        assert result.status is Status.FINISHED
        assert result.path[-1].endswith("(at rest)")
        assert result.gaps.min() >= -1e-9
        energies = [event.energy for event in result.events if event.kind == "impact"]
        assert max(energies) <= 1e-12
        assert result.x[3:, -1] == pytest.approx([0.0, 0.0, 0.0], abs=1e-9)
        face = result.x[2, -1] % (math.pi / 2)
        assert min(face, math.pi / 2 - face) <= 1e-9


@pytest.mark.parametrize("hit", [1, 2, 3])
def test_a_closed_contact_that_neither_feels_a_blow_nor_changes_is_not_listed(hit):
    """A ball strikes a block of a stack on a rough floor: most contacts feel no more than rounding."""
    result = struck_stack(hit=hit).simulate()
    strikes = [event for event in result.events if event.kind == "impact"]
    assert strikes
    for event in strikes:
        before, after = ({*name.removesuffix(" (at rest)").split(", ")} for name in (event.source, event.target))
        changed = {word.rsplit(" ", 1)[0] for word in before ^ after}
        for name, impulse in zip(event.contacts, event.impulse, strict=True):
            assert impulse > 1e-9 * event.impulse.max() or name in changed


@cache
def corner(resolution) -> HybridModel:
    """A particle between two walls without restitution that meet at 37 degrees."""
    x, y, v, w = dynamicsymbols("x y v w")
    N, O, P = ReferenceFrame("N"), Point("O"), Point("P")
    P.set_pos(O, x * N.x + y * N.y)
    system = System(N, O)
    system.add_bodies(Particle("ball", P, 1))
    system.add_coordinates(x, y)
    system.add_speeds(v, w)
    system.add_kdes(v - x.diff(t), w - y.diff(t))
    tilted = -sm.Rational(4, 5) * N.x + sm.Rational(3, 5) * N.y
    walls = [Plane(O, N.x), Plane(O, tilted)]
    contacts = [Contact(P, wall, restitution=0, friction=0, name=f"wall {k}") for k, wall in enumerate(walls)]
    return HybridModel(system, contacts, resolution=resolution, length=1)


def test_single_impacts_without_an_end_end_the_run_with_a_status_of_their_own():
    # gamma = (-1, -0.5): v = -1 and -0.8 v + 0.6 w = -0.5
    start = [0.0, 0.0, -1.0, (-0.5 - 0.8) / 0.6]
    result = corner(Sequential(max_impacts=5)).simulate((0, 1), start, {})
    assert result.status is Status.UNENDED_IMPACT
    assert result.t[-1] == 0.0
    settled = checked_run(corner(Sequential()), (0, 1), start, {})
    assert settled.status is Status.FINISHED
    assert np.abs(settled.x[2:, -1]).max() <= 1e-9


def test_an_exception_of_a_law_comes_out_with_the_run_so_far():
    def law(mass_matrix, jacobian, velocity, restitution, friction):
        raise ZeroDivisionError("the law is broken")

    with pytest.raises(ZeroDivisionError, match="the law is broken") as error:
        balls_in_a_row(CustomLaw(law), Simultaneous()).simulate((0, 1), [-0.5, 0, 0.2, 1, 0, 0], {})
    assert error.value.__notes__[0] == "raised by the impact law law"
    assert error.value.result.t[-1] == pytest.approx(0.5, abs=1e-12)


def test_a_law_of_ones_own_runs():
    def newton(mass_matrix, jacobian, velocity, restitution, friction):
        normals = jacobian[:, 0]
        g = normals @ np.linalg.solve(mass_matrix, normals.T)
        impulses = np.zeros_like(velocity)
        impulses[:, 0] = np.linalg.solve(g, -(1 + restitution) * velocity[:, 0])
        return impulses

    start = [-0.5, 0, 0.2, 1, 0, 0]
    own = balls_in_a_row(CustomLaw(newton), Simultaneous()).simulate((0, 1), start, {})
    known = balls_in_a_row(Newton(), Simultaneous()).simulate((0, 1), start, {})
    assert own.x[:, -1] == pytest.approx(known.x[:, -1], abs=1e-12)


@pytest.mark.parametrize(
    ("law", "resolution", "sentence"),
    [
        (Newton(), ImpulseRatio(1, 1), r"defined with impact=Energetic\(\) only; found Newton\(\)"),
        (Energetic(), ImpulseRatio([1, 2, 3], 1), "3 stiffnesses, expected one for each of the 2 contacts"),
    ],
)
def test_what_is_not_defined_is_refused_when_the_model_is_built(law, resolution, sentence):
    with pytest.raises(ValueError, match=sentence):
        balls_in_a_row(law, resolution)


def test_the_plastic_law_needs_no_friction():
    """One ball takes the next along, 1/2 and then 1/3 of its speed: Newton's law with e = 0, whatever e is."""
    result = balls_in_a_row(Plastic(), Simultaneous()).simulate((0, 1), [-0.5, 0, 0.2, 1, 0, 0], {})
    assert result.events.t == pytest.approx([0.5, 0.9], abs=1e-12)
    assert result.x[:, -1] == pytest.approx([0.2 + 0.1 / 3] * 3 + [1 / 3] * 3, abs=1e-12)
