"""Closed loops: what they cost in an evaluation and in deriving, and a slider-crank against SciPy.

- Chain of 20: planar rods in a row, of which three tips are pinned to the ground, against the same chain
  without them: CPU time of deriving and compiling in a fresh process with an empty cache, and of one evaluation of
  x', called from a compiled loop, both chains in turns.
- Slider-crank: its piston hits a wall. SciPy integrates the equations of `KanesMethod`, lambdified with common
  subexpressions, with `numpy.linalg.solve` and an event of `solve_ivp`, as its users write it; sympact the same system.
  Each takes the coarsest tolerance at which its state at the end is as close to the exact one as asked.

`python benchmarks/closed_loops.py` prints both.
"""

import ctypes
import json
import sys
from collections.abc import Callable
from tempfile import TemporaryDirectory
from time import process_time

import numpy as np
import sympy as sm
import sympy.physics.mechanics as me
from measure import best_of_each, coarsest, run_child, show
from numba import njit
from scipy.integrate import solve_ivp
from systems import Case, chain

from sympact import BallClosure, Contact, HybridModel, Plane
from sympact.contact.constraints.constraint_data import RATES

LINKS, PINNED = 20, (6, 13, 20)
CALLS = 2000
TOLERANCES = tuple(10 ** -(exponent / 2) for exponent in range(6, 27))
BOUNDS = (1e-4, 1e-6, 1e-8)
"""Errors at the end that are asked for (rad)."""
T_END = 10.0
WALL, RESTITUTION = 0.69, 0.8
CRANK, ROD, ANGLE = 0.2, 0.5, 2.0
"""Lengths (m), and the angle of the crank at the start (rad)."""
ADDRESS = ctypes.CFUNCTYPE(None, ctypes.c_double, *[ctypes.c_int64] * 3)


def closed_chain(loops: bool) -> tuple[HybridModel, Case]:
    """The chain, and the case of it; its pins are where the tips are at its start."""
    case = chain(LINKS, "planar")
    frame, ground = case.system.frame, case.system.fixed_point
    angles = np.cumsum([float(case.start[angle]) for angle in case.system.q])
    lengths = np.array([float(case.parameters[sm.Symbol(f"l{i}", positive=True)]) for i in range(LINKS)])
    tips = np.cumsum([lengths * np.sin(angles), -lengths * np.cos(angles)], axis=1).T
    closures = []
    for k in PINNED:
        place = ground.locatenew(f"pin {k}", float(tips[k - 1, 0]) * frame.x + float(tips[k - 1, 1]) * frame.y)
        closures.append(BallClosure(place, case.points[k - 1]))
    return HybridModel(case.system, [], constraints=closures if loops else []), case


class Evaluation:
    """A compiled loop that evaluates x' `CALLS` times.

    Parameters
    ----------
    loops : bool
        Of the chain with its loops, or without.
    """

    def __init__(self, loops: bool):
        model, case = closed_chain(loops)
        self.compiled = compiled = model.compile()  # its machine code lives as long as it does
        known = {symbol: value for symbol, value in case.parameters.items() if symbol in model.parameters}
        self.x, self.p = compiled.state(case.start), compiled.all_parameters(compiled.parameters(known))
        self.out = np.empty_like(self.x)
        if loops:
            self.constraints = compiled.constraints(self.p)
            self.constraints.measure(0.0, self.x)
            function, self.data = ADDRESS(RATES.address()), self.constraints.address
        else:
            function, self.data = ADDRESS(compiled.addresses["flow"]), self.p.ctypes.data

        @njit
        def repeat(count, place, numbers, rates):
            for _ in range(count):
                function(0.0, place, numbers, rates)

        self.repeat = repeat
        self()
        if not np.isfinite(self.out).all():
            raise ArithmeticError("the rates are no numbers")

    def __call__(self) -> None:
        """All evaluations."""
        self.repeat(CALLS, self.x.ctypes.data, self.data, self.out.ctypes.data)


def derived() -> dict[str, float]:
    """CPU time of deriving and of compiling the chain with its loops (s), after one small model."""
    HybridModel(chain(2, "planar").system, []).compile().addresses  # noqa: B018 (compiles)
    began = process_time()
    model, _ = closed_chain(True)
    read = process_time()
    model.compile().addresses  # noqa: B018 (compiles)
    return {"derive": read - began, "compile": process_time() - read}


