"""The promise: u' along the tree of joints is the solution of M u' = f, in a number of operations that grows linearly.

M and f are those that `test_mechanics_equations` compares with SymPy's. Their truth here is in 40 digits: in double
precision the solution of long chains by M loses as many digits as the condition of M has.
"""

from dataclasses import replace
from functools import cache

import mpmath as mp
import numpy as np
import pytest
import sympy as sm
from graph_values import call, exact_values
from mechanics_oracle import evaluate, states
from quick_members import members
from sympy.physics.mechanics import (
    Force,
    KanesMethod,
    Particle,
    Point,
    ReferenceFrame,
    RigidBody,
    System,
    Torque,
    dynamicsymbols,
    inertia,
)
from tree_models import MODELS, NUMBERS, pinned, t

from sympact import HybridModel
from sympact.graph import compile_functions, count
from sympact.mechanics import derive, describe
from sympact.mechanics.derived.compiled_functions import flow_function


def solution_in_forty_digits(derivation, x, p, time):
    """u' of M u' = f, each part of the graph evaluated with mpmath."""
    equations, n = derivation.equations, len(derivation.symbols.u)
    inputs = {("t", 0): time} | {("x", i): v for i, v in enumerate(x)} | {("p", i): v for i, v in enumerate(p)}
    with mp.workdps(40):
        nodes = [entry for row in equations.mass_matrix for entry in row] + list(equations.forcing)
        values = exact_values(derivation.graph, nodes, inputs)
        matrix = mp.matrix([values[i * n : (i + 1) * n] for i in range(n)])
        return np.array(mp.lu_solve(matrix, mp.matrix(values[n * n :])), dtype=float)


@pytest.mark.parametrize(
    "model", members(MODELS, slow=("planar chain", "tree 0", "tree 1", "tree 2", "tree 3", "long tree 5"))
)
def test_accelerations_solve_the_equations_of_motion(model):
    """To 1e-12 of the largest: a hundred times what rounding was seen to do to the most sensitive state here.

    Products of inertia are small beside the moments, so that M is positive definite.
    """
    derivation = derive(describe(MODELS[model]()))
    accelerations = derivation.equations.tree.accelerations()
    small = [str(letter).endswith("ixy") for letter in derivation.symbols.parameters]
    for x, p, time in states(derivation, 2):
        p[small] = 0.1
        found = evaluate(derivation.graph, accelerations, x, p, time)
        truth = solution_in_forty_digits(derivation, x, p, time)
        assert np.abs(found - truth).max() <= 1e-12 * np.abs(truth).max()


@pytest.mark.parametrize("angles", members(["absolute", "relative"], slow=["absolute"]))
def test_each_further_link_takes_the_same_number_of_operations(angles):
    derivations = [derive(describe(pinned(n, angles))) for n in (6, 12, 18)]
    short, middle, long = (count(d.graph, d.equations.tree.accelerations()) for d in derivations)
    assert long - middle == middle - short


@cache
def chain(n):
    """What is derived of a chain of n links with relative angles."""
    return derive(describe(pinned(n, "relative")))


def test_long_chains_are_solved_along_the_tree_and_short_ones_are_not():
    derivations = {n: chain(n) for n in (2, 5, 16, 40)}
    flows = {n: flow_function(derivation) for n, derivation in derivations.items()}
    along = {n: list(flow.outputs[n:]) == derivations[n].equations.tree.accelerations() for n, flow in flows.items()}
    assert along == {2: False, 5: False, 16: True, 40: True}
    assert flows[40].systems == ()


