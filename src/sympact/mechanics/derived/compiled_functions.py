"""The functions of a derived model that are compiled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sympy import Expr

from sympact.contact.memory.branches import BranchPattern
from sympact.graph import Function, Graph, LinearSystem, compact, reachable
from sympact.graph.algebra.elimination import CLEARLY, cycles, elimination_products
from sympact.graph.algebra.linear import dot, ldl_solve
from sympact.graph.algebra.switches import BRANCHING
from sympact.graph.nodes.node import Node
from sympact.mechanics.derive.branch_conditions import accelerations_in
from sympact.mechanics.derive.derivation import Derivation
from sympact.mechanics.kit.tree_factor import factor_rows, forces_solved

__all__ = [
    "acceleration_function",
    "boundary_function",
    "branch_impact_function",
    "branch_pattern",
    "constrained_motion_function",
    "constraints_function",
    "equations_function",
    "expression_function",
    "flow_function",
    "friction_function",
    "impact_function",
    "jump_functions",
    "kinematics_function",
    "kinetic_energy_function",
    "lengths_function",
    "mass_forcing_function",
    "model_functions",
    "project_function",
]

_STATE = ("t", "x", "p")
_ALONG = ("t", "x", "xdot", "p")
_MOST_UNROLLED = 455  # products of L D L^T: those of 14 coupled speeds


def model_functions(derivation: Derivation) -> tuple[Function, ...]:
    """All functions of a model by name; ``project`` and ``friction`` only where the model needs them.

    With bilateral constraints ``equations``, ``constraints`` and ``kinematics`` take the place of ``flow``; ``motion``
    is written where the tree of joints makes it short, and ``branch_impact`` in the place of ``impact`` where it is
    shorter.
    """
    constrained = [equations_function, constraints_function, kinematics_function]
    functions = [
        *(write(derivation) for write in (constrained if derivation.constraints else [flow_function])),
        *(write for write in [constrained_motion_function(derivation)] if write is not None),
        boundary_function(derivation),
        branch_impact_function(derivation) or impact_function(derivation),
        mass_forcing_function(derivation),
        kinetic_energy_function(derivation),
        lengths_function(derivation),
    ]
    if derivation.quaternions:
        functions.append(project_function(derivation))
    if any(gap.slip for gap in derivation.gaps):
        functions.append(friction_function(derivation))
    return (*functions, *jump_functions(derivation))


def flow_function(derivation: Derivation) -> Function:
    """``flow``: x' = [q', u'] with M u' = f solved.

    The solution takes the shorter time of two (`cycles`): body by body along the tree of joints, or by M = L D L^T. The
    latter is written out operation by operation where no coupled speeds need more products than fourteen fully coupled
    ones; beyond that a loop is shorter and as fast.
    """
    dense, tree = _flow_by_matrix(derivation), _flow_along_tree(derivation)
    if tree is None or cycles(derivation.graph, tree) > CLEARLY * cycles(derivation.graph, dense):
        return dense
    return tree


def _flow_by_matrix(derivation: Derivation) -> Function:
    graph = derivation.graph
    rates, forcing = derivation.running(derivation.rates), derivation.running(derivation.equations.forcing)
    mass_matrix = [derivation.running(row) for row in derivation.equations.mass_matrix]
    if not _is_large(graph, mass_matrix):
        accelerations = ldl_solve(graph, mass_matrix, forcing)
        return Function("flow", tuple(compact(graph, (*rates, *accelerations))), _STATE)
    systems, start, blocks = [], 0, _blocks(mass_matrix, graph.zero)
    for end in _cuts(blocks):
        matrix = tuple(tuple(mass_matrix[i][start : i + 1]) for i in range(start, end))
        systems.append(LinearSystem(matrix, tuple(forcing[start:end]), len(rates) + start))
        start = end
    return Function("flow", tuple(rates), _STATE, tuple(systems))


def _flow_along_tree(derivation: Derivation) -> Function | None:
    """None where there is no tree, or its solution contains a parameter or a condition that drops out of M and f."""
    graph, equations = derivation.graph, derivation.equations
    accelerations = None if equations.tree is None else equations.tree.accelerations()
    if accelerations is None:
        return None
    if _adds_choices(graph, accelerations, equations.nodes()):
        return None
    return Function("flow", tuple(derivation.running([*derivation.rates, *accelerations])), _STATE)


def _adds_choices(graph: Graph, nodes: Sequence[Node], others: Sequence[Node]) -> bool:
    """Whether nodes contain a parameter or a condition that others do not contain."""
    further = set(reachable(graph, nodes)).difference(reachable(graph, others))
    return any(graph.ops[node] in BRANCHING or graph.args[node][:1] == ("p",) for node in further)


def constrained_motion_function(derivation: Derivation) -> Function | None:
    """``motion``: q', then phi, A u + a, the derivative of that along the motion without constraint forces, then
    A M^-1 A^T row by row, then the u' of that motion and M^-1 A^T, a row for each constraint.

    Solved along the tree of joints, without M. None without constraints, where there is no tree, where M is small, and
    where M and its factor take about as little time.
    """
    graph, equations, rows = derivation.graph, derivation.equations, derivation.constraints
    tree = equations.tree
    if not rows or tree is None:
        return None
    mass_matrix = [derivation.running(row) for row in equations.mass_matrix]
    solved = tree.articulated() if _is_large(graph, mass_matrix) else None
    if solved is None:
        return None
    free = [tree.given(node) for node in solved.accelerations()]
    pulls = [[tree.given(node) for node in forces_solved(solved, row.jacobian)] for row in rows]
    known = [*equations.nodes(), *(node for row in rows for node in row.nodes())]
    if _adds_choices(graph, [*free, *(node for pull in pulls for node in pull)], known):
        return None
    products = {(k, j): dot(graph, rows[k].jacobian, pulls[j]) for k in range(len(rows)) for j in range(k + 1)}
    size = range(len(rows))
    outputs = [*derivation.rates, *_positions(derivation), *(row.rate for row in rows)]
    outputs += [graph.add(row.bias, dot(graph, row.jacobian, free)) for row in rows]
    outputs += [products[max(k, j), min(k, j)] for k in size for j in size]
    outputs += [*free, *(node for pull in pulls for node in pull)]
    function = Function("motion", tuple(derivation.running(outputs)), _STATE)
    forcing = derivation.running(equations.forcing)
    lower = tuple(tuple(row[: i + 1]) for i, row in enumerate(mass_matrix))
    rest = derivation.running([*derivation.rates, *(node for row in rows for node in (row.bias, *row.jacobian))])
    dense = Function("motion", tuple(rest), _STATE, (LinearSystem(lower, tuple(forcing), len(rest)),))
    return function if cycles(graph, function) < CLEARLY * cycles(graph, dense) else None


def equations_function(derivation: Derivation) -> Function:
    """``equations``: q', M row by row, f, then of the constraints phi, A u + a, A' u + a', and A row by row."""
    rows, equations = derivation.constraints, derivation.equations
    outputs = [*derivation.rates, *(entry for row in equations.mass_matrix for entry in row), *equations.forcing]
    outputs += _positions(derivation) + [row.rate for row in rows] + [row.bias for row in rows]
    outputs += [entry for row in rows for entry in row.jacobian]
    groups = [-1] * len(derivation.rates) + _entry_groups(derivation, 0)
    groups += [-1] * (len(outputs) - len(groups))
    return Function("equations", tuple(derivation.running(outputs)), _STATE, groups=tuple(groups))


