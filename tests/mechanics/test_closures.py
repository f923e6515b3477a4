"""The promise: closures make the loop equations that one writes by hand, in any attitude and size of the mechanism."""

from __future__ import annotations

from functools import cache
from itertools import product

import numpy as np
import pytest
import sympy as sm
from constrained_models import accelerations, consistent, four_bar, linear, linkage, rows_of
from mechanics_oracle import chain, cube, evaluate, states, sympy_numbers
from quick_members import members
from sympy.physics.mechanics import PinJoint, Point, ReferenceFrame, RigidBody, System, dynamicsymbols, inertia

from sympact import BallClosure, LineClosure, PinClosure, RodClosure, SlideClosure, WeldClosure
from sympact.mechanics import constrained, derive, describe

t = dynamicsymbols._t


def turned(frame, name, seed):
    """A frame fixed in another one, in a random attitude."""
    angles = [sm.Float(a) for a in np.random.default_rng(seed).uniform(-3, 3, 3)]
    return frame.orientnew(name, "Body", angles, "zxz")


def spatial(seed):
    """A chain of three pins about three axes, a point and a frame of the ground, and those of its end; all at random.

    The place has a size from a millimetre to a kilometre.
    """
    system, tips = chain(3, "spatial")
    rng = np.random.default_rng(seed)
    size = 10.0 ** rng.uniform(-3, 3)
    A = turned(system.frame, "A", seed)
    B = turned(system.bodies[-1].frame, "B", seed + 50)
    place = [sm.Float(size * a) for a in rng.uniform(-1, 1, 3)]
    P = system.fixed_point.locatenew("P", sum((c * e for c, e in zip(place, A, strict=True)), start=0 * A.x))
    return system, P, tips[-1], A, B


def by_hand(kind, away, A, B, axis):
    """The loop equations: components of the vector from P to Q, and products of axes, by SymPy."""
    u, v = across(axis, A)
    place = [away.dot(e) for e in A]
    aligned = [A.z.dot(B.y), A.x.dot(B.z), A.y.dot(B.x)]
    return {
        "ball": place,
        "pin": [*place, -A.y.dot(B.z), A.x.dot(B.z)],
        "weld": [*place, *aligned],
        "slide": [away.dot(u), away.dot(v), *aligned],
        "line": [away.dot(u), away.dot(v)],
        "rod": [(away.dot(away) / sm.Symbol("l") - sm.Symbol("l")) / 2],
    }[kind]


def across(axis, A):
    """Two unit vectors across an axis of a frame, by Gram and Schmidt from that frame's axis least along it."""
    components = [axis.dot(e) for e in A]
    least = min(range(3), key=lambda i: abs(components[i]))
    first = list(A)[least] - components[least] * axis
    first = first / first.magnitude()
    return first, axis.cross(first)


BY_HAND = ("ball", "pin", "weld", "slide", "line", "rod")


ALIKE = [(1, "ball"), (1, "rod"), (2, "slide"), (2, "line"), (2, "pin"), (2, "weld")]
"""What is left has each kind of closure once."""


@pytest.mark.parametrize(("seed", "kind"), members(product([1, 2], BY_HAND), slow=ALIKE))
def test_a_closure_is_the_loop_equations_by_hand(kind, seed):
    system, P, Q, A, B = spatial(seed)
    axis = (0.36 * A.x - 0.48 * A.y + 0.8 * A.z) if seed == 1 else A.y
    closure = {
        "ball": BallClosure(P, Q, frame=A),
        "pin": PinClosure(P, Q, A.z, B.z),
        "weld": WeldClosure(P, Q, A, B),
        "slide": SlideClosure(P, Q, axis, A, B),
        "line": LineClosure(P, Q, axis),
        "rod": RodClosure(P, Q, sm.Symbol("l")),
    }[kind]
    derivation = derive(constrained(describe(system), [closure]))
    phi = by_hand(kind, Q.pos_from(P), A, B, axis)
    assert len(derivation.constraints) == len(phi)
    n = len(derivation.symbols.q)
    values = sympy_numbers(derivation, phi)
    rates = sympy_numbers(derivation, [one.diff(t) for one in phi])
    for x, p, time in states(derivation, 2):
        position, a, rest, bias, rate = rows_of(derivation, x, p, time)
        columns, truth, drift = linear(rates, x, p, time, n, n)
        size = max(1.0, np.abs(position).max())
        assert np.abs(position - values(x, p, time)).max() <= 1e-12 * size
        assert np.abs(a - columns).max() <= 1e-12 * max(1.0, np.abs(columns).max())
        assert np.abs(rate - truth).max() <= 1e-12 * max(1.0, np.abs(truth).max())
        assert np.abs(rest - drift).max() <= 1e-12
        assert np.abs(bias - slope(rates, derivation, x, p, time)).max() <= 1e-6 * size


