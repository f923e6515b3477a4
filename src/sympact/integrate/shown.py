"""Results that know how the bodies of their model look, and the units of its states."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, cast

from sympact.integrate.history.hooks import Appearance, Hooks
from sympact.integrate.history.run_parts import RunParts
from sympact.integrate.result import Result

__all__ = ["ShownRun", "shown", "shown_as"]


@dataclass(frozen=True, eq=False)
class ShownRun:
    """The parts of a run, see `RunParts`, with an appearance among its hooks.

    Parameters
    ----------
    run : RunParts
    appearance : Appearance
    """

    run: RunParts
    appearance: Appearance

    def __getattr__(self, name: str) -> Any:
        return getattr(self.run, name)

    def __reduce__(self) -> tuple:
        return ShownRun, (self.run, self.appearance)

    @cached_property
    def hooks(self) -> Hooks:
        """The functions of the model."""
        return replace(self.run.hooks, appearance=self.appearance)


def shown(result: Result, appearance: Appearance) -> Result:
    """The same result, drawn with this appearance."""
    return Result.of_run(cast(RunParts, ShownRun(result._run, appearance)), result._t_eval)


def shown_as(result: Result, start: object) -> Result:
    """The result of a run with the appearance of that from which it goes on, where it does."""
    appearance = start._hooks.appearance if isinstance(start, Result) else None
    return result if appearance is None else shown(result, appearance)
