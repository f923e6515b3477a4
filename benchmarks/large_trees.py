"""Long chains and large trees: cost of deriving, compiling and evaluating against the number of links.

- Planar chain on pins: CPU time of deriving and compiling all functions of the model in a fresh process with an empty
  cache; nanoseconds of x' (`flow`), of M and f, and of x' of the same chain with three tips pinned to the ground, each
  called from a compiled loop; and the exponents between the rows.
- Other trees: x' of chains whose angles are those against the ground, of binary trees on pins about three axes, and of
  chains on ball joints.
- Beside them, where `mujoco` and `pin` are installed: `mj_forward` and `pinocchio.aba` of the same planar chain, called
  from Python (some 300 ns of each call), with the largest difference of u' from sympact's.

`python benchmarks/large_trees.py` prints the tables, `python benchmarks/large_trees.py 10 20` those of other sizes.
"""

import ctypes
import json
import sys
from collections.abc import Callable
from math import log
from tempfile import TemporaryDirectory
from time import process_time

import numpy as np
import sympy as sm
from engine import hybrid_model, parameters
from measure import best, run_child, show
from numba import njit
from systems import Case, chain, tree, upright

from sympact import BallClosure, HybridModel
from sympact.contact.constraints.constraint_data import RATES
from sympact.graph import compile_functions, count
from sympact.mechanics import derive, describe
from sympact.mechanics.derived.compiled import CompiledModel
from sympact.mechanics.derived.compiled_functions import flow_function

SIZES = (10, 20, 40, 60, 100)
KINDS: dict[str, Callable[[int], Case]] = {
    "angles against the ground": upright,
    "binary tree, three axes": tree,
    "ball joints": lambda n: chain(n, "spherical"),
}
NANO = 1e9
FUNCTION = ctypes.CFUNCTYPE(None, ctypes.c_double, *[ctypes.c_int64] * 3)


def nanoseconds(address: int, x: np.ndarray, data: int, size: int) -> tuple[float, np.ndarray]:
    """The time of a call of a compiled function of t, x and the numbers at an address, and its result."""
    function, out = FUNCTION(address), np.empty(size)

    @njit
    def repeat(calls, place, numbers, result):
        for _ in range(calls):
            function(0.0, place, numbers, result)

    calls = 2000
    seconds = best(lambda: repeat(calls, x.ctypes.data, data, out.ctypes.data), repeats=7) / calls
    if not np.isfinite(out).all():
        raise ArithmeticError("the result has no numbers")
    return NANO * seconds, out


def numbers_of(model: HybridModel, case: Case) -> tuple[CompiledModel, np.ndarray, np.ndarray]:
    """The compiled model, its state at the start and its parameters."""
    compiled = model.compile()
    known = {symbol: value for symbol, value in parameters(model, case).items() if symbol in model.parameters}
    return compiled, compiled.state(case.start), compiled.all_parameters(compiled.parameters(known))


def flow_time(case: Case) -> tuple[float, int, np.ndarray]:
    """Nanoseconds of x', its operations, and u' at the start."""
    derivation = derive(describe(case.system))
    graph, flow = derivation.graph, flow_function(derivation)
    code = compile_functions(graph, [flow])
    x = np.array([float(case.start[state]) for state in case.states])
    p = np.array([float(case.parameters[symbol]) for symbol in derivation.symbols.parameters])
    seconds, rates = nanoseconds(code.address("flow"), x, p.ctypes.data, x.size)
    return seconds, count(graph, flow.nodes), rates[len(derivation.symbols.q) :]


