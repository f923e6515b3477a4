"""The quantities of a model along a run: energies, gaps, forces, and any expression of the model's symbols."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
from sympy import Derivative, Expr, sympify

from sympact.graph import Function, Unreadable, check_scalar, graph_table, numpy_function, reachable
from sympact.graph.nodes.node import Node
from sympact.integrate.trajectory.about import About, Formula
from sympact.integrate.trajectory.evaluator import PLAIN, Along, AtEvent, Evaluator, Facts
from sympact.mechanics.derived.compiled import CompiledModel
from sympact.mechanics.derived.compiled_functions import acceleration_function
from sympact.mechanics.joints.motion_along import MotionAlong
from sympact.mechanics.joints.motion_evaluator import MotionEvaluator
from sympact.mechanics.joints.powers_along import PowersAlong
from sympact.mechanics.kit.symbols import state_name
from sympact.mechanics.present.geometry import Geometry
from sympact.mechanics.present.model_summary import about_model, contact_formulas
from sympact.mechanics.run.signals import Signals
from sympact.native.cached import cached_property
from sympact.native.sentences.near_names import suggestion

__all__ = ["ModelQuantities"]


class ModelQuantities(Evaluator):
    """A model with the numbers of one run, see `Evaluator`; everything is computed on first use.

    Those that need a run are there where `motion` is known.

    Parameters
    ----------
    compiled : CompiledModel
    p : array
        The numbers given to the run.
    signals : Signals, optional
        The inputs.
    """

    def __init__(self, compiled: CompiledModel, p: np.ndarray, signals: Signals | None) -> None:
        self._compiled, self._p, self._signals = compiled, p, signals

    @property
    def motion(self) -> MotionAlong | None:
        """The motion along the run; None where there is no run."""
        return None

    @cached_property
    def _moving(self) -> Evaluator:
        """What follows from the motion."""
        return PLAIN if self.motion is None else MotionEvaluator(self.motion)

    @cached_property
    def facts(self) -> Facts:
        """What is known of the model."""
        compiled, model, motion = self._compiled, self._compiled.model, self.motion
        return Facts(
            contact_names=compiled.contact_names,
            outputs={name: str(expression) for name, expression in model.outputs.items()},
            pairs=compiled.pairs,
            without_potential=model.derivation.potential.unknown,
            without_kinetic=model.derivation.without_kinetic,
            powers=None if motion is None else PowersAlong(motion, model.derivation),
            constraints=self._moving.facts.constraints,
            geometry=Geometry(model, self._values),
        )

    def knows(self, name: str) -> bool:
        """Whether it has a quantity along the run."""
        return name in self._makers or self._moving.knows(name)

    def quantity(self, name: str, *key: Any) -> Along:
        """A quantity along the run."""
        return self._makers[name](*key) if name in self._makers else self._moving.quantity(name, *key)

    @cached_property
    def _makers(self) -> dict[str, Callable[..., Along]]:
        """For each quantity what makes it, by its key."""
        derivation = self._compiled.model.derivation
        found: dict[str, Callable[..., Along]] = {"expression": self._expression, "gap": self._gap}
        if not derivation.without_kinetic:
            found["kinetic_energy"] = lambda: _steady(self.inertial_energy)
        if derivation.potential.energy is not None:
            found["potential_energy"] = lambda: _steady(self._potential_energy)
        found |= {name: partial(self.contact_forces.__getitem__, name) for name in self.contact_forces}
        if self.motion is not None:
            powers = PowersAlong(self.motion, derivation)
            found["powers"] = lambda: powers.along
        return found

    def at_event(self, name: str, *key: Any) -> AtEvent:
        """A quantity at an event."""
        return self._moving.at_event(name, *key)

    @property
    def contact_forces(self) -> Mapping[str, Along]:
        """The quantities ``force`` and ``friction_force``, by these names; none without contacts."""
        return {}

    def about(self) -> About:
        """The model and its numbers, as text and formulas."""
        return about_model(self._compiled.model, self._p)

    def formulas(self) -> Mapping[str, Formula]:
        """The gap and the jump map of each contact, by name."""
        return contact_formulas(self._compiled.model)

    def graph(self) -> dict | None:
        """The JSON table of the model's formulas; None where they depend on functions, or on data, of the inputs."""
        signals = self._signals
        if signals is None:
            return _stored(self._compiled, self._own)
        return None if signals.functions or _follows(signals) else _stored(signals.compiled, self._p, signals)

    def identity(self) -> tuple[str, dict[str, float]]:
        """A hash of the model, and the numbers of its parameters by name."""
        model = self._compiled.model
        symbols = model.derivation.symbols.parameters
        numbers = {one.name: float(self._p[i]) for i, one in enumerate(symbols) if one in model.parameters}
        return self._compiled.digest, numbers

    def commanded(self, t: float) -> Mapping[Any, Any]:
        """What the controllers of the run have in force at a time, and what waits, by their symbols."""
        return {} if self._signals is None else self._signals.held_at(t)

    @cached_property
    def _own(self) -> np.ndarray:
        """The numbers as those of the model itself, also where its inputs are given: the symbols are the same."""
        symbols, own = self._compiled.model.derivation.symbols, self._compiled.blank.copy()
        count = len(symbols.parameters) + len(symbols.inputs)
        own[:count] = self._p[:count]
        return own

    def _numbers(self, t: np.ndarray, x: np.ndarray) -> np.ndarray:
        """All numbers of p along a run, as arrays that broadcast with t; after them those of the symbols that
        controllers keep."""
        if self._signals is None:
            return self._own
        return np.concatenate([self._signals.along(self._own, t, x), self._signals.kept_along(t)])

    def _settled(self, t: np.ndarray, x: np.ndarray, stage: np.ndarray) -> np.ndarray:
        """The same with the switches set to the branches at each state, shape (n, k)."""
        p = np.empty((len(t), len(self._own)))
        p[:] = self._numbers(t, x)[: len(self._own)].T
        for k, time in enumerate(t.tolist()):
            self._compiled.settle(time, np.ascontiguousarray(x[:, k]), p[k])
        return p.T

    def _values(
        self, function: Callable[..., np.ndarray], t: np.ndarray, x: np.ndarray, *slopes: np.ndarray
    ) -> np.ndarray:
        """All outputs of a NumPy function along a run, shape (size, len(t)); of x', too, where it is given."""
        found = np.asarray(function(t, x, *slopes, self._numbers(t, x)), dtype=float)
        return np.broadcast_to(found.reshape(len(found), -1), (len(found), np.size(t))).copy()

    def inertial_energy(self, t: np.ndarray, x: np.ndarray) -> np.ndarray:
        """T, or u M u / 2 where it is unknown: the measure of changes of energy in impacts (J)."""
        return self._values(self._compiled.energy_along, t, x)[0]

    def _potential_energy(self, t: np.ndarray, x: np.ndarray) -> np.ndarray:
        """V (J)."""
        return self._values(self._compiled.potential_along, t, x)[0]

    def _gap(self, name: str) -> Along:
        k = self._compiled.contact_names.index(name)
        return _steady(lambda t, x: self._values(self._compiled.gaps_along, t, x)[k])

    def _expression(self, key: object) -> Along:
        """An output by its name, or an expression by itself; one that contains accelerations takes x', too."""
        expression, model, kept = self._read(key), self._compiled.model, self._kept
        with model._lock:
            try:
                function = acceleration_function(model.derivation, expression, kept)
                accelerated = function is not None
                if function is None:
                    read = model.derivation.kinematics.reader(kept) if kept else model.derivation.read
                    function = Function("quantity", (read(expression),), ("t", "x", "p"))
            except Unreadable as error:
                raise _without_rates(error) from None
            value = numpy_function(model.derivation.graph, function)
        if not accelerated:
            return _steady(lambda t, x: self._values(value, t, x)[0])
        return lambda t, x, stage: self._values(value, t, x, self.quantity("slopes")(t, x, stage))[0]

    @cached_property
    def _kept(self) -> dict[Expr, Node]:
        """The symbols that controllers keep, as entries of p after those of the model."""
        letters = () if self._signals is None else self._signals.bound.kept
        graph = self._compiled.model.derivation.graph
        return {letter: graph.input("p", k) for k, letter in enumerate(letters, start=len(self._own))}

    def _read(self, key: object) -> Expr:
        """An output by its name, or an expression by itself."""
        model = self._compiled.model
        if isinstance(key, str) and key not in model.outputs:
            states = [*map(state_name, model.x)]
            near = suggestion(key, [*states, *model.outputs])
            raise KeyError(
                f"there is no state and no output {key!r}; states {states}, outputs {list(model.outputs)}{near}"
            )
        expression = model.outputs[key] if isinstance(key, str) else key
        check_scalar(expression)
        return sympify(expression).xreplace(model.description.determined)


