"""Whether a run gets on: the pace of its steps, and the number of them that was allowed."""

from sympact.integrate.memory import run_layout as at
from sympact.native.kernel import kernel

WINDOW = 100_000  # steps tried between two looks at the pace
TOO_MANY = 1e9  # steps that the rest of a span may take at this pace: their samples fill the memory of a machine
PER_EVENT = 100  # steps that each event is granted: runs of many events are ended by max_events alone


@kernel
def look(frame, real):
    """OK, or why a run is to end that has tried LOOK_AT steps.

    Without `max_steps` it ends where, over at least WINDOW steps beside those of its events, the time went so slowly
    that what is left of the span would take more than TOO_MANY steps.
    """
    tried, limit = frame[at.STEPS] + frame[at.REJECTED], frame[at.MAX_STEPS]
    if limit > 0:
        return at.STEPS_EXHAUSTED if tried >= limit else at.OK
    taken = tried - frame[at.SEEN_STEPS] - PER_EVENT * (frame[at.EVENTS] - frame[at.SEEN_EVENTS])
    if taken < WINDOW:
        frame[at.LOOK_AT] = tried + WINDOW - taken
        return at.OK
    gone, left = real[at.T] - real[at.SEEN_T], real[at.T_END] - real[at.T]
    if gone * TOO_MANY < left * taken:
        return at.NO_PROGRESS
    frame[at.SEEN_STEPS], frame[at.SEEN_EVENTS], real[at.SEEN_T] = tried, frame[at.EVENTS], real[at.T]
    frame[at.LOOK_AT] = tried + WINDOW
    return at.OK
