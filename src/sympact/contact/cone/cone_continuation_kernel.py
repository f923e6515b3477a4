"""Continuation: the path of solutions from compliant contacts to rigid ones.

With the compliance tau of `cone_compliant_kernel` large, the solution is unique and near that of decoupled contacts.
From there the solutions (P, s), s = 1/tau, form a path of smooth pieces, one for each combination of statuses. Where
some motion opens all contacts without slip, impulses stay bounded, so that the path reaches s = infinity: the argument
of Lemke's method, for the round cone. It may run back on its way, where s decreases, and it has a corner where a
contact changes its status; the sign of a determinant gives the direction (Allgower and Georg 1990, Numerical
Continuation Methods, chapters 2 and 12).

On the way, the centre C is set to the present impulses and the remaining tau is removed: Newton's method for a proximal
point (Rockafellar 1976, SIAM Journal on Control and Optimization 14), which needs no decision of rank.
"""

import math

from sympact.contact.cone.cone_compliant_kernel import assemble_compliant, balance, sort_compliant
from sympact.contact.cone.cone_residual_kernel import (
    BASE,
    BEST,
    BEYOND,
    CENTRE,
    CORNER,
    MU,
    PROBE,
    STEP,
    TANGENT,
    P,
    U,
    copy,
    measure,
    move,
)
from sympact.contact.linalg.null_vector_kernel import null_line
from sympact.contact.memory.contact_tolerances import CORRECTED, SUM_ROUNDING
from sympact.native.kernel import kernel
from sympact.native.pointer import reals
from sympact.native.rounding import EPS

FIRST = 10.0  # tau at the start, in units of the sum of G's diagonal and of 1 + mu
STRIDES = 120  # along the path, at most
LONGEST = 20.0  # of a stride, in units of s and of the impulses
BACKWARD = 0.05  # the least part of s after a stride
CORRECTIONS = 8  # of a stride
ASIDE = 0.5  # of the impulses or of their change in a stride: a larger correction leads to another path
HALVINGS = 12  # of a stride, for the position of a corner
SOFT = 1e-2  # tau above which centres are not tried
CLOSER = 3.0  # the factor of tau between centres tried
CENTRES = 4  # one after the other, each time
TURNS = 12  # of Newton's method for a centre
WORSE = 3  # of them that do not make |F| smaller, at most


@kernel
def follow(cone, n, scale, enough, pull):
    """Follow the path until |F| without compliance is small enough; the best impulses into P. Returns their |F|.

    The first centre is BEST and `pull` times deterministic numbers for all contacts: without pull, equal contacts stay
    equal; with it, no two of them change at the same time.
    """
    size, best, stride = 3 * n, math.inf, 0.5
    s = begin_path(cone, n, scale, pull)
    unit, tried = unit_of(cone, n, scale, s), CLOSER * s
    sign, along = set_out(cone, n, s, unit)
    for _ in range(STRIDES):
        copy(cone, P, BASE, size)
        balance(cone, n, 1.0 / s, unit)
        turns, reached, ahead, stride = advance(cone, n, s, unit, along, stride, sign)
        if turns == 0:
            break
        stride *= 2.0 if turns <= 4 else (0.5 if turns >= 7 else 1.0)
        stride = min(LONGEST, stride)
        before, unit = unit, unit_of(cone, n, scale, reached)
        along = rescale(cone, size, before / unit, ahead * s / reached)
        s = reached
        if s >= 1.0 / SOFT and (s >= CLOSER * tried or tried >= CLOSER * s):
            tried, best = s, move_centre(cone, n, scale, 1.0 / s, best)
            if best <= enough:
                break
    copy(cone, BEST, P, size)
    return best


@kernel
def begin_path(cone, n, scale, pull):
    """The first compliance, its centre, and the solution with it; returns s."""
    total, friction = 0.0, 0.0
    for i in range(n):
        friction = max(friction, cone.v[MU, i])
        for k in range(3 * i, 3 * i + 3):
            total += cone.g[k, k]
            part = 0.6180339887498949 * (k + 1)
            cone.v[CENTRE, k] = cone.v[BEST, k] + pull * (part - math.floor(part))
            cone.v[P, k] = cone.v[CENTRE, k]
    tau = FIRST * total * (1.0 + friction)
    solve_compliant(cone, n, scale, tau)
    return 1.0 / tau


