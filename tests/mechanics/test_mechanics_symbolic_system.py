"""The promise: equations of motion that were written, in any form of SymPy's SymbolicSystem, move as their model."""

import numpy as np
import pytest
import sympy as sm
from sympy.physics.mechanics import LagrangesMethod, ReferenceFrame, SymbolicSystem, dynamicsymbols
from trajectory import check_trajectory

from sympact import HybridModel, Limit, load

t = dynamicsymbols._t


def pendulum():
    """A pendulum with damping by hand, and a stop on one side."""
    theta, omega = dynamicsymbols("theta omega")
    m, l, g, c, e = sm.symbols("m l g c e", positive=True)
    forcing = -m * g * l * sm.sin(theta) - c * omega
    limits = [Limit(theta + 0.4, restitution=e, name="stop")]
    numbers = {m: 1.2, l: 0.7, g: 9.81, c: 0.05, e: 0.8}
    return theta, omega, m * l**2, forcing, limits, numbers


def forms(q, u, mass, forcing, **more):
    """The three forms of one speed, explicit, combined and separate."""
    return {
        "explicit": SymbolicSystem([q, u], sm.Matrix([u, forcing / mass]), coord_idxs=[0], speed_idxs=[1], **more),
        "combined": SymbolicSystem([q], sm.Matrix([u, forcing]), [u], mass_matrix=sm.diag(1, mass), **more),
        "separate": SymbolicSystem(
            [q],
            sm.Matrix([forcing]),
            [u],
            mass_matrix=sm.Matrix([[mass]]),
            coordinate_derivatives=sm.Matrix([u]),
            **more,
        ),
    }


@pytest.mark.parametrize("form", ["explicit", "combined", "separate"])
def test_a_pendulum_in_three_forms_is_that_of_lagrange(form):
    q, u, mass, forcing, limits, numbers = pendulum()
    model = HybridModel(forms(q, u, mass, forcing)[form], limits)
    result = model.simulate((0, 5), {q: 1.0, u: 0.0}, numbers)
    check_trajectory(result, model, numbers)
    m, l, g, c, _ = numbers
    N = ReferenceFrame("N")
    A = N.orientnew("A", "Axis", [q, N.z])
    L = m * l**2 * q.diff() ** 2 / 2 + m * g * l * sm.cos(q)
    truth = HybridModel(LagrangesMethod(L, [q], forcelist=[(A, -c * q.diff() * N.z)], frame=N), limits)
    other = truth.simulate((0, 5), {q: 1.0, q.diff(): 0.0}, numbers)
    check_trajectory(other, truth, numbers)
    assert len(other.events) > 3
    np.testing.assert_allclose(result.events.t, other.events.t, rtol=1e-10)
    np.testing.assert_allclose(result.x[:, -1], other.x[:, -1], rtol=0, atol=1e-9)
    impulses = [np.concatenate([event.impulse for event in run.events]) for run in (result, other)]
    unit = 1.2 * 0.49 if form == "explicit" else 1.0  # an explicit form has the impulses of a unit inertia
    np.testing.assert_allclose(impulses[0] * unit, impulses[1], rtol=1e-9)


def test_three_forms_of_a_pendulum_end_at_the_same_state():
    q, u, mass, forcing, limits, numbers = pendulum()
    runs = [
        HybridModel(system, limits).simulate((0, 5), {q: 1.0, u: 0.0}, numbers)
        for system in forms(q, u, mass, forcing).values()
    ]
    assert len({len(run.events) for run in runs}) == 1
    computed = forms(q, u, mass, forcing)["combined"]
    computed.compute_explicit_form()  # which SymPy stores beside the matrix
    assert HybridModel(computed, limits).mass_matrix == sm.Matrix([[mass]])
    for run in runs[1:]:
        np.testing.assert_allclose(run.events.t, runs[0].events.t, rtol=1e-12)
        np.testing.assert_allclose(run.x[:, -1], runs[0].x[:, -1], rtol=0, atol=1e-11)


def two_masses():
    """Two masses on springs, of which the second hits a stop; speeds v = x1', w = x2' - x1'."""
    x = dynamicsymbols("x1 x2")
    v = dynamicsymbols("v w")
    m, k, e = sm.symbols("m k e", positive=True)
    L = m * (x[0].diff() ** 2 + 2 * x[1].diff() ** 2) / 2 - k * (x[0] ** 2 + (x[1] - x[0]) ** 2) / 2
    limits = [Limit(x[1] - x[0] + 0.3, restitution=e, name="apart"), Limit(0.5 - x[1], restitution=e, name="wall")]
    return x, v, (m, k, e), L, limits, {m: 1.0, k: 20.0, e: 0.6}


