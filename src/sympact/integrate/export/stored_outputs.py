"""The outputs of a run read from a file without its model: values at the samples, and between them by formulas."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from sympact.integrate.trajectory.evaluator import Along
from sympact.native.sentences.near_names import suggestion

__all__ = ["StoredOutputs"]


@dataclass(frozen=True, eq=False)
class StoredOutputs:
    """The outputs, by their names and as the expressions that they were given as.

    Attributes
    ----------
    outputs : mapping of str to str
        Names, and the expressions as text.
    t : array, shape (k,)
        The times of the result.
    values : array, shape (n, k)
        At these times.
    formulas : tuple of Along
        For any other times; none where the model had inputs that a file does not contain.
    state_names : tuple of str
    """

    outputs: Mapping[str, str]
    t: np.ndarray
    values: np.ndarray
    formulas: tuple[Along, ...]
    state_names: tuple[str, ...]

    def __call__(self, key: object) -> Along:
        """An output as a function along the run; raises KeyError for other names, TypeError for other expressions."""
        for k, (name, text) in enumerate(self.outputs.items()):
            if key == name if isinstance(key, str) else str(key) == text:
                return self._quantity(k, name)
        known = f"states {list(self.state_names)}, outputs {self.outputs}"
        if isinstance(key, str):
            near = suggestion(key, [*self.state_names, *self.outputs])
            raise KeyError(f"there is no state and no output {key!r}; {known}{near}")
        raise TypeError(
            f"this result cannot evaluate {key!r}: it was loaded from a file, without a symbolic model; it has {known};"
            " load(path, model=model) evaluates any expression"
        )

    def _quantity(self, k: int, name: str) -> Along:
        def along(t: np.ndarray, x: np.ndarray, stage: np.ndarray) -> np.ndarray:
            if np.array_equal(t, self.t):
                return self.values[k].copy()
            if self.formulas:
                return self.formulas[k](t, x, stage)
            raise ValueError(
                f"the output {name!r} is known at the samples of this result alone, because the file does not contain"
                " the inputs of its run, or the forces that accelerations depend on; load(path, model=model,"
                " inputs=inputs) evaluates it at any time"
            )

        return along

    @property
    def between(self) -> bool:
        """Whether they are known between the samples."""
        return bool(self.formulas)