@kernel
def unit_of(cone, n, scale, s):
    """The size of the impulses, the unit of lengths along the path."""
    largest = scale * s / (1.0 + s)
    for k in range(3 * n):
        largest = max(largest, abs(cone.v[P, k]))
    return largest


@kernel
def line_of(cone, size):
    """A point of a line of impulses and s, and its direction."""
    start = cone.rest.ctypes.data
    return reals(start, size + 1), reals(start + 8 * (size + 1), size + 1)


@kernel
def set_out(cone, n, s, unit):
    """The first tangent, which points to smaller tau; (its sign, its last number)."""
    along = tangent(cone, n, s, s, unit, 1.0, TANGENT)
    if along < 0.0:
        for k in range(3 * n):
            cone.v[TANGENT, k] = -cone.v[TANGENT, k]
        return -1.0, -along
    return 1.0, along


@kernel
def tangent(cone, n, s, share, unit, sign, target):
    """The unit tangent of the piece at P and s, with this sign, into a vector; returns its last number."""
    size, length = 3 * n, 0.0
    assemble_compliant(cone, n, 1.0 / s, unit, share)
    point, line = line_of(cone, size)
    found = null_line(cone.table, size, cone.places, point, line)
    for k in range(size + 1):
        length += line[k] * line[k]
    part = sign * found / math.sqrt(length) if found != 0.0 else 0.0
    for k in range(size):
        cone.v[target, k] = part * line[k]
    return part * line[size]


@kernel
def rescale(cone, size, impulses, along):
    """The tangent at the end of a stride becomes that of the next, in its units; returns its last number."""
    length = along * along
    for k in range(size):
        cone.v[TANGENT, k] = impulses * cone.v[PROBE, k]
        length += cone.v[TANGENT, k] * cone.v[TANGENT, k]
    length = math.sqrt(length)
    for k in range(size):
        cone.v[TANGENT, k] /= length
    return along / length


@kernel
def advance(cone, n, s, unit, along, stride, sign):
    """A stride from BASE, halved until it succeeds: (the number of turns, s, the last number of PROBE, the stride).

    Where a contact changes its status within the stride, the stride continues from there along the tangent beyond. No
    turns where none succeeds.
    """
    while stride > SUM_ROUNDING:
        turns, reached, ahead = take(cone, n, s, s, unit, BASE, TANGENT, along, stride, sign)
        if turns > 0:
            return turns, reached, ahead, stride
        corner = find_corner(cone, n, s, unit, along, stride)
        if corner > 0.0:
            copy(cone, P, CORNER, 3 * n)
            beyond = tangent(cone, n, corner, s, unit, sign, BEYOND)
            turns, reached, ahead = take(cone, n, corner, s, unit, CORNER, BEYOND, beyond, stride, sign)
            if turns > 0:
                return turns, reached, ahead, stride
        stride *= 0.5
    return 0, s, 0.0, stride


@kernel
def take(cone, n, s, share, unit, base, which, along, stride, sign):
    """A stride along a tangent and back to the path: (the number of turns, s, the last number of the tangent there).

    No turns where it does not converge, or reaches the path in the opposite direction.
    """
    turns, reached = correct(cone, n, s, share, unit, base, which, along, stride)
    if turns == 0:
        return 0, s, 0.0
    ahead = tangent(cone, n, reached, share, unit, sign, PROBE)
    same = along * ahead
    for k in range(3 * n):
        same += cone.v[which, k] * cone.v[PROBE, k]
    return (turns if same > 0.0 else 0), reached, ahead


@kernel
def predict(cone, n, unit, base, which, stride):
    """The impulses a stride along a tangent."""
    for k in range(3 * n):
        cone.v[P, k] = cone.v[base, k] + stride * unit * cone.v[which, k]


