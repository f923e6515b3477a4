"""M^-1 r and the factor of M for a tree of bodies whose speeds were eliminated, without M.

The elimination of `articulated` gives u'_j = value - sum of factor_k z_k, where z are the u' that are eliminated later
and the twist t' with which the part above carries the one whose speed is j. With D_j its pivot, and the twist expressed
by the speeds further up,

    M = sum over j of D_j l_j l_j^T,   l_j = e_j + sum of factor_k dz_k/du'

so that the rows sqrt(D_j) l_j^T form a factor R, M = R^T R. Row j has an entry for each speed further up on the way to
the root, no other: the factor of a tree is filled in only along its branches [1]_.

References
----------
.. [1] R. Featherstone, Rigid Body Dynamics Algorithms, Springer 2008, sections 6.5 and 7.3.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sympact.graph import Graph
from sympact.graph.algebra.linear import cross, plus
from sympact.graph.algebra.quadratic import Eliminated
from sympact.graph.nodes.node import Node
from sympact.mechanics.kit.articulated import SPEEDS, SPIN, ArticulatedTree, Part, follow_parts

__all__ = ["factor_rows", "forces_solved"]


def forces_solved(tree: ArticulatedTree, forces: Sequence[Node]) -> list[Node]:
    """M^-1 r for generalized forces r, one for each speed."""
    graph = tree.graph
    values = dict[int, Node]()
    loads: dict[Part | None, dict[int, Node]] = {}
    for part in reversed(tree.parts):
        load = loads.pop(part, {})
        _gather(graph, part, load)
        _eliminate(graph, part.eliminated, forces, load, values)
        _pass_on(graph, part, load, loads.setdefault(part.above, {}))
    _eliminate(graph, tree.shared, forces, loads.get(None, {}), values)
    return follow_parts(tree, values)


def factor_rows(tree: ArticulatedTree) -> tuple[list[dict[int, Node]], list[int]]:
    """The rows of R, each a mapping of speed to entry, and the speeds in the order of elimination.

    Row j has entries for j and for speeds that are eliminated after it.
    """
    graph, rows, order = tree.graph, dict[int, dict[int, Node]](), list[int]()
    eliminated = [(part, one) for part in reversed(tree.parts) for one in part.eliminated]
    for place, one in [*eliminated, *((None, one) for one in tree.shared)]:
        order.append(one.unknown - SPEEDS)
        rows[order[-1]] = _row(graph, place, one)
    return [rows[j] for j in range(tree.n_u)], order


def _row(graph: Graph, part: Part | None, one: Eliminated) -> dict[int, Node]:
    """sqrt(D) l^T of a speed eliminated with a part: the load sqrt(D) factor_k on z_k, passed on to the root."""
    root = graph.call("sqrt", one.pivot)
    load = {k: graph.mul(root, factor) for k, factor in one.factors.items()}
    while part is not None:
        above = dict[int, Node]()
        _pass_on(graph, part, load, above)
        part, load = part.above, above
        if part is not None:
            _gather(graph, part, load)
    return {one.unknown - SPEEDS: root} | {k - SPEEDS: node for k, node in load.items()}


def _eliminate(
    graph: Graph,
    eliminated: Sequence[Eliminated],
    forces: Sequence[Node],
    load: dict[int, Node],
    values: dict[int, Node],
) -> None:
    """Eliminate speeds from a load, in their order; `values` receives what they are where all further up is at rest."""
    for one in eliminated:
        own = graph.add(load.pop(one.unknown, graph.zero), forces[one.unknown - SPEEDS])
        values[one.unknown] = graph.mul(own, one.inverse)
        for k, factor in one.factors.items():
            _add(graph, load, k, graph.neg(graph.mul(factor, own)))


def _gather(graph: Graph, part: Part, load: dict[int, Node]) -> None:
    """Add to the loads on the speeds that move a part what the load on its twist has along their columns."""
    for j, column in part.columns.items():
        for k, factor in enumerate(column):
            _add(graph, load, SPEEDS + j, graph.mul(factor, load.get(k, graph.zero)))


def _pass_on(graph: Graph, part: Part, load: Mapping[int, Node], above: dict[int, Node]) -> None:
    """Add the load of a part to that of the part above, at whose joint its arm begins."""
    for k, node in load.items():
        if k >= SPEEDS:
            _add(graph, above, k, node)
    if part.above is None:
        return
    force = [load.get(k, graph.zero) for k in range(3)]
    moment = cross(graph, part.arm, force)
    if part.turns_with_above:
        moment = plus(graph, moment, [load.get(k, graph.zero) for k in SPIN])
    for k, node in enumerate([*force, *moment]):
        _add(graph, above, k, node)


def _add(graph: Graph, load: dict[int, Node], k: int, term: Node) -> None:
    """load_k += term, nothing where that is zero."""
    if term != graph.zero:
        load[k] = graph.add(load.get(k, graph.zero), term)