def slope(rates, derivation, x, p, time, h=1e-5):
    """The derivative of rates along q' with u held, by a central difference: to h^2 of the third derivatives."""
    n = len(derivation.symbols.q)
    step = np.concatenate([evaluate(derivation.graph, derivation.rates, x, p, time), np.zeros(len(x) - n)])
    return (rates(x + h * step, p, time + h) - rates(x - h * step, p, time - h)) / (2 * h)


def test_closed_joints_turn_at_the_relative_angular_velocity():
    """Where frames coincide, rows about x, y, z are the components of omega, so that their multipliers are torques."""
    system, corners = cube("quaternion")
    N, O, B = system.frame, system.fixed_point, system.bodies[0].frame
    closures = [WeldClosure(O, corners[0], N, B, name="weld"), PinClosure(O, corners[1], N.x, B.x, name="pin")]
    derivation = derive(constrained(describe(system), closures))
    x = np.zeros(len(derivation.x))
    x[3] = 1.0
    u = np.array([0.3, -0.2, 0.7, 0.5, -1.1, 0.9])
    x[7:] = u
    p = np.ones(len(derivation.symbols.parameters))
    _, a, _, _, rate = rows_of(derivation, x, p, 0.0)
    turning = {row.label: rate[i] for i, row in enumerate(derivation.constraints) if "about" in row.component}
    assert turning == pytest.approx(
        {"weld about x": 0.5, "weld about y": -1.1, "weld about z": 0.9}
        | {"pin about the side 1": -1.1, "pin about the side 2": 0.9},
        abs=1e-15,
    )
    assert np.linalg.matrix_rank(a) == 6


def closed_four_bar(seed, kind):
    """The four-bar of `constrained_models` in a plane at random in space, closed by a joint."""
    ground = RigidBody("ground")
    system = System.from_newtonian(ground)
    G = turned(ground.frame, "G", seed) if seed else ground.frame
    parent, place = ground, ground.masscenter
    for i in range(3):
        m, l, j = sm.symbols(f"m_r{i} l_r{i} i_r{i}")
        frame, centre = ReferenceFrame(f"B{i}"), Point(f"C{i}")
        body = RigidBody(f"r{i}", centre, frame, m, (inertia(frame, j, j, j), centre))
        near = centre.locatenew(f"near{i}", -l / 3 * frame.x)
        held = G if i == 0 else parent.frame
        system.add_joints(
            PinJoint(
                f"r{i}",
                parent,
                body,
                parent_point=place,
                child_point=near,
                parent_interframe=held,
                child_interframe=frame,
                joint_axis=held.z,
            )
        )
        parent, place = body, centre.locatenew(f"far{i}", 2 * l / 3 * frame.x)
    system.apply_uniform_gravity(-sm.Symbol("g") * G.y)
    dx, dy = sm.symbols("d_x d_y")
    D = system.fixed_point.locatenew("D", dx * G.x + dy * G.y)
    last = parent.frame
    closure = {
        "ball": lambda: BallClosure(D, place),
        "own frame": lambda: BallClosure(D, place, frame=last),
        "line": lambda: LineClosure(D, place, G.z),
        "pin": lambda: PinClosure(D, place, G.z, last.z),
    }[kind]()
    return derive(constrained(describe(system), [closure]))


