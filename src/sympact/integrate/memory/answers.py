"""The negative codes of transitions, and of the solvers behind them; a stage has a number that is not negative."""

SOLVED = 0  # of a solver
NO_EFFECT = -1
FAULTED = -2  # a function of the user's raised
UNSOLVED = -3
NOT_FINITE = -4
PAINLEVE = -5
UNENDED = -6  # single impacts continued without an end
NO_RESTITUTION = -7  # the restitution of a contact that approaches is no number from 0 to 1
UNBALANCED = -8  # the event is not in balance
PASSED = -9  # a condition of the user's was crossed in a direction that does not count
UNSETTLED = -10  # jumps of the user's cause each other without an end
BELOW_SURFACE = -11  # a jump of the user's puts a contact below its surface
NEGATIVE_FRICTION = -12  # a coefficient of friction is below zero
