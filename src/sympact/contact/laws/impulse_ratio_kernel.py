"""Impulses in the ratio of the forces that compressed contacts exert (Liu, Zhao and Brogliato 2008, 2009).

Each contact is a spring of zero length, F = k x^eta, that stores E = k x^(eta+1) / (eta+1), so that

    dP_i / dP_j = F_i / F_j = (k_i / k_j)^(1/(eta+1)) (E_i / E_j)^(eta/(eta+1)),

    dE_i = -gamma_i dP_i  where gamma_i < 0,        dE_i = -gamma_i dP_i / e_i^2  where gamma_i > 0:

compression stores work, of which expansion returns e^2; with e = 0 a contact separates at the end of compression. The
impulses of all contacts are integrated over one parameter, with dP_i = F_i dtau and dx_i = -gamma_i dtau (over e^2 in
expansion): the same path as over the impulse of a primary contact, without a singular start where all E are zero. Only
ratios of stiffnesses matter. The end is reached when nothing is compressed and nothing approaches.

Friction satisfies Coulomb's law along the path: dP_T = -mu dP s/|s| while the slip s is not zero; else the friction
that keeps it zero, up to mu dP (`tresca_kernel`). A step ends where a slip ends or begins.
"""

import math
from typing import NamedTuple

from sympact.contact.laws.tresca_kernel import hold_still
from sympact.contact.memory import contact_codes as codes
from sympact.contact.memory.contact_tolerances import ACCEPTED, DIGITS_LOST, RANK, STEP_ERROR
from sympact.contact.memory.contacts_kernel import contacts_at
from sympact.contact.memory.solvers import STAGES
from sympact.contact.problem.impact_phase_kernel import begin, finish, note_factor
from sympact.contact.routh.dormand_prince_kernel import next_step, stage_point, step_error
from sympact.native.kernel import kernel
from sympact.native.pointer import call_unit, leading, leading2
from sympact.native.rounding import HALF_DIGITS

STEPS = 200_000
JAM = 1  # a return code of `follow`: nothing moves any more, and work is stored
HALVINGS = 60
SWEEPS = 60  # sweeps over contacts with negligible approach speeds


class Path(NamedTuple):
    """The path through an impact of `count` contacts.

    `y`, `new`, `trial` (7 count): v (three rows each), x, P (three each), before and after a step, and within. `k`: the
    rates of the stages. `g`: G. `e`, `mu`, `stiffness` (count). `still` (count whole numbers): 1 where there is no
    slip. `anchor` (2 count): the direction of slip at the start of a step. `radius` (count) and `force` (2 count): mu F
    and the frictions, `scratch` and `places` for `tresca_kernel`. `exponent`: eta. `speed`, `fast`: the largest gap
    rate before, and the largest of all rates. `largest`: of G_NN, which with the speeds gives the scale of the
    impulses.
    """

    y: object
    new: object
    trial: object
    k: object
    g: object
    e: object
    mu: object
    stiffness: object
    still: object
    anchor: object
    radius: object
    force: object
    scratch: object
    places: object
    exponent: float
    speed: float
    fast: float
    largest: float


def solve(data):
    """Solve the impact of the participants, assembled in `Contacts`; UNENDED where that finds no end."""
    return solve_ratio(contacts_at(data))


@kernel
def solve_ratio(contacts):
    """Integrate compression and expansion of all contacts; the path of a single one is independent of its stiffness."""
    model, problem = contacts.model, contacts.problem
    if problem.count == 1:
        return call_unit(model.single_solver, contacts.address)
    code = begin(contacts)
    if code != codes.SOLVED:
        return code
    note_factor(contacts, 1.0)
    count = problem.count
    path, impulse = place_path(contacts, count), problem.cone_impulse
    code = follow(path, count)
    if code == JAM:
        note_factor(contacts, 0.0)
        code = codes.SOLVED
    for i in range(3 * count):
        impulse[i] = path.y[4 * count + i]
    return finish(contacts, 0.0) if code == codes.SOLVED else code


@kernel
def place_path(contacts, count):
    """The memory of the path, at its start."""
    problem, law = contacts.problem, contacts.law
    memory, size, speed, fast, largest = law.ratio, 7 * count, 0.0, 0.0, 0.0
    before, g = law.before, problem.delassus
    who, k = problem.participants, law.stiffness
    y, stiffness, mu = leading(memory.y, size), memory.stiffness, memory.coefficient
    for i in range(count):
        stiffness[i], mu[i] = k[who[i]], problem.coefficient[i]
        y[3 * count + i] = 0.0
        speed, largest = max(speed, abs(before[3 * i])), max(largest, g[3 * i, 3 * i])
        for c in range(3):
            y[3 * i + c], y[4 * count + 3 * i + c] = before[3 * i + c], 0.0
            fast = max(fast, abs(before[3 * i + c]))
    return Path(
        y,
        leading(memory.new, size),
        leading(memory.trial, size),
        leading2(memory.k, STAGES, size),
        g,
        problem.restitution,
        mu,
        stiffness,
        leading(memory.still, count),
        leading(memory.anchor, 2 * count),
        leading(memory.radius, count),
        leading(memory.force, 2 * count),
        memory.tresca,
        leading(memory.tresca_places, 4 * count),
        law.stiffness_exponent,
        speed,
        fast,
        largest,
    )


