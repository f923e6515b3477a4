"""What whole numbers in the memory of contacts mean: statuses, kinds of problems, faults, answers of solvers."""

# statuses of a contact
OPEN = 0
CLOSED = 1  # without friction
STICK = 2
SLIP = 3
TOUCH = 4  # in a model with friction: held on its surface by the others, so that it bears nothing

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

# what a solver answers; the same numbers stand for failure in the answer of a transition
SOLVED = 0
NO_EFFECT = -1
UNSOLVED = -3
NOT_FINITE = -4
JAMMED = -5
FAULTED = -2  # a function of the user's raised
UNENDED = -6  # contacts went on hitting each other
NO_RESTITUTION = -7  # the restitution of a contact that approaches is no number from 0 to 1
UNBALANCED = -8  # the event is not in balance

# what solved a problem
NOTHING = 0  # no contact approaches
ALONE = 1  # one contact, exactly
NEWTON = 2  # Newton's method from no impulse
FOLLOWED = 3  # the path from contacts that yield
