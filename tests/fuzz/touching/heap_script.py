"""The Python that a user would write for a heap: what is run, and what a failure is handed on as."""

from __future__ import annotations

from fuzz.touching.heap import FLOOR, Block, Drop, Heap, Round, Stick, Touch

HEAD = '''from sympy import exp, symbols
from sympy.physics.mechanics import Force, Point, ReferenceFrame, RigidBody, System, dynamicsymbols, inertia

from sympact import (
    Capsule,
    Contact,
    ConvexPolygon,
    EndOfRun,
    Energetic,
    HybridModel,
    ImpactWithoutCollision,
    ImpulseRatio,
    Newton,
    Plane,
    Plastic,
    Poisson,
    Sequential,
    Simultaneous,
    Sphere,
    slip_speed,
)

N, O = ReferenceFrame("N"), Point("O")
system = System(N, O)
floor = Plane(O, N.y)
g, e, mu, e_floor, mu_floor = symbols("g e mu e_floor mu_floor")
bodies, frames, centres, surfaces, contacts = [], [], [], [], []


def free(mass, inertias, coordinates, speeds):
    """Add a body that moves freely, in the plane or in space."""
    k, q, u = len(bodies), dynamicsymbols(coordinates), dynamicsymbols(speeds)
    frame, centre, push = ReferenceFrame(f"B{k}"), Point(f"C{k}"), symbols(f"push_{k}")
    frames.append(frame), centres.append(centre)
    if len(q) == 3:
        frame.orient_axis(N, q[2], N.z)
        centre.set_pos(O, q[0] * N.x + q[1] * N.y)
        system.add_kdes(*(speed - rate.diff() for speed, rate in zip(u, q)))
    else:
        frame.orient_quaternion(N, q[3:])
        centre.set_pos(O, q[0] * N.x + q[1] * N.y + q[2] * N.z)
        spin, (e0, e1, e2, e3) = u[3:], q[3:]
        rates = [
            (-e1 * spin[0] - e2 * spin[1] - e3 * spin[2]) / 2,
            (e0 * spin[0] + e3 * spin[1] - e2 * spin[2]) / 2,
            (-e3 * spin[0] + e0 * spin[1] + e1 * spin[2]) / 2,
            (e2 * spin[0] - e1 * spin[1] + e0 * spin[2]) / 2,
        ]
        frame.set_ang_vel(N, spin[0] * N.x + spin[1] * N.y + spin[2] * N.z)
        system.add_kdes(*(speed - rate.diff() for speed, rate in zip(u, q[:3])))
        system.add_kdes(*(rate - letter.diff() for letter, rate in zip(q[3:], rates)))
        centre.set_vel(N, u[0] * N.x + u[1] * N.y + u[2] * N.z)
    bodies.append(RigidBody(f"b{k}", centre, frame, mass, (inertia(frame, *inertias), centre)))
    system.add_bodies(bodies[-1])
    system.add_coordinates(*q)
    system.add_speeds(*u)
    system.add_loads(Force(centre, push * N.x - mass * g * N.y))


def place(k, name, x, y):
    """A place of a body."""
    return centres[k].locatenew(name, x * frames[k].x + y * frames[k].y)


def touch(body, surface, on_floor):
    """Add a contact."""
    numbers = dict(restitution=e_floor, friction=mu_floor) if on_floor else dict(restitution=e, friction=mu)
    numbers["friction"] *= fading
    contacts.append(Contact(body, surface, name=f"c{len(contacts)}", **numbers))

'''


def model_script(heap: Heap) -> str:
    """The text that makes `model`."""
    fading = f"1 + {heap.weakening!r} * exp(-slip_speed / 0.1)" if heap.weakening else "1"
    lines = [HEAD, f"fading = {fading}"]
    width = len(heap.coordinates) // len(heap.parts), len(heap.speeds) // len(heap.parts)
    for i, part in enumerate(heap.parts):
        q, u = (
            " ".join(names[i * k : (i + 1) * k])
            for names, k in zip((heap.coordinates, heap.speeds), width, strict=True)
        )
        turning = f"({part.inertia!r},) * 3" if heap.space else f"(0, 0, {part.inertia!r})"
        lines.append(f'free({part.mass!r}, {turning}, "{q}", "{u}")')
    lines += [_surface(i, part) for i, part in enumerate(heap.parts)]
    lines += [_touch(heap, touch) for touch in heap.touches]
    options = f"impact={heap.law}, resolution={heap.resolution}, painleve={heap.painleve}"
    return "\n".join([*lines, f"model = HybridModel(system, contacts, {options})", ""])


def drop_script(heap: Heap, drop: Drop) -> str:
    """The text that makes `model` and `result`, and says how the run ended."""
    numbers = {"g": drop.gravity, "e": drop.restitution, "mu": drop.friction}
    numbers |= {"e_floor": drop.floor_restitution, "mu_floor": drop.floor_friction}
    numbers |= {f"push_{k}": force for k, force in enumerate(drop.pushes or [0.0] * len(heap.parts))}
    names = [*heap.coordinates, *heap.speeds]
    start = ", ".join(f"{name!r}: {value!r}" for name, value in zip(names, (*drop.q, *drop.u), strict=True))
    told = ", ".join(f"{name!r}: {value!r}" for name, value in numbers.items())
    return "\n".join(
        [
            model_script(heap),
            f"start = {{{start}}}",
            f"numbers = {{{told}}}",
            "start = {letter: start[letter.func.__name__] for letter in (*model.q, *model.u)}",
            "parameters = {letter: numbers[letter.name] for letter in model.parameters}",
            f"result = model.simulate((0, {drop.span!r}), start, parameters, rtol={drop.rtol!r}, max_events=20000)",
            'if __name__ == "__main__":',
            "    print(result.status.name, result.message)",
            "    print(len(result.events), 'events; energy rises by', max(result.energy[1:] - result.energy[:-1]))",
            "",
        ]
    )


def _surface(i: int, part: object) -> str:
    if isinstance(part, Block):
        corners = ", ".join(f'place({i}, "p{i}_{k}", {x!r}, {y!r})' for k, (x, y) in enumerate(part.corners))
        return f'surfaces.append(ConvexPolygon([{corners}], N.z, frames[{i}], name="s{i}"))'
    if isinstance(part, Stick):
        ends = ", ".join(f'place({i}, "p{i}_{k}", {x!r}, 0.0)' for k, x in enumerate((-part.half, part.half)))
        return f"surfaces.append(Capsule({ends}, {part.radius!r}, frame=frames[{i}]))"
    return f"surfaces.append(Sphere(centres[{i}], {part.radius!r}, frame=frames[{i}]))"


def _touch(heap: Heap, touch: Touch) -> str:
    part, (x, y) = heap.parts[touch.body], touch.place
    if isinstance(part, Round):
        body = f"surfaces[{touch.body}]"
    else:
        body = f'place({touch.body}, "{touch.name}", {x!r}, {y!r})'
    if isinstance(part, Stick):
        body = f"Sphere({body}, {touch.radius!r}, frame=frames[{touch.body}])"
    surface = "floor" if touch.other == FLOOR else f"surfaces[{touch.other}]"
    return f"touch({body}, {surface}, {touch.other == FLOOR})"
