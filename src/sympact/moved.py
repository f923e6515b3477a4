"""Modules that have moved: pickles of earlier versions name them, and load as before."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

__all__ = ["MOVED", "MovedModules"]

MOVED = {
    "sympact.integrate.charts.turned": "sympact.integrate.trajectory.chart",
    "sympact.integrate.export.portable": "sympact.integrate.trajectory.trajectory",
    "sympact.integrate.history.attitude": "sympact.integrate.charts.attitude",
    "sympact.integrate.history.observation": "sympact.integrate.trajectory.observation",
    "sympact.integrate.history.record": "sympact.integrate.trajectory.record",
    "sympact.integrate.history.turned": "sympact.integrate.trajectory.chart",
    "sympact.integrate.history.winding": "sympact.integrate.charts.winding",
    "sympact.integrate.shown": "sympact.integrate.trajectory.trajectory",
    "sympact.mechanics.run.compiled": "sympact.mechanics.derived.compiled",
    "sympact.mechanics.run.simulation": "sympact.mechanics.simulate.simulate_model",
    "sympact.mechanics.run.turned_model": "sympact.mechanics.simulate.turned_model",
    "sympact.mechanics.shapes.surfaces": "sympact.mechanics.shapes.planes",
    "sympact.mechanics.start.numbers": "sympact.mechanics.derived.numbers",
    "sympact.mechanics.start.preconditions": "sympact.mechanics.derived.preconditions",
}
"""The modules of earlier versions whose names pickles contain, and where their contents are."""


class MovedModules(MetaPathFinder, Loader):
    """Finds a module that has moved, where no other finder has found one."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """A specification for the names in `MOVED`."""
        return ModuleSpec(fullname, self) if fullname in MOVED else None

    def exec_module(self, module: ModuleType) -> None:
        """Let the earlier name be that of the module as it is now."""
        sys.modules[module.__name__] = import_module(MOVED[module.__name__])
