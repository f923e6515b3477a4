"""The promise: what is solved along the tree of joints is what M says, and takes the branches of the tree alone.

The truth is M itself, which `test_mechanics_equations` compares with SymPy's: in 40 digits the factor's square is M, in
double precision impacts and constrained motion solve the dense equations of the same model.
"""

import mpmath as mp
import numpy as np
import pytest
import sympy as sm
from graph_values import exact_values
from hypothesis import strategies as st
from joint_trees import random_tree, system_of
from mechanics_oracle import evaluate, states
from quick_members import examples, members
from sympy.physics.mechanics import Force
from tree_models import MODELS, NUMBERS, pinned

from sympact import BallClosure, Contact, HybridModel, Plane
from sympact.contact.constraints.constraint_data import RATES
from sympact.graph import count
from sympact.mechanics import derive, describe
from sympact.mechanics.derived.compiled_functions import branch_impact_function, constrained_motion_function
from sympact.mechanics.kit.tree_factor import factor_rows, forces_solved

LONG = 16
TIPS = [f"b0_{i}" for i in (4, 9, LONG - 1)]
CLOSED = 24
PINNED = [f"b0_{i}" for i in (7, 15, CLOSED - 1)]


def centre(system, name):
    """The mass centre of a body."""
    return next(body for body in system.bodies if body.name == name).masscenter


def factored(derivation):
    """R as a matrix of nodes, the order of elimination, and M^-1 r for numbers r."""
    graph, n = derivation.graph, len(derivation.symbols.u)
    tree = derivation.equations.tree.articulated()
    rows, order = factor_rows(tree)
    forces = [(-1.0) ** j * (1.0 + j) for j in range(n)]
    solved = forces_solved(tree, [graph.const(force) for force in forces])
    return [[row.get(i, graph.zero) for i in range(n)] for row in rows], order, solved, forces


@pytest.mark.parametrize(
    "model", members(MODELS, slow=("planar chain", "tree 0", "tree 1", "tree 2", "tree 3", "long tree 5"))
)
def test_factor_and_solution_are_those_of_M(model):
    """In 40 digits, to the rounding of products of the models' constants, which the graph keeps as doubles."""
    derivation = derive(describe(MODELS[model]()))
    rows, _, solved, forces = factored(derivation)
    n = len(rows)
    nodes = [entry for row in [*derivation.equations.mass_matrix, *rows] for entry in row] + solved
    small = [str(letter).endswith("ixy") for letter in derivation.symbols.parameters]
    (x, p, time), *_ = states(derivation, 1)
    p[small] = 0.1
    inputs = {("t", 0): time} | {("x", i): v for i, v in enumerate(x)} | {("p", i): v for i, v in enumerate(p)}
    with mp.workdps(40):
        for group in derivation.quaternions:
            size = mp.sqrt(sum(mp.mpf(inputs["x", i]) ** 2 for i in group))
            inputs |= {("x", i): inputs["x", i] / size for i in group}
        values = exact_values(derivation.graph, nodes, inputs)
        mass, factor = (mp.matrix([part[i * n : (i + 1) * n] for i in range(n)]) for part in (values, values[n * n :]))
        found = mp.matrix(values[2 * n * n :])
        assert mp.mnorm(factor.T * factor - mass, mp.inf) <= 1e-15 * mp.mnorm(mass, mp.inf)
        assert mp.norm(mass * found - mp.matrix(forces), mp.inf) <= 1e-12 * mp.norm(mp.matrix(forces), mp.inf)


@examples(2, 8, seed=st.integers(0, 10_000), size=st.integers(2, 5), row=st.booleans())
def test_factor_of_random_trees(seed, size, row):
    """To rounding of the sums in M; in the order of elimination R is triangular."""
    derivation = derive(describe(system_of(random_tree(seed, size, chain=row))))
    rows, order, _, _ = factored(derivation)
    small = [str(letter).endswith("ixy") for letter in derivation.symbols.parameters]
    n = len(rows)
    for x, p, time in states(derivation, 2):
        p[small] = 0.1
        nodes = [entry for part in (derivation.equations.mass_matrix, rows) for one in part for entry in one]
        mass, factor = np.reshape(evaluate(derivation.graph, nodes, x, p, time), (2, n, n))
        np.testing.assert_allclose(factor.T @ factor, mass, rtol=0, atol=1e-13 * np.abs(mass).max())
        assert not np.tril(factor[np.ix_(order, order)], -1).any()


