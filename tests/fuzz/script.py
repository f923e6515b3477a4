"""A recipe as a script of SymPy and sympact, which is what is run: a failure is handed on as the text that failed."""

from __future__ import annotations

import numpy as np

from fuzz.motion import rotation
from fuzz.recipe import Body, Coil, Drag, Mover, Push, Recipe, Run, Shape, Spring, Stop, Tie, Touch

MOST_EVENTS = 20000

HEAD = """\
from sympy import sin, symbols
from sympy.physics.mechanics import (
    CylindricalJoint, Force, ForceActuator, LinearPathway, PinJoint, PlanarJoint, Point, PrismaticJoint,
    ReferenceFrame, RigidBody, SphericalJoint, System, Torque, TorqueActuator, WeldJoint, dynamicsymbols, inertia,
)
from sympact import *

t, g = dynamicsymbols._t, symbols("g")
ground = RigidBody("ground")
system = System.from_newtonian(ground)
N, O = ground.frame, ground.masscenter


def vector(frame, parts):
    return parts[0] * frame.x + parts[1] * frame.y + parts[2] * frame.z


def turned(name, frame, turn):
    new = ReferenceFrame(name)
    new.orient_body_fixed(frame, turn, "XYZ")
    return new
"""

OWN_LAW = '''
def stop_dead(mass_matrix, jacobian, velocity, restitution, friction):
    """Newton's law of each contact by itself, without friction: a law of one's own."""
    impulses = 0 * velocity
    for k, rows in enumerate(jacobian):
        alone = rows[0] @ __import__("numpy").linalg.solve(mass_matrix, rows[0])
        impulses[k, 0] = max(0.0, -(1 + restitution[k]) * velocity[k, 0]) / alone
    return impulses
'''


def model_script(recipe: Recipe) -> str:
    """The text that makes `model`."""
    own = [OWN_LAW] if "stop_dead" in recipe.law else []
    lines = [HEAD, *own, *(line for mover in recipe.movers for line in _mover(mover))]
    for body in recipe.bodies:
        lines += _body(body)
    lines.append(f"for body in ({' '.join(f'{body.name},' for body in recipe.bodies)}):")
    lines.append(f"    system.add_loads(Force(body.masscenter, body.mass * g * vector(N, {recipe.gravity})))")
    for k, load in enumerate(recipe.loads):
        lines += _LOADS[type(load)](load, k)
    lines.append("contacts = []")
    for contact in recipe.contacts:
        lines += _CONTACTS[type(contact)](contact)
    options = f"impact={recipe.law}, resolution={recipe.resolution}, painleve={recipe.painleve}"
    return "\n".join([*lines, f"model = HybridModel(system, contacts, {options})", ""])


def run_script(recipe: Recipe, run: Run) -> str:
    """The text that makes `model` and `result`, and says how the run ended."""
    names = [*recipe.coordinates, *recipe.speeds]
    start = ", ".join(f"{name}: {value!r}" for name, value in zip(names, (*run.q, *run.u), strict=True))
    numbers = ", ".join(f"{name!r}: {value!r}" for name, value in run.numbers.items())
    inputs = ", ".join(f"{load.name}: {_input(load)}" for load in recipe.inputs)
    return "\n".join(
        [
            model_script(recipe),
            f"numbers = {{{numbers}}}",
            f"start = {{{start}}}",
            "parameters = {letter: numbers[letter.name] for letter in model.parameters}",
            f"inputs = {{letter: value for letter, value in {{{inputs}}}.items() if letter in model.inputs}}",
            f"settings = dict(inputs=inputs, rtol={run.rtol!r}, max_events={MOST_EVENTS})",
            f"result = model.simulate((0, {run.span!r}), start, parameters, **settings)",
            'if __name__ == "__main__":',
            "    print(result.message)",
            "    print(result.events)",
            "",
        ]
    )


def _triple(values) -> str:
    return "(" + ", ".join(repr(float(value)) for value in values) + ")"


def frame_of(name: str) -> str:
    """How the script calls the frame of a carrier."""
    return "N" if name == "ground" else f"{name}.frame" if name.startswith("b") else f"{name}_frame"


def centre_of(name: str) -> str:
    """How the script calls the point of a carrier."""
    return "O" if name == "ground" else f"{name}.masscenter" if name.startswith("b") else f"{name}_point"


def _point(name: str, on: str, place) -> str:
    return f'{centre_of(on)}.locatenew("{name}", vector({frame_of(on)}, {_triple(place)}))'


def _mover(mover: Mover):
    name = mover.name
    yield f'{name}_start = turned("{name}_start", N, {_triple(mover.turn)})'
    yield f'{name}_frame = ReferenceFrame("{name}_frame")'
    yield f"{name}_frame.orient_axis({name}_start, {name}_start.z, {mover.tilt!r} * sin({mover.beat!r} * t))"
    yield f'{name}_point = O.locatenew("{name}_point", vector(N, {_triple(mover.place)})'
    yield f"    + sin({mover.pace!r} * t) * vector(N, {_triple(mover.sway)}))"


