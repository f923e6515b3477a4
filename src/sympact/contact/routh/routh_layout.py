"""The memory of the integration of one contact through its impact, see `routh_kernel`."""

from __future__ import annotations

from typing import NamedTuple

from sympact.contact.linalg.rank_kernel import rank_of
from sympact.native.kernel import kernel


class Path(NamedTuple):
    """The path of one contact through its impact.

    `y` (7): the motion; `z`, `new`, `trial` (7): the same with the slip in polar form, before, after and within a step;
    `k` (7 x 7): the rates of the stages. `g` (3 x 3): G. `rank`: of the rows of A, and `out` (3): the part of v outside
    their range. `scaled_rows` (3 x m at least): A. `mu`, `e`. `law`: the end of expansion, of `routh_ends`. `target`:
    the rate at which it ends by Newton's law. `whole`, `none`: the speed before, and the speed that counts as zero.
    """

    y: object
    z: object
    new: object
    trial: object
    k: object
    g: object
    rank: object
    out: object
    scaled_rows: object
    mu: float
    e: float
    law: int
    target: float
    whole: float
    none: float


@kernel
def place_path(contacts, law, mu, e, target, whole, none):
    """The path in the memory of the law."""
    memory = contacts.law.routh
    return Path(
        memory.y,
        memory.z,
        memory.new,
        memory.trial,
        memory.k,
        memory.g,
        rank_of(memory.rank, 3),
        memory.out,
        contacts.problem.scaled_rows,
        mu,
        e,
        law,
        target,
        whole,
        none,
    )
