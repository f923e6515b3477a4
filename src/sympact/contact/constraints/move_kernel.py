"""Changes of the coordinates by speeds: q moves along S times a change of u."""

from sympact.native.kernel import kernel
from sympact.native.pointer import call_flow


@kernel
def move(bilateral, t, x):
    """Move the coordinates along S times `motion`; returns the largest change."""
    nq, m = bilateral.n_q, bilateral.n_u
    state, turn, still, far = bilateral.state, bilateral.turn, bilateral.still, 0.0
    for i in range(nq):
        state[i] = x[i]
    for k in range(m):
        state[nq + k] = 0.0
    call_flow(bilateral.kinematics, t, state, bilateral.parameters, still)
    for k in range(m):
        state[nq + k] = bilateral.motion[k]
    call_flow(bilateral.kinematics, t, state, bilateral.parameters, turn)
    for i in range(nq):
        step = turn[i] - still[i]
        x[i] += step
        far = max(far, abs(step))
    if bilateral.normalize != 0:
        call_flow(bilateral.normalize, t, x, bilateral.parameters, x)
    return far


@kernel
def largest_of(x, first, end):
    """The largest of some of the numbers, absolute."""
    found = 0.0
    for i in range(first, end):
        found = max(found, abs(x[i]))
    return found


@kernel
def copy_numbers(source, target):
    """The numbers of one array into another of the same size."""
    for i in range(target.size):
        target[i] = source[i]
