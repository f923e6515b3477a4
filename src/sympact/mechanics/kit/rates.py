"""q' from the kinematic differential equations, as nodes: q' = S(q, t) u + b(q, t)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sympy import Expr

from sympact.graph import FromSympy, Graph, Tangent, compact, reachable
from sympact.graph.algebra.linear import lu_solve
from sympact.graph.nodes.node import Node
from sympact.mechanics.kit.cramer import adjugate_times, determinant
from sympact.mechanics.kit.faults import Faults
from sympact.mechanics.kit.symbols import Symbols, leaves

__all__ = ["coordinate_rates"]

_LARGEST_CRAMER = 4


def coordinate_rates(graph: Graph, symbols: Symbols, equations: Sequence[Expr], faults: Faults) -> tuple[Node, ...]:
    """Solve the kinematic differential equations for q'.

    The equations K(q, t) q' + r(q, u, t) = 0 split into blocks that share no q'. Blocks of up to four are solved by
    Cramer's rule, which divides by the determinant alone: elimination would divide by single entries, which vanish at
    regular orientations. A quaternion with its angular velocity is one block of four.

    Parameters
    ----------
    graph, symbols
        The graph of the nodes, and the symbols of the model.
    equations : sequence of Expr
        One for each coordinate whose derivative is not a speed itself, equal to zero.
    faults : Faults
        Nonlinear or dependent equations are added here.

    Returns
    -------
    tuple of node, one for each coordinate
    """
    rates = symbols.rates()
    unknowns = [graph.input("xdot", i) for i in range(len(rates))]
    letters = symbols.nodes(graph)
    index = {rate: i for i, rate in enumerate(rates) if rate not in letters}
    read = FromSympy(graph, letters | {rate: unknowns[i] for rate, i in index.items()})
    read_rest = FromSympy(graph, letters | dict.fromkeys(index, graph.zero))
    columns = [Tangent(graph, {unknown: graph.one}) for unknown in unknowns]
    rows, rest = [], []
    for equation in equations:
        met = sorted(index[leaf] for leaf in leaves(equation) if leaf in index)
        residual = read(equation)
        rows.append({i: columns[i](residual) for i in met})
        rest.append(graph.neg(read_rest(equation)))
    if _nonlinear(graph, rows, unknowns):
        faults.add("the kinematic differential equations are not linear in the derivatives of the coordinates")
        return tuple(graph.zero for _ in rates)
    solved = _solve_blocks(graph, rows, rest, symbols.q, faults)
    return tuple(letters.get(rate, node) for rate, node in zip(rates, solved, strict=True))


def _nonlinear(graph: Graph, rows: Sequence[Mapping[int, Node]], unknowns: Sequence[Node]) -> bool:
    coefficients = [entry for row in rows for entry in row.values()]
    return not set(unknowns).isdisjoint(reachable(graph, coefficients))


def _solve_blocks(
    graph: Graph, rows: Sequence[Mapping[int, Node]], rest: Sequence[Node], q: Sequence[Expr], faults: Faults
) -> tuple[Node, ...]:
    solved = [graph.zero] * len(q)
    for members, unknowns in _blocks(graph, rows):
        if len(members) != len(unknowns):
            names = ", ".join(str(q[i]) for i in unknowns) or "no coordinate"
            faults.add(
                f"{len(members)} of the kinematic differential equations are for the derivatives of {names}; each "
                "derivative needs one equation"
            )
            continue
        matrix = [[rows[i].get(j, graph.zero) for j in unknowns] for i in members]
        solution = _solve(graph, matrix, [rest[i] for i in members])
        if solution is None:
            names = ", ".join(str(q[i]) for i in unknowns)
            faults.add(f"the kinematic differential equations cannot be solved for the derivatives of {names}")
            continue
        for j, node in zip(unknowns, solution, strict=True):
            solved[j] = node
    return tuple(solved)


def _blocks(graph: Graph, rows: Sequence[Mapping[int, Node]]) -> list[tuple[list[int], list[int]]]:
    """Sets of coupled equations and unknowns, in the order of their first equation."""
    blocks: list[tuple[list[int], list[int]]] = []
    for i, row in enumerate(rows):
        wanted = {j for j, entry in row.items() if entry != graph.zero}
        touched = [block for block in blocks if wanted.intersection(block[1])]
        members, unknowns = [i], set(wanted)
        for block in touched:
            members = block[0] + members
            unknowns.update(block[1])
            blocks.remove(block)
        blocks.append((sorted(members), sorted(unknowns)))
    return sorted(blocks)


def _solve(graph: Graph, matrix: list[list[Node]], rest: list[Node]) -> list[Node] | None:
    """The solution of one block; None when it is singular for all values."""
    if len(rest) > _LARGEST_CRAMER:
        try:
            return lu_solve(graph, matrix, rest)
        except ValueError:
            return None
    whole = determinant(graph, matrix)
    if whole == graph.zero:
        return None
    return compact(graph, [graph.div(entry, whole) for entry in adjugate_times(graph, matrix, rest)])