def loops_time(size: int) -> float:
    """Nanoseconds of x' of the planar chain with three tips pinned where they are at the start."""
    case = chain(size, "planar")
    frame, ground = case.system.frame, case.system.fixed_point
    angles = np.cumsum([float(case.start[angle]) for angle in case.system.q])
    lengths = np.array([float(case.parameters[sm.Symbol(f"l{i}", positive=True)]) for i in range(size)])
    tips = np.cumsum([lengths * np.sin(angles), -lengths * np.cos(angles)], axis=1).T
    closures = []
    for k in (size // 3, 2 * size // 3, size):
        place = ground.locatenew(f"pin {k}", float(tips[k - 1, 0]) * frame.x + float(tips[k - 1, 1]) * frame.y)
        closures.append(BallClosure(place, case.points[k - 1]))
    model = HybridModel(case.system, [], constraints=closures)
    compiled, x, p = numbers_of(model, case)
    constraints = compiled.constraints(p)
    constraints.measure(0.0, x)
    return nanoseconds(RATES.address(), x, constraints.address, x.size)[0]


def measured(size: int) -> dict[str, float]:
    """What the child process of one row prints: the planar chain with a contact at each tip."""
    hybrid_model(chain(2, "planar")).compile().addresses  # noqa: B018 (compiles)
    case = chain(size, "planar")
    began = process_time()
    model = hybrid_model(case)
    derived = process_time()
    model.compile().addresses  # noqa: B018 (compiles)
    done = process_time()
    compiled, x, p = numbers_of(model, case)
    speeds = len(model.u)
    matrix, _ = nanoseconds(compiled.addresses["mass_forcing"], x, p.ctypes.data, speeds * speeds + speeds)
    flow, operations, _ = flow_time(case)
    return {
        "derive (s)": derived - began,
        "compile (s)": done - derived,
        "operations of x'": operations,
        "x' (ns)": flow,
        "M, f (ns)": matrix,
        "x' with 3 loops (ns)": loops_time(size),
    }


def in_fresh_process(size: int) -> dict[str, float]:
    """A row, in a fresh process with an empty cache."""
    with TemporaryDirectory() as folder:
        return run_child("large_trees.py", "--child", str(size), SYMPACT_CACHE_DIR=folder)


def exponents(sizes: list[int], rows: list[list[float]]) -> list[str]:
    """The exponents of each column between the last two rows; dashes where there is one."""
    if len(sizes) < 2:
        return ["-"] * len(rows[0])
    return [f"{log(late / early) / log(sizes[-1] / sizes[-2]):.2f}" for early, late in zip(*rows[-2:], strict=True)]


def by_mujoco(case: Case, size: int) -> tuple[float, np.ndarray]:
    """Nanoseconds of `mj_forward` of the planar chain, and qacc."""
    import mujoco

    head = '<mujoco><option gravity="0 -9.81 0"/><worldbody>'
    body, place = "", "0 0 0"
    for mass, length, offset, moment in links(case, size):
        inertial = f'<inertial pos="0 {-offset} 0" mass="{mass}" diaginertia="{moment} {moment} {moment}"/>'
        body += f'<body pos="{place}"><joint type="hinge" axis="0 0 1"/>{inertial}'
        place = f"0 {-length} 0"
    model = mujoco.MjModel.from_xml_string(f"{head}{body}{'</body>' * size}</worldbody></mujoco>")
    data = mujoco.MjData(model)
    data.qpos[:], data.qvel[:] = start(case, size)
    seconds = best(lambda: mujoco.mj_forward(model, data), repeats=7)
    return NANO * seconds, data.qacc.copy()


def by_pinocchio(case: Case, size: int) -> tuple[float, np.ndarray]:
    """Nanoseconds of `pinocchio.aba` of the planar chain, and the accelerations."""
    import pinocchio

    model, parent, place = pinocchio.Model(), 0, pinocchio.SE3.Identity()
    model.gravity.linear = np.array([0.0, -9.81, 0.0])
    for i, (mass, length, offset, moment) in enumerate(links(case, size)):
        parent = model.addJoint(parent, pinocchio.JointModelRZ(), place, f"joint {i}")
        inertia = pinocchio.Inertia(mass, np.array([0.0, -offset, 0.0]), moment * np.eye(3))
        model.appendBodyToJoint(parent, inertia, pinocchio.SE3.Identity())
        place = pinocchio.SE3(np.eye(3), np.array([0.0, -length, 0.0]))
    data = model.createData()
    q, u = start(case, size)
    torques = np.zeros(size)
    seconds = best(lambda: pinocchio.aba(model, data, q, u, torques), repeats=7)
    return NANO * seconds, np.array(data.ddq)


def links(case: Case, size: int) -> list[tuple[float, float, float, float]]:
    """Mass, length, distance of the centre from the hinge and moment of inertia about the pin's axis of each link."""
    values = {symbol.name: float(value) for symbol, value in case.parameters.items()}
    return [(values[f"m{i}"], values[f"l{i}"], values[f"d{i}"], values[f"I{i}z"]) for i in range(size)]


def start(case: Case, size: int) -> np.ndarray:
    """q and u at the start, shape (2, size)."""
    return np.array([float(case.start[state]) for state in case.states]).reshape(2, size)


def main(sizes: list[int]) -> None:
    """Print the tables."""
    rows = [in_fresh_process(size) for size in sizes]
    values = [list(row.values()) for row in rows]
    table = [[size, *row] for size, row in zip(sizes, values, strict=True)]
    show("Planar chain on pins", ["links", *rows[0]], [*table, ["exponent", *exponents(sizes, values)]])
    rows = [[flow_time(build(size))[0] for build in KINDS.values()] for size in sizes]
    table = [[size, *row] for size, row in zip(sizes, rows, strict=True)]
    show("x' of other trees (ns)", ["links", *KINDS], [*table, ["exponent", *exponents(sizes, rows)]])
    table = []
    for size in sizes:
        case = chain(size, "planar")
        flow, _, accelerations = flow_time(case)
        row = [size, flow]
        for engine in (by_mujoco, by_pinocchio):
            try:
                time, found = engine(case, size)
            except ImportError:
                row += ["not installed", ""]
            else:
                row += [time, float(np.abs(found - accelerations).max() / np.abs(accelerations).max())]
        table.append(row)
    show("x' of the planar chain (ns)", ["links", "sympact", "mj_forward", "differs", "aba", "differs"], table)


if __name__ == "__main__":
    if "--child" in sys.argv:
        print(json.dumps(measured(int(sys.argv[-1]))))
    else:
        main([int(size) for size in sys.argv[1:]] or list(SIZES))
