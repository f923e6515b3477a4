"""Runs without machine code start interpreted while other processes compile; the result says which engine it was.

Where a test needs no compiler, another process fills the empty cache from that of this machine, in no time.
"""

import json
import logging
import os
import re
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import sympact
from sympact import HybridSystem, Transition, models
from sympact.contact import solve_impact
from sympact.native import compilation, default_cache, engine
from sympact.native.compilation import compile_beside, compile_together
from sympact.native.engine import ENGINES, Engine
from sympact.native.kernel import Unit
from sympact.native.processor import host_target

pytestmark = pytest.mark.as_machine_code
SMALL = [Unit("sympact.integrate.steppers.runge_kutta_kernel", f"euler_{task}") for task in ("advance", "dense")]
LEVEL = host_target().name
WAIT = 60.0  # s, for another process

FILL = """
import sys, time
from pathlib import Path
sys.path.append(sys.argv[1])
from sympact.native import ObjectCache, compilation, default_cache, kernel, object_code
def copy(unit):
    while not Path({gate!r}).exists():
        time.sleep(0.01)
    key = object_code._full_key(**kernel._settings(unit), passes=True)
    default_cache().put(key, ObjectCache(Path({full!r})).get(key))
kernel.Unit.machine_address = copy
compilation._share_out = lambda units, cores: [copy(unit) for unit in units]
compilation.{body}()
"""
"""A process that compiles, but for the compiling, for which it waits until there is the file `gate`."""


def ball(t_end=1.5, flow=lambda t, x: [x[1], -10.0], **options):
    """A ball that falls 5 m in 1 s, as plain functions."""
    bounce = Transition("up", "up", boundary=lambda t, x: -x[0], jump=lambda t, x: [0.0, -0.5 * x[1]], name="bounce")
    return HybridSystem({"up": flow}, [bounce]).simulate((0, t_end), [5.0, 0.0], start="up", **options)


@pytest.fixture(scope="module")
def full():
    """The folder of the cache of this machine, with what the models of these tests call."""
    for name in ("sliding_block", "tumbling_cube"):
        getattr(models, name)().simulate(engine="compiled")
    ball(engine="compiled")
    return str(default_cache().folder.parent)