def _steady(value: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> Along:
    """A quantity that does not depend on the modes of contacts."""
    return lambda t, x, stage: value(t, x)


def _follows(signals: Signals) -> bool:
    """Whether an energy or a gap contains an input that changes at given times."""
    derivation = signals.compiled.model.derivation
    energy = derivation.potential.energy
    nodes = [derivation.kinetic_energy, *([] if energy is None else [energy]), *(gap.gap for gap in derivation.gaps)]
    changing = {place for series in signals.series for place in series.entries}
    parts = reachable(derivation.graph, nodes)
    return any(derivation.graph.args[node] == ("p", place) for node in parts for place in changing)


def _stored(compiled: CompiledModel, p: np.ndarray, signals: Signals | None = None) -> dict:
    """The part of a model that a file stores: its graph as a table, and the numbers of its parameters."""
    derivation = compiled.model.derivation
    potential, without_kinetic = derivation.potential, derivation.without_kinetic
    outputs = compiled.model.outputs_function(None if signals is None else signals.bound.inputs)
    kept = [function for function in compiled.functions if function.name != "kinetic_energy" or not without_kinetic]
    functions = (
        *kept,
        compiled.gaps_function,
        *([] if outputs is None else [outputs]),
        *([] if potential.energy is None else [compiled.potential_function]),
    )
    return {
        "table": graph_table(derivation.graph, functions),
        "p": [float(number).hex() for number in p],
        "without_potential": list(potential.unknown),
        "without_kinetic": without_kinetic,
    }


def _without_rates(error: Unreadable) -> ValueError:
    """The error, or one with the cure if a derivative that is not known was requested."""
    rates = [str(part) for part in error.parts if isinstance(part, Derivative)]
    if not rates:
        return error
    return ValueError(
        f"a result has no {', '.join(rates)}: it has coordinates, speeds, inputs and the time, the first derivatives of"
        " coordinates and speeds and the second ones of coordinates, each written out, as doit() does"
    )