def constraints_function(derivation: Derivation) -> Function:
    """``constraints``: phi (zero for constraints of speeds), A u + a, A row by row."""
    rows = derivation.constraints
    outputs = _positions(derivation) + [row.rate for row in rows] + [entry for row in rows for entry in row.jacobian]
    return Function("constraints", tuple(derivation.running(outputs)), _STATE)


def kinematics_function(derivation: Derivation) -> Function:
    """``kinematics``: q'."""
    return Function("kinematics", tuple(derivation.running(derivation.rates)), _STATE)


def _positions(derivation: Derivation) -> list[Node]:
    zero = derivation.graph.zero
    return [zero if row.position is None else row.position for row in derivation.constraints]


def boundary_function(derivation: Derivation) -> Function:
    """``boundary``: all gaps and margins, then their first, then their second derivatives along the flow."""
    rows = [derivation.running(gap.along_the_flow()) for gap in derivation.gaps]
    rows += [derivation.freeze.extended(switch.along_the_flow()) for switch in derivation.switches]
    outputs = tuple(row[order] for order in range(3) for row in rows)
    return Function("boundary", outputs, _ALONG, groups=tuple(range(len(rows))) * 3)


def impact_function(derivation: Derivation) -> Function:
    """``impact``: M row by row, W^T row by row (a row for each contact), w, the restitutions, A row by row.

    The conditions of restitutions are evaluated at the instant of an impact: they are no boundaries of the motion.
    """
    gaps, mass_matrix = derivation.gaps, [entry for row in derivation.equations.mass_matrix for entry in row]
    outputs = mass_matrix + [entry for gap in gaps for entry in gap.jacobian]
    outputs += [gap.drift for gap in gaps]
    restitutions = [gap.restitution for gap in gaps]
    rows = derivation.running([entry for row in derivation.constraints for entry in row.jacobian])
    groups = _entry_groups(derivation, len(gaps)) + [k for k, gap in enumerate(gaps) for _ in gap.jacobian]
    groups += [*range(len(gaps)), *range(len(gaps)), *[-1] * len(rows)]
    return Function("impact", (*derivation.running(outputs), *restitutions, *rows), _STATE, groups=tuple(groups))


