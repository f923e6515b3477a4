"""The model of a run read from a file without it: the formulas in the file, evaluated node by node."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from sympact.integrate.export.stored_outputs import StoredOutputs
from sympact.integrate.trajectory.evaluator import Along, Evaluator, Facts

__all__ = ["FileEvaluator", "Formulas", "read_formulas"]

Formulas = dict[str, Any]
"""The formulas in a file: ``"kinetic_energy"`` and ``"potential_energy"`` where they are known, ``"gaps"`` by the names
of the contacts, ``"outputs"`` in their order, and what `Facts` has of the energies."""


class FileEvaluator(Evaluator):
    """What a file contains of the model of its run, see `Evaluator`.

    Parameters
    ----------
    facts : Facts
    formulas : Formulas
    outputs : StoredOutputs, optional
    graph, stored : dict, optional
        As they were written.
    identity : (str, dict), optional
    """

    def __init__(
        self,
        facts: Facts,
        formulas: Formulas,
        outputs: StoredOutputs | None,
        graph: dict | None,
        stored: dict | None,
        identity: tuple[str, dict[str, float]] | None,
    ) -> None:
        self._facts, self._formulas, self._outputs = facts, formulas, outputs
        self._graph, self._stored, self._identity = graph, stored, identity

    @property
    def facts(self) -> Facts:
        """What is known of the model."""
        return self._facts

    def knows(self, name: str) -> bool:
        """Whether the file has a quantity."""
        if name == "expression":
            return self._outputs is not None
        return name in self._formulas or (name == "gap" and bool(self._formulas.get("gaps")))

    def quantity(self, name: str, *key: Any) -> Along:
        """A quantity that the file has."""
        if name == "expression" and self._outputs is not None:
            return self._outputs(*key)
        return self._formulas["gaps"][key[0]] if name == "gap" else self._formulas[name]

    def graph(self) -> dict | None:
        """The JSON table of the model's formulas, as it was written."""
        return self._graph

    def stored(self) -> dict | None:
        """The numbers from which the model evaluates the run, as they were written."""
        return self._stored

    def identity(self) -> tuple[str, dict[str, float]] | None:
        """The hash of the model, and the numbers of its parameters by name."""
        return self._identity


def read_formulas(stored: Mapping, contacts: Sequence[str], n_states: int) -> Formulas:
    """The formulas of a mechanical model in a file.

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

    def quantity(node: Node) -> Along:
        inputs = [graph.args[leaf] for leaf in reachable(graph, [node]) if graph.ops[leaf] == "input"]
        if any(index >= there.get(array, 0) for array, index in inputs):
            raise ValueError(f"a formula of it uses more than {n_states} states and {len(p)} parameters")
        value = numpy_function(graph, Function("value", (node,), ("t", "x", "p")))
        return lambda t, x, stage: np.broadcast_to(value(t, x, p)[0], np.shape(t)).astype(float)

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
        "outputs": tuple(map(quantity, known["outputs"].outputs)) if "outputs" in known else (),
        "gaps": {name: quantity(node) for name, node in zip(contacts, gaps, strict=True)},
    }
