"""Linear complementarity problems on which Lemke's method ends without an answer, but sweeps do not."""

from itertools import product

import numpy as np
import pytest

from sympact.contact.linear_complementarity import solve_lcp


def enumerated(matrix, constant):
    """All solutions with a regular basis: of the 2^n choices of which z are not zero, those with z, w >= 0."""
    found = []
    for chosen in product([False, True], repeat=len(constant)):
        z, rows = np.zeros(len(constant)), np.flatnonzero(chosen)
        block = matrix[np.ix_(rows, rows)]
        if rows.size and abs(np.linalg.det(block)) < 1e-12:
            continue
        z[rows] = np.linalg.solve(block, -constant[rows])
        if z.min() >= 0 and (matrix @ z + constant).min() >= -1e-12:
            found.append(z.tolist())
    return found


@pytest.mark.parametrize(
    ("matrix", "constant", "z"),
    [
        ([[1, 3, 2], [3, 1, -1], [2, -3, 2]], [-2, -3, -3], [2, 0, 0]),
        ([[1, 3, 0], [3, 3, -1], [0, -3, 1]], [-2, 0, -4], [2, 0, 4]),
        ([[2, -1, 1], [-2, 3, -3], [3, -2, 1]], [-1, 1, -1], [0.5, 0, 0]),
    ],
)
def test_a_ray_ends_lemkes_method_though_there_is_a_solution(matrix, constant, z):
    """A matrix that is not copositive, with a positive diagonal: the artificial variable grows along a ray for ever."""
    matrix, constant = np.array(matrix, float), np.array(constant, float)
    solution = solve_lcp(matrix, constant)
    assert solution.solver == "projected Gauss-Seidel"
    assert solution.z == pytest.approx(z, abs=1e-12)
    assert solution.w == pytest.approx(matrix @ solution.z + constant, abs=1e-12)
    assert any(np.allclose(solution.z, other, atol=1e-12) for other in enumerated(matrix, constant))
