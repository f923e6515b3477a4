"""Trees of bodies in SymPy's words, as the tests of solutions along trees need them."""

import sympy as sm
from joint_trees import random_tree, system_of
from mechanics_oracle import chain
from sympy.physics.mechanics import Force, Particle, Point, ReferenceFrame, RigidBody, System, dynamicsymbols, inertia

t = dynamicsymbols._t
LETTERS = sm.symbols("m l g", positive=True)
NUMBERS = dict(zip(LETTERS, (0.1, 0.1, 9.81), strict=True))


def pinned(n, angles, branches=1):
    """n equal rods in each of some branches that hang on a pin, by angles against N ("absolute") or the rod above."""
    N, O = ReferenceFrame("N"), Point("O")
    O.set_vel(N, 0)
    system = System(frame=N, fixed_point=O)
    m, l, g = LETTERS
    for b in range(branches):
        frame, hinge = N, O
        for i in range(n):
            q, u = dynamicsymbols(f"q{b}_{i} u{b}_{i}")
            above = N if angles == "absolute" else frame
            frame = above.orientnew(f"B{b}_{i}", "Axis", (q, above.z))
            centre = hinge.locatenew(f"C{b}_{i}", -l / 2 * frame.y)
            hinge = hinge.locatenew(f"P{b}_{i}", -l * frame.y)
            system.add_bodies(RigidBody(f"b{b}_{i}", centre, frame, m, (inertia(frame, 0, 0, m * l**2 / 12), centre)))
            system.add_coordinates(q)
            system.add_speeds(u)
            system.add_kdes(q.diff(t) - u)
    system.apply_uniform_gravity(-g * N.y)
    return system


def attitudes(n):
    """Rods joined by balls, each turned by a quaternion against N, with omega in its own frame as speeds."""
    N, O = ReferenceFrame("N"), Point("O")
    O.set_vel(N, 0)
    system, hinge = System(frame=N, fixed_point=O), O
    m, l, g, a, b, c = sm.symbols("m l g a b c", positive=True)
    for i in range(n):
        e, w = dynamicsymbols(f"e{i}_:4"), dynamicsymbols(f"w{i}_:3")
        frame = ReferenceFrame(f"B{i}")
        frame.orient_quaternion(N, e)
        spin = frame.ang_vel_in(N)
        kdes = [spin.dot(axis) - speed for axis, speed in zip(frame, w, strict=True)]
        frame.set_ang_vel(N, sum((speed * axis for axis, speed in zip(frame, w, strict=True)), 0 * N.x))
        centre = hinge.locatenew(f"C{i}", -l / 2 * frame.y)
        hinge = hinge.locatenew(f"P{i}", -l * frame.y)
        system.add_bodies(RigidBody(f"b{i}", centre, frame, m, (inertia(frame, a, b, c), centre)))
        system.add_coordinates(*e)
        system.add_speeds(*w)
        system.add_kdes(*kdes, sum(part * part.diff(t) for part in e))
    system.apply_uniform_gravity(-g * N.y)
    return system


def geared():
    """Two pendulums on pivots of their own that one speed turns, the second one twice as fast, and a slider on each."""
    N, O = ReferenceFrame("N"), Point("O")
    O.set_vel(N, 0)
    system = System(frame=N, fixed_point=O)
    a, b, c, d = dynamicsymbols("a b c d")
    u, v, w = dynamicsymbols("u v w")
    for name, angle, place in (("1", a, c), ("2", b, d)):
        frame = N.orientnew(f"B{name}", "Axis", (angle, N.z))
        rod, bead = (O.locatenew(f"{what}{name}", r * frame.x) for what, r in (("C", sm.Symbol("r")), ("P", place)))
        system.add_bodies(
            RigidBody(f"b{name}", rod, frame, sm.Symbol("m"), (inertia(frame, 0, 0, sm.Symbol("I")), rod)),
            Particle(f"p{name}", bead, sm.Symbol("k")),
        )
        system.add_loads(Force(bead, -3 * N.y - place * frame.x))
    system.add_coordinates(a, b, c, d)
    system.add_speeds(u, v, w)
    system.add_kdes(a.diff(t) - u, b.diff(t) - 2 * u, c.diff(t) - v, d.diff(t) - w - u)
    return system


MODELS = {
    "planar chain": lambda: chain(20, "planar")[0],
    "chain of three axes": lambda: chain(7, "spatial")[0],
    "balls": lambda: chain(3, "spherical")[0],
    "absolute angles": lambda: pinned(20, "absolute"),
    "three branches": lambda: pinned(5, "relative", branches=3),
    "quaternions": lambda: attitudes(4),
    "one speed on two trees": geared,
    **{f"tree {seed}": lambda seed=seed: system_of(random_tree(seed, 6)) for seed in range(4)},
    **{f"long tree {seed}": lambda seed=seed: system_of(random_tree(seed, 6, chain=True)) for seed in (4, 5)},
}
