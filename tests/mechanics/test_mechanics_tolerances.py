"""What tolerances of models decide, on both sides of each: problems so small that their answer is known."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from sympact.mechanics.run.dead_points import describe_driven


@pytest.mark.parametrize(("left", "named"), [(1e-2, False), (1e-4, True)])
def test_a_wall_that_drives_to_a_dead_point_is_told(left, named):
    """A rod of 1 kg follows a wall at 1 m/s by the sine of an angle that falls to `left`: its speed is 1 / sine."""
    sines = np.geomspace(1.0, left, 20)
    record = SimpleNamespace(stage=np.zeros(20, int), t=np.arange(20.0), x=sines[:, None])
    modes = SimpleNamespace(table=np.array([[0, 1]]))
    said = describe_driven(record, modes, ("push",), lambda t, x: np.array([1.0, x[0], 1.0, 0.0]))
    assert ("'push' drives the mechanism to a dead point" in said) == named