def _body(body: Body):
    name, inertia = body.name, ", ".join(repr(value) for value in body.inertia)
    if body.joint == "free":
        yield from _free(body, inertia)
        return
    yield f'{name} = RigidBody("{name}", mass={body.mass!r})'
    yield f"{name}.central_inertia = inertia({name}.frame, {inertia})"
    for letters in (body.coordinates, body.speeds):
        if letters:
            yield f'{", ".join(letters)}{"," if len(letters) == 1 else ""} = dynamicsymbols("{" ".join(letters)},")'
    parent, joint = "ground" if body.parent == "ground" else body.parent, body.joint
    frames = (
        f'parent_interframe=turned("{name}_outer", {frame_of(parent)}, {_triple(body.parent_turn)}), '
        f'child_interframe=turned("{name}_inner", {name}.frame, {_triple(body.child_turn)})'
    )
    hold, grip = _point(f"{name}_hold", parent, body.hold), _point(f"{name}_grip", name, body.grip)
    places = f"parent_point={hold}, child_point={grip}"
    q, u = body.coordinates, body.speeds
    letters = {
        "pin": lambda: f"{q[0]}, {u[0]}, ",
        "prismatic": lambda: f"{q[0]}, {u[0]}, ",
        "cylindrical": lambda: f"{q[0]}, {q[1]}, {u[0]}, {u[1]}, ",
        "planar": lambda: f"{q[0]}, [{q[1]}, {q[2]}], {u[0]}, [{u[1]}, {u[2]}], ",
        "spherical": lambda: f"[{', '.join(q)}], [{', '.join(u)}], ",
        "weld": lambda: "",
    }[joint]()
    extra = (
        f', rot_type="{"SPACE" if body.space else "BODY"}", rot_order="{body.order}"' if joint == "spherical" else ""
    )
    yield f'{name}_joint = {joint.capitalize()}Joint("{name}_joint", {parent}, {name}, {letters}'
    yield f"    {places},"
    yield f"    {frames}{extra})"
    yield f"system.add_joints({name}_joint)"


def _free(body: Body, inertia: str):
    name, q, u = body.name, body.coordinates, body.speeds
    yield f'{", ".join(q)} = dynamicsymbols("{" ".join(q)}")'
    yield f'{", ".join(u)} = dynamicsymbols("{" ".join(u)}")'
    yield f'{name}_frame = ReferenceFrame("{name}_frame")'
    yield f'{name}_centre = O.locatenew("{name}_centre", vector(N, ({", ".join(q[:3])})))'
    yield f'{name}_frame.orient_body_fixed(N, ({", ".join(q[3:])}), "XYZ")'
    kdes = [f"{a}.diff(t) - {b}" for a, b in zip(q, u, strict=True)]
    if body.spins:
        kdes[3:] = [f"{name}_spin.dot(axis) - w for axis, w in zip({name}_frame, ({', '.join(u[3:])}))"]
        yield f"{name}_spin = {name}_frame.ang_vel_in(N)"
        yield f"{name}_rates = [{', '.join(kdes[:3])}] + [{kdes[3]}]"
        yield f"{name}_frame.set_ang_vel(N, vector({name}_frame, ({', '.join(u[3:])})))"
    else:
        yield f"{name}_rates = [{', '.join(kdes)}]"
    yield f"{name}_centre.set_vel(N, vector(N, ({', '.join(u[:3])})))"
    tensor = f"(inertia({name}_frame, {inertia}), {name}_centre)"
    yield f'{name} = RigidBody("{name}", {name}_centre, {name}_frame, {body.mass!r}, {tensor})'
    yield f"system.add_bodies({name})"
    yield f"system.add_coordinates({', '.join(q)})"
    yield f"system.add_speeds({', '.join(u)})"
    yield f"system.add_kdes(*{name}_rates)"


def _spring(load: Spring, k: int):
    yield f"way = LinearPathway({_point(f's{k}a', load.a, load.place_a)}, {_point(f's{k}b', load.b, load.place_b)})"
    yield (
        f"system.add_actuators(ForceActuator(-{load.stiffness!r} * (way.length - {load.rest!r}) "
        f"- {load.damping!r} * way.extension_velocity, way))"
    )


def _coil(load: Coil, k: int):
    letter = load.body[1:]
    drive = f"{load.amplitude!r} * sin({load.pace!r} * t)"
    torque = f"-{load.stiffness!r} * q{letter}_0 - {load.damping!r} * u{letter}_0 + {drive}"
    yield f"system.add_actuators(TorqueActuator.at_pin_joint({torque}, {load.body}_joint))"


def _push(load: Push, k: int):
    if load.name:
        yield f'{load.name} = dynamicsymbols("{load.name}")'
    amount = load.name or repr(load.size) + (f" * sin({load.pace!r} * t)" if load.kind == "sine" else "")
    place, force = _point(f"f{k}", load.body, load.place), f"{amount} * vector(N, {_triple(load.direction)})"
    yield f"system.add_loads(Force({place}, {force}))"