def slider_crank() -> tuple[me.System, me.Point, sm.Matrix]:
    """Crank, rod and piston by joints of SymPy, the last pin as a constraint; the system, the piston, the distance."""
    ground = me.RigidBody("ground")
    system = me.System.from_newtonian(ground)
    place, parent = ground.masscenter, ground
    for name, length, mass in (("crank", CRANK, 1), ("rod", ROD, 1)):
        frame, centre = me.ReferenceFrame(name), me.Point(f"centre of {name}")
        body = me.RigidBody(name, centre, frame, mass, (me.inertia(frame, 0, 0, mass * length**2 / 12), centre))
        near, far = (
            centre.locatenew(f"{end} of {name}", s * length / 2 * frame.x) for s, end in ((-1, "near"), (1, "far"))
        )
        system.add_joints(me.PinJoint(name, parent, body, parent_point=place, child_point=near, joint_axis=ground.z))
        place, parent = far, body
    piston = me.Particle("piston", mass=1)
    system.add_joints(me.PrismaticJoint("slide", ground, piston, joint_axis=ground.x))
    system.apply_uniform_gravity(-sm.Float(9.81) * ground.y)
    away = place.pos_from(piston.masscenter)
    return system, piston.masscenter, sm.Matrix([away.dot(ground.x), away.dot(ground.y)])


def start() -> np.ndarray:
    """The state at rest: angles of the crank and of the rod on it, place of the piston, and their speeds."""
    reach = CRANK * np.cos(ANGLE) + np.sqrt(ROD**2 - (CRANK * np.sin(ANGLE)) ** 2)
    rod = np.arctan2(-CRANK * np.sin(ANGLE), reach - CRANK * np.cos(ANGLE))
    return np.array([ANGLE, rod - ANGLE, reach, 0.0, 0.0, 0.0])


def by_scipy() -> Callable[[float], np.ndarray]:
    """The state at the end for a tolerance, by restarts of `solve_ivp`."""
    system, _, away = slider_crank()
    system.add_holonomic_constraints(*away)
    system.q_ind, system.q_dep = system.q[:1], system.q[1:]
    system.u_ind, system.u_dep = system.u[:1], system.u[1:]
    system.form_eoms()
    states = [*system.q, *system.u]
    mass_matrix = sm.lambdify([states], system.mass_matrix, cse=True)
    forcing = sm.lambdify([states], list(system.forcing), cse=True)

    def flow(t, x):
        return np.concatenate([x[3:], np.linalg.solve(mass_matrix(x), forcing(x))])

    def gap(t, x):
        return WALL - x[2]

    gap.terminal, gap.direction = True, -1

    def run(rtol: float) -> np.ndarray:
        t, x = 0.0, start()
        while t < T_END:
            part = solve_ivp(flow, (t, T_END), x, method="DOP853", events=gap, rtol=rtol, atol=rtol / 1000)
            t, x = part.t[-1], part.y[:, -1]
            if part.status == 1:
                x[3:] *= -RESTITUTION  # of one degree of freedom: all speeds are reflected
        return x

    return run


def by_sympact() -> Callable[[float], np.ndarray]:
    """The state at the end for a tolerance."""
    system, piston, away = slider_crank()
    system.add_holonomic_constraints(*away)
    wall = Plane(system.fixed_point.locatenew("wall", WALL * system.frame.x), -system.frame.x)
    model = HybridModel(system, [Contact(piston, wall, restitution=RESTITUTION, friction=0, name="piston")])
    x = start()
    return lambda rtol: model.simulate((0.0, T_END), x, {}, rtol=rtol, atol=rtol / 1000).x[:, -1]


def against_scipy() -> list[list[object]]:
    """A row for each bound."""
    scipy, sympact = by_scipy(), by_sympact()
    exact = sympact(1e-13)
    errors = [{rtol: float(np.abs(run(rtol) - exact)[[0, 3]].max()) for rtol in TOLERANCES} for run in (scipy, sympact)]
    rows = []
    for bound in BOUNDS:
        theirs, ours = (coarsest(found, bound) for found in errors)
        seconds = best_of_each([lambda rtol=theirs: scipy(rtol), lambda rtol=ours: sympact(rtol)], rounds=3)
        found = [errors[0][theirs], errors[1][ours]]
        columns = [
            [rtol, error, 1e3 * spent] for rtol, error, spent in zip((theirs, ours), found, seconds, strict=True)
        ]
        rows.append([bound, *columns[0], *columns[1], seconds[0] / seconds[1]])
    return rows


def main() -> None:
    """Print the tables."""
    with TemporaryDirectory() as cache:
        taken = run_child("closed_loops.py", "derive", SYMPACT_CACHE_DIR=cache, SYMPACT_ENGINE="any")
    tree, loops = (1e6 * seconds / CALLS for seconds in best_of_each([Evaluation(False), Evaluation(True)]))
    head = ["", "derive (s)", "compile (s)", "x' of the tree (us)", "x' with 3 loops (us)", "ratio"]
    show("Chain of 20 links", head, [["planar", taken["derive"], taken["compile"], tree, loops, loops / tree]])
    head = ["error", "SciPy: rtol", "error", "ms", "sympact: rtol", "error", "ms", "times faster"]
    show(f"Slider-crank whose piston hits a wall, {T_END:g} s", head, against_scipy())


if __name__ == "__main__":
    if sys.argv[1:] == ["derive"]:
        print(json.dumps(derived()))
    else:
        main()
