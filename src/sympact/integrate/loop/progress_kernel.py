"""Whether a run makes progress: the pace of its steps, and the permitted number of them."""

import math

from sympact.integrate.memory import run_codes as codes
from sympact.integrate.memory.run_tolerances import TOO_MANY
from sympact.native.kernel import kernel

WINDOW = 100_000  # steps tried between two checks of the pace
PER_EVENT = 100  # steps that each event is granted: runs of many events are ended by max_events alone


@kernel
def look(run):
    """OK, or the reason to end a run that has tried `look_at` steps.

    Without `max_steps` it ends where, over at least WINDOW steps besides those of its events, the time advanced so
    slowly that the rest of the span would need more than TOO_MANY steps; without an end, the rest to where it pauses.
    """
    tried, limit = run.steps + run.rejected, run.max_steps
    if limit > 0:
        return codes.STEPS_EXHAUSTED if tried >= limit else codes.OK
    taken = tried - run.seen_steps - PER_EVENT * (run.events - run.seen_events)
    if taken < WINDOW:
        run.look_at = tried + WINDOW - taken
        return codes.OK
    end = run.t_end if run.t_end < math.inf else run.t_stop
    gone, left = run.t - run.seen_t, end - run.t
    if gone * TOO_MANY < left * taken:
        return codes.NO_PROGRESS
    run.seen_steps, run.seen_events, run.seen_t = tried, run.events, run.t
    run.look_at = tried + WINDOW
    return codes.OK
