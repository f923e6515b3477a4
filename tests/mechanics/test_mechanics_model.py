"""The promises of `HybridModel`: formulas, letters, functions for the machine, and a graph that is always the same."""

import ctypes
from dataclasses import replace

import numpy as np
import pytest
import sympy as sm
from mechanics_oracle import assert_same_equations, chain, cube, evaluate, states
from quick_members import members
from sympy.physics.mechanics import (
    Particle,
    PinJoint,
    Point,
    PrismaticJoint,
    ReferenceFrame,
    RigidBody,
    System,
    dynamicsymbols,
)

from sympact import Contact, HybridModel, Plane
from sympact.graph import compile_functions, graph_table, numpy_function
from sympact.graph.code.llvm import emit
from sympact.mechanics import BlockJump, derive, describe
from sympact.mechanics.derived.compiled_functions import flow_function, mass_forcing_function

t = dynamicsymbols._t


def bouncing_ball():
    wall, ball = RigidBody("wall"), Particle("ball", mass=sm.Symbol("m"))
    system = System.from_newtonian(wall)
    system.add_joints(PrismaticJoint("z", wall, ball, joint_axis=wall.z))
    system.apply_uniform_gravity(-sm.Symbol("g") * wall.z)
    floor = Plane(wall.masscenter, wall.z)
    return system, [Contact(ball.masscenter, floor, restitution=sm.Symbol("e"), friction=0, name="floor")]


def dropped_cube(speeds="spin"):
    system, corners = cube(speeds)
    floor = Plane(system.fixed_point, system.z)
    return HybridModel(system, [Contact(P, floor, restitution=sm.Symbol("e"), friction=0) for P in corners])


def call(code, name, size, *arguments):
    """One of the model's machine functions."""
    arrays = [np.ascontiguousarray(a, dtype=float) for a in arguments[1:]]
    out = np.empty(size)
    pointers = [a.ctypes.data for a in (*arrays, out)]
    kinds = [ctypes.c_double] + [ctypes.c_void_p] * len(pointers)
    ctypes.CFUNCTYPE(None, *kinds)(code.address(name))(arguments[0], *pointers)
    return out


def test_formulas_of_a_bouncing_ball():
    model = HybridModel(*bouncing_ball())
    q, u = model.q[0], model.u[0]
    m, g, e = sm.symbols("m g e")
    assert (model.x, model.parameters, model.inputs) == ((q, u), (e, g, m), ())
    assert model.kinematics == sm.Matrix([u])
    assert model.mass_matrix == sm.Matrix([m])
    assert model.forcing == sm.Matrix([-g * m])
    assert (model.gaps, model.gap_rates, model.normal_jacobian) == (sm.Matrix([q]), sm.Matrix([u]), sm.Matrix([1]))
    assert sm.expand(model.jump_map("floor")) == sm.Matrix([-e * u])


def test_formulas_are_those_of_sympy():
    """Read back from the graph as trees, they give SymPy's own numbers; so do those with common parts."""
    system, _ = chain(2, "spatial")
    model = HybridModel(system, [])
    replacements, (matrix, forcing) = model.formulas("mass_matrix", "forcing")
    for symbol, expression in reversed(replacements):
        matrix, forcing = matrix.xreplace({symbol: expression}), forcing.xreplace({symbol: expression})
    derivation = model.derivation
    assert_same_equations(derivation, model.mass_matrix, model.forcing)
    assert_same_equations(derivation, matrix, forcing)


def test_formulas_that_would_be_too_large_name_the_way_out():
    system, _ = chain(5, "spherical")
    model = HybridModel(system, [])
    with pytest.raises(ValueError, match=r"model.mass_matrix has .* operations .*call model.formulas\('mass_matrix'\)"):
        _ = model.mass_matrix
    replacements, (matrix,) = model.formulas("mass_matrix")
    assert matrix.shape == (15, 15)
    assert 100 < len(replacements) < 5000
    assert model._repr_latex_() is None


def test_unknown_formulas_are_refused():
    with pytest.raises(ValueError, match=r"there are no formulas \['mass'\]; the model has \['kinematics', "):
        HybridModel(*bouncing_ball()).formulas("mass")


def test_large_models_give_their_jump_map_in_blocks():
    jump = dropped_cube().jump_map("P3")
    assert isinstance(jump, BlockJump)
    assert [str(block) for block in jump.blocks] == ["M", "W", "u^-", "w", "e"]
    assert jump._repr_latex_().startswith(r"$\displaystyle u^+ =")