def test_speeds_that_couple_the_rates_have_their_own_mass_matrix():
    """T = m v^2 / 2 + m (v + w)^2; the separate form, and the combined one with states and rows in another order."""
    x, (v, w), (m, k, _), L, limits, numbers = two_masses()
    mass = sm.Matrix([[3 * m, 2 * m], [2 * m, 2 * m]])
    pull = k * (x[1] - x[0])
    forcing = sm.Matrix([-k * x[0], -pull])
    kinematics = sm.Matrix([v, v + w])
    separate = SymbolicSystem(x, forcing, [v, w], mass_matrix=mass, coordinate_derivatives=kinematics)
    # x2' - x1' = w as the kinematic row of x2, and an equation of motion that contains x1': 0 = m (x1' - v)
    matrix = sm.zeros(4, 4)
    matrix[0, 0], matrix[1, 0], matrix[1, 1] = 1, -1, 1
    matrix[2:, 2:] = mass
    matrix[2, 0] = m
    rest = sm.Matrix([v, w, *forcing]) + sm.Matrix([0, 0, m * v, 0])
    combined = SymbolicSystem([*x, v, w], rest, mass_matrix=matrix, coord_idxs=[0, 1], speed_idxs=[2, 3])
    truth = HybridModel(LagrangesMethod(L, x), limits)
    start = {x[0]: 0.5, x[1]: 0.4}
    other = truth.simulate((0, 3), {**start, x[0].diff(): 2.0, x[1].diff(): 1.0}, numbers)
    assert {name for event in other.events for name in event.contacts} == {"apart", "wall"}
    for system in (separate, combined):
        model = HybridModel(system, limits)
        result = model.simulate((0, 3), {**start, v: 2.0, w: -1.0}, numbers)
        if system is separate:
            check_trajectory(result, model, numbers)
        np.testing.assert_allclose(result.events.t, other.events.t, rtol=1e-9)
        np.testing.assert_allclose(result.x[:2, -1], other.x[:2, -1], rtol=0, atol=1e-8)
        np.testing.assert_allclose(
            np.concatenate([event.impulse for event in result.events]),
            np.concatenate([event.impulse for event in other.events]),
            rtol=1e-7,
        )
        np.testing.assert_allclose(
            [event.energy for event in result.events], [event.energy for event in other.events], rtol=0, atol=1e-7
        )


def test_the_explicit_form_takes_states_in_any_order():
    """The free motion of the two masses, whose rows are u1', x2', u2', x1'."""
    x, (v, w), (m, k, _), L, _, numbers = two_masses()
    pull = k * (x[1] - x[0])
    rows = sm.Matrix([(pull - k * x[0]) / m, w, -pull / (2 * m), v])
    system = SymbolicSystem([v, x[1], w, x[0]], rows, coord_idxs=[3, 1], speed_idxs=[0, 2])
    model = HybridModel(system, [])
    assert model.x == (x[0], x[1], v, w)
    numbers = {letter: numbers[letter] for letter in (m, k)}
    result = model.simulate((0, 3), {x[0]: 0.5, x[1]: 0.4, v: 2.0, w: -1.0}, numbers)
    start = {x[0]: 0.5, x[1]: 0.4, x[0].diff(): 2.0, x[1].diff(): -1.0}
    other = HybridModel(LagrangesMethod(L, x), []).simulate((0, 3), start, numbers)
    np.testing.assert_allclose(result.x[:, -1], other.x[:, -1], rtol=0, atol=1e-8)
    check_trajectory(other, HybridModel(LagrangesMethod(L, x), []), numbers)


def test_a_matrix_that_is_no_mass_matrix_moves_without_contacts_alone():
    """Rows in another order, or multiplied by factors: the motion is the same, the impacts are unknown."""
    x, (v, w), (m, k, _), _, limits, _ = two_masses()
    pull = k * (x[1] - x[0])
    swapped = sm.Matrix([[0, 2 * m], [m, 0]]), sm.Matrix([-pull, pull - k * x[0]])
    system = SymbolicSystem(x, swapped[1], [v, w], mass_matrix=swapped[0], coordinate_derivatives=sm.Matrix([v, w]))
    model = HybridModel(system, [])
    at = model.compile().flow(0.0, [0.5, 0.4, 0.0, 0.0], [20.0, 1.0])
    np.testing.assert_allclose(at[2:], [-12.0, 1.0], rtol=1e-14)
    with pytest.raises(ValueError, match="not symmetric or depends on the speeds, so that the impacts of the limit"):
        HybridModel(system, limits)


def test_its_output_equations_are_outputs_of_the_model():
    """Symbols that occur in them alone are parameters; further outputs may be added."""
    q, u, mass, forcing, limits, numbers = pendulum()
    scale = sm.Symbol("scale")
    energy = mass * u**2 / 2
    system = forms(q, u, mass, forcing, output_eqns={"T": scale * energy, "one": 1})["separate"]
    model = HybridModel(system, limits, outputs={"twice": 2 * q})
    result = model.simulate((0, 1), {q: 1.0, u: 0.5}, {**numbers, scale: 3.0})
    np.testing.assert_allclose(result["T"], 1.5 * 1.2 * 0.49 * result[u] ** 2, rtol=1e-13)
    np.testing.assert_array_equal(result["one"], 1.0)
    np.testing.assert_allclose(result["twice"], 2 * result[q], rtol=1e-15)
    with pytest.raises(ValueError, match=r"outputs \['T'\] already; give the further ones other names"):
        HybridModel(system, limits, outputs={"T": q})


