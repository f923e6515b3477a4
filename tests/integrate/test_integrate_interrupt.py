"""Ctrl-C ends a run between two steps, with its status and all it has, wherever the signal meets it."""

import os
import signal
import subprocess
import sys
from itertools import product

import numpy as np
import pytest
from integrate_processes import check_run, plain_ball
from quick_members import members

from sympact import HybridSystem, Status, Transition
from sympact.integrate.loop.interrupt import HeldInterrupt

CHILD = """
import sys
import numpy as np
import sympy as sm
from sympact import HybridSystem
from sympact.integrate.loop.workspace import Workspace

kind, method = sys.argv[1:]
if kind == "symbolic":
    q, u = sm.symbols("q u")
    process = HybridSystem.from_sympy({"only": [u, -q]}, [], states=[q, u])
else:
    process = HybridSystem({"only": lambda t, x: [x[1], -x[0]]}, [])
make_room = Workspace.make_room

def between_slices(frame):
    print("running", flush=True)
    make_room(frame)

Workspace.make_room = between_slices
result = process.simulate((0, 1e9), [1.0, 0.0], start="only", method=method, max_step=0.01)
last = result.t_span[1]
print(result.status.name, len(result.t) > 100, abs(result(last)[0] - np.cos(last)) < 1e-6)
"""


RUNS = [*product(["symbolic", "plain"], ["DOP853", "Radau"])]


@pytest.mark.parametrize(("kind", "method"), members(RUNS, slow=[("plain", "DOP853"), ("symbolic", "Radau")]))
def test_ctrl_c_while_a_run_of_hours_goes_on(kind, method):
    """The signal comes while the loop runs its second slice of some 20 ms or so; the child ends by itself."""
    process = subprocess.Popen(
        [sys.executable, "-c", CHILD, kind, method], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "running\n"
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert "Traceback" not in err
    assert out.splitlines()[-1] == "INTERRUPTED True True"
    assert process.returncode == 0


def pressing(function, calls):
    """The function, which has Ctrl-C pressed in its calls of these numbers."""
    count = 0

    def pressed(t, x):
        nonlocal count
        count += 1
        if count in calls:
            signal.raise_signal(signal.SIGINT)
        return function(t, x)

    return pressed


def fall(t, x):
    return [x[1], -10.0]


def ground(t, x):
    return -x[0]


def bounce(t, x):
    return [0.0, -x[1]]


@pytest.mark.parametrize("method", ["DOP853", "RK4", "BDF"])
@pytest.mark.parametrize("role", ["flow", "boundary", "jump"])
def test_ctrl_c_in_a_callback_is_held_until_the_step_is_done(role, method):
    """Pressed once in a function, the function returns as always: no number of the run is touched."""
    functions = {"flow": fall, "boundary": ground, "jump": bounce}
    undisturbed = run(functions, method)
    functions[role] = pressing(functions[role], {3 if role == "jump" else 400})
    result = run(functions, method)
    check_run(result)
    assert result.status is Status.INTERRUPTED
    assert 1 < len(result.t) < len(undisturbed.t)
    assert result.x.tolist() == undisturbed.x[:, : len(result.t)].tolist()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def run(functions, method):
    edge = Transition("air", "air", boundary=functions["boundary"], jump=functions["jump"])
    process = HybridSystem({"air": functions["flow"]}, [edge])
    return process.simulate((0, 20), [5.0, 0.0], start="air", method=method, max_step=0.1)


@pytest.mark.parametrize("role", ["flow", "boundary", "jump"])
def test_an_interrupt_that_a_function_raises_itself(role):
    """KeyboardInterrupt from within, as `input` or a second Ctrl-C would raise it."""

    def raising(t, x):
        if t >= 0.9:
            raise KeyboardInterrupt
        return {"flow": fall, "boundary": ground, "jump": bounce}[role](t, x)

    result = run({"flow": fall, "boundary": ground, "jump": bounce, role: raising}, "DOP853")
    assert result.status is Status.INTERRUPTED
    assert 0.7 < result.t_span[1] <= 1.0
    assert result.x[0, -1] == pytest.approx(5 - 5 * result.t[-1] ** 2, abs=1e-12)


def test_a_handler_of_the_user_is_called_and_may_let_the_run_go_on():
    met = []
    before = signal.signal(signal.SIGINT, lambda number, place: met.append(number))
    try:
        result = run({"flow": pressing(fall, {400, 800}), "boundary": ground, "jump": bounce}, "DOP853")
    finally:
        signal.signal(signal.SIGINT, before)
    assert met == [signal.SIGINT] * 2
    assert result.status is Status.FINISHED
    assert np.array_equal(result.x, run({"flow": fall, "boundary": ground, "jump": bounce}, "DOP853").x)


def test_ignored_interrupts_stay_ignored():
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        os.kill(os.getpid(), signal.SIGINT)
        assert plain_ball(0.5).simulate((0, 1.5), [5.0, 0.0], start="air").status is Status.FINISHED
    finally:
        signal.signal(signal.SIGINT, before)


def test_a_second_ctrl_c_is_not_held():
    """A function that does not return can be left; the first one still waits for its delivery."""
    notices = []
    with HeldInterrupt(lambda: notices.append("come back")) as interrupt:
        signal.raise_signal(signal.SIGINT)
        assert notices == ["come back"]
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            interrupt.deliver()
        interrupt.deliver()


def test_what_is_held_is_delivered_at_the_end():
    with pytest.raises(KeyboardInterrupt), HeldInterrupt(lambda: None):
        signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