def test_trees_that_M_has_few_entries_of_are_solved_by_it_without_a_loop():
    """Twenty pendulums on pins of their own have twenty speeds that nothing couples; ten double ones ten pairs."""
    for n in (1, 2):
        flow = flow_function(derive(describe(pinned(n, "relative", branches=20 // n))))
        assert not flow.systems


def test_compiled_flow_of_a_long_chain():
    derivation = chain(40)
    code = compile_functions(derivation.graph, [flow_function(derivation)])
    for x, p, time in states(derivation, 2):
        found = call(code, "flow", 80, time, x, p)
        truth = solution_in_forty_digits(derivation, x, p, time)
        assert np.abs(found[40:] - truth).max() <= 1e-12 * np.abs(truth).max()


def test_chain_of_thirty_swings_without_losing_energy():
    """A chain held out straight falls for a second; the energy lost is 1e-8 of what was exchanged, at rtol 1e-10."""
    model = HybridModel(pinned(30, "relative"), [])
    start = dict.fromkeys(model.x, 0.0) | {model.q[0]: np.pi / 2}
    result = model.simulate((0, 1), start, NUMBERS, rtol=1e-10, atol=1e-12)
    exchanged = result.kinetic_energy.max()
    assert np.ptp(result.energy) <= 1e-8 * exchanged


def test_given_inputs_reach_the_accelerations():
    """A force at the tip as an expression of time is that force written into the load."""

    def model(push):
        system = pinned(16, "relative")
        tip = next(body for body in system.bodies if body.name == "b0_15").masscenter
        system.add_loads(Force(tip, push * system.frame.x))
        return HybridModel(system, [])

    push, written = sm.Function("push")(t), sm.sin(3 * t)
    open_, closed = model(push), model(written)
    start = [0.1] * 32
    found = open_.simulate((0, 0.3), start, NUMBERS, inputs={push: written})
    truth = closed.simulate((0, 0.3), start, NUMBERS)
    np.testing.assert_allclose(found.x[:, -1], truth.x[:, -1], rtol=0, atol=1e-8)


def test_speeds_that_contradict_positions_leave_the_matrix():
    """A point that is told to move otherwise than its position does, as contact points of rolling bodies often are."""
    N, O = ReferenceFrame("N"), Point("O")
    q, u = dynamicsymbols("q u")
    O.set_vel(N, 0)
    P = O.locatenew("P", q * N.x)
    P.set_vel(N, 2 * u * N.x)
    method = KanesMethod(N, [q], [u], kd_eqs=[q.diff(t) - u])
    method.kanes_equations([Particle("p", P, 1)], [])
    assert derive(describe(method)).equations.tree.accelerations() is None


def test_speeds_that_move_all_joints_leave_the_matrix():
    """Twenty wheels on one axle whose rates are sums of all speeds: their forms would contain all of them."""
    N, O = ReferenceFrame("N"), Point("O")
    O.set_vel(N, 0)
    system, u = System(frame=N, fixed_point=O), dynamicsymbols("u0:20")
    for i in range(20):
        q = dynamicsymbols(f"q{i}")
        frame = N.orientnew(f"B{i}", "Axis", (q, N.z))
        system.add_bodies(RigidBody(f"b{i}", O, frame, 1, (inertia(frame, 1, 1, 1), O)))
        system.add_coordinates(q)
        system.add_kdes(q.diff(t) - sum(u) - u[i])
    system.add_speeds(*u)
    derivation = derive(describe(system))
    assert derivation.equations.tree.accelerations() is None
    assert len(flow_function(derivation).systems) == 1


@pytest.mark.parametrize("further", ["parameter", "condition"])
def test_what_is_not_in_the_equations_of_motion_leaves_the_matrix(further):
    """Parameters that drop out of M and f have no value in a run, conditions that drop out no switch."""
    derivation = derive(describe(pinned(16, "relative")))
    graph, equations = derivation.graph, derivation.equations
    node = graph.input("p", 7) if further == "parameter" else graph.call("abs", derivation.kinematics.u[3])
    tree = replace(equations.tree, forcing=tuple(graph.add(entry, node) for entry in equations.tree.forcing))
    other = replace(derivation, equations=replace(equations, tree=tree))
    assert not flow_function(derivation).systems
    assert flow_function(other).systems


def test_conditions_in_a_long_chain_are_switches_of_its_flow():
    """Dry friction in every hinge: u' is that of M u' = f with the signs left in, to the condition of M, 1e5."""
    system = pinned(16, "relative")
    frames = [system.frame, *(body.frame for body in system.bodies)]
    for i, u in enumerate(system.u):
        torque = -0.01 * sm.sign(u) * system.frame.z
        system.add_loads(Torque(frames[i + 1], torque), *([Torque(frames[i], -torque)] if i else []))
    model = HybridModel(system, [])
    compiled = model.compile()
    assert len(model.derivation.switches) == 16
    assert not flow_function(model.derivation).systems
    rng = np.random.default_rng(5)
    x, p = rng.uniform(-1, 1, 32), compiled.parameters(NUMBERS)
    mass_matrix, forcing = compiled.mass_forcing(0.0, x, p)
    np.testing.assert_allclose(compiled.flow(0.0, x, p)[16:], np.linalg.solve(mass_matrix, forcing), rtol=1e-9)