def branch_impact_function(derivation: Derivation) -> Function | None:
    """``branch_impact``: ``impact`` with a factor R in the place of M = R^T R, filled in only along branches of joints.

    None with constraints, without contacts, where there is no tree, where M is small, and where a loop over M and its
    factor takes about as little time.
    """
    graph, equations, gaps = derivation.graph, derivation.equations, derivation.gaps
    tree, mass_matrix = equations.tree, [derivation.running(row) for row in equations.mass_matrix]
    dense = _profile_products(graph, mass_matrix)
    if not gaps or derivation.constraints or tree is None or dense <= _MOST_UNROLLED:
        return None
    solved = tree.articulated()
    if solved is None:
        return None
    n, (rows, _) = len(mass_matrix), factor_rows(solved)
    factor = [tree.given(rows[j].get(i, graph.zero)) for j in range(n) for i in range(n)]
    if _adds_choices(graph, factor, equations.nodes()):
        return None
    entries = derivation.running(factor)
    short, long = (Function("M", tuple(nodes), _STATE) for nodes in (entries, [e for row in mass_matrix for e in row]))
    if cycles(graph, short) >= CLEARLY * (cycles(graph, long) + dense):
        return None
    impact = impact_function(derivation)
    groups = tuple(len(gaps) + k // n for k in range(n * n)) + impact.groups[n * n :]
    return Function("branch_impact", (*entries, *impact.outputs[n * n :]), _STATE, groups=groups)


def branch_pattern(derivation: Derivation, function: Function) -> BranchPattern:
    """Where the factor in ``branch_impact`` has entries."""
    n, zero = len(derivation.symbols.u), derivation.graph.zero
    rows = [function.outputs[j * n : (j + 1) * n] for j in range(n)]
    return BranchPattern.of([[i for i in range(n) if i != j and row[i] != zero] for j, row in enumerate(rows)])


def _profile_products(graph: Graph, matrix: Sequence[Sequence[Node]]) -> int:
    """The most products that a factor of any coupled speeds takes which is filled in from the first entry of each row
    on."""
    first = [next(j for j, entry in enumerate(row) if j == i or entry != graph.zero) for i, row in enumerate(matrix)]
    blocks = _blocks(matrix, graph.zero)
    return max(sum((i - first[i]) * (i - first[i] + 1) // 2 for i in block) for block in blocks)


def _entry_groups(derivation: Derivation, first: int) -> list[int]:
    """A group for each entry of M, the same for (i, j) and (j, i)."""
    n = len(derivation.equations.forcing)
    return [first + max(i, j) * n + min(i, j) for i in range(n) for j in range(n)]


def friction_function(derivation: Derivation) -> Function:
    """``friction``: for each contact n, v, v', dv/du row by row, mu and mu_static; zeros for those without friction.

    Where a coefficient depends on the slip, its continuation comes before the two; where friction of a contact is
    anisotropic, axes and ratios come before these.
    """
    slips, graph = [gap.slip for gap in derivation.gaps if gap.slip], derivation.graph
    continued = any(slip.continued is not None for slip in slips)
    none = (graph.zero,) * 3 + (graph.one,) if any(slip.ellipse for slip in slips) else ()
    nothing = [graph.zero] * (11 + len(none) + continued + 3 * len(derivation.symbols.u))
    outputs = [node for gap in derivation.gaps for node in (gap.slip.nodes(none, continued) if gap.slip else nothing)]
    groups = tuple(k for k in range(len(derivation.gaps)) for _ in nothing)
    return Function("friction", tuple(derivation.running(outputs)), _ALONG, groups=groups)


def jump_functions(derivation: Derivation) -> tuple[Function, ...]:
    """``jump_0``, ``jump_1``, ...: the state after each jump of the user's own.

    Their conditions are evaluated at the instant of the event.
    """
    return tuple(Function(f"jump_{k}", jump.state, _STATE) for k, jump in enumerate(derivation.jumps))


def mass_forcing_function(derivation: Derivation) -> Function:
    """``mass_forcing``: M row by row, then f."""
    equations = derivation.equations
    outputs = (*(entry for row in equations.mass_matrix for entry in row), *equations.forcing)
    groups = (*_entry_groups(derivation, 0), *[-1] * len(equations.forcing))
    return Function("mass_forcing", outputs, _STATE, groups=groups)


def kinetic_energy_function(derivation: Derivation) -> Function:
    """``kinetic_energy``: T (J)."""
    return Function("kinetic_energy", (derivation.kinetic_energy,), _STATE)


def lengths_function(derivation: Derivation) -> Function:
    """``lengths``: the lengths that determine the model length, see `Lengths`; depends on p alone."""
    return Function("lengths", derivation.lengths.nodes, _STATE)


def project_function(derivation: Derivation) -> Function:
    """``project``: the state with the coordinates of each quaternion divided by their norm."""
    graph = derivation.graph
    state = [graph.input("x", i) for i in range(len(derivation.x))]
    for group in derivation.quaternions:
        numbers = [state[i] for i in group]
        norm = graph.call("sqrt", dot(graph, numbers, numbers))
        for i in group:
            state[i] = graph.div(state[i], norm)
    return Function("project", tuple(state), _STATE)


def expression_function(derivation: Derivation, name: str, expressions: Sequence[object]) -> Function:
    """A function of t, x, p for any scalar expressions of the model's symbols.

    Raises
    ------
    ValueError
        If an expression contains another symbol; the message names it.
    """
    return Function(name, tuple(derivation.read(expression) for expression in expressions), _STATE)


def acceleration_function(
    derivation: Derivation, expression: Expr, further: Mapping[Expr, Node] | None = None
) -> Function | None:
    """A function of t, x, x' and p for a scalar expression that contains accelerations; None if it contains none.

    It may contain `further` symbols.

    Raises
    ------
    ValueError
        If the expression contains another symbol; the message names it.
    """
    met, read = accelerations_in(derivation.kinematics, derivation.symbols, expression), derivation.kinematics.reader
    return Function("accelerated", (read({**met, **(further or {})})(expression),), _ALONG) if met else None


def _blocks(matrix: Sequence[Sequence[Node]], zero: Node) -> list[set[int]]:
    """The sets of speeds that M couples."""
    blocks: list[set[int]] = []
    for i, row in enumerate(matrix):
        touched = [block for block in blocks if any(row[j] != zero for j in block)]
        blocks = [block for block in blocks if block not in touched]
        blocks.append({i}.union(*touched))
    return blocks


def _is_large(graph: Graph, matrix: Sequence[Sequence[Node]]) -> bool:
    """Whether any coupled speeds need more products than fourteen fully coupled ones."""
    return max(_products(graph, matrix, block) for block in _blocks(matrix, graph.zero)) > _MOST_UNROLLED


def _products(graph: Graph, matrix: Sequence[Sequence[Node]], block: set[int]) -> int:
    """The products of an elimination of coupled speeds."""
    rows = sorted(block)
    return elimination_products(graph, [[matrix[i][j] for j in rows] for i in rows])


def _cuts(blocks: Sequence[set[int]]) -> list[int]:
    """The indices at which the sequence of speeds can be split without splitting a block; the last is its end."""
    n = sum(map(len, blocks))
    return [k for k in range(1, n + 1) if not any(min(block) < k <= max(block) for block in blocks)]
