"""The promise: equilibria, their contact forces and their stability are those of statics, from guesses near them."""

import numpy as np
import pytest
import sympy as sm
from hypothesis import strategies as st
from mechanics_oracle import bead_on_hoop, cube
from quick_members import examples
from sympy.physics.mechanics import (
    Force,
    LinearDamper,
    LinearPathway,
    LinearSpring,
    Particle,
    Point,
    ReferenceFrame,
    Torque,
    dynamicsymbols,
)
from trajectory import check_trajectory

from sympact import Contact, HybridModel, NoEquilibrium, Plane
from sympact.models import belt_oscillator, double_pendulum, rocking_block, tumbling_cube
from sympact.models.blocks.rocking_block import HEIGHT, WIDTH
from sympact.models.planar import planar_body, planar_system

G = 9.81
N, B, O = ReferenceFrame("N"), ReferenceFrame("B"), Point("O")
m, l, g, k, c, mu, alpha, rest_length = sm.symbols("m l g k c mu alpha d", positive=True)
x, y, theta, v, w, omega, T = dynamicsymbols("x y theta v w omega T")
B.orient_axis(N, theta, N.z)
FLOOR = Plane(O, N.y)


def driven_pendulum() -> HybridModel:
    """A bob on a rod with friction in the pivot and a torque T about it."""
    bob = Particle("bob", O.locatenew("P", -l * B.y), m)
    system = planar_system(N, O, [bob], sm.Matrix([theta]), sm.Matrix([omega]), g)
    system.add_loads(Torque(B, (T - c * omega) * N.z))
    return HybridModel(system, [])


PENDULUM = driven_pendulum()


@examples(13, 40, part=st.floats(-0.95, 0.95), guess=st.floats(-1.2, 1.2))
def test_a_pendulum_rests_where_its_torque_holds_it(part, guess):
    """sin(theta) = T/(m g l), from every guess that is not beyond the horizontal; damped, it is stable there."""
    numbers = {m: 1.3, l: 0.7, g: G, c: 0.4}
    found = PENDULUM.equilibrium([guess], numbers, inputs={T: part * 1.3 * 0.7 * G})
    assert found.x[0] == pytest.approx(np.arcsin(part), abs=1e-9)
    assert found.stable is True
    frequency = np.sqrt(G / 0.7 * np.cos(found.x[0]))
    assert found.linearization.modes()[0].frequency == pytest.approx(frequency, rel=1e-6)


def test_a_torque_that_no_place_balances_is_named_with_what_is_left():
    """T = 2 m g l: half of it is left at the horizontal, where gravity balances most."""
    with pytest.raises(NoEquilibrium, match="omega") as error:
        PENDULUM.equilibrium([0.3], {m: 1, l: 1, g: G, c: 1}, inputs={T: 2 * G})
    assert error.value.residual["omega(t)"] == pytest.approx(G, rel=1e-3)
    assert abs(error.value.x[0]) == pytest.approx(np.pi / 2, abs=1e-2)


@pytest.mark.parametrize(
    ("guess", "place", "stable"),
    [([0.4, -0.5], [0, 0], None), ([2.8, 3.4], [np.pi, np.pi], False), ([0.2, 3], [0, np.pi], False)],
)
def test_every_equilibrium_of_the_double_pendulum_is_found_from_near_it(guess, place, stable):
    made = double_pendulum()
    found = made.model.equilibrium(guess, made.parameters)
    np.testing.assert_allclose(found.x[:2], place, atol=1e-10)
    assert found.stable is stable
    assert found.residual < 1e-12


def leaning_rod() -> HybridModel:
    """A rod on a smooth wall and a smooth floor, its foot tied to the corner by a spring and a damper."""
    centre = O.locatenew("C", x * N.x + y * N.y)
    rod = planar_body("rod", centre, B, m, m * l**2 / 12)
    head, foot = centre.locatenew("head", -l / 2 * B.x), centre.locatenew("foot", l / 2 * B.x)
    system = planar_system(N, O, [rod], sm.Matrix([x, y, theta]), sm.Matrix([v, w, omega]), g)
    pathway = LinearPathway(O, foot)
    system.add_actuators(LinearSpring(k, pathway, rest_length), LinearDamper(c, pathway))
    contacts = [
        Contact(head, Plane(O, N.x), restitution=0, friction=0, name="head"),
        Contact(foot, FLOOR, restitution=0, friction=0, name="foot"),
    ]
    return HybridModel(system, contacts)


