"""A model with the numbers of one run."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from types import MappingProxyType, ModuleType
from typing import Any

import sympy

from sympact.hybrid import HybridSystem
from sympact.integrate.present.table import Html, Sheet, Table, folded, middle_out, number
from sympact.integrate.result import Result
from sympact.integrate.trajectory.evaluator import Evaluator
from sympact.mechanics import HybridModel
from sympact.mechanics.kit.symbols import state_name
from sympact.native.sentences.near_names import suggestion
from sympact.on_request import on_request

_UNCHANGED: Mapping[str, float] = MappingProxyType({})

_MOST_STATES = 20
"""States that a notebook shows; further ones are counted."""


@dataclass(frozen=True)
class ReadyModel:
    """A mechanical model, ready to run.

    Parameters
    ----------
    model : HybridModel
    parameters : mapping of Symbol to float
        A number for every parameter of the model (SI units).
    start : mapping of expression to float
        A number for every state of the model.
    t_span : tuple of two floats
        The first and the last time (s).
    units : mapping of str to str
        The units of the states, of ``"t"`` and ``"gaps"``, as `Result.plot` takes them.
    looks : callable, optional
        Makes the shapes of the bodies from the module `sympact.show.animation.shapes`, which is loaded on first use.
        Without it the points of each body are joined.

    Examples
    --------
    >>> from sympact.models import double_pendulum
    >>> len(double_pendulum().simulate().events)
    3
    """

    model: HybridModel
    parameters: Mapping[sympy.Symbol, float]
    start: Mapping[sympy.Expr, float]
    t_span: tuple[float, float]
    units: Mapping[str, str]
    looks: Callable[[ModuleType], Sequence[Any]] | None = None

    def __reduce__(self) -> tuple:
        """Its fields travel; shapes that a lambda makes are made before."""
        looks = self.looks
        if looks is not None and looks.__name__ == "<lambda>":
            looks = _Made(tuple(self.shapes or ()))
        return ReadyModel, (self.model, dict(self.parameters), dict(self.start), self.t_span, dict(self.units), looks)

    def _repr_html_(self) -> str:
        """The numbers as tables, and the model when it is unfolded, for notebooks."""
        return _html(self)

    @property
    def shapes(self) -> list[Any] | None:
        """The shapes of the bodies, as for `Result.animate`; None without `looks`.

        Examples
        --------
        >>> from sympact.models import rod_on_wall
        >>> [type(shape).__name__ for shape in rod_on_wall().shapes]
        ['Rod']
        """
        if self.looks is None:
            return None
        return on_request("shapes_of")(self.looks)

    def animate(self, path: str | PathLike | None = None, *, result: Result | None = None, **options) -> Any:
        """Animate a run with the model's shapes and units.

        Parameters
        ----------
        path : path-like, optional
            The file to write, ``.gif``, ``.mp4`` or ``.html``.
        result : Result, optional
            A run of this model; without one it is simulated first.
        **options
            Those of `Result.animate`, such as ``speed`` and ``slow``.

        Returns
        -------
        Animation

        Examples
        --------
        >>> from sympact.models import falling_rod
        >>> falling_rod().animate()
        <Animation of 126 frames, 25 in a second: t = 0 to 5; .save(path) writes .gif, .mp4 or .html>
        """
        run = self.simulate() if result is None else result
        return run.animate(path, **{"shapes": self.shapes, "units": self.units, **options})

    def simulate(self, **options) -> Result:
        """Run the model with these numbers; `options` are those of `HybridModel.simulate`.

        The result is drawn with the model's shapes and units unless other ones are given.
        """
        _refuse_own(options)
        return self.model.simulate(self.t_span, self.start, self.parameters, **options)._drawn_as(self)

    def restored(self, *stored: Any) -> Evaluator:
        """The model with the numbers of a run that was read from a file; called by ``load(path, model=ready)``."""
        return self.model.restored(*stored)

    def named_parameters(self) -> dict[str, float]:
        """The parameters by their names."""
        return {str(symbol): float(value) for symbol, value in self.parameters.items()}

    def named_start(self) -> dict[str, float]:
        """The states at the first time by their names, as `Result.state_names` has them."""
        return {_name(state): float(value) for state, value in self.start.items()}

    def __deepcopy__(self, memo: dict) -> ReadyModel:
        """Itself: it does not change, and its shapes refer to the points of its model, which are not copied."""
        return self

    def with_numbers(
        self,
        parameters: Mapping[str, float] = _UNCHANGED,
        start: Mapping[str, float] = _UNCHANGED,
        t_span: tuple[float, float] | None = None,
    ) -> ReadyModel:
        """The same model with other numbers, given by their names; numbers without an entry are unchanged.

        Parameters
        ----------
        parameters, start : mapping of str to float, optional
            Parameters and states at the first time (SI units).
        t_span : tuple of two floats, optional
            The first and the last time (s).

        Returns
        -------
        ReadyModel

        Raises
        ------
        ValueError
            If a name is unknown.

        Examples
        --------
        >>> from sympact.models import bouncing_ball
        >>> moon = bouncing_ball().with_numbers({"g": 1.62}, {"z": 2.0}, t_span=(0, 20))
        >>> moon.named_parameters(), moon.named_start()
        ({'m': 1.0, 'g': 1.62, 'e': 0.8}, {'z': 2.0, 'v': 0.0})
        """
        _check_names(parameters, self.named_parameters(), start, self.named_start())
        return replace(
            self,
            parameters={symbol: parameters.get(str(symbol), value) for symbol, value in self.parameters.items()},
            start={state: start.get(_name(state), value) for state, value in self.start.items()},
            t_span=t_span or self.t_span,
        )


@dataclass(frozen=True)
class _Made:
    """Shapes that were made before, in place of a function that makes them."""

    shapes: tuple[Any, ...]

    __name__ = "made"

    def __call__(self, shapes: ModuleType) -> Sequence[Any]:
        return self.shapes


@dataclass(frozen=True)
class _Units:
    """The appearance of a process, which has no bodies."""

    units: Mapping[str, str]
    shapes: None = None


@dataclass(frozen=True)
class ReadyProcess:
    """A process of plain functions, ready to run.

    Parameters
    ----------
    model : HybridSystem
    start : sequence of float
        The state at the first time.
    stage : str
        The stage at the first time.
    t_span, units
        As in `ReadyModel`.
    """

    model: HybridSystem
    start: Sequence[float]
    stage: str
    t_span: tuple[float, float]
    units: Mapping[str, str]

    def simulate(self, **options) -> Result:
        """Run the process with these numbers; `options` are those of `HybridSystem.simulate`."""
        _refuse_own(options)
        result = self.model.simulate(self.t_span, self.start, start=self.stage, **options)
        return result._drawn_as(_Units(self.units))

    def named_parameters(self) -> dict[str, float]:
        """None: plain functions contain their numbers."""
        return {}

    def named_start(self) -> dict[str, float]:
        """The states at the first time by their names, as `Result.state_names` has them."""
        names = self.model.states or tuple(f"x{i}" for i in range(len(self.start)))
        return {str(name): float(value) for name, value in zip(names, self.start, strict=True)}

    def _repr_html_(self) -> str:
        """The numbers as tables, and the process when it is unfolded, for notebooks."""
        return _html(self)

    def with_numbers(
        self,
        parameters: Mapping[str, float] = _UNCHANGED,
        start: Mapping[str, float] = _UNCHANGED,
        t_span: tuple[float, float] | None = None,
    ) -> ReadyProcess:
        """The same process with another start, by the names of its states; see `ReadyModel.with_numbers`.

        Examples
        --------
        >>> from sympact.models import ball_ceiling_spring
        >>> ball_ceiling_spring().with_numbers(start={"v": 20.0}).start
        [0.0, 20.0]
        """
        _check_names(parameters, {}, start, self.named_start())
        return replace(self, start=[*{**self.named_start(), **start}.values()], t_span=t_span or self.t_span)


def _html(ready: ReadyModel | ReadyProcess) -> Html:
    """A model with its numbers as tables; its equations are folded."""
    first, last = ready.t_span
    start = [(name, number(value), ready.units.get(name, "")) for name, value in ready.named_start().items()]
    shown, omitted = middle_out(start, _MOST_STATES)
    tables = (
        Table(("parameter", "value"), [(name, number(value)) for name, value in ready.named_parameters().items()]),
        Table(("state", "at the start", "unit"), shown, omitted, "states"),
    )
    facts = {"time": f"{first:.6g} to {last:.6g} {ready.units.get('t', '')}"}
    return Sheet(type(ready).__name__, facts, tables, [folded("equations", ready.model._repr_html_())]).html


def _name(state: sympy.Expr) -> str:
    """The name of a state without its argument, the time."""
    return state_name(state) if state.args else str(state)


def _refuse_own(options: Mapping[str, object]) -> None:
    """Refuse the arguments of a run that a ready model has itself."""
    own = [name for name in ("t_span", "x0", "parameters", "start") if name in options]
    if own:
        raise TypeError(
            f"{', '.join(own)} of a ready model is its own; with_numbers(parameters, start, t_span) gives it others, "
            "and model.simulate runs its model"
        )


def _check_names(
    parameters: Mapping[str, float],
    known_parameters: Mapping[str, float],
    start: Mapping[str, float],
    known_start: Mapping[str, float],
) -> None:
    """One error with a sentence for each set of names that are unknown."""
    for what, given in (("parameters", parameters), ("start", start)):
        if not isinstance(given, Mapping):
            raise TypeError(f"{what} is {given!r}, expected a mapping of names to numbers, such as {{'m': 1.0}}")
    faults = [
        f"{what}: unknown {[*given.keys() - known.keys()]}; the model has {list(known)}"
        f"{suggestion(next(iter(given.keys() - known.keys())), known)}"
        for what, given, known in (("parameters", parameters, known_parameters), ("start", start, known_start))
        if given.keys() - known.keys()
    ]
    if faults:
        raise ValueError("; ".join(faults))


def spelled_units(text: str) -> dict[str, str]:
    """Units by name, from names that share one.

    >>> spelled_units("t: s, x y: m")
    {'t': 's', 'x': 'm', 'y': 'm'}
    """
    parts = [part.split(":") for part in text.split(",")]
    return {name: unit.strip() for names, unit in parts for name in names.split()}