def _input(load: Push) -> str:
    if load.kind == "number":
        return repr(load.size)
    if load.kind == "expression":
        return f"{load.size!r} * sin({load.pace!r} * t)"
    return f'lambda t, x: {load.size!r} * __import__("math").sin({load.pace!r} * t)'


def _drag(load: Drag, k: int):
    drive = f"{load.amplitude!r} * sin({load.pace!r} * t) * vector({load.body}.frame, {_triple(load.axis)})"
    yield f"system.add_loads(Torque({load.body}.frame, {drive} - {load.damping!r} * {load.body}.frame.ang_vel_in(N)))"


def _touch(touch: Touch):
    friction = "0"
    if touch.rubs:
        friction = f'symbols("mu_{touch.name}")' + (
            f', static_friction=symbols("mus_{touch.name}")' if touch.static else ""
        )
    yield f"body = {_contactor(touch.name + '_a', touch.body)}"
    yield f"surface = {_surface(touch.name + '_b', touch.surface)}"
    yield (
        f'contacts.append(Contact(body, surface, restitution=symbols("e_{touch.name}"), friction={friction}, '
        f'name="{touch.name}"))'
    )


def _axis(shape: Shape) -> str:
    return f"vector({frame_of(shape.on)}, {_triple(rotation(shape.turn)[:, 2])})"


def _ends(name: str, shape: Shape) -> str:
    arm = shape.sizes[1] / 2 * rotation(shape.turn)[:, 2]
    places = (np.asarray(shape.place) - arm, np.asarray(shape.place) + arm)
    return ", ".join(_point(f"{name}{k}", shape.on, place) for k, place in enumerate(places))


def _contactor(name: str, shape: Shape) -> str:
    point, frame = _point(name, shape.on, shape.place), frame_of(shape.on)
    if shape.kind == "point":
        return point
    if shape.kind == "ball":
        return f"Sphere({point}, {shape.sizes[0]!r}, frame={frame})"
    if shape.kind == "disc":
        return f"Disc({point}, {_axis(shape)}, {shape.sizes[0]!r}, frame={frame})"
    return f"Capsule({_ends(name, shape)}, {shape.sizes[0]!r}, frame={frame})"


def _surface(name: str, shape: Shape) -> str:
    point, frame = _point(name, shape.on, shape.place), frame_of(shape.on)
    side = ", inside=True" if shape.inside else ""
    if shape.kind == "plane":
        return f"Plane({point}, {_axis(shape)}, frame={frame})"
    if shape.kind == "sphere":
        return f"Sphere({point}, {shape.sizes[0]!r}{side}, frame={frame})"
    if shape.kind == "cylinder":
        return f"Cylinder({point}, {_axis(shape)}, {shape.sizes[0]!r}{side}, frame={frame})"
    if shape.kind == "capsule":
        return f"Capsule({_ends(name, shape)}, {shape.sizes[0]!r}, frame={frame})"
    if shape.kind == "polygon":
        R, corners = rotation(shape.turn), np.reshape(shape.sizes, (-1, 2))
        places = [np.asarray(shape.place) + R[:, :2] @ corner for corner in corners]
        listed = ", ".join(_point(f"{name}{k}", shape.on, place) for k, place in enumerate(places))
        return f'ConvexPolygon([{listed}], {_axis(shape)}, {frame}, name="{name}")'
    a = shape.sizes
    phi = {
        "ellipsoid": lambda: f"(x / {a[0]!r}) ** 2 + (y / {a[1]!r}) ** 2 + (z / {a[2]!r}) ** 2 - 1",
        "bowl": lambda: f"z - {a[0]!r} * x**2 - {a[1]!r} * y**2",
        "waves": lambda: f"z - {a[0]!r} * sin({a[1]!r} * x) * sin({a[1]!r} * y + 1)",
    }[shape.form]()
    return f'Implicit({point}, turned("{name}_axes", {frame}, {_triple(shape.turn)}), lambda x, y, z: {phi})'


def _stop(stop: Stop):
    lever = "" if stop.lever is None else f", lever={stop.lever!r}"
    gap = f"{stop.sign} * ({stop.coordinate} - {stop.bound!r})"
    yield f'contacts.append(Limit({gap}, restitution=symbols("e_{stop.name}"){lever}, name="{stop.name}"))'


def _tie(tie: Tie):
    ends = f"{_point(f'{tie.name}_a', tie.a, tie.place_a)}, {_point(f'{tie.name}_b', tie.b, tie.place_b)}"
    yield f'contacts.append(String({ends}, {tie.length!r}, restitution=symbols("e_{tie.name}"), name="{tie.name}"))'


_LOADS = {Spring: _spring, Coil: _coil, Push: _push, Drag: _drag}
_CONTACTS = {Touch: _touch, Stop: _stop, Tie: _tie}
