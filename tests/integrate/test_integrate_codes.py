"""Numbers that kernels speak are those that Python reads: kinds of events, and how a run ends."""

import re
from pathlib import Path

from sympact.integrate.history.event import KINDS
from sympact.integrate.loop.prepared_run import ENDINGS
from sympact.integrate.memory import answers, run_codes


def test_kinds_of_events_are_places_in_their_enumeration():
    codes = {name.removesuffix("_KIND").lower(): getattr(run_codes, name) for name in dir(run_codes)}
    kinds = {str(kind): place for place, kind in enumerate(KINDS)}
    spoken = ("transition", "impact", "close", "open", "stick", "slip", "accumulation", "switch")
    assert {kind: codes[kind] for kind in spoken} == {kind: kinds[kind] for kind in spoken}


def test_every_answer_of_the_loop_ends_a_run_or_goes_on():
    text = Path(run_codes.__file__).read_text(encoding="utf-8")
    named = re.findall(
        r"^([A-Z_]+) = ", text[text.index("# return codes of a unit of the stepper") :], flags=re.MULTILINE
    )
    numbers = {getattr(run_codes, name) for name in named}
    assert len(numbers) == len(named)
    assert numbers - set(ENDINGS) == {run_codes.OK, run_codes.PAUSED}


def test_no_two_answers_of_a_transition_are_the_same_number():
    numbers = [value for name, value in vars(answers).items() if name.isupper()]
    assert len(set(numbers)) == len(numbers)
    assert max(numbers) == 0
