"""The woodpecker toy by its own linear equations, mode by mode; no line of sympact in it.

q = (y, phi_M, phi_S); of each contact the gap c + n . q, its rate n . u and its slip s . u are linear, so that each
mode is a system of linear equations: free; slipping with the friction -mu lambda sign; sticking. One contact is
closed at a time. The numbers and vectors are those of C. Glocker, *Dynamik von Starrkörpersystemen mit Reibung und
Stößen*, PhD thesis, TU München 1995.
"""

import numpy as np
from scipy.integrate import solve_ivp

M_SLEEVE, J_SLEEVE, M_BIRD, J_BIRD, SPRING, G, MU = 0.0003, 5.0e-9, 0.0045, 7.0e-7, 0.0056, 9.81, 0.3
R_0, R_M, H_M, L_M, L_G, H_S, L_S = 0.0025, 0.0031, 0.0058, 0.010, 0.015, 0.02, 0.0201

NAMES = ("low edge", "high edge", "beak")
RESTITUTION = (0.0, 0.0, 0.5)
GAP = np.array([R_M - R_0, R_M - R_0, L_M + L_G - L_S - R_0])
NORMAL = np.array([[0, H_M, 0], [0, -H_M, 0], [0, 0, -H_S]])
TANGENT = np.array([[1, R_M, 0], [1, R_M, 0], [1, L_M, L_G - L_S]])
MASS = np.array(
    [
        [M_SLEEVE + M_BIRD, M_BIRD * L_M, M_BIRD * L_G],
        [M_BIRD * L_M, J_SLEEVE + M_BIRD * L_M**2, M_BIRD * L_M * L_G],
        [M_BIRD * L_G, M_BIRD * L_M * L_G, J_BIRD + M_BIRD * L_G**2],
    ]
)
SLACK = 1e-12
"""Of a force relative to its terms, what counts as none."""


def load(q):
    """Weight and spring."""
    spring = SPRING * (q[1] - q[2])
    return np.array([-(M_SLEEVE + M_BIRD) * G, -spring - M_BIRD * G * L_M, spring - M_BIRD * G * L_G])


def held(q, contact, sign):
    """(u', lambda_N, lambda_T) with one contact closed; `sign` of its slip, or 0 where it sticks."""
    n, s = NORMAL[contact], TANGENT[contact]
    rows = [n] if sign else [n, s]
    forces = [n - MU * sign * s] if sign else [n, s]
    columns = np.linalg.solve(MASS, np.array(forces).T)
    free = np.linalg.solve(MASS, load(q))
    found = np.linalg.solve(np.array(rows) @ columns, -np.array(rows) @ free)
    return free + columns @ found, found[0], (-MU * sign * found[0] if sign else found[1])


def apply_impact(u, contact):
    """u+ by Newton's law with Coulomb friction: it sticks if the cone allows it, else it slips on or back."""
    n, s = NORMAL[contact], TANGENT[contact]
    wanted = -(1 + RESTITUTION[contact]) * n @ u
    columns = np.linalg.solve(MASS, np.array([n, s]).T)
    normal, friction = np.linalg.solve(np.array([n, s]) @ columns, [wanted, -s @ u])
    if abs(friction) <= MU * normal:
        return u + columns @ [normal, friction]
    for sign in (1, -1):
        column = columns @ [1, -MU * sign]
        after = u + column * wanted / (n @ column)
        if sign * (s @ after) > 0:
            return after
    raise ArithmeticError("no impulse within the cone")


def after_contact(q, u, contact):
    """The mode that goes on from a state with the contact closed: None for free, else (contact, sign of slip)."""
    slip = TANGENT[contact] @ u
    if abs(slip) > 1e-9:
        sign = float(np.sign(slip))
        return (contact, sign) if held(q, contact, sign)[1] > 0 else None
    _, normal, friction = held(q, contact, 0)
    if normal <= 0:
        return None
    return (contact, 0) if abs(friction) <= MU * normal * (1 + SLACK) else (contact, -float(np.sign(friction)))


def flow(mode):
    """x' in a mode."""

    def rate(_, x):
        q, u = x[:3], x[3:]
        change = np.linalg.solve(MASS, load(q)) if mode is None else held(q, *mode)[0]
        return np.concatenate([u, change])

    return rate


def ends(mode):
    """What ends a mode, with the kind of the event and its contact; each falls through zero."""
    watched = []
    for i in range(3):
        if mode is None or mode[0] != i:
            watched.append((lambda _, x, i=i: GAP[i] + NORMAL[i] @ x[:3], "impact", i))
    if mode is not None:
        contact, sign = mode
        watched.append((lambda _, x: held(x[:3], contact, sign)[1], "open", contact))
        if sign:
            watched.append((lambda _, x: sign * TANGENT[contact] @ x[3:], "stick", contact))
        else:
            watched.append((lambda _, x: _margin(x[:3], contact), "slip", contact))
    for function, _, _ in watched:
        function.terminal, function.direction = True, -1
    return watched


def _margin(q, contact):
    _, normal, friction = held(q, contact, 0)
    return MU * normal - abs(friction)


def run(x, t_end):
    """[(t, kind, contact, x before)] of all events from a free start."""
    t, mode, found = 0.0, None, []
    x = np.asarray(x, dtype=float)
    while True:
        watched = ends(mode)
        done = solve_ivp(
            flow(mode), (t, t_end), x, "DOP853", rtol=1e-12, atol=1e-14, max_step=1e-3, events=[w[0] for w in watched]
        )
        if done.status == 0:
            return found
        k = next(i for i, times in enumerate(done.t_events) if len(times))
        t, x, (_, kind, contact) = done.t_events[k][0], done.y_events[k][0].copy(), watched[k]
        found.append((t, kind, NAMES[contact], x.copy()))
        if kind == "impact":
            x[3:] = apply_impact(x[3:], contact)
            mode = after_contact(x[:3], x[3:], contact) if RESTITUTION[contact] == 0 else None
        elif kind == "open":
            mode = None
        elif kind == "stick":
            mode = after_contact(x[:3], x[3:], contact)
        else:
            mode = (contact, -float(np.sign(held(x[:3], contact, 0)[2])))
