"""A model with the numbers of one run."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from types import ModuleType
from typing import TYPE_CHECKING

import sympy

from sympact.hybrid import HybridSystem
from sympact.integrate.result import Result
from sympact.mechanics import HybridModel

if TYPE_CHECKING:
    from sympact.show.animation import Animation
    from sympact.show.shapes import Shape


@dataclass(frozen=True)
class Ready:
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
        Makes the shapes of the bodies from the module `sympact.show.shapes`, which is not loaded before they are asked
        for. Without it the points of each body are joined.

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
    looks: Callable[[ModuleType], Sequence[Shape]] | None = None

    @property
    def shapes(self) -> list[Shape] | None:
        """What the bodies look like, as `Result.animate` takes it; None without `looks`.

        Examples
        --------
        >>> from sympact.models import rod_on_wall
        >>> [type(shape).__name__ for shape in rod_on_wall().shapes]
        ['Rod']
        """
        if self.looks is None:
            return None
        from sympact.show import shapes

        return list(self.looks(shapes))

    def animate(self, path: str | PathLike | None = None, *, result: Result | None = None, **options) -> Animation:
        """Show a run in motion, with the model's shapes and units.

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
        """Run the model with these numbers; `options` are those of `HybridModel.simulate`."""
        return self.model.simulate(self.t_span, self.start, self.parameters, **options)


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
        As in `Ready`.
    """

    model: HybridSystem
    start: Sequence[float]
    stage: str
    t_span: tuple[float, float]
    units: Mapping[str, str]

    def simulate(self, **options) -> Result:
        """Run the process with these numbers; `options` are those of `HybridSystem.simulate`."""
        return self.model.simulate(self.t_span, self.start, start=self.stage, **options)


def spelled_units(text: str) -> dict[str, str]:
    """Units by name, from names that share one.

    >>> spelled_units("t: s, x y: m")
    {'t': 's', 'x': 'm', 'y': 'm'}
    """
    parts = [part.split(":") for part in text.split(",")]
    return {name: unit.strip() for names, unit in parts for name in names.split()}