def test_factor_has_entries_along_branches_alone():
    """Five branches of four rods: four rows a branch, with 4 + 3 + 2 + 1 entries."""
    derivation = derive(describe(pinned(4, "relative", branches=5)))
    rows, *_ = factored(derivation)
    assert sum(entry != derivation.graph.zero for row in rows for entry in row) == 5 * 10


def pinned_chain(n, names=PINNED, further=None):
    """A chain of n rods whose bodies of these names have their centres pinned where they are when it hangs bent."""
    system = pinned(n, "relative")
    angles = np.cumsum(np.full(n, 0.2))
    tips = np.cumsum([np.sin(angles), -np.cos(angles)], axis=1) * 0.1
    closures = []
    for name in names:
        i = int(name.split("_")[1])
        x, y = tips[:, i] - 0.05 * np.array([np.sin(angles[i]), -np.cos(angles[i])])
        pin = system.fixed_point.locatenew(f"pin {name}", float(x) * system.frame.x + float(y) * system.frame.y)
        closures.append(BallClosure(pin, centre(system, name)))
    if further is not None:
        system.add_loads(further(system))
    model = HybridModel(system, [], constraints=closures)
    return model, {letter: 0.2 if k < n else 0.0 for k, letter in enumerate(model.x)}


def test_constrained_motion_of_a_chain_is_that_of_the_dense_equations():
    """u' of M u' - A^T kappa = f, A u' = -(A' u + a'), by the matrix of both: to its condition, some 1e4."""
    model, start = pinned_chain(CLOSED)
    compiled = model.compile()
    assert "motion" in compiled.sizes
    x, p = compiled.state(start), compiled.all_parameters(compiled.parameters(NUMBERS))
    x[CLOSED:] = np.linspace(-1.0, 1.0, CLOSED)
    constraints = compiled.constraints(p)
    found = constraints.rates(0.3, x)[CLOSED:]
    memory, k = constraints.memory, len(model.derivation.constraints)
    assert (memory.along_tree, memory.unmet) == (1, 0)
    terms = np.split(compiled.raw("equations", 0.3, x, p), np.cumsum([CLOSED, CLOSED * CLOSED, CLOSED, k, k, k]))
    mass, forcing, bias, rows = terms[1].reshape(CLOSED, CLOSED), terms[2], terms[5], terms[6].reshape(k, CLOSED)
    whole = np.block([[mass, rows.T], [rows, np.zeros((k, k))]])
    truth = np.linalg.solve(whole, [*forcing, *-bias])[:CLOSED]
    np.testing.assert_allclose(found, truth, rtol=0, atol=1e-11 * np.abs(truth).max())
    memory.along_tree = 0
    by_matrix = constraints._call(RATES, 0.3, x)[CLOSED:]
    np.testing.assert_allclose(found, by_matrix, rtol=0, atol=1e-11 * np.abs(truth).max())


def test_each_further_link_takes_the_same_number_of_operations_for_a_force():
    """M^-1 r for forces on all speeds; all that it shares with u' is counted too."""
    derivations = [derive(describe(pinned(n, "relative"))) for n in (16, 20, 24)]
    short, middle, long = (count(derivation.graph, factored(derivation)[2]) for derivation in derivations)
    assert long - middle == middle - short


def test_short_closed_chains_keep_the_matrix():
    model, _ = pinned_chain(8, ["b0_7"])
    assert constrained_motion_function(model.derivation) is None


def test_bodies_without_mass_leave_the_matrix():
    """The mass matrix is singular, the motion is not: the last rod has no mass, and its centre is pinned."""
    N = sm.Symbol("m_last", nonnegative=True)
    system = pinned(CLOSED, "relative")
    last = next(body for body in system.bodies if body.name == f"b0_{CLOSED - 1}")
    inertia, point = last.inertia
    last.mass, last.inertia = N, (N * inertia, point)
    angles = np.cumsum(np.full(CLOSED, 0.2))
    x, y = (
        0.1 * np.sin(angles).sum() - 0.05 * np.sin(angles[-1]),
        -0.1 * np.cos(angles).sum() + 0.05 * np.cos(angles[-1]),
    )
    pin = system.fixed_point.locatenew("pin", float(x) * system.frame.x + float(y) * system.frame.y)
    model = HybridModel(system, [], constraints=[BallClosure(pin, last.masscenter)])
    compiled = model.compile()
    state = compiled.state({letter: 0.2 if k < CLOSED else 0.0 for k, letter in enumerate(model.x)})
    used = []
    for mass in (0.1, 0.0):
        p = compiled.all_parameters(compiled.parameters(NUMBERS | {N: mass}))
        constraints = compiled.constraints(p)
        assert np.isfinite(constraints.rates(0.0, state)).all()
        used.append(constraints.memory.along_tree)
    assert used == [1, 0]