@kernel
def correct(cone, n, s0, share, unit, base, which, along, stride):
    """From a stride along a tangent back to the path, in the plane normal to the tangent: (the number of turns, s).

    No turns where it does not converge, or reaches impulses so far aside that they may lie on another path.
    """
    size, s = 3 * n, s0 + share * stride * along
    step, line = line_of(cone, size)
    predict(cone, n, unit, base, which, stride)
    room = ASIDE * max(1.0, stride * math.sqrt(max(0.0, 1.0 - along * along)))
    for turn in range(1, CORRECTIONS + 1):
        if not s > BACKWARD * s0:
            return 0, s
        miss = assemble_compliant(cone, n, 1.0 / s, unit, share)
        if turn > 1 and miss <= 3 * n * 2.0 * EPS * unit:
            return turn, s
        if null_line(cone.table, size, cone.places, step, line) == 0.0:
            return 0, s
        left, slope, aside = along * (step[size] + (s - s0) / share - stride * along), along * line[size], 0.0
        for k in range(size):
            off = (cone.v[P, k] - cone.v[base, k]) / unit - stride * cone.v[which, k]
            left += cone.v[which, k] * (step[k] + off)
            slope += cone.v[which, k] * line[k]
        if slope == 0.0:
            return 0, s
        length = 0.0
        for k in range(size + 1):
            step[k] -= left / slope * line[k]
            length += step[k] * step[k]
        length = math.sqrt(length)
        if not length <= 3.0 * stride:
            return 0, s
        for k in range(size):
            cone.v[P, k] += unit * step[k]
            off = (cone.v[P, k] - cone.v[base, k]) / unit - stride * cone.v[which, k]
            aside += off * off
        if not math.sqrt(aside) <= room:
            return 0, s
        s += share * step[size]
        if length <= CORRECTED * min(1.0, stride):
            return turn, s
    return 0, s


@kernel
def find_corner(cone, n, s, unit, along, stride):
    """s just behind the first change along the tangent, 0 if there is none within the stride; the impulses into P."""
    before = cone.unknown
    predict(cone, n, unit, BASE, TANGENT, 0.0)
    sort_compliant(cone, n, 1.0 / s)
    for i in range(n):
        before[i] = cone.status[i]
    low, high, part = 0.0, stride, stride
    for halving in range(HALVINGS + 1):
        reached, changed = s * (1.0 + along * part), False
        if not reached > BACKWARD * s:
            return 0.0
        predict(cone, n, unit, BASE, TANGENT, part)
        sort_compliant(cone, n, 1.0 / reached)
        for i in range(n):
            changed = changed or before[i] != cone.status[i]
        if halving == 0 and not changed:
            return 0.0
        low, high = (low, part) if changed else (part, high)
        part = 0.5 * (low + high)
    predict(cone, n, unit, BASE, TANGENT, high)
    return s * (1.0 + along * high)


@kernel
def solve_compliant(cone, n, scale, tau):
    """Newton's method with this compliance and centre, from P; the impulses of least |F| stay."""
    size, worse = 3 * n, 0
    step, line = line_of(cone, size)
    balance(cone, n, tau, unit_of(cone, n, scale, 1.0 / tau))
    copy(cone, P, STEP, size)
    least = assemble_compliant(cone, n, tau, 1.0, 0.0)
    for _ in range(TURNS):
        if least == 0.0 or worse == WORSE or null_line(cone.table, size, cone.places, step, line) == 0.0:
            break
        for k in range(size):
            cone.v[P, k] += step[k]
        miss = assemble_compliant(cone, n, tau, 1.0, 0.0)
        worse = 0 if miss < least else worse + 1
        if miss < least:
            least = miss
            copy(cone, P, STEP, size)
    copy(cone, STEP, P, size)


@kernel
def move_centre(cone, n, scale, tau, best):
    """Try centres at the impulses themselves, one after the other; the least |F| without compliance so far.

    Its impulses go to BEST. P, from which the path continues, and the centre are unchanged.
    """
    size = 3 * n
    copy(cone, CENTRE, BEYOND, size)
    copy(cone, P, BASE, size)
    for _ in range(CENTRES):
        copy(cone, P, CENTRE, size)
        solve_compliant(cone, n, scale, tau)
        move(cone, n, P, U)
        miss = measure(cone, n, P, U, 0.0)
        if miss < best:
            best = miss
            copy(cone, P, BEST, size)
    copy(cone, BEYOND, CENTRE, size)
    copy(cone, BASE, P, size)
    return best
