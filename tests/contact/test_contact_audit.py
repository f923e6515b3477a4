"""The audit of events: a solver that goes wrong is caught at the event, whatever it is, and the run ends with it.

Faults are put into the kernels where the loop runs as Python, one after the other in a process of its own; the truth is
what was put in.
"""

import os
import subprocess
import sys

import pytest

PROGRAM = """
import math, warnings
from sympact import Energetic, models
from sympact.contact.event import transition_kernel as kernel
from sympact.contact.event.event_view_kernel import record_of, state_of
from sympact.integrate.memory.run_codes import ENERGY, HEAD

warnings.simplefilter("ignore")
block, ball, pendulum = models.block_on_belt(), models.bouncing_ball(), models.kane_pendulum(Energetic())
resolve, apply_impact = kernel.resolve, kernel.apply_impact


def slower(contacts):
    goes_on = resolve(contacts)
    state_of(contacts)[contacts.model.n_q :] *= 0.99
    return goes_on


def struck(change):
    def wrong(contacts, by_friction):
        goes_on = apply_impact(contacts, by_friction)
        change(contacts, state_of(contacts), record_of(contacts))
        return goes_on
    return wrong


def faster(contacts, x, record):
    x[contacts.model.n_q :] *= 1.01


def no_number(contacts, x, record):
    record[HEAD] = math.nan


def gain(contacts, x, record):
    record[ENERGY] = 1.0


def told(name, ready, where, fault):
    setattr(kernel, where, fault)
    result = ready.simulate(max_events=2)
    kernel.resolve, kernel.apply_impact = resolve, apply_impact
    print(name, result.status.name, len(result.events), result.message, sep=" | ")


told("right", ball, "apply_impact", apply_impact)
told("slower", block, "resolve", slower)
told("faster", ball, "apply_impact", struck(faster))
told("no number", ball, "apply_impact", struck(no_number))
told("gain", ball, "apply_impact", struck(gain))
told("gain of a law that promises none", pendulum, "apply_impact", struck(gain))
told("right by that law", pendulum, "apply_impact", apply_impact)
"""


@pytest.fixture(scope="module")
def told():
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-c", PROGRAM]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert not done.returncode, done.stderr
    return {line.split(" | ")[0]: line.split(" | ")[1:] for line in done.stdout.splitlines()}


def test_events_that_are_right_pass(told):
    assert told["right"][:2] == told["right by that law"][:2] == ["MAX_EVENTS", "2"]


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [
        ("slower", "J of a change of speeds come from no impulse"),
        ("faster", "at the impact of ball: 0.00062784 J"),  # m (0.01 e v)^2 / 2 with e = 0.8, m v^2 / 2 = 9.81 J
        ("no number", "at the impact of ball: an impulse or a speed is nan"),
        ("gain of a law that promises none", "1 J come from nothing"),
    ],
)
def test_a_fault_ends_the_run_at_its_event_with_its_figures(told, fault, sentence):
    status, events, message = told[fault]
    assert status == "UNBALANCED_EVENT"
    assert events == "0" or fault == "slower"
    assert sentence in message


def test_a_gain_of_a_law_that_may_gain_is_a_warning(told):
    assert told["gain"][0] == "MAX_EVENTS"