def test_given_inputs_reach_a_closed_chain():
    """A force as an input, given as an expression or as a function of Python, is that force written into the load."""
    time = pinned(1, "relative").q[0].args[0]
    push, written = sm.Function("push")(time), sm.sin(3 * time)

    def model(force):
        return pinned_chain(CLOSED, [f"b0_{CLOSED - 1}"], lambda s: Force(centre(s, "b0_7"), force * s.frame.x))

    (open_, start), (closed, _) = model(push), model(written)
    truth = closed.simulate((0, 0.01), start, NUMBERS).x[:, -1]
    for given_ in (written, lambda t: np.sin(3 * t)):
        found = open_.simulate((0, 0.01), start, NUMBERS, inputs={push: given_})
        np.testing.assert_allclose(found.x[:, -1], truth, rtol=0, atol=1e-8)


def falling(friction, build=pinned):
    """A chain of 16 rods that swings onto a wall beside it, which three of its centres may touch."""
    system = build(LONG, "relative")
    wall = Plane(system.fixed_point.locatenew("wall", 0.1 * system.frame.x), system.frame.x)
    e = sm.Rational(1, 2)
    contacts = [Contact(centre(system, name), wall, restitution=e, friction=friction, name=name) for name in TIPS]
    model = HybridModel(system, contacts)
    return model, dict.fromkeys(model.x, 0.0) | {model.q[0]: 0.3}


@pytest.mark.parametrize("friction", [0, sm.Rational(3, 10)])
def test_impacts_along_the_tree_are_those_of_M(friction):
    """M (u+ - u-) = W_N Lambda_N + W_T Lambda_T at each impact of a run, whose M is not computed in the run."""
    model, start = falling(friction)
    compiled = model.compile()
    assert compiled.branches is not None
    result = model.simulate((0, 0.4), start, NUMBERS, rtol=1e-9)
    impacts = [event for event in result.events if event.kind == "impact"]
    assert len(impacts) >= 2
    p = compiled.all_parameters(compiled.parameters(NUMBERS))
    n, k = LONG, len(TIPS)
    for event in impacts:
        terms, mass = compiled.terms(event.t, event.x_minus, p), compiled.mass(event.t, event.x_minus, p)
        rows = terms[n * n : n * n + k * n].reshape(k, n)
        np.testing.assert_allclose(terms[: n * n].reshape(n, n), mass, rtol=0, atol=1e-14 * mass.max())
        change = event.x_plus[n:] - event.x_minus[n:]
        who = [TIPS.index(name) for name in event.contacts]
        columns = [rows[j] for j in who]
        if friction:
            slips = compiled.slips(event.t, event.x_minus, p)
            columns += [slips[j][9 + n * c : 9 + n * (c + 1)] for j in who for c in range(3)]
        left = mass @ change
        impulse = np.linalg.lstsq(np.array(columns).T, left, rcond=None)[0]
        rest = left - np.array(columns).T @ impulse
        assert np.abs(rest).max() <= 1e-12 * max(np.abs(left).max(), np.abs(mass @ event.x_minus[n:]).max())
        if not friction:
            before, after = rows @ event.x_minus[n:], rows @ event.x_plus[n:]
            assert (after[who] >= -0.5 * before[who] - 1e-12 * np.abs(before).max()).all()


def test_small_models_keep_the_matrix():
    for n, branches in ((6, 1), (2, 12)):
        system = pinned(n, "relative", branches=branches)
        floor = Plane(system.fixed_point.locatenew("floor", -2 * system.frame.y), system.frame.y)
        model = HybridModel(system, [Contact(centre(system, "b0_0"), floor, restitution=0, friction=0)])
        assert branch_impact_function(model.derivation) is None
