"""Functions as one straight line of LLVM IR.

Every node is computed once, as late as its first use allows, and the results are stored when all are there, so that
they may overwrite the state. Sines and cosines are computed for up to four angles at once (`sympact.graph.code.sine`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from sympact.graph.code.ldl import WIDTH
from sympact.graph.code.lines import OPERATION, ZERO, Lines
from sympact.graph.code.pieces import arguments, used
from sympact.graph.code.sine import LANES, has_fused_product, sine_batches
from sympact.graph.nodes.operations import CONDITIONS, LEAVES

__all__ = ["in_lanes", "needed_nodes", "row_length", "signature", "straight_function", "values", "write_nodes"]

_PAIR = f"{{<{LANES} x double>, <{LANES} x double>}}"


def straight_function(rows: list[list], function: dict, needed: Sequence[int]) -> str:
    """The IR of a function of a table that needs the nodes at some positions."""
    return _function(rows, function, needed, Lines(), signature(function), "%t")


def in_lanes(rows: list[list], function: dict, needed: Sequence[int], lanes: int) -> str:
    """The same for the inputs of several calls at once: each entry of an array, and t, is a vector of `lanes` numbers.

    It is for functions without linear systems.
    """
    lines = Lines(lanes)
    given = signature(function).replace("double %t", "ptr %t")
    return _function(rows, function, needed, lines, given, lines.load("%t", 0))


def _function(rows: list[list], function: dict, needed: Sequence[int], lines: Lines, given: str, t: str) -> str:
    outputs = values(function)
    names: dict[int, str] = {}

    def value(position: int) -> str:
        if position not in names:
            names[position] = _write_leaf(lines, t, rows[position])
        return names[position]

    positions = [position for position in needed if rows[position][0] not in LEAVES]
    write_nodes(lines, rows, positions, outputs, names, lambda position, slot: value(rows[position][1 + slot]))
    for output in outputs:
        value(output)  # before the first result is stored
    for index, output in enumerate(function["outputs"]):
        lines.store(names[output], "%out", index)
    for system in function["systems"]:
        _write_system(lines, names, system)
    head = f"define void @{function['name']}({given}, ptr %out) nounwind {{"
    return "\n".join([head, *lines.lines, "  ret void", "}"])


def values(function: dict) -> list[int]:
    """The positions of the values that a function stores."""
    outputs = list(function["outputs"])
    for system in function["systems"]:
        outputs += [*system["rhs"], *(position for row in system["matrix"] for position in row)]
    return outputs


def needed_nodes(rows: list[list], function: dict) -> list[int]:
    """The positions of the nodes that a function of a table needs, in order of evaluation.

    Raises
    ------
    ValueError
        If an output is a condition, or an input no argument.
    """
    outputs = values(function)
    if any(rows[position][0] in CONDITIONS for position in outputs):
        raise ValueError(f"function {function['name']!r} has a condition among its outputs; expected values")
    positions = used(rows, outputs)
    for op, *args in (rows[position] for position in positions):
        if op == "input" and args[0] not in function["arguments"]:
            raise ValueError(
                f"function {function['name']!r} uses the input {args[0]}[{args[1]}], but its arguments are "
                f"{', '.join(function['arguments'])}"
            )
    return positions


def signature(function: dict) -> str:
    """The arguments of a function but for its result."""
    return ", ".join("double %t" if array == "t" else f"ptr %{array}" for array in function["arguments"])


def row_length(system: dict) -> int:
    """The length of the rows of a system's matrix in memory, in whole vectors."""
    return -(-len(system["rhs"]) // WIDTH) * WIDTH


def write_nodes(
    lines: Lines,
    rows: list[list],
    positions: Iterable[int],
    wanted: Iterable[int],
    names: dict[int, str],
    operand: Callable[[int, int], str],
) -> None:
    """Compute nodes, as late as their first use allows, and name them.

    Parameters
    ----------
    lines : Lines
    rows : list of list
    positions : iterable of int
        Those that are computed here, in order of evaluation; no leaves.
    wanted : iterable of int
        The last ones; others are ignored.
    names : dict
        The names of the nodes are added to it.
    operand : callable
        The name of an argument of a node, from the node's position and the number of the argument.
    """
    positions = list(positions)
    own, batches = set(positions), sine_batches(rows, positions) if has_fused_product() else {}
    waiting = [position for position in wanted if position in own][::-1]
    while waiting:
        position = waiting[-1]
        if position in names:
            waiting.pop()
            continue
        batch = batches.get(position)
        missing = [arg for arg in batch or arguments(rows[position]) if arg in own and arg not in names]
        if missing:
            waiting += missing[::-1]
        elif batch:
            _write_sines(lines, rows, batch, names, operand)
        else:
            op, *args = rows[position]
            names[position] = OPERATION[op](lines, *(operand(position, slot) for slot in range(len(args))))


def _write_sines(
    lines: Lines,
    rows: list[list],
    batch: dict[int, list[int]],
    names: dict[int, str],
    operand: Callable[[int, int], str],
) -> None:
    """Sines and cosines of a few angles, by one call for all; each angle by calls of its own where it is a vector."""
    if lines.lanes > 1:
        for positions in batch.values():
            found = dict(zip(("sin", "cos"), _sines_in_lanes(lines, operand(positions[0], 0)), strict=True))
            names.update((position, found[rows[position][0]]) for position in positions)
        return
    lanes = [operand(positions[0], 0) for positions in batch.values()] + [ZERO] * (LANES - len(batch))
    both = lines.value(f"call {_PAIR} @sine.cosine({', '.join(f'double {lane}' for lane in lanes)})")
    halves = {op: lines.value(f"extractvalue {_PAIR} {both}, {half}") for half, op in enumerate(("sin", "cos"))}
    for lane, positions in enumerate(batch.values()):
        for position in positions:
            half = halves[rows[position][0]]
            names[position] = lines.value(f"extractelement <{LANES} x double> {half}, i64 {lane}")


def _sines_in_lanes(lines: Lines, angle: str) -> tuple[str, str]:
    """The sines and cosines of an angle in all lanes."""
    halves = ["poison", "poison"]
    for first in range(0, lines.lanes, LANES):
        numbers = [f"double {lines.lane(angle, lane)}" for lane in range(first, first + LANES)]
        both = lines.value(f"call {_PAIR} @sine.cosine({', '.join(numbers)})")
        for half in range(2):
            part = lines.value(f"extractvalue {_PAIR} {both}, {half}")
            for lane in range(LANES):
                one = lines.value(f"extractelement <{LANES} x double> {part}, i64 {lane}")
                halves[half] = lines.value(
                    f"insertelement {lines.real} {halves[half]}, double {one}, i64 {first + lane}"
                )
    return halves[0], halves[1]


def _write_leaf(lines: Lines, t: str, row: list) -> str:
    op, *args = row
    if op == "const":
        return lines.number(float.fromhex(args[0]))
    if op == "input":
        return t if args[0] == "t" else lines.load(f"%{args[0]}", args[1])
    return op if lines.lanes == 1 else f"splat (i1 {op})"


def _write_system(lines: Lines, names: dict[int, str], system: dict) -> None:
    """Store the lower triangle, rows padded to whole vectors, and the right-hand side; call the loop."""
    n = len(system["rhs"])
    if n == 0:
        return
    stride = row_length(system)
    matrix = lines.value(f"alloca [{(n + 1) * stride} x double], align {8 * WIDTH}")
    work = lines.entry(matrix, n * stride)
    lines.line(f"call void @llvm.memset.p0.i64(ptr {matrix}, i8 0, i64 {8 * (n + 1) * stride}, i1 false)")
    for i, row in enumerate(system["matrix"]):
        for j, node in enumerate(row):
            lines.store(names[node], matrix, i * stride + j)
    result = lines.entry("%out", system["offset"])
    for i, node in enumerate(system["rhs"]):
        lines.store(names[node], result, i)
    lines.line(f"call void @ldl_solve(i64 {n}, i64 {stride}, ptr {matrix}, ptr {work}, ptr {result})")
