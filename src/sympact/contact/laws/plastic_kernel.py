"""The plastic law: contacts with an impulse stop in all directions, contacts that would need a tensile one separate.

    stops:  gamma_N+ = 0, gamma_T+ = 0, P_N >= 0        separates:  P = 0, gamma_N+ >= 0

The slip of a contact with a coefficient of friction of zero is unchanged. The motion after is a projection in the
metric of M, which dissipates the energy |G P|^2 / 2.

This is Coulomb's law without restitution in the limit of infinite friction. In that limit there is a third case, for
contacts that approach but whose slip would need a tensile impulse to stop: friction decelerates it until it approaches
no more,

    P_N = 0, gamma_N+ = 0, P_T against gamma_T+

as at the end of Routh's compression with infinite friction. Where the first two cases give no solution, Coulomb's law
with the coefficient LARGE_FRICTION finds this one.
"""

from sympact.contact.linalg.least_squares_kernel import least_norm
from sympact.contact.memory import contact_codes as codes
from sympact.contact.memory.contact_tolerances import (
    ANSWER_ROUNDING,
    BEYOND_ERROR,
    DIGITS_LOST,
    IMPULSE_ROUNDINGS,
    IMPULSES_LOST,
    MOTION_ROUNDING,
    NO_VELOCITY,
)
from sympact.contact.memory.contacts_kernel import contacts_at
from sympact.contact.problem.coulomb_kernel import report_impulses
from sympact.contact.problem.impact_phase_kernel import (
    begin,
    clear_sliding,
    compress,
    cone_residual,
    finish,
    note_factor,
    velocities,
)
from sympact.contact.problem.refine_kernel import refine
from sympact.native.kernel import kernel
from sympact.native.pointer import leading2
from sympact.native.rounding import EPS

SHARES = 200  # rounds that redistribute tensile impulses of redundant contacts
FEW = 12  # contacts of which all combinations are tried, if necessary
LARGE_FRICTION = 1e3  # coefficient of friction that approximates an infinite one


def solve(data):
    """Solve the impact of the participants, assembled in `Contacts`; SOLVED, UNSOLVED or NOT_FINITE."""
    return solve_plastic(contacts_at(data))


@kernel
def solve_plastic(contacts):
    """Release contacts one by one until the others have admissible impulses; else all combinations; else friction."""
    problem = contacts.problem
    code = begin(contacts)
    if code != codes.SOLVED:
        return code
    clear_sliding(contacts)
    note_factor(contacts, 1.0)
    count = problem.count
    pushes = problem.standing
    for i in range(count):
        pushes[i] = 1
    miss = release(contacts, pushes)
    if miss >= 0.0:
        return stop(contacts, prefer_unloaded(contacts, pushes, miss))
    contacts.solvers.combinations += 1
    for combination in range(1 << count if count <= FEW else 0):
        for i in range(count):
            pushes[i] = 0 if (combination >> i) & 1 else 1
        hold(contacts, pushes)
        worst, miss = judge(contacts, pushes)
        if worst < 0:
            return stop(contacts, miss)
    contacts.solvers.large_friction += 1
    return solve_with_large_friction(contacts)


@kernel
def release(contacts, pushes):
    """Change the contact with the largest violation of the law, until there is none; the residual, -1 if there is
    always one."""
    for _ in range(4 * contacts.problem.count + 4):
        hold(contacts, pushes)
        worst, miss = judge(contacts, pushes)
        if worst < 0:
            return miss
        pushes[worst] = 1 - pushes[worst]
    return -1.0


@kernel
def prefer_unloaded(contacts, pushes, miss):
    """Of several solutions take the one found from no impulse of contacts that do not approach; the residual.

    Where it is the same motion the first one stays, with impulses of all contacts that share them.
    """
    problem, law = contacts.problem, contacts.law
    before, after, memory, count = law.before, law.compressed, law.plastic, problem.count
    fastest, needless = 0.0, False
    for k in range(3 * count):
        fastest, memory.first_after[k] = max(fastest, abs(before[k])), after[k]
    for i in range(count):
        approaches = before[3 * i] < -max(NO_VELOCITY * fastest, problem.uncertain[i])
        needless = needless or (pushes[i] == 1 and not approaches and problem.coefficient[i] > 0.0)
        memory.first[i], pushes[i] = pushes[i], 1 if approaches else 0
    other = release(contacts, pushes) if needless else -1.0
    for k in range(3 * count if other >= 0.0 else 0):
        if abs(after[k] - memory.first_after[k]) > BEYOND_ERROR * fastest:
            contacts.solvers.unloaded += 1
            return other
    for i in range(count):
        pushes[i] = memory.first[i]
    if needless:
        hold(contacts, pushes)
    return miss


@kernel
def stop(contacts, miss):
    """From the impulses of contacts that stop to the motion after."""
    problem, law = contacts.problem, contacts.law
    count = problem.count
    code = finish(contacts, miss)
    if code == codes.SOLVED and miss > MOTION_ROUNDING:
        refine(contacts, count, law.before, True)
        report_impulses(contacts, count)
    return code


