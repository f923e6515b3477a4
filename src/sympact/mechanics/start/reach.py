"""How far each coordinate moves a model: the size of a coordinate, in radians or lengths."""

from __future__ import annotations

import numpy as np

from sympact.graph import Tangent
from sympact.mechanics.derive.derivation import Derivation
from sympact.mechanics.start.state_function import StateFunction

__all__ = ["Reach"]


class Reach:
    """The motion of all frames and points with each coordinate.

    Parameters
    ----------
    derivation : Derivation
        Nodes are added to its graph.
    """

    def __init__(self, derivation: Derivation) -> None:
        kinematics, survey = derivation.kinematics, derivation.survey
        self._n, self._points = len(derivation.symbols.q), len(survey.points)
        nodes = [entry for point in survey.points for entry in kinematics.position(point)]
        for frame in survey.frames:
            nodes += [entry for row in kinematics.rotation(frame) for entry in row]
        columns = [Tangent(derivation.graph, {coordinate: derivation.graph.one}) for coordinate in kinematics.q]
        slopes = tuple(column(node) for node in nodes for column in columns)
        self._slopes = StateFunction(derivation.graph, "reach", slopes)

    def __call__(self, t: float, x: np.ndarray, p: np.ndarray, length: float) -> np.ndarray:
        """Per unit of each coordinate, the radians by which a frame turns, or the lengths by which a point moves.

        The larger of both, shape (n_coordinates,).
        """
        n = self._n
        places, turns = np.split(self._slopes(t, x, p), [3 * n * self._points])
        places, turns = np.abs(places.reshape(-1, 3, n)), np.abs(turns.reshape(-1, 9, n))
        moved = np.linalg.norm(places, axis=1).max(axis=0, initial=0.0) / length
        turned = np.linalg.norm(turns, axis=1).max(axis=0, initial=0.0) / np.sqrt(2.0)  # |dR| of a turn by 1 rad
        return np.nan_to_num(np.maximum(moved, turned), posinf=0.0)
