"""The promises: T is SymPy's kinetic energy, V belongs to the loads, and T + V changes as mechanics says."""

import numpy as np
import pytest
import sympy as sm
from mechanics_oracle import body, chain, cube, evaluate, states, sympy_numbers
from sympy.physics.mechanics import (
    DuffingSpring,
    ForceActuator,
    LinearDamper,
    LinearPathway,
    LinearSpring,
    ObstacleSetPathway,
    Particle,
    Point,
    PrismaticJoint,
    ReferenceFrame,
    RigidBody,
    System,
    TorqueActuator,
    dynamicsymbols,
)

from sympact.graph import Tangent, reachable
from sympact.mechanics import derive, describe
from sympact.mechanics.derived.compiled_functions import flow_function

t = dynamicsymbols._t


def slope_along_the_flow(derivation, node):
    """The time derivative of a quantity while the model moves freely."""
    graph = derivation.graph
    state = [graph.input("x", i) for i in range(len(derivation.x))]
    seed = dict(zip(state, flow_function(derivation).outputs, strict=True))
    return Tangent(graph, seed | {graph.input("t", 0): graph.one})(node)


def sprung_slider():
    """A body on a rail between springs of every kind SymPy has, under gravity, with a potential of its own."""
    wall, block = RigidBody("wall"), body("block")
    system = System.from_newtonian(wall)
    system.add_joints(PrismaticJoint("slider", wall, block, joint_axis=wall.x))
    k, l0, k3, h = sm.symbols("k l0 k3 h", positive=True)
    anchor = wall.masscenter.locatenew("anchor", h * wall.y)
    straight = LinearPathway(anchor, block.masscenter)
    system.add_actuators(
        LinearSpring(k, straight, equilibrium_length=l0),
        DuffingSpring(k, k3, straight, l0),
        LinearSpring(k, ObstacleSetPathway(wall.masscenter, anchor, block.masscenter), equilibrium_length=l0),
    )
    system.apply_uniform_gravity(-sm.Symbol("g") * (wall.x + 2 * wall.y))
    return system, straight


@pytest.mark.parametrize("build", [lambda: chain(2, "spatial"), lambda: cube("spin"), lambda: cube("quaternion")])
def test_kinetic_energy(build):
    """Against SymPy's own, and against u^T M u/2, which holds because nothing moves by prescription."""
    system, _ = build()
    derivation = derive(describe(system))
    truth = sympy_numbers(
        derivation, [sum(b.kinetic_energy(system.frame) for b in system.bodies if b.name != "ground")]
    )
    n = len(system.u)
    nodes = [derivation.kinetic_energy, *(entry for row in derivation.equations.mass_matrix for entry in row)]
    for x, p, time in states(derivation):
        energy, *matrix = evaluate(derivation.graph, nodes, x, p, time)
        u = x[len(system.q) :]
        assert energy == pytest.approx(truth(x, p, time)[0], rel=1e-12)
        assert energy == pytest.approx(u @ np.reshape(matrix, (n, n)) @ u / 2, rel=1e-12)


def test_kinetic_energy_with_a_prescribed_motion():
    """m (v + s')^2/2: the base's own speed counts, though u^T M u/2 does not know of it."""
    N, O = ReferenceFrame("N"), Point("O")
    s, z, v = dynamicsymbols("s z v")
    m = sm.Symbol("m")
    base = O.locatenew("base", s * N.z)
    system = System(frame=N, fixed_point=O)
    system.add_bodies(Particle("ball", base.locatenew("P", z * N.z), m))
    system.add_coordinates(z)
    system.add_speeds(v)
    system.add_kdes(z.diff(t) - v)
    derivation = derive(describe(system))
    assert derivation.symbols.inputs[1] == s.diff(t)
    found = evaluate(derivation.graph, [derivation.kinetic_energy], [0.1, 2.0], [1.5, 0.0, 3.0, 0.0])
    assert found[0] == pytest.approx(1.5 * (2.0 + 3.0) ** 2 / 2, rel=1e-15)


@pytest.mark.parametrize("build", [sprung_slider, lambda: chain(3, "spatial"), lambda: cube("spin")])
def test_energy_is_conserved(build):
    """d(T + V)/dt along the flow is zero to rounding, against the power of the loads as the scale."""
    system, _ = build()
    derivation = derive(describe(system))
    assert derivation.potential.unknown == ()
    graph = derivation.graph
    power = [
        slope_along_the_flow(derivation, node) for node in (derivation.kinetic_energy, derivation.potential.energy)
    ]
    for x, p, time in states(derivation):
        kinetic, potential = evaluate(graph, power, x, p, time)
        assert kinetic + potential == pytest.approx(0.0, abs=1e-11 * max(1.0, abs(kinetic)))


def test_a_damper_takes_energy_at_the_rate_of_its_law():
    """d(T + V)/dt = -c L'^2."""
    system, straight = sprung_slider()
    c = sm.Symbol("c", positive=True)
    system.add_actuators(LinearDamper(c, straight))
    derivation = derive(describe(system))
    total = derivation.graph.add(derivation.kinetic_energy, derivation.potential.energy)
    truth = sympy_numbers(derivation, [-c * straight.extension_velocity**2])
    slope = slope_along_the_flow(derivation, total)
    for x, p, time in states(derivation):
        assert evaluate(derivation.graph, [slope], x, p, time) == pytest.approx(truth(x, p, time), rel=1e-9)


def test_loads_without_a_potential_are_not_in_the_energy():
    system, straight = sprung_slider()
    block = system.bodies[1]
    system.add_actuators(
        ForceActuator(dynamicsymbols("F"), straight),
        TorqueActuator(sm.Symbol("T"), block.z, block.frame, system.frame),
    )
    system.add_loads((block.masscenter, -system.u[0] * system.x))
    derivation = derive(describe(system))
    potential, alone = derivation.potential, derive(describe(sprung_slider()[0]))
    assert len(reachable(derivation.graph, [potential.energy])) == len(
        reachable(alone.graph, [alone.potential.energy])
    ), "that of the spring and of gravity"
    assert potential.unknown == ()


def test_potential_energy_of_a_body_is_counted_once():
    """V = -m g . r as the body's own potential gives the same motion and energy as gravity as a load."""
    by_load, _ = chain(2, "planar")
    by_potential, _ = chain(2, "planar")
    by_potential.loads = []
    for link in by_potential.bodies[1:]:
        height = link.masscenter.pos_from(by_potential.fixed_point).dot(by_potential.y)
        link.potential_energy = link.mass * sm.Symbol("g") * height
    one = derive(describe(by_load))
    with pytest.warns(UserWarning, match="the potential energy of 'b0', 'b1' acts as a load"):
        other = derive(describe(by_potential))
    assert one.symbols.parameters == other.symbols.parameters
    for x, p, time in states(one):
        for part in (lambda d: [*d.equations.forcing], lambda d: [d.potential.energy]):
            found = [evaluate(d.graph, part(d), x, p, time) for d in (one, other)]
            assert found[0] == pytest.approx(found[1], rel=1e-12)