LEANING = leaning_rod()


@pytest.mark.parametrize("stiffness", [30.0, 100.0, 400.0])
def test_a_rod_that_leans_on_wall_and_floor_is_held_by_its_spring(stiffness):
    """V = m g l/2 sin(phi) + k/2 (l cos(phi) - d)^2: V' = 0, and the frequency is that of V''/(m l^2/3)."""
    mass, length, natural, damping = 2.0, 1.5, 0.6, 0.8
    found = LEANING.equilibrium(
        [0.6, 0.6, -0.8], {m: mass, l: length, g: G, k: stiffness, c: damping, rest_length: natural}
    )
    phi = -found.x[2]
    pull = stiffness * (length * np.cos(phi) - natural)
    assert mass * G / 2 * np.cos(phi) == pytest.approx(pull * np.sin(phi), rel=1e-10)
    np.testing.assert_allclose(found.x[:2], length / 2 * np.array([np.cos(phi), np.sin(phi)]), rtol=1e-10)
    assert found.closed == ("head", "foot")
    np.testing.assert_allclose(found.normal_force, [pull, mass * G], rtol=1e-9)
    inertia = mass * length**2 / 3
    curvature = (
        -mass * G * length / 2 * np.sin(phi)
        + stiffness * length**2 * np.sin(phi) ** 2
        - stiffness * (length * np.cos(phi) - natural) * length * np.cos(phi)
    )
    assert found.stable is bool(curvature > 0)
    roots = np.roots([inertia, damping * length**2 * np.sin(phi) ** 2, curvature])
    np.testing.assert_allclose(np.sort_complex(found.linearization.eigenvalues()), np.sort_complex(roots), rtol=1e-8)


def test_the_rod_oscillates_about_its_equilibrium_as_the_linearisation_says():
    """A run from a small change, with both contacts closed: the fitted motion is that of exp(A t), to its square."""
    numbers = {m: 2.0, l: 1.5, g: G, k: 100.0, c: 0.8, rest_length: 0.6}
    found = LEANING.equilibrium([0.6, 0.6, -0.8], numbers)
    change = 1e-3
    angle = found.x[2] + change
    start = [0.75 * np.cos(angle), -0.75 * np.sin(angle), angle, 0, 0, 0]
    run = LEANING.simulate((0, 1.5), start, numbers, rtol=1e-10, t_eval=np.linspace(0, 1.5, 30))
    check_trajectory(run, LEANING, numbers, rtol=1e-10)
    mode = found.linearization.modes()[0]
    s = mode.eigenvalue
    expected = (np.exp(s * run.t) * (1 + 1j * s.real / s.imag)).real * change  # at rest at first
    np.testing.assert_allclose(run[theta] - found.x[2], expected, atol=5e-3 * change)


def test_a_block_dropped_from_above_lies_on_both_corners_with_half_its_weight_each():
    for friction in (0.0, 0.5):
        block = rocking_block(0.3, friction)
        found = block.model.equilibrium([0.3, 2.0, 0.1], block.parameters)
        np.testing.assert_allclose(found.x[1:3], [HEIGHT / 2, 0], atol=1e-10)
        np.testing.assert_allclose(found.normal_force, [G / 2, G / 2], rtol=1e-9)
        np.testing.assert_allclose(found.friction_force, 0, atol=1e-9)


def test_a_block_named_as_closed_on_one_corner_is_balanced_on_it():
    block = rocking_block()
    found = block.model.equilibrium([0.0, 0.5, 0.2], block.parameters, closed=["left"])
    assert found.x[2] == pytest.approx(np.arctan2(WIDTH, HEIGHT), rel=1e-9)
    assert found.stable is False
    assert found.normal_force == pytest.approx([G, 0])


def test_a_cube_shares_its_weight_among_four_corners():
    made = tumbling_cube()
    start = [0.1, 0.2, 0.6, 0.3, 1.5707963267948966, 0.0]
    found = made.model.equilibrium(start, made.parameters)
    weight = float(next(value for letter, value in made.parameters.items() if letter.name == "g"))
    mass = float(next(value for letter, value in made.parameters.items() if letter.name == "m"))
    forces = found.normal_force[found.normal_force > 0]
    np.testing.assert_allclose(forces, mass * weight / 4, rtol=1e-8)


