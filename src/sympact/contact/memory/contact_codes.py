"""The meaning of whole numbers in the memory of contacts: statuses, kinds of problems, faults, return codes."""

from sympact.integrate.memory.answers import (
    BELOW_SURFACE,
    FAULTED,
    NEGATIVE_FRICTION,
    NO_EFFECT,
    NO_RESTITUTION,
    NOT_FINITE,
    PAINLEVE,
    PASSED,
    SOLVED,
    UNBALANCED,
    UNENDED,
    UNSETTLED,
    UNSOLVED,
)

__all__ = [
    "ALONE",
    "AT_ONCE",
    "BELOW_SURFACE",
    "CLOSED",
    "DESCENDED",
    "FAULTED",
    "FOLLOWED",
    "FORCES",
    "FROM_NOTHING",
    "IMPACT",
    "NEGATIVE_FRICTION",
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
    "PASSED",
    "SEVERAL",
    "SLIP",
    "SOLVED",
    "STICK",
    "UNBALANCED",
    "UNENDED",
    "UNLOADED",
    "UNSETTLED",
    "UNSOLVED",
    "WITHOUT_BOUND",
    "WITHOUT_IMPULSE",
]

# statuses of a contact
OPEN = 0
CLOSED = 1  # without friction
STICK = 2
SLIP = 3
UNLOADED = 4  # in a model with friction: constrained by the others (redundant), without a force

# the unknowns of a problem
FORCES = 0
IMPACT = 1

# the kinds of Painleve's paradox
NO_FORCE = 1  # inconsistent: no admissible force exists
NO_BOUND = 2  # its force has grown without bound
SEVERAL = 3  # indeterminate: it may slide on, lift off or lock
AT_ONCE = 4  # its friction is infinite, so that its slip ends by an impulse

# faults of an event
NOT_A_NUMBER = 1  # an impulse or a speed
WITHOUT_IMPULSE = 2  # speeds changed: the energy of the change (J), with the kinetic energy before
FROM_NOTHING = 3  # energy was created (J), with the kinetic energy before
WITHOUT_BOUND = 4  # an impulse, with that of the whole kinetic energy (both in sqrt(J))

# the solver of a problem
NOTHING = 0  # no contact approaches
ALONE = 1  # one contact, exactly
NEWTON = 2  # Newton's method from zero impulses, or from the last answer
FOLLOWED = 3  # continuation from compliant contacts
DESCENDED = 4  # projected gradients, then Newton's method with a small compliance
