"""A process of expressions with the parameters of one run: its expressions along the run, and what it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np

from sympact.graph import Function, Graph, graph_hash, graph_table
from sympact.hybrid.symbolic.definition import StageDefinition
from sympact.hybrid.symbolic.facts import ProcessStage
from sympact.hybrid.symbolic.process_summary import about_process
from sympact.hybrid.symbolic.process_symbols import Inputs, name_of
from sympact.hybrid.transition import Transition
from sympact.integrate.trajectory.about import About, Formula
from sympact.integrate.trajectory.evaluator import Along, Evaluator, Facts
from sympact.native.cached import cached_property

__all__ = ["ProcessEvaluator"]


class Process(Protocol):
    """What a run needs of a process of expressions."""

    @property
    def graph(self) -> Graph:
        """The graph of its functions."""

    @property
    def functions(self) -> tuple[Function, ...]:
        """The functions in it."""

    @property
    def stages(self) -> tuple[StageDefinition, ...]:
        """Its stages."""

    @property
    def transitions(self) -> tuple[Transition, ...]:
        """The edges."""

    @property
    def inputs(self) -> Inputs:
        """The symbols of its expressions."""

    @property
    def facts(self) -> dict[str, ProcessStage]:
        """What is known of each stage."""

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """The states whose rate is another state, each with that one."""

    @property
    def digest(self) -> str:
        """A hash of its definition."""

    def letter(self, expression: Any) -> Any:
        """The expression itself, or the symbol of a state that was given by its name."""

    def formulas(self) -> tuple[dict[str, Formula], dict[str, Formula]]:
        """The formulas at the stages and at the transitions of a drawn graph, by their names."""


class ProcessEvaluator(Evaluator):
    """A process in one run, see `Evaluator`.

    Parameters
    ----------
    process : Process
    numbers : array
        The parameters of the run.
    """

    def __init__(self, process: Process, numbers: np.ndarray) -> None:
        self._process, self._numbers = process, numbers

    @cached_property
    def facts(self) -> Facts:
        """What is known of the process."""
        return Facts(pairs=self._process.pairs)

    def knows(self, name: str) -> bool:
        """Whether it has a quantity along the run: expressions alone."""
        return name == "expression"

    def quantity(self, name: str, *key: Any) -> Along:
        """An expression along the run; states may be given by their names."""
        return self._process.inputs.quantity(self._process.letter(*key), self._numbers)

    def about(self) -> About:
        """The process and its numbers, as text and formulas."""
        process = self._process
        return about_process(process.stages, process.transitions, process.inputs, self._numbers, process.facts)

    def formulas(self) -> Mapping[str, Formula]:
        """The boundary and the jump of each transition, by name."""
        return self._process.formulas()[1]

    def graph(self) -> dict:
        """The JSON table of its formulas, for files."""
        return graph_table(self._process.graph, self._process.functions)

    def stored(self) -> dict:
        """What a file stores, for `HybridSystem.restored`."""
        count = len(self._process.inputs.parameters)
        return {"digest": self._process.digest, "parameters": self._numbers[:count].tolist()}

    def identity(self) -> tuple[str, dict[str, float]]:
        """A hash of its functions, and the numbers of its parameters by name."""
        pairs = zip(self._process.inputs.parameters, self._numbers, strict=False)
        return graph_hash(self._process.graph, self._process.functions), {name_of(one): float(k) for one, k in pairs}
