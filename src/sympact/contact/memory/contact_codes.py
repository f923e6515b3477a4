"""What whole numbers in the memory of contacts mean: statuses, kinds of problems, faults, answers of solvers."""

from sympact.integrate.memory.answers import (
    FAULTED,
    NO_EFFECT,
    NO_RESTITUTION,
    NOT_FINITE,
    PAINLEVE,
    SOLVED,
    UNBALANCED,
    UNENDED,
    UNSOLVED,
)

__all__ = [
    "ALONE",
    "CLOSED",
    "FAULTED",
    "FOLLOWED",
    "FORCES",
    "FROM_NOTHING",
    "IMPACT",
    "NEWTON",
    "NOTHING",
    "NOT_A_NUMBER",
    "NOT_FINITE",
    "NO_BOUND",
    "NO_EFFECT",
    "NO_FORCE",
    "NO_RESTITUTION",
    "OPEN",
    "PAINLEVE",
    "SEVERAL",
    "SLIP",
    "SOLVED",
    "STICK",
    "UNBALANCED",
    "UNENDED",
    "UNLOADED",
    "UNSOLVED",
    "WITHOUT_BOUND",
    "WITHOUT_IMPULSE",
]

# statuses of a contact
OPEN = 0
CLOSED = 1  # without friction
STICK = 2
SLIP = 3
UNLOADED = 4  # in a model with friction: held on its surface by the others, so that it bears nothing

# what a problem asks for
FORCES = 0
IMPACT = 1

# what is wrong with a contact that slips (Painleve)
NO_FORCE = 1  # pushing presses it the more: no force holds it
NO_BOUND = 2  # its force has grown beyond all bounds
SEVERAL = 3  # it may slide on, lift off or jam

# what is wrong with an event
NOT_A_NUMBER = 1  # an impulse or a speed
WITHOUT_IMPULSE = 2  # speeds changed: the energy of the change (J), beside the kinetic energy before
FROM_NOTHING = 3  # energy was made (J), beside the kinetic energy before
WITHOUT_BOUND = 4  # an impulse, beside that of all the kinetic energy there is (both in sqrt(J))

# what solved a problem
NOTHING = 0  # no contact approaches
ALONE = 1  # one contact, exactly
NEWTON = 2  # Newton's method from no impulse
FOLLOWED = 3  # the path from contacts that yield