@kernel
def follow(path, count):
    """From the rates before to the end of the impact."""
    h = 0.01
    for i in range(count):
        path.force[2 * i] = path.force[2 * i + 1] = 0.0
    for _ in range(STEPS):
        if over(path, count):
            end_approach(path, count)
            return codes.SOLVED
        set_reference_slips(path, count)
        error = try_step(path, h, count)
        if jammed(path, count):
            return JAM
        if not error <= 1.0:
            h = next_step(h, error)
            continue
        if turns(path, count):
            find_turn(path, h, count)
        release(path, count)
        name_slips(path, count)
        for i in range(7 * count):
            path.y[i] = path.new[i]
        h = next_step(h, error)
    return codes.UNENDED


@kernel
def over(path, count):
    """True when nothing is compressed and nothing approaches."""
    busy = False
    for i in range(count):
        busy = busy or path.y[3 * count + i] > 0.0 or path.y[3 * i] < -ACCEPTED * path.speed
    return not busy


@kernel
def end_approach(path, count):
    """The least normal impulses that end the remaining approaches: else another impact would follow at once."""
    for _ in range(SWEEPS):
        found = False
        for i in range(count):
            if path.y[3 * i] < 0.0 and path.g[3 * i, 3 * i] > 0.0:
                push, found = -path.y[3 * i] / path.g[3 * i, 3 * i], True
                path.y[4 * count + 3 * i] += push
                for k in range(3 * count):
                    path.y[k] += path.g[k, 3 * i] * push
                path.y[3 * i] = 0.0
        if not found:
            return


@kernel
def jammed(path, count):
    """True when impulses move nothing any more and no compressed contact separates: the stored work cannot be returned.

    The rates are those at the start of the last attempted step.
    """
    pushes, changes, stays = 0.0, 0.0, True
    for i in range(count):
        pushes = max(pushes, path.k[0, 4 * count + 3 * i])
        for c in range(3 * i, 3 * i + 3):
            changes = max(changes, abs(path.k[0, c]))
        stays = stays and (path.y[3 * count + i] == 0.0 or abs(path.y[3 * i]) <= HALF_DIGITS * path.fast)
    return stays and pushes > 0.0 and changes <= RANK * path.largest * pushes


@kernel
def slip_of(y, i):
    """The length of the slip of contact i."""
    return math.hypot(y[3 * i + 1], y[3 * i + 2])


@kernel
def set_reference_slips(path, count):
    """The directions of slip at the start of a step; contacts without a force are classified anew."""
    for i in range(count):
        s = slip_of(path.y, i)
        if path.y[3 * count + i] == 0.0:
            path.still[i] = 1 if s <= 0.5 * ACCEPTED * path.fast else 0
        if path.mu[i] > 0.0 and path.still[i] == 0:
            path.anchor[2 * i], path.anchor[2 * i + 1] = path.y[3 * i + 1] / s, path.y[3 * i + 2] / s


@kernel
def slip_ends(path, i, count):
    """True when the slip of contact i, under a force, ends within the step."""
    if path.mu[i] == 0.0 or path.still[i] == 1 or not path.new[3 * count + i] > 0.0:
        return False
    along = path.new[3 * i + 1] * path.anchor[2 * i] + path.new[3 * i + 2] * path.anchor[2 * i + 1]
    return along <= 0.0 or slip_of(path.new, i) <= 0.5 * ACCEPTED * path.fast


@kernel
def slip_begins(path, i, count):
    """True when contact i, which had no slip under a force, slips at the end of the step."""
    stood = path.mu[i] > 0.0 and path.still[i] == 1 and path.new[3 * count + i] > 0.0
    return stood and slip_of(path.new, i) > 2.0 * HALF_DIGITS * path.fast


@kernel
def leaves(path, i, count):
    """True when contact i, without restitution, has reached its largest compression within the step."""
    stored = path.new[3 * count + i] > 0.0
    return path.e[i] == 0.0 and path.y[3 * i] < 0.0 and path.new[3 * i] >= 0.0 and stored


@kernel
def turns(path, count):
    """True when within the step a contact separates, or its slip ends or begins."""
    found = False
    for i in range(count):
        found = found or leaves(path, i, count) or slip_ends(path, i, count) or slip_begins(path, i, count)
    return found