def on_a_slope() -> HybridModel:
    """A particle on a rough plane that falls to the right."""
    P = O.locatenew("P", x * N.x + y * N.y)
    slope = Plane(O, sm.sin(alpha) * N.x + sm.cos(alpha) * N.y)
    system = planar_system(N, O, [Particle("mass", P, m)], sm.Matrix([x, y]), sm.Matrix([v, w]), g)
    return HybridModel(system, [Contact(P, slope, restitution=0, friction=mu, name="mass")])


SLOPE = on_a_slope()


@examples(10, 30, angle=st.floats(0.05, 1.2), margin=st.floats(1.01, 3.0))
def test_a_mass_stays_on_a_slope_that_is_less_steep_than_its_friction(angle, margin):
    """The forces are m g cos(alpha) and m g sin(alpha) up the slope, within the cone, near the guess."""
    found = SLOPE.equilibrium([0.4, 0.3], {m: 1.5, g: G, alpha: angle, mu: margin * np.tan(angle)})
    assert found.normal_force[0] == pytest.approx(1.5 * G * np.cos(angle), rel=1e-8)
    along = np.array([-np.cos(angle), np.sin(angle), 0])
    np.testing.assert_allclose(found.friction_force[0], 1.5 * G * np.sin(angle) * along, atol=1e-7)


def test_a_mass_on_a_slope_that_is_too_steep_has_no_equilibrium():
    with pytest.raises(NoEquilibrium, match="no equilibrium was found from this guess"):
        SLOPE.equilibrium([0.4, 0.3], {m: 1.5, g: G, alpha: 0.6, mu: 0.9 * np.tan(0.6)})


def test_a_spring_within_the_friction_stays_and_beyond_it_shrinks_to_the_cone():
    """|k x| <= mu_s m g: 0.2 m of deflection is beyond 0.049 m, where the search ends."""
    mass = belt_oscillator(belt=0)
    stays = mass.model.equilibrium([0.02, 0.0], mass.parameters)
    assert stays.x[0] == 0.02
    assert stays.steps == 0
    found = mass.model.equilibrium([0.2, 0.0], mass.parameters)
    assert found.x[0] == pytest.approx(0.5 * G / 100, rel=1e-8)
    np.testing.assert_allclose(found.friction_force[0], [100 * found.x[0], 0, 0], rtol=1e-9, atol=1e-9)


def test_a_mass_on_a_moving_belt_is_deflected_by_its_friction():
    mass = belt_oscillator()
    found = mass.model.equilibrium([0.0, 0.2], mass.parameters)
    assert found.x[0] == pytest.approx(0.3 * G / 100, rel=1e-12)
    assert list(found.linearization.closed.values()) == ["slips"]


def test_a_bead_on_a_turning_hoop_rises_when_the_hoop_is_fast():
    """cos(q) = g/(r W^2); stable with the frequency W sin(q), while the lowest point is unstable."""
    kane, _, _ = bead_on_hoop()
    model = HybridModel(kane, [])
    letters = {symbol.name: symbol for symbol in model.parameters}
    numbers = {letters["m"]: 1.0, letters["r"]: 0.5, letters["g"]: G, letters["Omega"]: 6.0}
    found = model.equilibrium([0.6], numbers)
    assert np.cos(found.x[0]) == pytest.approx(G / 0.5 / 36, rel=1e-10)
    (mode,) = found.linearization.modes()
    assert mode.frequency == pytest.approx(6 * np.sin(found.x[0]), rel=1e-10)
    assert model.equilibrium([0.0], numbers).stable is False


