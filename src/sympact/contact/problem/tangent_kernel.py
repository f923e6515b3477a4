"""The tangents of each contact, and its lines of W^T along them.

Tangents are two vectors normal to n, which are chosen anew at each state. Nothing depends on the choice where Coulomb's
law is isotropic.

Anisotropic friction, an ellipse with the half axes r mu lambda_N along e_1 and mu lambda_N along e_2, is isotropic
along the tangents r e_1 and e_2: components of the slip are s = (r v_1, v_2), those of the friction p, with |p| <= mu
lambda_N and p = -mu lambda_N s/|s|. The force is p_1 r e_1 + p_2 e_2, and its power p . s. Directions are stored by
their components along e_1 and e_2, also where r = 0.
"""

import math

from sympact.contact.problem.assemble_kernel import jacobian
from sympact.native.kernel import kernel

NORMAL, VELOCITY, ACCELERATION, JACOBIAN = 0, 3, 6, 9  # their indices in a row of `slips`, coefficients last


@kernel
def slips(contacts):
    """The last slips, a row for each contact."""
    problem = contacts.problem
    return problem.slips


@kernel
def write_lines(contacts, j):
    """The tangents of contact j and its lines of W^T, from its slip."""
    problem = contacts.problem
    m, rows = problem.n_u, slips(contacts)
    lines, wt, tangents = problem.lines, jacobian(contacts), problem.tangents
    choose_axes(rows, j, problem.axes)
    ratio = take_ellipse(contacts, j)
    for i in range(3):
        tangents[j, i], tangents[j, 3 + i] = ratio * problem.axes[j, i], problem.axes[j, 3 + i]
    for k in range(m):
        lines[3 * j, k] = wt[j, k]
        for c in range(2):
            s = 0.0
            for i in range(3):
                s += tangents[j, 3 * c + i] * rows[j, JACOBIAN + m * i + k]
            lines[3 * j + 1 + c, k] = s


@kernel
def take_ellipse(contacts, j):
    """The ratio of the friction of contact j along its first axis, which becomes that of its ellipse if it has one."""
    rows, axes, first = slips(contacts), contacts.problem.axes, JACOBIAN + 3 * contacts.model.n_u
    if contacts.problem.n_coefficients < 6:
        return 1.0
    if rows[j, first] != 0.0 or rows[j, first + 1] != 0.0 or rows[j, first + 2] != 0.0:
        for i in range(3):
            axes[j, i] = rows[j, first + i]
        complete(rows, j, axes)
    return rows[j, first + 3]


@kernel
def choose_axes(rows, j, axes):
    """Two unit vectors normal to the normal of contact j and to each other; zeros where there is no friction."""
    least = 0
    for i in range(1, 3):
        if abs(rows[j, i]) < abs(rows[j, least]):
            least = i
    length = 0.0
    for i in range(3):
        axes[j, i] = (1.0 if i == least else 0.0) - rows[j, least] * rows[j, i]
        length += axes[j, i] * axes[j, i]
    none = rows[j, 0] == 0.0 and rows[j, 1] == 0.0 and rows[j, 2] == 0.0
    scale = 0.0 if none else 1.0 / math.sqrt(length)
    for i in range(3):
        axes[j, i] *= scale
    complete(rows, j, axes)


@kernel
def complete(rows, j, axes):
    """The second axis of contact j, normal to the first one and to its normal."""
    for i in range(3):
        a, b = (i + 1) % 3, (i + 2) % 3
        axes[j, 3 + i] = rows[j, a] * axes[j, b] - rows[j, b] * axes[j, a]