def test_what_it_does_not_know_is_a_sentence(tmp_path):
    """Energies, of a run and of its file; what there is to draw; the report says so."""
    q, u, mass, forcing, limits, numbers = pendulum()
    model = HybridModel(forms(q, u, mass, forcing)["separate"], limits)
    result = model.simulate((0, 1), {q: 1.0, u: 0.0}, numbers)
    result.save(tmp_path / "run.npz")
    for run in (result, load(tmp_path / "run.npz")):
        for energy in ("kinetic_energy", "potential_energy", "energy"):
            with pytest.raises(ValueError, match=r"no .* energy: a SymbolicSystem has no bodies; write the energy as"):
                getattr(run, energy)
        with pytest.raises(ValueError, match="a SymbolicSystem has no bodies"):
            run.plot("energy")
    with pytest.raises(ValueError, match="a SymbolicSystem has no bodies"):
        model.compile().kinetic_energy(0.0, [0.0, 0.0], [0.0] * 5)
    with pytest.raises(ValueError, match="there is nothing to show: the model has no points"):
        result.animate()
    path = tmp_path / "report.html"
    result.report(path)
    assert "The energy is unknown: a SymbolicSystem has no bodies" in path.read_text(encoding="utf-8")
    assert "kinetic_energy" not in result.to_xarray()


def cartesian(form):
    """The pendulum of SymPy's own tests with its weight, whose last row determines the multiplier, a state."""
    x, y, u, v, lam = dynamicsymbols("x y u v lambda")
    m, l, g = sm.symbols("m l g", positive=True)
    columns = sm.Matrix([[1, 0, -x / m], [0, 1, -y / m], [0, 0, l**2 / m]])
    rest = sm.Matrix([0, -g, g * y - u**2 - v**2])
    states = {"coord_idxs": (0, 1), "speed_idxs": (2, 3), "output_eqns": {"tension": -lam * l}}
    letters, rates = (x, y, u, v, lam), sm.Matrix([u, v])
    if form == "separate":
        system = SymbolicSystem(letters, rest, mass_matrix=columns, coordinate_derivatives=rates, alg_con=[2], **states)
    whole = sm.diag(sm.eye(2), columns)
    if form == "combined":
        system = SymbolicSystem(letters, rates.col_join(rest), mass_matrix=whole, alg_con=[4], **states)
    if form == "explicit":
        solved = whole.LUsolve(rates.col_join(rest))
        system = SymbolicSystem(letters, solved, alg_con=[4], **states)
    if form == "rows":
        row = sm.Matrix([u, v, lam * x / m, lam * y / m - g, lam * l**2 / m - rest[2]])
        system = SymbolicSystem(letters, row, alg_con=[4], **states)
    return system, letters, (m, l, g)


@pytest.mark.parametrize("form", ["separate", "combined", "explicit", "rows"])
def test_rows_that_determine_a_multiplier_are_the_pendulum_in_its_angle(form):
    """x = l sin q, y = -l cos q; the multiplier is -tension / l, which m (g cos q + l q'^2) gives."""
    system, (x, y, u, v, lam), (m, l, g) = cartesian(form)
    model = HybridModel(system, [])
    assert model.x == (x, y, u, v)
    numbers = {m: 1.2, l: 0.7, g: 9.81}
    start = {x: 0.7 * np.sin(1.0), y: -0.7 * np.cos(1.0), u: 0.0, v: 0.0}
    given = {letter: numbers[letter] for letter in model.parameters}
    result = model.simulate((0, 3), start, given, rtol=1e-11, atol=1e-13)
    q = dynamicsymbols("q")
    L = m * l**2 * q.diff() ** 2 / 2 + m * g * l * sm.cos(q)
    truth = HybridModel(LagrangesMethod(L, [q]), [])
    other = truth.simulate((0, 3), {q: 1.0, q.diff(): 0.0}, numbers, t_eval=result.t, rtol=1e-11, atol=1e-13)
    np.testing.assert_allclose(result.x[0], 0.7 * np.sin(other.x[0]), rtol=0, atol=1e-8)
    tension = 1.2 * (9.81 * np.cos(other.x[0]) + 0.7 * other.x[1] ** 2)
    np.testing.assert_allclose(result["tension"], tension, rtol=1e-7)
    np.testing.assert_array_equal(result[lam], result["lambda"])
    np.testing.assert_allclose(-0.7 * result[lam], tension, rtol=1e-7)
    with pytest.raises(ValueError, match=r"algebraic rows determine lambda.*, so that the constraints that impacts of"):
        HybridModel(system, [Limit(x + 1, restitution=1, name="wall")])