def test_a_conical_pendulum_circles_with_the_speed_that_is_given():
    """A steady motion: cos(theta) = g/(l W^2), where the rate W of the azimuth is a constant speed."""
    phi, spin = dynamicsymbols("phi spin")
    A, D = N.orientnew("A", "Axis", (phi, N.y)), ReferenceFrame("D")
    D.orient_axis(A, theta, A.z)
    bob = Particle("bob", O.locatenew("P", -l * D.y), m)
    system = planar_system(N, O, [bob], sm.Matrix([phi, theta]), sm.Matrix([spin, omega]), g)
    model = HybridModel(system, [])
    found = model.equilibrium([0.0, 0.8], {m: 1.0, l: 1.0, g: G}, speeds={spin: 4.0})
    assert np.cos(found.x[1]) == pytest.approx(G / 16, rel=1e-10)
    assert found.x[2:] == pytest.approx([4.0, 0.0])


def test_a_body_on_springs_is_found_with_a_unit_quaternion():
    """A cube that hangs on a spring at one corner: its centre is below that corner."""
    system, corners = cube("quaternion")
    stiffness = sm.Symbol("K", positive=True)
    anchor = system.fixed_point.locatenew("anchor", 2 * system.frame.z)
    system.add_actuators(LinearSpring(stiffness, LinearPathway(anchor, corners[0])))
    model = HybridModel(system, [])
    numbers = {symbol: {"h": 0.2, "K": 80.0}.get(symbol.name, 1.0) for symbol in model.parameters}
    found = model.equilibrium([0.1, 0.0, 1.0, 0.9, 0.2, 0.1, 0.0], numbers)
    assert np.linalg.norm(found.x[3:7]) == pytest.approx(1, abs=1e-12)
    assert found.x[:3] == pytest.approx([0, 0, 2 - 1 / 80 - 0.2 * np.sqrt(3)], abs=1e-9)
    assert len(found.linearization.states) == 12


def test_equilibria_that_eigenvalues_call_stable_and_unstable_are_so_in_runs():
    """A damped pendulum returns to its lower equilibrium and leaves the upper one."""
    numbers = {m: 1, l: 1, g: G, c: 0.8}
    for guess, stable in ((0.1, True), (3.0, False)):
        found = PENDULUM.equilibrium([guess], numbers, inputs={T: 0.5 * G})
        start = [found.x[0] + 1e-4, 0]
        run = PENDULUM.simulate((0, 6), start, numbers, inputs={T: 0.5 * G})
        change = abs(run[theta] - found.x[0])
        assert found.stable is stable
        assert (change[-1] < 0.5e-4) if stable else (change.max() > 0.1)


def test_a_load_that_nothing_balances_is_named():
    P = O.locatenew("falling", y * N.y)
    system = planar_system(N, O, [Particle("mass", P, m)], sm.Matrix([y]), sm.Matrix([w]), g)
    model = HybridModel(system, [Contact(P, FLOOR, restitution=0, friction=0, name="mass")])
    assert model.equilibrium([3.0], {m: 1, g: G}).closed == ("mass",)
    with pytest.raises(NoEquilibrium, match=r"-9\.81 in w\(t\)"):
        model.equilibrium([3.0], {m: 1, g: G}, closed=())
    system.add_loads(Force(P, 20 * m * N.y))
    lifted = HybridModel(system, [Contact(P, FLOOR, restitution=0, friction=0, name="mass")])
    with pytest.raises(NoEquilibrium, match=r"would have to pull with 10\.19 N"):
        lifted.equilibrium([3.0], {m: 1, g: G}, closed=["mass"])


def test_an_equilibrium_prints_its_state_forces_and_stability():
    block = rocking_block()
    text = repr(block.model.equilibrium([0.0, 2.0, 0.1], block.parameters))
    for part in ("Equilibrium at t = 0", "y = 0.5", "left (4.905 N), right (4.905 N)", "not decided"):
        assert part in text, part


def test_an_equilibrium_on_a_condition_has_no_linearisation_and_gives_the_reason():
    """Dry friction written as a sign of the speed: at rest its two sides have different slopes."""
    bob = Particle("bob", O.locatenew("Q", -l * B.y), m)
    system = planar_system(N, O, [bob], sm.Matrix([theta]), sm.Matrix([omega]), g)
    system.add_loads(Torque(B, -c * sm.Abs(omega) * omega * N.z - c * sm.Max(omega, 0) * N.z))
    found = HybridModel(system, []).equilibrium([0.4], {m: 1, l: 1, g: G, c: 1})
    assert found.x[0] == pytest.approx(0, abs=1e-9)
    assert found.linearization is None
    assert found.stable is None
    assert "omega" in found.refusal
