"""What a run read from a file can still work out: the formulas that its file holds, evaluated node by node."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from sympact.integrate.hooks import Quantity

__all__ = ["restored_quantities"]


def restored_quantities(stored: Mapping, contacts: Sequence[str]) -> dict[str, object]:
    """The energies and the gaps of a mechanical model, as `Hooks` takes them.

    Parameters
    ----------
    stored : mapping
        ``table``: the graph of the model's functions; ``p``: the numbers of its parameters, as hexadecimal strings;
        ``without_potential``: the loads without a known potential energy, where the file says it.
    contacts : sequence of str
        Names of the contacts, in the order of the gaps.

    Raises
    ------
    ValueError
        If the table is not one of a graph.
    """
    from sympact.graph import Function, graph_from_table, numpy_function

    graph, functions = graph_from_table(stored["table"])
    known = {function.name: function for function in functions}
    p = np.array([float.fromhex(number) for number in stored["p"]])

    def quantity(node: int) -> Quantity:
        value = numpy_function(graph, Function("value", (node,), ("t", "x", "p")))
        return lambda t, x: np.broadcast_to(value(t, x, p)[0], np.shape(t)).astype(float)

    gaps = known["gaps"].outputs
    energies = {name: known[name].outputs[0] for name in ("kinetic_energy", "potential_energy") if name in known}
    return {
        **{name: quantity(node) for name, node in energies.items()},
        "without_potential": tuple(stored.get("without_potential", ())),
        "gaps": {name: quantity(node) for name, node in zip(contacts, gaps, strict=True)},
    }