@kernel
def find_turn(path, h, count):
    """The shortest step in which that happens, by bisection; its end is left in `new`."""
    low, high = 0.0, h
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        try_step(path, middle, count)
        if turns(path, count):
            high = middle
        else:
            low = middle
    try_step(path, high, count)


@kernel
def release(path, count):
    """Contacts that have returned their stored work are uncompressed."""
    for i in range(count):
        if path.new[3 * count + i] < 0.0 or (path.e[i] == 0.0 and path.new[3 * i] >= 0.0):
            path.new[3 * count + i] = 0.0


@kernel
def name_slips(path, count):
    """Which contacts slip after the step."""
    ended = False
    for i in range(count):
        ended = ended or slip_ends(path, i, count)
    for i in range(count):
        if slip_begins(path, i, count):
            path.still[i] = 0
        elif slip_ends(path, i, count) or (ended and slip_of(path.new, i) <= HALF_DIGITS * path.fast):
            path.still[i] = 1


@kernel
def rub(path, z, out, o, count):
    """The rates of the tangential impulses at z into row o, which contains those of the normal ones."""
    has_friction = stands = False
    for i in range(count):
        path.radius[i] = path.mu[i] * out[o, 4 * count + 3 * i]
        has_friction = has_friction or path.radius[i] > 0.0
        stands = stands or (path.radius[i] > 0.0 and path.still[i] == 1)
        if path.still[i] == 0 and path.mu[i] > 0.0:
            slip_on(path, z, i)
        if not path.radius[i] > 0.0:
            path.force[2 * i] = path.force[2 * i + 1] = 0.0
    if stands:
        drive(path, out, o, count)
        hold_still(path.g, path.trial, path.force, path.radius, path.still, count, path.scratch, path.places)
    for i in range(count if has_friction else 0):
        out[o, 4 * count + 3 * i + 1], out[o, 4 * count + 3 * i + 2] = path.force[2 * i], path.force[2 * i + 1]


@kernel
def slip_on(path, z, i):
    """The friction of a slipping contact; where the slip reverses in a step its first direction is kept."""
    p, q, a, b = path.anchor[2 * i], path.anchor[2 * i + 1], z[3 * i + 1], z[3 * i + 2]
    along, little = a * p + b * q, 0.5 * ACCEPTED * path.fast
    if along < little:
        a, b = a + (little - along) * p, b + (little - along) * q
    s = math.hypot(a, b)
    path.force[2 * i], path.force[2 * i + 1] = -path.radius[i] * a / s, -path.radius[i] * b / s


@kernel
def drive(path, out, o, count):
    """The rates of v by the normal forces alone, into the first 3 count numbers of `trial`, which is unused then."""
    for i in range(3 * count):
        s = 0.0
        for k in range(count):
            s += path.g[i, 3 * k] * out[o, 4 * count + 3 * k]
        path.trial[i] = s


@kernel
def rates(path, z, out, o, count):
    """The rates of v, x and P at z into row o; the parameter is scaled such that an impact takes some units."""
    speed, largest = path.speed, path.largest
    for i in range(count):
        x, v, e = z[3 * count + i], z[3 * i], path.e[i]
        pushes = path.stiffness[i] * (x / speed) ** path.exponent * speed / largest if x > 0.0 else 0.0
        out[o, 4 * count + 3 * i] = pushes
        out[o, 4 * count + 3 * i + 1] = out[o, 4 * count + 3 * i + 2] = 0.0
        if v <= 0.0:
            out[o, 3 * count + i] = -v
        else:
            out[o, 3 * count + i] = -v / (e * e) if x > 0.0 and e > 0.0 else 0.0
    rub(path, z, out, o, count)
    for i in range(3 * count):
        s = 0.0
        for k in range(3 * count):
            s += path.g[i, k] * out[o, 4 * count + k]
        out[o, i] = s


@kernel
def allowed_error(path, i, count):
    """The permitted error of a step in number i of the path."""
    if i >= 3 * count:
        return STEP_ERROR * (path.speed if i < 4 * count else path.speed / path.largest)
    j = i // 3
    if i % 3 != 0 and path.mu[j] > 0.0 and path.still[j] == 0 and path.new[3 * count + j] > 0.0:
        return min(STEP_ERROR * path.fast, DIGITS_LOST * slip_of(path.y, j))
    return STEP_ERROR * path.fast


@kernel
def try_step(path, h, count):
    """A step of Dormand and Prince from y; its error in units of the tolerance."""
    size, worst = 7 * count, 0.0
    for stage in range(STAGES):
        stage_point(path.y, path.k, stage, h, path.new, size)
        rates(path, path.new, path.k, stage, count)
    for i in range(size):
        if i >= 4 * count and (i - 4 * count) % 3 != 0:
            continue  # frictions between redundant contacts may be indeterminate
        miss = step_error(path.k, h, i) / allowed_error(path, i, count)
        if worst == worst and not miss <= worst:
            worst = miss
    return worst
