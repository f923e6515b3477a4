"""The quantities that a result evaluates by its model: energies, gaps, and any expression of the model's symbols."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from sympy import Derivative

from sympact.graph import Unreadable, check_scalar, graph_table
from sympact.integrate.history.hooks import Hooks, Quantity
from sympact.mechanics.derive.derivation import Derivation
from sympact.mechanics.kit.symbols import state_name
from sympact.mechanics.present.geometry import Geometry
from sympact.mechanics.present.model_summary import about_model, contact_formulas
from sympact.mechanics.run.signals import Signals

if TYPE_CHECKING:
    from sympact.mechanics.run.compiled import CompiledModel

__all__ = ["hooks_of", "inertial_energy", "state_pairs"]


def hooks_of(compiled: CompiledModel, p: np.ndarray, signals: Signals | None) -> Hooks:
    """The hooks of a run of a `CompiledModel` with the numbers `p`; everything is computed on first use."""
    asked, potential = _Quantities(compiled, p, signals), compiled.model.derivation.potential
    lasting = signals is None or not (signals.functions or signals.series)

    def stored() -> dict:
        return _stored(compiled, asked.p) if signals is None else _stored(signals.compiled, p)

    return Hooks(
        evaluate=asked.evaluate,
        kinetic_energy=None if compiled.model.derivation.without_kinetic else asked.kinetic_energy,
        potential_energy=None if potential.unknown else asked.potential_energy,
        without_potential=potential.unknown,
        without_kinetic=compiled.model.derivation.without_kinetic,
        gaps=_Gaps(asked),
        graph=stored if lasting else None,
        about=lambda: about_model(compiled.model, p),
        geometry=Geometry(compiled.model, asked.values),
        pairs=compiled.pairs,
        formulas=lambda: contact_formulas(compiled.model),
    )


def inertial_energy(compiled: CompiledModel, p: np.ndarray, signals: Signals | None) -> Quantity:
    """The kinetic energy, or u M u / 2 where it is unknown: the measure of changes of energy in impacts (J)."""
    return _Quantities(compiled, p, signals).kinetic_energy


def state_pairs(derivation: Derivation) -> Iterator[tuple[str, str]]:
    """The coordinates whose rate is a speed itself, with that speed."""
    letters = derivation.symbols.nodes(derivation.graph)
    speeds = {letters[speed]: state_name(speed) for speed in derivation.symbols.u}
    for coordinate, rate in zip(derivation.symbols.q, derivation.rates, strict=True):
        if rate in speeds:
            yield state_name(coordinate), speeds[rate]


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

    def value(self, function: Callable[..., np.ndarray], t: np.ndarray, x: np.ndarray) -> np.ndarray:
        """The first output of a NumPy function along a run, shape (len(t),)."""
        return self.values(function, t, x)[0]

    def values(self, function: Callable[..., np.ndarray], t: np.ndarray, x: np.ndarray) -> np.ndarray:
        """All outputs of a NumPy function along a run, shape (size, len(t))."""
        p = self.p if self.signals is None else self.signals.along(self.p, t, x)
        found = np.asarray(function(t, x, p), dtype=float)
        return np.broadcast_to(found.reshape(len(found), -1), (len(found), np.size(t))).copy()

    def evaluate(self, key: object) -> Quantity:
        """An output by its name, or an expression by itself."""
        model = self.compiled.model
        if isinstance(key, str) and key not in model.outputs:
            states = [*map(state_name, model.x)]
            raise KeyError(f"there is no state and no output {key!r}; states {states}, outputs {list(model.outputs)}")
        expression = model.outputs[key] if isinstance(key, str) else key
        check_scalar(expression)
        try:
            function = model.quantities([expression])
        except Unreadable as error:
            raise _without_rates(error) from None
        return lambda t, x: self.value(function, t, x)

    def kinetic_energy(self, t: np.ndarray, x: np.ndarray) -> np.ndarray:
        """T (J)."""
        return self.value(self.compiled.energy_along, t, x)

    def potential_energy(self, t: np.ndarray, x: np.ndarray) -> np.ndarray:
        """V (J)."""
        return self.value(self.compiled.potential_along, t, x)


def _stored(compiled: CompiledModel, p: np.ndarray) -> dict:
    """The part of a model that a file stores: its graph as a table, and the numbers of its parameters."""
    derivation = compiled.model.derivation
    unknown, without_kinetic = derivation.potential.unknown, derivation.without_kinetic
    kept = [function for function in compiled.functions if function.name != "kinetic_energy" or not without_kinetic]
    functions = (*kept, compiled.gaps_function, *([] if unknown else [compiled.potential_function]))
    return {
        "table": graph_table(derivation.graph, functions),
        "p": [float(number).hex() for number in p],
        "without_potential": list(unknown),
        "without_kinetic": without_kinetic,
    }


def _without_rates(error: Unreadable) -> ValueError:
    """The error, or one with the cure if the rate of a speed was requested."""
    rates = [str(part) for part in error.parts if isinstance(part, Derivative)]
    if not rates:
        return error
    return ValueError(
        f"a result has no accelerations, but the request contains {', '.join(rates)}: it has coordinates, speeds, the"
        " first derivatives of coordinates and the time; model.compile().flow(t, x, p) gives x' = [q', u'] without the"
        " forces of contacts, for one time and state of the run"
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
