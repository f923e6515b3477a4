"""Impulses of least norm where they are large beside what they do."""

import numpy as np
import pytest

from sympact import solve_impact


@pytest.mark.parametrize("slope", [1e-3, 1e-5, 1e-6])
def test_two_equal_contacts_on_one_side_of_a_steep_wedge_share_its_impulse(slope):
    """A body of 1 kg falls with 1 m/s between walls that lean by `slope`, one of which it meets at two points.

    The walls push with 1/(2 slope), which the two points bear in halves. The sum of the impulses is known to a rounding
    of the large ones, not of the small momentum that they leave.
    """
    rows = np.array([[1.0, slope], [-1.0, slope], [1.0, slope]])
    answer = solve_impact(np.eye(2), rows, rows @ [0.0, -1.0], 0.0)
    half = 1 / (2 * slope)
    assert answer.impulses == pytest.approx([half / 2, half, half / 2], rel=1e-9)
    assert answer.speed_change == pytest.approx([0.0, 1.0], abs=1e-15 / slope)
