"""The friction of one contact whose normal impulse or force is known: within a disc (Tresca's law)."""

import math

from sympact.contact.memory.contact_tolerances import ANSWER_ROUNDING, RESOLVED
from sympact.native.kernel import kernel

ROUNDS = 60  # of Newton's method for a disc that binds


@kernel
def one_disc(g11, g12, g22, a, b, radius, rounding):
    """The friction (p, q) within the disc that makes (a, b) + G (p, q) zero, or opposes it at the edge.

    Where friction moves nothing, slip of more than `rounding` stays, and friction is at the edge against it.
    """
    turn = 0.5 * math.atan2(2.0 * g12, g11 - g22)
    c, s = math.cos(turn), math.sin(turn)
    first = g11 * c * c + 2.0 * g12 * c * s + g22 * s * s
    second = g11 * s * s - 2.0 * g12 * c * s + g22 * c * c
    u, v = a * c + b * s, b * c - a * s
    if not (radius > 0.0 and first > 0.0):
        return 0.0, 0.0
    p, q = -u / first, 0.0
    if second > ANSWER_ROUNDING * first:
        q = -v / second
    else:
        second, v = 0.0, v if abs(v) > rounding else 0.0
    if math.hypot(p, q) > radius or (second == 0.0 and v != 0.0):
        p, q = at_edge(first, second, u, v, radius)
    return p * c - q * s, p * s + q * c


@kernel
def at_edge(first, second, u, v, radius):
    """-(u / (first + l), v / (second + l)) with the l > 0 that makes its length the radius, from an l that is less."""
    l = max(math.hypot(u, v) / radius - first, abs(v) / radius - second, 0.0)
    for _ in range(ROUNDS):
        p, q = u / (first + l), v / (second + l) if v != 0.0 else 0.0
        length = math.hypot(p, q)
        slope = (p * p / (first + l) + (q * q / (second + l) if v != 0.0 else 0.0)) / length
        change = (length - radius) / slope * length / radius
        l += change
        if not abs(change) > RESOLVED * (first + l):
            break
    p, q = -u / (first + l), -v / (second + l) if v != 0.0 else 0.0
    length = math.hypot(p, q)
    return p * radius / length, q * radius / length