def test_the_table_names_everything():
    text = repr(HybridModel(*bouncing_ball()))
    for part in ("q_z", "u_z", "e, g, m", "floor", "Newton(), Simultaneous()", "largest excursion"):
        assert part in text
    assert "M \\dot u" in HybridModel(*bouncing_ball())._repr_latex_()


def test_symbols_that_drop_out_need_no_values():
    """In a planar motion of bodies made without arguments, one of six moments and products of inertia counts."""
    ground, rod = RigidBody("ground"), RigidBody("rod")
    system = System.from_newtonian(ground)
    top = rod.masscenter.locatenew("top", sm.Symbol("l") * rod.y)
    system.add_joints(PinJoint("J", ground, rod, child_point=top, joint_axis=ground.z))
    model = HybridModel(system, [])
    assert [str(symbol) for symbol in model.parameters] == ["l", "rod_izz", "rod_mass"]
    assert {str(symbol) for symbol in model.unused_parameters} == {
        f"rod_{i}" for i in ("ixx", "ixy", "iyy", "iyz", "izx")
    }


def test_length_is_the_largest_distance_in_a_body():
    """A cube of half edge h: 2 sqrt(3) h between opposite corners, wherever it is."""
    model = dropped_cube()
    letters = model.derivation.symbols.parameters
    p = np.array([0.7 if str(letter) == "h" else 3.0 for letter in letters])
    assert model.length_value(p) == pytest.approx(2 * np.sqrt(3) * 0.7, rel=1e-15)


def test_length_of_links_counts_their_joints():
    system, _ = chain(2, "planar")
    model = HybridModel(system, [])
    values = {"l0": 2.0, "d0": 0.5, "l1": 5.0, "d1": 3.0}
    p = [values.get(str(letter), 1.0) for letter in model.derivation.symbols.parameters]
    assert model.length_value(p) == pytest.approx(3.0)  # top to centre of the second: its tip is no point in use


def test_length_of_one_point_is_zero_unless_it_is_given():
    assert HybridModel(*bouncing_ball()).length_value([1.0, 1.0, 1.0]) == 0.0
    system, contacts = bouncing_ball()
    given = HybridModel(system, contacts, length=2 * sm.Symbol("g"))
    assert given.length_value([1.0, 9.8, 1.0]) == pytest.approx(19.6)


def test_quantities_of_any_expression():
    system, contacts = bouncing_ball()
    model = HybridModel(system, contacts, outputs={"power": system.u[0] * sm.Symbol("m")})
    f = model.quantities([model.q[0] ** 2, model.q[0].diff(t)])
    assert f(0.0, [[1.0, 2.0], [3.0, 4.0]], [1.0, 1.0, 1.0]).tolist() == [[1.0, 4.0], [3.0, 4.0]]
    with pytest.raises(ValueError, match="cannot read k"):
        model.quantities([sm.Symbol("k")])


@pytest.mark.parametrize("speeds", ["rates", "spin", "quaternion"])
def test_machine_code_and_numpy_agree(speeds):
    """Every function of the cube, to rounding; both come from the same graph by different ways."""
    model = dropped_cube(speeds)
    code = compile_functions(model.derivation.graph, model.functions)
    names = [function.name for function in model.functions]
    assert ("project" in names) == (speeds == "quaternion")
    rng = np.random.default_rng(3)
    for x, p, time in states(model.derivation):
        xdot = rng.normal(size=len(x))
        for function in model.functions:
            given = (time, x, xdot, p) if "xdot" in function.arguments else (time, x, p)
            truth = numpy_function(model.derivation.graph, function)(*given)
            assert call(code, function.name, function.size, *given) == pytest.approx(truth, rel=1e-12, abs=1e-13)


def test_impact_function_has_the_order_the_impact_laws_expect():
    model = HybridModel(*bouncing_ball())
    code = compile_functions(model.derivation.graph, model.functions)
    values = {"m": 2.0, "g": 9.8, "e": 0.5}
    p = [values[str(letter)] for letter in model.derivation.symbols.parameters]
    assert call(code, "impact", 4, 0.0, [1.0, 2.0], p).tolist() == [2.0, 1.0, 0.0, 0.5]
    assert call(code, "boundary", 3, 0.0, [1.0, -2.0], [-2.0, -9.8], p).tolist() == [1.0, -2.0, -9.8]
    assert call(code, "flow", 2, 0.0, [1.0, -2.0], p).tolist() == pytest.approx([-2.0, -9.8])