@kernel
def solve_with_large_friction(contacts):
    """Coulomb's law without restitution, with the coefficient LARGE_FRICTION where there is any friction.

    A moving surface may drive contacts that this friction locks, though they slip with the actual one: tried last.
    """
    problem, law = contacts.problem, contacts.law
    count = problem.count
    mu, own = problem.coefficient, law.plastic.coefficient
    for i in range(count):
        own[i] = mu[i]
        mu[i] = LARGE_FRICTION if mu[i] > 0.0 else 0.0
    code = compress(contacts)
    for i in range(count):
        mu[i] = own[i]
    if code == codes.UNSOLVED:
        contacts.solvers.own_friction += 1
        code = compress(contacts)
    return finish(contacts, cone_residual(contacts)) if code == codes.SOLVED else code


@kernel
def list_constrained(contacts, pushes, unknown):
    """The components that these contacts constrain; returns how many. Impulses and velocities are those before."""
    problem, law = contacts.problem, contacts.law
    count, size = problem.count, 0
    impulse, before = problem.cone_impulse, law.before
    after, mu = law.compressed, problem.coefficient
    g = problem.delassus
    for c in range(3 * count):
        impulse[c], after[c] = 0.0, before[c]
        if pushes[c // 3] == 1 and g[c, c] > 0.0 and (c % 3 == 0 or mu[c // 3] > 0.0):
            unknown[size] = c
            size += 1
    return size


@kernel
def hold(contacts, pushes):
    """The impulses that stop these contacts into `cone_impulse`, the velocities with them into `compressed`.

    Those of least norm are taken; where contacts are redundant and some of these are tensile, they are projected in
    turn onto compressive impulses and onto those that stop the contacts, which finds some that are both, if there are
    any.
    """
    problem, law = contacts.problem, contacts.law
    memory = law.plastic
    right, weight, found, unknown = memory.right, memory.weight, memory.found, memory.unknown
    impulse, after = problem.cone_impulse, law.compressed
    g, size = problem.delassus, list_constrained(contacts, pushes, unknown)
    for _ in range(SHARES if size > 0 else 0):
        rows = leading2(memory.rows, size, size)
        for r in range(size):
            right[r], weight[r] = -after[unknown[r]], 1.0
            for c in range(size):
                rows[r, c] = g[unknown[r], unknown[c]]
        rank = least_norm(rows, size, size, right, weight, found, memory.scratch, memory.order)
        for r in range(size):
            impulse[unknown[r]] += found[r]
        velocities(contacts, impulse, after)
        if rank == size or not share(contacts, unknown, size):
            break


@kernel
def share(contacts, unknown, size):
    """Remove tensile impulses of redundant contacts, so that the others replace them; False when there are none."""
    problem, law = contacts.problem, contacts.law
    pulls, largest = False, 0.0
    impulse, after = problem.cone_impulse, law.compressed
    for k in range(3 * problem.count):
        largest = max(largest, abs(impulse[k]))
    for r in range(size):
        k = unknown[r]
        if k % 3 == 0 and impulse[k] < -ANSWER_ROUNDING * largest:
            impulse[k], pulls = DIGITS_LOST * largest, True
    if pulls:
        velocities(contacts, impulse, after)
    return pulls


@kernel
def judge(contacts, pushes):
    """The contact with the largest violation of the law, -1 if there is none; and the largest one that is rounding."""
    problem, law = contacts.problem, contacts.law
    count = problem.count
    impulse, after = problem.cone_impulse, law.compressed
    before, lengths = law.before, problem.lengths
    mu, uncertain = problem.coefficient, problem.uncertain
    g, scale, floor = problem.delassus, 0.0, 0.0
    for i in range(count):
        if lengths[i] > 0.0:
            for c in range(3 * i, 3 * i + 3):
                scale = max(scale, abs(before[c]) / lengths[i])
            floor = max(floor, uncertain[i] / lengths[i])
    worst, largest, excess = -1, 0.0, 0.0
    for i in range(count):
        if lengths[i] == 0.0:
            continue
        noise = rounding(contacts, i)
        limit = max(NO_VELOCITY * scale, floor, noise) if noise <= IMPULSES_LOST * scale else 0.0
        if pushes[i] == 1:
            miss = max(-impulse[3 * i] * lengths[i], abs(after[3 * i]) / lengths[i])
            for c in range(3 * i + 1, 3 * i + 3):
                if mu[i] > 0.0 and g[c, c] > 0.0:
                    miss = max(miss, abs(after[c]) / lengths[i])
        else:
            miss = -after[3 * i] / lengths[i]
        largest = max(largest, miss)
        if miss - limit > excess:
            worst, excess = i, miss - limit
    return worst, largest / scale if scale > 0.0 else largest


@kernel
def rounding(contacts, i):
    """The rounding error of the velocities of contact i, by the impulses in CONE_IMPULSE."""
    problem = contacts.problem
    largest = 0.0
    impulse, g = problem.cone_impulse, problem.delassus
    for r in range(3 * i, 3 * i + 3):
        s = 0.0
        for k in range(3 * problem.count):
            s += abs(g[r, k] * impulse[k])
        largest = max(largest, s)
    return IMPULSE_ROUNDINGS * EPS * largest / problem.lengths[i]
