"""The end of a run of a model: what its warnings would be, and the full turns of angles integrated as quaternions."""

import math

from sympact.contact.memory.bilateral import Bilateral
from sympact.contact.memory.contact_tolerances import ACCEPTED
from sympact.integrate.batch.batch_kernel import batch_at
from sympact.integrate.memory import run_codes as codes
from sympact.integrate.memory.run_kernel import run_at
from sympact.integrate.memory.run_tolerances import NO_ARGUMENT
from sympact.mechanics.batch.model_batch_memory import GAINED, NEAR, UNMET, EndMemory
from sympact.native.kernel import kernel
from sympact.native.pointer import call_flow, row_of, view

end_at = view(EndMemory)
bilateral_at = view(Bilateral)


def finish_run(address):
    """1 where the end of the run is known; 0 where its samples do not decide how often it has turned."""
    batch = batch_at(address)
    end, run = end_at(batch.finish_data), run_at(batch.frame)
    batch.flags = warnings_of(end, run) if end.audited == 1 else 0
    if end.constraints != 0 and bilateral_at(end.constraints).unmet > 0:
        batch.flags += UNMET
    for i in range(end.n_attitudes):
        if not follow(end, run, i):
            return 0
        batch.turns[2 * i], batch.turns[2 * i + 1] = end.turned[0], end.turned[1]
    return 1


@kernel
def warnings_of(end, run):
    """GAINED and NEAR, as the events of the run say."""
    gained, near = 0, 0
    for i in range(run.events):
        report = run.event_record[i]
        nearest = report[codes.NEAREST]
        if nearest > 0.0 and nearest < end.just_outside * report[codes.WINDOW]:
            near = NEAR
        energy = report[codes.ENERGY]
        if gained == 0 and energy > 0.0 and energy > ACCEPTED * inertial_energy(end, run, i):
            gained = GAINED
    return gained + near


@kernel
def inertial_energy(end, run, i):
    """u M u / 2 just before an event."""
    x, n, m, total = row_of(run.sample_x, run.event_sample[i]), end.n_q, end.n_u, 0.0
    call_flow(end.terms, run.event_t[i], x, end.parameters, end.term)
    for j in range(m):
        s = 0.0
        for k in range(m):
            s += end.term[j * m + k] * x[n + k]
        total += s * s if end.factored == 1 else x[n + j] * s
    return 0.5 * total


@kernel
def follow(end, run, i):
    """Whether the samples decide the change of the arguments of an attitude's two numbers, which is then written."""
    here, before, turned = end.here, end.before, end.turned
    half = look(end, i, run.sample_x[0], here)
    first_outer, first_inner = math.atan2(here[0, 1], here[0, 0]), math.atan2(here[1, 1], here[1, 0])
    turns_outer, turns_inner = 0.0, 0.0
    for k in range(1, run.samples):
        for j in range(4):
            before[0, j], before[1, j] = here[0, j], here[1, j]
        last = half
        half = look(end, i, run.sample_x[k], here)
        dt = run.sample_t[k] - run.sample_t[k - 1]
        angle = 0.5 * dt * (last + half)
        if not angle < end.widest:
            return False
        for j in range(2):
            if not is_clear(before[j], here[j], dt, angle, end.off):
                return False
        turns_outer += crossing(before[0], here[0])
        turns_inner += crossing(before[1], here[1])
    turned[0] = math.atan2(here[0, 1], here[0, 0]) - first_outer + 2.0 * math.pi * turns_outer
    turned[1] = math.atan2(here[1, 1], here[1, 0]) - first_inner + 2.0 * math.pi * turns_inner
    return True


@kernel
def look(end, i, x, here):
    """Write the two complex numbers of an attitude and their rates; returns half the angular velocity."""
    places, spins, to_p, axes = row_of(end.quaternion, i), row_of(end.spin, i), row_of(end.to_p, i), row_of(end.axes, i)
    for row in range(4):
        total = 0.0
        for column in range(4):
            total += to_p[4 * row + column] * x[places[column]]
        if row == 0 or row == 3:
            here[0, 0 if row == 0 else 1] = total
        else:
            here[1, row - 1] = total
    wx = axes[0] * x[spins[0]] + axes[3] * x[spins[1]] + axes[6] * x[spins[2]]
    wy = axes[1] * x[spins[0]] + axes[4] * x[spins[1]] + axes[7] * x[spins[2]]
    wz = axes[2] * x[spins[0]] + axes[5] * x[spins[1]] + axes[8] * x[spins[2]]
    a, b, c, d = here[0, 0], here[0, 1], here[1, 0], here[1, 1]
    here[0, 2] = 0.5 * (-wz * b - wx * c - wy * d)
    here[0, 3] = 0.5 * (wz * a - wx * d + wy * c)
    here[1, 2] = 0.5 * (wx * a - wy * b + wz * d)
    here[1, 3] = 0.5 * (wx * b + wy * a - wz * c)
    return 0.5 * math.sqrt(wx * wx + wy * wy + wz * wz)


@kernel
def is_clear(start, end, dt, angle, off):
    """Whether the change of an argument in an interval is that of the shorter way, see `winding.Curve.steps`."""
    scale, cosine = angle / math.sin(angle) if angle > 0.0 else 1.0, math.cos(angle)
    leaves = math.hypot(
        dt * start[2] - scale * (end[0] - cosine * start[0]), dt * start[3] - scale * (end[1] - cosine * start[1])
    )
    arrives = math.hypot(
        dt * end[2] - scale * (cosine * end[0] - start[0]), dt * end[3] - scale * (cosine * end[1] - start[1])
    )
    sizes = math.hypot(start[0], start[1]), math.hypot(end[0], end[1])
    product = sizes[0] * sizes[1]
    if not product > 0.0:
        return False
    distance = min(sizes[0], sizes[1]) * cosine_of_half(start, end, product)
    return off * (leaves + arrives) < distance and distance > NO_ARGUMENT


@kernel
def cosine_of_half(start, end, product):
    """The cosine of half the angle between two complex numbers, the product of whose moduli is given."""
    turn = (end[0] * start[0] + end[1] * start[1]) / product
    if turn >= 0.0:
        return math.sqrt(0.5 * (1.0 + turn))
    left = (end[1] * start[0] - end[0] * start[1]) / product
    return 0.5 * abs(left) / math.sqrt(0.5 * (1.0 - turn))  # exact near pi, where the other one cancels


@kernel
def crossing(start, end):
    """+1.0 or -1.0 where an argument passes pi on the shorter way, else 0.0."""
    left = end[1] * start[0] - end[0] * start[1]
    if start[1] >= 0.0 and end[1] < 0.0 and left > 0.0:
        return 1.0
    if start[1] < 0.0 and end[1] >= 0.0 and left < 0.0:
        return -1.0
    return 0.0
