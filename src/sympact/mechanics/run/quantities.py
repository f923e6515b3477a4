"""The quantities that a result evaluates by its model: energies, gaps, and any expression of the model's symbols."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from sympy import Derivative, Expr, sympify

from sympact.graph import Function, Unreadable, check_scalar, graph_table, numpy_function, reachable
from sympact.graph.nodes.node import Node
from sympact.integrate.trajectory.hooks import Hooks, Quantity
from sympact.mechanics.derived.compiled import CompiledModel
from sympact.mechanics.derived.compiled_functions import acceleration_function
from sympact.mechanics.joints.motion_along import NumbersAlong
from sympact.mechanics.kit.symbols import state_name
from sympact.mechanics.present.geometry import Geometry
from sympact.mechanics.present.model_summary import about_model, contact_formulas
from sympact.mechanics.run.signals import Signals
from sympact.native.sentences.near_names import suggestion

__all__ = ["hooks_of", "inertial_energy", "settled_numbers"]


def hooks_of(compiled: CompiledModel, p: np.ndarray, signals: Signals | None) -> Hooks:
    """The hooks of a run of a `CompiledModel` with the numbers `p`; everything is computed on first use."""
    asked, potential = _Quantities(compiled, p, signals), compiled.model.derivation.potential
    lasting = signals is None or not (signals.functions or _follows(signals))

    def stored() -> dict:
        return _stored(compiled, asked.p) if signals is None else _stored(signals.compiled, p, signals)

    return Hooks(
        evaluate=asked.evaluate,
        accelerated=asked.accelerated,
        kinetic_energy=None if compiled.model.derivation.without_kinetic else asked.kinetic_energy,
        potential_energy=None if potential.energy is None else asked.potential_energy,
        without_potential=potential.unknown,
        without_kinetic=compiled.model.derivation.without_kinetic,
        gaps=_Gaps(asked),
        graph=stored if lasting else None,
        about=lambda: about_model(compiled.model, p),
        geometry=Geometry(compiled.model, asked.values),
        outputs={name: str(expression) for name, expression in compiled.model.outputs.items()},
        pairs=compiled.pairs,
        formulas=lambda: contact_formulas(compiled.model),
        identity=lambda: (compiled.digest, _numbers(compiled, p)),
        commanded=(lambda t: {}) if signals is None else signals.held_at,
    )


def _follows(signals: Signals) -> bool:
    """Whether an energy or a gap contains an input that changes at given times."""
    derivation = signals.compiled.model.derivation
    energy = derivation.potential.energy
    nodes = [derivation.kinetic_energy, *([] if energy is None else [energy]), *(gap.gap for gap in derivation.gaps)]
    changing = {place for series in signals.series for place in series.entries}
    parts = reachable(derivation.graph, nodes)
    return any(derivation.graph.args[node] == ("p", place) for node in parts for place in changing)


def inertial_energy(compiled: CompiledModel, p: np.ndarray, signals: Signals | None) -> Quantity:
    """The kinetic energy, or u M u / 2 where it is unknown: the measure of changes of energy in impacts (J)."""
    return _Quantities(compiled, p, signals).kinetic_energy


def settled_numbers(compiled: CompiledModel, p: np.ndarray, signals: Signals | None) -> NumbersAlong:
    """The numbers of p along a run whose own numbers are those of another model, see `NumbersAlong`."""
    return _Quantities(compiled, p, signals).settled


def _numbers(compiled: CompiledModel, p: np.ndarray) -> dict[str, float]:
    """The numbers of the parameters in p, by name."""
    symbols = compiled.model.derivation.symbols.parameters
    return {symbol.name: float(p[i]) for i, symbol in enumerate(symbols) if symbol in compiled.model.parameters}


@dataclass(frozen=True)
class _Quantities:
    """A compiled model with the numbers `given` to one run."""

    compiled: CompiledModel
    given: np.ndarray
    signals: Signals | None

    @cached_property
    def p(self) -> np.ndarray:
        """The numbers as those of the model itself, also where its inputs are given: the symbols are the same."""
        symbols, own = self.compiled.model.derivation.symbols, self.compiled.blank.copy()
        count = len(symbols.parameters) + len(symbols.inputs)
        own[:count] = self.given[:count]
        return own

    def numbers(self, t: np.ndarray, x: np.ndarray) -> np.ndarray:
        """All numbers of p along a run, as arrays that broadcast with t; after them those of the symbols that
        controllers keep."""
        if self.signals is None:
            return self.p
        return np.concatenate([self.signals.along(self.p, t, x), self.signals.kept_along(t)])

    def settled(self, t: np.ndarray, x: np.ndarray, stage: np.ndarray) -> np.ndarray:
        """The same with the switches set to the branches at each state, shape (n, k)."""
        p = np.empty((len(t), len(self.p)))
        p[:] = self.numbers(t, x)[: len(self.p)].T
        for k, time in enumerate(t.tolist()):
            self.compiled.settle(time, np.ascontiguousarray(x[:, k]), p[k])
        return p.T

    def value(self, function: Callable[..., np.ndarray], t: np.ndarray, x: np.ndarray, *slopes: np.ndarray):
        """The first output of a NumPy function along a run, shape (len(t),)."""
        return self.values(function, t, x, *slopes)[0]

    def values(
        self, function: Callable[..., np.ndarray], t: np.ndarray, x: np.ndarray, *slopes: np.ndarray
    ) -> np.ndarray:
        """All outputs of a NumPy function along a run, shape (size, len(t)); of x', too, where it is given."""
        found = np.asarray(function(t, x, *slopes, self.numbers(t, x)), dtype=float)
        return np.broadcast_to(found.reshape(len(found), -1), (len(found), np.size(t))).copy()

    def evaluate(self, key: object) -> Quantity:
        """An output by its name, or an expression by itself."""
        expression = self._expression(key)
        model, kept = self.compiled.model, self._kept
        with model._lock:
            try:
                read = model.derivation.kinematics.reader(kept) if kept else model.derivation.read
                node = read(expression)
            except Unreadable as error:
                raise _without_rates(error) from None
            function = numpy_function(model.derivation.graph, Function("quantity", (node,), ("t", "x", "p")))
        return lambda t, x: self.value(function, t, x)

    def accelerated(self, key: object) -> Callable[..., np.ndarray] | None:
        """An expression that contains accelerations as a function of t, x and x'; None for any other."""
        expression, model = self._expression(key), self.compiled.model
        with model._lock:
            try:
                function = acceleration_function(model.derivation, expression, self._kept)
            except Unreadable as error:
                raise _without_rates(error) from None
            evaluated = None if function is None else numpy_function(model.derivation.graph, function)
        return None if evaluated is None else lambda t, x, slopes: self.value(evaluated, t, x, slopes)

    @cached_property
    def _kept(self) -> dict[Expr, Node]:
        """The symbols that controllers keep, as entries of p after those of the model."""
        letters = () if self.signals is None else self.signals.bound.kept
        graph = self.compiled.model.derivation.graph
        return {letter: graph.input("p", k) for k, letter in enumerate(letters, start=len(self.p))}

    def _expression(self, key: object) -> Expr:
        """An output by its name, or an expression by itself."""
        model = self.compiled.model
        if isinstance(key, str) and key not in model.outputs:
            states = [*map(state_name, model.x)]
            near = suggestion(key, [*states, *model.outputs])
            raise KeyError(
                f"there is no state and no output {key!r}; states {states}, outputs {list(model.outputs)}{near}"
            )
        expression = model.outputs[key] if isinstance(key, str) else key
        check_scalar(expression)
        return sympify(expression).xreplace(model.description.determined)

    def kinetic_energy(self, t: np.ndarray, x: np.ndarray) -> np.ndarray:
        """T (J)."""
        return self.value(self.compiled.energy_along, t, x)

    def potential_energy(self, t: np.ndarray, x: np.ndarray) -> np.ndarray:
        """V (J)."""
        return self.value(self.compiled.potential_along, t, x)


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


class _Gaps(Mapping):
    """The gap of each contact, by name."""

    __slots__ = ("_asked",)

    def __init__(self, asked: _Quantities):
        self._asked = asked

    def __getitem__(self, name: str) -> Quantity:
        asked, k = self._asked, self._asked.compiled.contact_names.index(name)
        return lambda t, x: asked.value(lambda *arguments: asked.compiled.gaps_along(*arguments)[k:], t, x)

    def __iter__(self) -> Iterator[str]:
        return iter(self._asked.compiled.contact_names)

    def __len__(self) -> int:
        return len(self._asked.compiled.contact_names)