@pytest.fixture
def empty(full, tmp_path, monkeypatch):
    """An empty cache, the default engine, and processes that compile at once as soon as there is the file returned."""
    gate = tmp_path / "begin"
    monkeypatch.setenv("SYMPACT_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.delenv("SYMPACT_ENGINE", raising=False)
    monkeypatch.setattr(compilation, "_at_hand", set())
    monkeypatch.setattr(compilation, "_beside", compilation._Beside())
    monkeypatch.setattr("sympact.native.object_code._loaded", {})
    monkeypatch.setattr(engine, "_told", set())
    for name, body in (("_BESIDE", "compile_named_beside"), ("_CHILD", "compile_what_is_named")):
        monkeypatch.setattr(compilation, name, FILL.format(gate=str(gate), full=full, body=body))
    yield gate
    gate.touch()
    if compilation._beside.process is not None:
        compilation._beside.process.wait(WAIT)


def until(found, seconds=WAIT):
    """Wait for something that another process does."""
    end = time.monotonic() + seconds
    while not found():
        assert time.monotonic() < end, "nothing came"
        time.sleep(0.02)


def same_events(one, other):
    """Whether two runs have the same events: kinds, and times to 1e-9."""
    kinds = [[event.kind for event in run.events] for run in (one, other)]
    times = [[event.t for event in run.events] for run in (one, other)]
    return kinds[0] == kinds[1] and np.allclose(*times, rtol=0.0, atol=1e-9)


def test_the_first_run_is_interpreted_and_the_next_one_is_machine_code(empty):
    first, about = ball(), sympact.about()
    assert first.settings["engine"] == about.engine == "interpreted"
    assert about.loop == "none"
    empty.touch()
    assert compilation._beside.process.wait(WAIT) == 0
    second, about = ball(), sympact.about()
    assert second.settings["engine"] == about.engine == LEVEL
    assert about.loop == "compiled"
    assert same_events(first, second)


def test_a_model_that_ran_interpreted_runs_as_machine_code_afterwards(empty):
    """Its memory has the addresses of the engine of the run, which results keep."""
    block = models.sliding_block()
    first = block.simulate()
    empty.touch()
    assert compilation._beside.process.wait(WAIT) == 0
    second, third = block.simulate(), block.simulate(engine="interpreted")
    engines = [run.settings["engine"] for run in (first, second, third)]
    assert engines == ["interpreted", LEVEL, "interpreted"]
    assert same_events(first, second)
    assert (first.x == third.x).all()
    t = np.linspace(*first.t_span, 7)
    for read in (lambda run: run.normal_force, lambda run: run.friction_force, lambda run: run(t)):
        assert (read(first) == read(third)).all()
        assert np.allclose(read(second), read(third), rtol=1e-9, atol=1e-9)


def test_an_interpreted_run_has_the_bits_of_a_process_without_machine_code():
    script = (
        "from sympact import models; cube = models.tumbling_cube().with_numbers(t_span=(0, 1.5));"
        "print(cube.simulate(engine='interpreted').x.tobytes().hex())"
    )
    bits = subprocess.run(
        [sys.executable, "-c", script],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        check=True,
        capture_output=True,
        text=True,
    ).stdout.strip()
    cube = models.tumbling_cube().with_numbers(t_span=(0, 1.5))
    assert cube.simulate(engine="interpreted").x.tobytes().hex() == bits
    assert cube.simulate(engine="compiled").x.tobytes().hex() != bits


def test_compiled_waits(empty):
    empty.touch()
    assert ball(engine="compiled").settings["engine"] == LEVEL
    assert compilation._beside.process is None


def test_any_switches_within_the_run_and_says_when(empty, monkeypatch):
    """The machine code comes while the flow is called at 0.5 s for the first time."""
    monkeypatch.setattr(engine, "_LOOK", 0.0)

    def flow(t, x):
        if t > 0.5 and not empty.exists():
            empty.touch()
            compilation._beside.process.wait(WAIT)
        return [x[1], -10.0]

    result = ball(engine="any", flow=flow, max_step=1e-3)
    told = re.fullmatch(rf"interpreted to t = (\S+) s, then {LEVEL}", result.settings["engine"])
    assert told, result.settings
    assert 0.4 < float(told[1]) < 1.0
    assert same_events(result, ball(max_step=1e-3))
    assert np.allclose(result(0.25), [5.0 - 10.0 * 0.25**2 / 2, -2.5], rtol=0.0, atol=1e-9)


def test_any_switches_a_model_with_all_its_memory(full, monkeypatch):
    """Contacts, their solvers and conditions are called by addresses in the memory of the run, which change."""
    looked, switched, switch = [], [], Engine.switch

    def record(self, t, memories):
        switched.extend(memories)
        switch(self, t, switched)

    monkeypatch.setattr(Engine, "switch", record)
    monkeypatch.setattr(Engine, "may_switch", lambda self: looked.append(1) or (self.interpreted and len(looked) == 5))
    monkeypatch.setattr("sympact.mechanics.run.preparation.engine_for", lambda *asked: Engine(interpreted=True))
    monkeypatch.setattr("sympact.integrate.loop.prepared_run.SLICE", 1e-3)
    monkeypatch.setattr("sympact.integrate.loop.prepared_run._FIRST_BUDGET", 1)
    die = models.dice().with_numbers(t_span=(0, 0.5))
    result = die.simulate()
    assert f"s, then {LEVEL}" in result.settings["engine"]
    assert engine.machine_addresses(address for memory in switched for address in memory.addresses()) == {}
    assert same_events(result, die.simulate(engine="compiled"))


def test_without_a_default_and_with_one(monkeypatch):
    monkeypatch.setenv("SYMPACT_ENGINE", "interpreted")
    assert ball().settings["engine"] == "interpreted" == sympact.about().engine
    assert ball(engine="compiled").settings["engine"] == LEVEL


@pytest.mark.parametrize("wrong", ["fast", 1, True, ["any"]])
def test_another_value_is_refused(wrong):
    expected = ", ".join(map(repr, ENGINES))
    with pytest.raises(ValueError, match=f"^engine is {re.escape(repr(wrong))}, expected one of {expected}$"):
        ball(engine=wrong)


def test_another_value_of_the_variable_is_refused(monkeypatch):
    monkeypatch.setenv("SYMPACT_ENGINE", "fast")
    with pytest.raises(ValueError, match=r"^SYMPACT_ENGINE is 'fast', expected one of 'auto'"):
        ball()


def test_an_impact_on_its_own_waits_for_nothing(empty):
    found = solve_impact(np.eye(1), [[1.0]], [-2.0], 0.5)
    assert found.speed_change.tolist() == pytest.approx([3.0], abs=1e-12)
    assert compilation._beside.process is not None


def test_the_reason_is_told_once_and_is_no_error(empty, caplog):
    """Warnings are errors here; a message of `logging` is none."""
    with caplog.at_level(logging.WARNING, logger="sympact"):
        ball()
        ball()
    (record,) = caplog.records
    for word in ("interpreted", "engine='compiled'", "python -m sympact compile", "a released wheel"):
        assert word in record.getMessage()


def test_without_a_folder_runs_are_interpreted_and_say_so(empty, caplog, monkeypatch, tmp_path):
    base = tmp_path / "file"
    base.write_text("no folder")
    monkeypatch.setenv("SYMPACT_CACHE_DIR", str(base))
    with caplog.at_level(logging.WARNING, logger="sympact"), pytest.warns(RuntimeWarning, match="cannot be used"):
        engines = [ball().settings["engine"] for _ in range(2)]
    assert engines == ["interpreted", "interpreted"]
    (told,) = [record.message for record in caplog.records]
    assert f"the folder {base / 'objects'}, which would keep it, cannot be used" in told
    assert "Set SYMPACT_CACHE_DIR to a folder of your own" in told


def test_without_numba_runs_stay_interpreted_and_say_so(empty, caplog, monkeypatch):
    monkeypatch.setattr(engine, "has_numba", lambda: False)
    monkeypatch.setattr(compilation, "_Detached", lambda *command, **options: pytest.fail("a process was started"))
    with caplog.at_level(logging.WARNING, logger="sympact"):
        assert ball().settings["engine"] == "interpreted"
    (record,) = caplog.records
    assert "numba" in record.getMessage()
    assert "pip install 'sympact[kernels]'" in record.getMessage()


def test_what_could_not_be_compiled_is_told_and_not_tried_again(empty, caplog, monkeypatch):
    monkeypatch.setattr(compilation, "_BESIDE", "raise SystemExit(1)")
    with caplog.at_level(logging.WARNING, logger="sympact"):
        compile_beside(SMALL)
        assert compilation._beside.process.wait(WAIT) == 1
        compile_beside(SMALL)
    (record,) = caplog.records
    assert all(unit.name in record.getMessage() for unit in SMALL)
    assert compilation._beside.process is None


HOLDER = """
import sys, time
from sympact.native import default_cache
release = default_cache().lock(sys.argv[1])
print("held" if release else "busy", flush=True)
time.sleep(600)
"""


@pytest.fixture
def holder(empty):
    """A process that holds a lock of the empty cache."""
    started = []

    def lock(name):
        command = [sys.executable, "-c", HOLDER, name]
        started.append(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
        assert started[-1].stdout.readline() == "held\n"
        return started[-1]

    yield lock
    for process in started:
        process.kill()
        process.communicate()


def test_one_process_at_a_time_compiles_beside_runs_and_a_killed_one_is_replaced(empty, holder):
    empty.touch()
    other = holder("beside.lock")
    compile_beside(SMALL)
    assert compilation._beside.process is None
    other.kill()
    other.wait()
    compile_beside(SMALL)
    assert compilation._beside.process.wait(WAIT) == 0
    assert all(unit.kept() for unit in SMALL)


def test_who_waits_for_machine_code_waits_for_the_processes_that_make_it(empty, holder, monkeypatch):
    other, slept = holder("compiling.lock"), []

    def sleep(seconds):
        slept.append(seconds)
        other.kill()
        other.wait()

    empty.touch()
    monkeypatch.setattr(compilation.time, "sleep", sleep)
    compile_together(SMALL)
    assert slept
    assert all(unit.kept() for unit in SMALL)


PARENT = """
import sys, time
from sympact.native import compilation
from sympact.native.kernel import Unit
compilation._BESIDE, units = sys.argv[1] or compilation._BESIDE, [Unit(*one) for one in {units!r}]
compilation.compile_beside(units)
print(compilation._beside.process.pid, flush=True)
{then}
"""


def parent(stand_in, then=""):
    units = [(unit.module, unit.function, unit.signature) for unit in SMALL]
    return [sys.executable, "-W", "error", "-c", PARENT.format(units=units, then=then), stand_in]


def test_processes_beside_hold_no_output_and_no_exit(empty):
    """The script ends, and its output with it, while the process that it started waits for the gate."""
    done = subprocess.run(parent(compilation._BESIDE), capture_output=True, text=True, timeout=WAIT, check=True)
    assert done.stderr == ""
    assert not empty.exists()
    until(compilation._others_work_beside)
    empty.touch()
    until(lambda: all(unit.kept() for unit in SMALL))
    until(lambda: not compilation._others_work_beside())


def test_ctrl_c_ends_the_script_alone(empty):
    process = subprocess.Popen(
        parent(compilation._BESIDE, "time.sleep(600)"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    process.stdout.readline()
    until(compilation._others_work_beside)
    os.killpg(process.pid, signal.SIGINT)
    assert "KeyboardInterrupt" in process.communicate(timeout=WAIT)[1]
    assert process.returncode == -signal.SIGINT
    assert compilation._others_work_beside()
    empty.touch()
    until(lambda: all(unit.kept() for unit in SMALL))


def test_processes_beside_compile_and_end(tmp_path, monkeypatch):
    """With the compiler, started by a script that has ended."""
    monkeypatch.setenv("SYMPACT_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr("sympact.native.object_code._loaded", {})
    done = subprocess.run(parent(""), capture_output=True, text=True, timeout=WAIT, check=True)
    until(lambda: all(unit.kept() for unit in SMALL), 4 * WAIT)
    until(lambda: not compilation._others_work_beside())
    assert done.stderr == ""


FIRST = """
import json, sys, time
from sympact import models
result = models.tumbling_cube().simulate()
print(json.dumps([result.settings["engine"], [event.t for event in result.events]]))
"""


@pytest.mark.slow
def test_a_fresh_checkout_runs_at_once_and_as_machine_code_later(tmp_path, monkeypatch):
    """All units of a cube, by the compiler."""
    monkeypatch.setenv("SYMPACT_CACHE_DIR", str(tmp_path))
    monkeypatch.delenv("SYMPACT_ENGINE", raising=False)

    def run():
        done = subprocess.run([sys.executable, "-c", FIRST], capture_output=True, text=True, timeout=WAIT, check=True)
        return (*json.loads(done.stdout), done.stderr)

    first, times, told = run()
    assert first == "interpreted"
    assert told.startswith("sympact: there is no machine code yet for ")
    until(compilation._others_work_beside)
    until(lambda: not compilation._others_work_beside(), 1200.0)
    second, later, told = run()
    assert (second, told) == (LEVEL, "")
    assert later == pytest.approx(times, abs=1e-9)