def test_projection_gives_quaternions_unit_norm_and_keeps_the_rest():
    model = dropped_cube("quaternion")
    assert model.derivation.quaternions == ((3, 4, 5, 6),)
    code = compile_functions(model.derivation.graph, model.functions)
    x = np.arange(1.0, 14.0)
    found = call(code, "project", 13, 0.0, x, np.ones(9))
    assert np.linalg.norm(found[3:7]) == pytest.approx(1.0, rel=1e-15)
    assert found[3:7] / found[3] == pytest.approx(x[3:7] / x[3], rel=1e-15)
    assert found[[0, 1, 2, *range(7, 13)]].tolist() == x[[0, 1, 2, *range(7, 13)]].tolist()


def test_a_quaternion_with_the_scalar_last_is_found():
    N, B, O = ReferenceFrame("N"), ReferenceFrame("B"), Point("O")
    a, b, c, d, *w = dynamicsymbols("a b c d w1:4")
    B.orient_quaternion(N, (d, a, b, c))
    spin = B.ang_vel_in(N)
    system = System(frame=N, fixed_point=O)
    system.add_bodies(RigidBody("top", O, B))
    system.add_coordinates(a, b, c, d)
    system.add_speeds(*w)
    system.add_kdes(
        *(spin.dot(axis) - u for axis, u in zip(B, w, strict=True)), sum(e * e.diff(t) for e in (a, b, c, d))
    )
    assert derive(describe(system)).quaternions == ((0, 1, 2, 3),)


@pytest.mark.parametrize(("n", "kind"), members([(16, "planar"), (6, "spherical")], slow=[(16, "planar")]))
def test_many_speeds_are_solved_in_a_loop(n, kind):
    """M u' = f holds to the condition of M, which is positive definite only for moments of inertia that can be.

    So are equations that are not those of a tree of bodies.
    """
    system, _ = chain(n, kind)
    derivation = derive(describe(system))
    derivation = replace(derivation, equations=replace(derivation.equations, tree=None))
    function = flow_function(derivation)
    assert sum(len(block.rhs) for block in function.systems) == len(system.u)
    code = compile_functions(derivation.graph, [function])
    matrix_nodes = [entry for row in derivation.equations.mass_matrix for entry in row]
    m, q = len(system.u), len(system.q)
    products = [str(letter).endswith("ixy") for letter in derivation.symbols.parameters]
    for x, p, time in states(derivation, 2):
        p[products] = 0.1
        flow = call(code, "flow", q + m, time, x, p)
        matrix = evaluate(derivation.graph, matrix_nodes, x, p, time).reshape(m, m)
        forcing = evaluate(derivation.graph, derivation.equations.forcing, x, p, time)
        assert flow[:q] == pytest.approx(x[q:])
        assert matrix @ flow[q:] == pytest.approx(forcing, rel=1e-9, abs=1e-9 * np.abs(forcing).max())


def test_code_of_the_mass_matrix_grows_with_the_number_of_links():
    """M of twice the links has four times the entries, which are the same operations on other numbers."""
    lines = []
    for n in (10, 20):
        derivation = derive(describe(chain(n, "planar")[0]))
        function = mass_forcing_function(derivation)
        code = emit(graph_table(derivation.graph, [function]), [function.groups], straight=0)
        lines.append(len(code.splitlines()))
    assert lines[1] < 2.2 * lines[0]


def test_uncoupled_bodies_are_solved_apart():
    """Three free bodies have 18 speeds, but none of their blocks is large: nothing is left to the loop."""
    N, O = ReferenceFrame("N"), Point("O")
    system = System(frame=N, fixed_point=O)
    for k in range(3):
        q, u = dynamicsymbols(f"q{k}_:6"), dynamicsymbols(f"u{k}_:6")
        frame = ReferenceFrame(f"B{k}")
        frame.orient_body_fixed(N, q[3:], "ZXZ")
        centre = O.locatenew(f"C{k}", q[0] * N.x + q[1] * N.y + q[2] * N.z)
        system.add_bodies(RigidBody(f"b{k}", centre, frame))
        system.add_coordinates(*q)
        system.add_speeds(*u)
        system.add_kdes(*(a.diff(t) - b for a, b in zip(q, u, strict=True)))
    assert flow_function(derive(describe(system))).systems == ()
