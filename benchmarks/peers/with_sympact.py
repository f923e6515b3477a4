"""sympact on all problems, with the options that its manual recommends: defaults, at two tolerances."""

import sys
import warnings
from time import process_time

import numpy as np
from problems import CHAIN, DIE_START, DROPS, ENDS, PILE, Outcome, best, drop_starts, main, pile_start, pile_width

import systems  # isort: skip
from engine import hybrid_model, parameters  # isort: skip

import sympact
from sympact import Contact, HybridModel, Plane, Sphere, models

RTOL = {"loose": 1e-6, "default": 1e-9, "tight": 1e-10, "reference": 1e-13}


def model_of(problem: str):
    """The model, the start and the parameters."""
    if problem in ("links", "cube", "drops"):
        case = (
            systems.two_links() if problem == "links" else systems.cube("omega" if problem == "cube" else "quaternion")
        )
        model = hybrid_model(case)
        return model, case.start, parameters(model, case)
    if problem == "die":
        ready = models.dice()
        return ready.model, dict(zip(ready.model.x, DIE_START, strict=True)), ready.parameters
    if problem == "chain":
        case = systems.falling_chain(CHAIN["n"])
        floor = Plane(case.plane_point, case.normal)
        how = {"restitution": systems.RESTITUTION, "friction": CHAIN["mu"]}
        model = HybridModel(case.system, [Contact(point, floor, name=point.name, **how) for point in case.points])
        return model, case.start, parameters(model, case)
    return pile()


def pile():
    """The spheres between floor and walls."""
    import sympy as sm
    import sympy.physics.mechanics as me

    m, r, g = sm.symbols("m r g", positive=True)
    ground = me.RigidBody("ground")
    system, (place, v, w) = me.System.from_newtonian(ground), pile_start()
    frame, origin, width = system.frame, system.fixed_point, pile_width()
    walls = [Plane(origin, frame.z)]
    for name, axis in (("x", frame.x), ("y", frame.y)):
        walls += [Plane(origin, axis), Plane(origin.locatenew(f"W{name}", width * axis), -axis)]
    how, spheres, contacts, start = {"restitution": PILE["e"], "friction": PILE["mu"]}, [], [], {}
    for i in range(PILE["n"]):
        q, u = me.dynamicsymbols(f"x{i} y{i} z{i}"), me.dynamicsymbols(f"vx{i} vy{i} vz{i}")
        turns, spins = me.dynamicsymbols(f"e{i}_:4"), me.dynamicsymbols(f"w{i}_:3")
        body_frame = me.ReferenceFrame(f"B{i}")
        body_frame.orient_quaternion(frame, turns)
        body_frame.set_ang_vel(frame, sum(one * axis for one, axis in zip(spins, body_frame, strict=True)))
        centre = origin.locatenew(f"C{i}", sum(one * axis for one, axis in zip(q, frame, strict=True)))
        centre.set_vel(frame, sum(one * axis for one, axis in zip(u, frame, strict=True)))
        moment = 2 * m * r**2 / 5
        body = me.RigidBody(f"ball{i}", centre, body_frame, m, (me.inertia(body_frame, *[moment] * 3), centre))
        system.add_bodies(body)
        system.add_coordinates(*q, *turns)
        system.add_speeds(*u, *spins)
        _, scalar, vector, spin = None, turns[0], sm.Matrix(turns[1:]), sm.Matrix(spins)
        rates = [-vector.dot(spin) / 2, *((scalar * spin + vector.cross(spin)) / 2)]
        equations = [*(a.diff() - b for a, b in zip(q, u, strict=True))]
        equations += [turn.diff() - rate for turn, rate in zip(turns, rates, strict=True)]
        system.add_kdes(*equations)
        spheres.append(Sphere(centre, r, frame=body_frame))
        contacts += [Contact(spheres[i], wall, name=f"{i} wall{k}", **how) for k, wall in enumerate(walls)]
        contacts += [Contact(spheres[i], spheres[j], name=f"{i} {j}", **how) for j in range(i)]
        start |= dict(zip([*q, *turns, *u, *spins], [*place[i], 1.0, 0.0, 0.0, 0.0, *v[i], *w[i]], strict=True))
    system.apply_uniform_gravity(-g * frame.z)
    return HybridModel(system, contacts), start, {m: PILE["m"], r: PILE["r"], g: PILE["g"]}


def states(problem: str, x: np.ndarray) -> tuple[str, np.ndarray]:
    """The form of the states and the states, shape (m, n)."""
    if problem == "pile":
        n = PILE["n"]
        q, u = x[: 7 * n].T.reshape(-1, n, 7), x[7 * n :].T.reshape(-1, n, 6)
        return "spheres", np.concatenate([q[:, :, :3], u[:, :, :3], u[:, :, 3:]], axis=1).reshape(len(q), -1)
    form = {"ball": "ball", "links": "links", "cube": "angles", "die": "quaternion", "chain": "chain"}[problem]
    return form, x.T


def drops(setting: str) -> Outcome:
    """Ten thousand drops, as an ensemble on one core."""
    rtol, began = RTOL[setting], process_time()
    model, _, numbers = model_of("drops")
    rows = drop_starts(DROPS)

    def run(count: int = DROPS):
        return sympact.ensemble(
            model, (0, ENDS["drops"]), rows[:count], numbers, rtol=rtol, atol=1e-2 * rtol, workers=1
        )

    run(10)
    setup = process_time() - began
    seconds, found = best(run, repeats=3)
    firsts = found.events.impacts.first(3)[:1000]
    return Outcome(
        f"ensemble(..., rtol={rtol:g}, workers=1)", sympact.__version__, setup, seconds, of_runs=len(rows),
        firsts=firsts.tolist(), form="quaternion",
    )  # fmt: skip


def solve(problem: str, setting: str) -> Outcome:
    """A run, timed after the first one."""
    warnings.simplefilter("ignore", sympact.SympactWarning)
    if problem == "drops":
        return drops(setting)
    rtol, began = RTOL[setting], process_time()
    how = {"rtol": rtol, "atol": 1e-2 * rtol, "max_events": 100_000}
    if problem == "ball":
        process = ball_process()
        call = lambda: process.simulate((0, ENDS["ball"]), [0.0, 100.0], start="free", **how)  # noqa: E731
    else:
        model, start, numbers = model_of(problem)
        call = lambda: model.simulate((0, ENDS[problem]), start, numbers, **how)  # noqa: E731
    call()
    setup = process_time() - began
    seconds, result = best(call)
    form, x = states(problem, result.x)
    impacts = [event.t for event in result.events if event.kind in ("impact", "transition")]
    said = "" if result.success else result.message
    return Outcome(
        f"simulate(..., rtol={rtol:g})", sympact.__version__, setup, seconds, impacts, form, result.t, x, said=said
    )


def ball_process():
    """The ball by symbolic flows, as the manual recommends where expressions exist."""
    from sympy import symbols

    from sympact import HybridSystem, Transition

    y, v = symbols("y v")
    m, c, g, k, h, eta = 1.0, 0.5, 9.8, 10.0, 5.0, 0.8
    return HybridSystem.from_sympy(
        flows={"free": {y: v, v: -g - c * v / m}, "spring": {y: v, v: -g - (c * v + k * y) / m}},
        transitions=[
            Transition("free", "free", boundary=y - h, jump={v: -eta * v}, name="ceiling"),
            Transition("free", "spring", boundary=-y, name="touch"),
            Transition("spring", "free", boundary=y, name="leave"),
        ],
        states=[y, v],
    )


if __name__ == "__main__":
    sys.setrecursionlimit(10_000)
    main(solve)
