"""Bounds on a gap over a segment from g, g', g'' at its two ends.

Two bounds must agree before a segment is excluded (docs/theory, boundary search): the smallest Bernstein coefficient of
the quintic that interpolates the six numbers, less a margin taken from its distance to the cubic; and the parabola
under the curvature bound |g''| <= KAPPA * (the largest curvature at the ends and in the mean).
"""

from sympact.integrate.search.arc_kernel import dead_band
from sympact.native.kernel import kernel

THETA = 0.25  # of the distance between quintic and cubic: seven times the quintic's error where g is resolved
KAPPA = 2.0  # of the largest curvature at the samples
CUBIC = 0.625  # largest value of 10 s^2 (1-s)^2, the factor of the two middle coefficients


@kernel
def quintic(ga, da, aa, gb, db, ab, u, b):
    """Bernstein coefficients of the quintic over a segment of duration u into b; returns the margin on them."""
    b[0], b[5] = ga, gb
    b[1], b[4] = ga + 0.2 * u * da, gb - 0.2 * u * db
    b[2] = ga + u * (0.4 * da + 0.05 * u * aa)
    b[3] = gb - u * (0.4 * db - 0.05 * u * ab)
    c1, c2 = ga + u * da / 3.0, gb - u * db / 3.0
    return (
        THETA * CUBIC * max(abs(b[2] - 0.1 * (ga + 6.0 * c1 + 3.0 * c2)), abs(b[3] - 0.1 * (3.0 * c1 + 6.0 * c2 + gb)))
    )


@kernel
def parabola(ga, da, aa, gb, db, ab, u):
    """Lower bound of g over the segment under the curvature bound: the intersection of the two extreme parabolas."""
    curvature = KAPPA * max(abs(aa), abs(ab), abs(db - da) / u)
    low, slope = min(ga, gb), db - da + curvature * u
    if slope > 0.0:
        s = (ga - gb + db * u + 0.5 * curvature * u * u) / slope
        if 0.0 < s < u:
            low = min(low, ga + s * (da - 0.5 * curvature * s))
    return low


@kernel
def lower(ga, da, aa, gb, db, ab, u, b):
    """(lower bound of g on the segment, margin of the quintic); b receives the quintic."""
    margin = quintic(ga, da, aa, gb, db, ab, u, b)
    return min(parabola(ga, da, aa, gb, db, ab, u), min(b[1], b[2], b[3], b[4]) - margin), margin


@kernel
def far(ga, da, aa, gb, db, ab, h, inverse):
    """A rougher bound than `lower`, without divisions: it excludes most gaps of most steps; `inverse` is 1/h."""
    slope = max(abs(da), abs(db), abs(gb - ga) * inverse)
    curvature = max(abs(aa), abs(ab), abs(db - da) * inverse)
    return min(ga, gb) - h * (slope + h * curvature)


@kernel
def clear(run, b):
    """True when no gap can have decreased to zero within the step, judged from its ends alone; without proofs."""
    nb, h = run.n_boundaries, run.h
    proved, inverse = run.proved, 1.0 / run.h
    old, new = run.gaps_old, run.gaps_new
    for k in range(nb):
        i, j = nb + k, 2 * nb + k
        if far(old[k], old[i], old[j], new[k], new[i], new[j], h, inverse) > 0.0:
            continue
        if proved[k] == 1:
            continue
        band = dead_band(run, k)
        low, _ = lower(old[k], old[i], old[j], new[k], new[i], new[j], h, b)
        if not low > -band or (new[k] <= 0.0 and new[i] < 0.0):
            return False
    return True


@kernel
def choose_near(run):
    """Mark the gaps that may be zero within the step: those not far by its ends, and those that are proven.

    The search within the step evaluates these alone, if the model can.
    """
    nb, h, inverse = run.n_boundaries, run.h, 1.0 / run.h
    old, new, proved, near = run.gaps_old, run.gaps_new, run.proved, run.near
    for k in range(nb):
        i, j = nb + k, 2 * nb + k
        away = far(old[k], old[i], old[j], new[k], new[i], new[j], h, inverse) > 0.0
        near[k] = 0 if away and proved[k] == 0 else 1
    run.narrow = 1 if run.stage.chosen_boundary != 0 else 0


@kernel
def lowest(b):
    """The point of a segment where a quintic that decreases at its start and increases at its end is lowest, to
    1e-3."""
    s = (b[0] - b[1]) / ((b[0] - b[1]) + (b[5] - b[4]))
    low, high = 0.0, 1.0
    for _ in range(4):
        r = 1.0 - s
        d0, d1, d2, d3, d4 = b[1] - b[0], b[2] - b[1], b[3] - b[2], b[4] - b[3], b[5] - b[4]
        slope = 5.0 * (r**4 * d0 + 4.0 * r**3 * s * d1 + 6.0 * r * r * s * s * d2 + 4.0 * r * s**3 * d3 + s**4 * d4)
        bend = 20.0 * (r**3 * (d1 - d0) + 3.0 * r * r * s * (d2 - d1) + 3.0 * r * s * s * (d3 - d2) + s**3 * (d4 - d3))
        if slope > 0.0:
            high = s
        else:
            low = s
        following = s - slope / bend if bend > 0.0 else 0.5 * (low + high)
        if not low < following < high:
            following = 0.5 * (low + high)
        if abs(following - s) < 1e-3:
            return following
        s = following
    return s