@cache
def by_its_equations():
    """The four-bar with its loop equations written, and what is derived from it."""
    truth = four_bar()
    return truth, derive(describe(truth.source))


KINDS = ("ball", "own frame", "line", "pin")


@pytest.mark.parametrize(
    ("seed", "kind"),
    members(product([0, 3], KINDS), slow=[(0, "own frame"), (0, "line"), (0, "ball"), (3, "pin")]),
)
def test_a_four_bar_closed_by_a_joint_moves_as_by_its_equations(kind, seed):
    """Rows out of the plane are left out; in a plane at random, rows of a ball depend on each other instead."""
    truth, written = by_its_equations()
    closed = closed_four_bar(seed, kind)
    assert len(closed.constraints) == (3 if seed and kind == "ball" else 2)
    for x, p, time in states(written, 2):
        x = consistent(written, truth, x, p, time)
        given = dict(zip(map(str, (*written.symbols.q, *written.symbols.u)), x, strict=True))
        order = [given[str(letter)] for letter in (*closed.symbols.q, *closed.symbols.u)]
        numbers = dict(zip(map(str, written.symbols.parameters), p, strict=True))
        values = np.array([numbers[str(letter)] for letter in closed.symbols.parameters])
        phi, a, _, _, rate = rows_of(closed, np.array(order), values, time)
        assert max(np.abs(phi).max(), np.abs(rate).max()) <= 1e-12
        assert np.linalg.matrix_rank(a, tol=1e-9) == 2
        theirs, _ = accelerations(written, x, p, time)
        ours, _ = accelerations(closed, np.array(order), values, time)
        wanted = dict(zip(map(str, written.symbols.u), theirs, strict=True))
        assert np.abs(ours - [wanted[str(u)] for u in closed.symbols.u]).max() <= 1e-10 * max(1.0, np.abs(theirs).max())


def test_a_massless_link_is_determined_by_its_loop():
    """A link without mass in a loop: M is singular, M + A^T A is not; without the loop it is refused by name."""
    system, ends = linkage(3)
    link = system.bodies[-1]
    link.mass, link.central_inertia = 0, inertia(link.frame, 0, 0, 0)
    D = system.fixed_point.locatenew("D", sm.Symbol("d") * system.frame.x)
    with pytest.raises(ValueError, match="moves no mass and no inertia"):
        derive(describe(system))
    derivation = derive(constrained(describe(system), [BallClosure(D, ends[-1])]))
    assert len(derivation.constraints) == 2


def test_an_axis_of_symbols_gives_rows_that_depend_on_each_other():
    """Without a component that is zero there are no fixed sides: vector products of rank two."""
    system, P, Q, A, B = spatial(4)
    a, b = sm.symbols("alpha beta")
    axis = sm.cos(a) * sm.cos(b) * A.x + sm.sin(a) * sm.cos(b) * A.y + sm.sin(b) * A.z
    closures = [PinClosure(P, Q, axis, B.z, name="pin"), LineClosure(P, Q, axis, name="line")]
    derivation = derive(constrained(describe(system), closures))
    away = Q.pos_from(P)
    truth = [*(away.dot(e) for e in A), *(axis.cross(B.z).dot(e) for e in A), *(axis.cross(away).dot(e) for e in A)]
    values = sympy_numbers(derivation, truth)
    for x, p, time in states(derivation, 2):
        position, jacobian, _, _, _ = rows_of(derivation, x, p, time)
        assert position == pytest.approx(values(x, p, time), rel=1e-12, abs=1e-13)
        n = len(derivation.symbols.parameters)
        direction = dict(zip(map(str, derivation.symbols.parameters), p[:n], strict=True))
        s, c = np.sin(direction["alpha"]), np.cos(direction["alpha"])
        sb, cb = np.sin(direction["beta"]), np.cos(direction["beta"])
        assert np.abs(np.array([c * cb, s * cb, sb]) @ jacobian[3:6]).max() <= 1e-13
