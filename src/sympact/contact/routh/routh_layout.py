"""The memory of one contact that is followed through its impact, see `routh_kernel`."""

from __future__ import annotations

from typing import NamedTuple

from sympact.contact.linalg.rank_kernel import rank_at
from sympact.contact.memory import contact_layout as at
from sympact.native.kernel import kernel
from sympact.native.pointer import reals, reals2

N = 7  # numbers of the motion: v_N, s_1, s_2, what is stored, P_N, P_1, P_2


class Path(NamedTuple):
    """The way of one contact through its impact.

    `y` (7): the motion; `z`, `new`, `trial` (7): the same with the slip in polar form, before, after and within a step;
    `k` (7 x 7): the rates of the stages. `g` (3 x 3): G. `rank`: of the rows of A, and `out` (3): the part of v outside
    their range. `handles` (3 x m at least): A. `mu`, `e`. `law`: what expansion gives back, of `routh_ends`. `target`:
    the rate at which it ends by Newton's law. `whole`, `none`: the speed before, and one that is none.
    """

    y: object
    z: object
    new: object
    trial: object
    k: object
    g: object
    rank: object
    out: object
    handles: object
    mu: float
    e: float
    law: int
    target: float
    whole: float
    none: float


@kernel
def place_path(table, law, mu, e, target, whole, none):
    """The memory, in the scratch of the law."""
    m, n, start = table[at.N_U], table[at.N_C], table[at.LAW_SCRATCH]
    return Path(
        reals(start, N),
        reals(start + 8 * 7, N),
        reals(start + 8 * 14, N),
        reals(start + 8 * 21, N),
        reals2(start + 8 * 28, 7, N),
        reals2(start + 8 * 77, 3, 3),
        rank_at(start + 8 * 89, table[at.LAW_PLACES], 3, m),
        reals(start + 8 * 86, 3),
        reals2(table[at.HANDLES], 3 * n, m),
        mu,
        e,
        law,
        target,
        whole,
        none,
    )
