"""The end of a run: a sentence for the reader, a small integer for tables."""

from __future__ import annotations

from enum import Enum


class Status(Enum):
    """The reason for the end of a run; the value states what happened, what it means and a remedy.

    `code` and `from_code` convert to small integers that are constant from version to version, for tables and exit
    codes. Files contain the name, so that the sentences may improve; the compiled loop has numbers of its own.

    >>> Status.FINISHED.code
    0
    >>> Status.from_code(6).name
    'MAX_EVENTS'
    """

    FINISHED = "the run reached the end of its time span"
    ACCUMULATION = (
        "events follow each other in ever shorter intervals and accumulate at t_inf, so that the run cannot pass this "
        "time event by event; everything before it is kept; end the span before t_inf, or model what bounces by "
        "contacts of a HybridModel, which close there"
    )
    CHATTERING = (
        "contacts had 200 events at one instant, so that the run makes no progress; everything before is kept; move "
        "the start a little, check for surfaces that enclose a body from several sides, or lower rtol"
    )
    JUMP_WITHOUT_EFFECT = (
        "the jump of a self-transition changed nothing, so that the same transition would fire again at the same time "
        "without end; the state is the one before the jump; let the jump move the state off the boundary, or give the "
        "boundary another sign"
    )
    NOT_FINITE = (
        "a flow, a boundary or a jump returned a number that is not finite; the run keeps everything up to the last "
        "finite state; check the state there for a division by zero, a root or a logarithm out of its domain, or a "
        "motion that grows without bound"
    )
    STEP_TOO_SMALL = (
        "the step fell below the spacing of floating-point times and the error is still above the tolerance; the flow "
        "is discontinuous, singular or stiff there; make the discontinuity a boundary, use Radau, BDF or LSODA, or "
        "raise rtol and atol"
    )
    MAX_EVENTS = (
        "the run had max_events events before the end of its time span; everything so far is kept; raise max_events "
        "if that many are expected, else check for a transition that fires again and again"
    )
    UNSOLVED_IMPACT = (
        "no impulses were found that satisfy the impact law of all contacts that take part; the state is the one "
        "before the impact; where friction or moving surfaces prevent every solution the message names the contacts "
        "and result.infeasibility is the proof, else check the mass matrix there and the restitutions, or separate "
        "the contacts in time"
    )
    UNENDED_IMPACT = (
        "impacts resolved one after the other, or by ratios, continued without an end; the state is the one before "
        "the impact; raise max_impacts, use Simultaneous(), or another order if one has no end, "
        "Sequential(order='fastest') for instance, or check for surfaces that enclose a body"
    )
    SLIDING = (
        "a condition in the flow changes its branch repeatedly at one instant, because the motion on either side "
        "leads back to the boundary of the branches, so that it would have to slide along it; everything before is "
        "kept; give sliding='filippov' to HybridSystem.from_sympy, so that it slides, or replace the jump by a steep "
        "continuous function, such as tanh(x/width) for sign(x)"
    )
    PAINLEVE = (
        "no admissible force exists for a slipping contact there, or several do: with friction its effective inverse "
        "mass is not positive (Painleve's paradox), and rigid bodies have no further motion, or several; all before "
        "is kept; use painleve=ImpactWithoutCollision() in the HybridModel, so that friction stops the slip in an "
        "impact"
    )
    NO_RESTITUTION = (
        "the restitution of a contact that approaches was no number from 0 to 1; the state is the one before the "
        "impact; bound an expression of the approach speed to this range, such as Max(0, 1 - C*v)"
    )
    NEGATIVE_FRICTION = (
        "a coefficient of friction that changes during the motion became negative; the state is the one before the "
        "step or the impact; bound its expression from below, such as Max(0, mu - C*slip_speed)"
    )
    EVENT_LOOP = (
        "transitions followed each other 200 times at one instant, or functions of events passed zero there and back, "
        "so that the run makes no progress; everything before is kept; let a jump bring the state inside the stage "
        "that it enters, away from the boundaries of the next transitions, and let the function of an event return "
        "the same number for the same time and state"
    )
    BEYOND_BOUNDARY = (
        "a stage began beyond one of its boundaries, which fires only where it is reached from inside, and the motion "
        "did not enter the stage; everything before is kept; start inside, let the jump bring the state there, or give "
        "the boundary another sign"
    )
    MAX_STEPS = (
        "the run tried max_steps steps before the end of its time span; everything so far is kept; raise max_steps if "
        "that many are expected, else check where they were spent"
    )
    NO_PROGRESS = (
        "the run makes no progress: at the pace of the last 100,000 steps tried (each event grants 100 more) the rest "
        "of the time span would take more than 1e9 steps; everything so far is kept; check why steps are so short, "
        "raise rtol and atol, use Radau, BDF or LSODA for a stiff flow, or give max_steps to continue regardless"
    )
    UNBALANCED_EVENT = (
        "an event was not in balance: it would have changed speeds without impulses, or created energy, or its "
        "impulses were no numbers or without bound, so that the motion after it would be wrong; the state is the one "
        "before the event; this is a fault of the solution, not of the model: move the start a little, use another "
        "impact law, and report the model"
    )
    UNBALANCED_ARC = (
        "on a smooth arc with closed contacts the motion and the forces were not one solution: Newton's equations were "
        "not satisfied, so that the motion would be wrong; the state is the one before that step; this is a fault of "
        "the solution, not of the model: move the start a little, use another method or lower rtol, and report it"
    )
    STOPPED = "the condition of a Stop was met, at which the run had to end; to go on, start from its last state"
    BELOW_SURFACE = (
        "a jump, or the condition that makes a contact active, put a contact below its surface; the state is the one "
        "before the event; let the jump leave the contacts on their surfaces or above"
    )
    INTERRUPTED = (
        "the run was interrupted from the keyboard; everything before is kept; start again from the last state to "
        "continue"
    )
    REFUSED = (
        "the run did not begin, because its initial state or its parameters were refused; ensemble.refused says why; "
        "correct the numbers of this run, or leave it out"
    )
    FAULT = "a function given by the user raised an exception; everything before is kept; correct its cause"

    @property
    def code(self) -> int:
        """The integer of this status; 0 is `FINISHED`."""
        return _CODES[self]

    @classmethod
    def from_code(cls, code: int) -> Status:
        """The status of a `code`.

        Raises
        ------
        ValueError
            If no status has this code.
        """
        try:
            return _STATUSES[int(code)]
        except KeyError:
            raise ValueError(f"no status has the code {code}; the codes are {sorted(_STATUSES)}") from None


_CODES = {
    Status.FINISHED: 0,
    Status.ACCUMULATION: 1,
    Status.CHATTERING: 2,
    Status.JUMP_WITHOUT_EFFECT: 3,
    Status.NOT_FINITE: 4,
    Status.STEP_TOO_SMALL: 5,
    Status.MAX_EVENTS: 6,
    Status.UNSOLVED_IMPACT: 7,
    Status.INTERRUPTED: 8,
    Status.FAULT: 9,
    Status.SLIDING: 10,
    Status.PAINLEVE: 11,
    Status.UNENDED_IMPACT: 12,
    Status.NO_RESTITUTION: 13,
    Status.EVENT_LOOP: 14,
    Status.BEYOND_BOUNDARY: 15,
    Status.MAX_STEPS: 16,
    Status.NO_PROGRESS: 17,
    Status.UNBALANCED_EVENT: 18,
    Status.REFUSED: 19,
    Status.STOPPED: 20,
    Status.BELOW_SURFACE: 21,
    Status.UNBALANCED_ARC: 22,
    Status.NEGATIVE_FRICTION: 23,
}
_STATUSES = {code: status for status, code in _CODES.items()}
