"""The quantities of a run read from a file: the formulas in the file, evaluated node by node."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from sympact.integrate.trajectory.hooks import Quantity

__all__ = ["restored_quantities"]


def restored_quantities(stored: Mapping, contacts: Sequence[str], n_states: int) -> dict[str, object]:
    """The energies and the gaps of a mechanical model, as hooks of a result; and the ``formulas`` of its outputs.

    Parameters
    ----------
    stored : mapping
        ``table``: the graph of the model's functions; ``p``: the numbers of its parameters, as hexadecimal strings;
        ``without_potential``: the loads without a known potential energy, if the file contains it;
        ``without_kinetic``: why the model has no kinetic energy.
    contacts : sequence of str
        Names of the contacts, in the order of the gaps.
    n_states : int

    Raises
    ------
    ValueError
        If the table is not one of a graph, or uses states or parameters that do not exist.
    """
    from sympact.graph import Function, Node, graph_from_table, numpy_function, reachable

    graph, functions = graph_from_table(stored["table"])
    known = {function.name: function for function in functions}
    p = np.array([float.fromhex(number) for number in stored["p"]])

    there = {"t": 1, "x": n_states, "p": len(p)}

    def quantity(node: Node) -> Quantity:
        inputs = [graph.args[leaf] for leaf in reachable(graph, [node]) if graph.ops[leaf] == "input"]
        if any(index >= there.get(array, 0) for array, index in inputs):
            raise ValueError(f"a formula of it uses more than {n_states} states and {len(p)} parameters")
        value = numpy_function(graph, Function("value", (node,), ("t", "x", "p")))
        return lambda t, x: np.broadcast_to(value(t, x, p)[0], np.shape(t)).astype(float)

    lacking = stored.get("without_potential", ())
    if not all(isinstance(load, str) for load in lacking):
        raise ValueError(f"{lacking!r} is no list of loads")
    without_kinetic = stored.get("without_kinetic", "")
    if not isinstance(without_kinetic, str):
        raise ValueError(f"{without_kinetic!r} is no text")
    gaps = known["gaps"].outputs
    energies = {name: known[name].outputs[0] for name in ("kinetic_energy", "potential_energy") if name in known}
    return {
        **{name: quantity(node) for name, node in energies.items()},
        "without_potential": tuple(lacking),
        "without_kinetic": without_kinetic,
        "formulas": tuple(map(quantity, known["outputs"].outputs)) if "outputs" in known else (),
        "gaps": {name: quantity(node) for name, node in zip(contacts, gaps, strict=True)},
    }
