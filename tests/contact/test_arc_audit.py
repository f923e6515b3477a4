"""The audit of smooth arcs: what goes wrong in the mechanics of closed contacts ends the run, with the contact.

Faults are put into the kernels where the loop runs as Python, one after the other in a process of its own; the truth is
what was put in. The wrong numbers of a fault are such that nothing else notices them.
"""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest
import sympy as sm
from fuzz.touching.judge import simulate
from fuzz.touching.populations import random_dominoes
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, System, dynamicsymbols

from sympact import Contact, HybridModel, Plane, Status, load
from sympact.models import bouncing_ball, dice

PROGRAM = """
import warnings
from collections import Counter
from sympy import symbols
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, System, dynamicsymbols
from sympact import Contact, HybridModel, Plane, RodClosure, models
from sympact.contact.modes import closed_motion_kernel
from sympact.contact.problem import arc_audit_kernel, assemble_kernel, closed_kernel
from sympact.contact.problem import closed_margin_kernel, slip_kernel
from sympact.contact.modes import slip_onset_kernel

warnings.simplefilter("ignore")
x, z, u, w = dynamicsymbols("x z u w")
N, O, P = ReferenceFrame("N"), Point("O"), Point("P")
O.set_vel(N, 0)
P.set_pos(O, x * N.x + z * N.z)
P.set_vel(N, u * N.x + w * N.z)


def slope(friction):
    system = System(N, O)
    system.add_bodies(Particle("block", P, 2))
    system.add_loads((P, 2 * (9 * N.x - 10 * N.z)))
    system.q_ind, system.u_ind, system.kdes = [x, z], [u, w], [u - x.diff(), w - z.diff()]
    return HybridModel(system, [Contact(P, Plane(O, N.z), restitution=0, friction=friction, name="foot")])


def tied(friction):
    # two blocks on the slope with a rod between them
    y, h, v, k = dynamicsymbols("y h v k")
    Q, system = Point("Q"), System(N, O)
    Q.set_pos(O, y * N.x + h * N.z)
    Q.set_vel(N, v * N.x + k * N.z)
    system.add_bodies(Particle("block", P, 2), Particle("other", Q, 3))
    system.add_loads((P, 2 * (9 * N.x - 10 * N.z)), (Q, -30 * N.z))
    system.q_ind, system.u_ind = [x, z, y, h], [u, w, v, k]
    system.kdes = [speed - place.diff() for place, speed in zip(system.q_ind, system.u_ind)]
    feet = [Contact(R, Plane(O, N.z), restitution=0, friction=friction, name=R.name) for R in (P, Q)]
    return HybridModel(system, feet, constraints=[RodClosure(P, Q, 1)]), {"x0": [0, 0, 1, 0, 1, 0, 1, 0]}


smooth, rough = slope(0), slope(0.5)
run = {"t_span": (0, 0.2), "x0": {x: 0, z: 0, u: 1, w: 0}, "parameters": {}}


def told(name, model, *faults, **options):
    kept = [(place, what, getattr(place, what)) for place, what, _ in faults]
    for place, what, fault in faults:
        setattr(place, what, fault)
    result = model.simulate(**(run | options))
    for place, what, right in kept:
        setattr(place, what, right)
    residual = result.settings["equation_residual"]
    print(name, result.status.name, len(result.events), float(result.t[-1]), residual, result.message,
          float(result.settings["cone_violation"]), sep=" | ")
    return result


directly, bearing = closed_motion_kernel.constrain_directly, closed_kernel.bearing_forces
sticking, direction = slip_kernel.begins_to_slip, slip_kernel.pushed_direction
started = []


def stronger(contacts, t, state, with_forces):
    total = directly(contacts, t, state, with_forces)
    contacts.problem.multipliers[:total] *= 1.0 + (excess if t > 0.1 else 0.0)
    return total


def weaker(contacts, count):
    bearing(contacts, count)
    contacts.problem.multiplier[:count] *= 0.999


def faster(contacts, t, state, with_forces):
    total = directly(contacts, t, state, with_forces)
    contacts.problem.change[1] += 1e-3
    contacts.problem.rates[3] += 1e-3
    return total


def reversed_direction(contacts, j, a, b, sign):
    direction(contacts, j, a, b, -sign)


told("right without friction", smooth)
told("right with friction", rough)
for excess, name in (1e-3, "wrong forces"), (1e-5, "slightly wrong"), (1e-7, "hardly wrong"):
    told(name, rough, (closed_motion_kernel, "constrain_directly", stronger))
told("wrong forces without friction", smooth, (closed_kernel, "bearing_forces", weaker))
for friction in (0, 0.5):
    model, start = tied(friction)
    told(f"right with a rod, {friction}", model, **start)
    excess = 1e-3
    fault = (closed_motion_kernel, "constrain_directly", stronger) if friction else (
        closed_kernel, "bearing_forces", weaker
    )
    told(f"wrong with a rod, {friction}", model, fault, **start)
told("wrong motion", rough, (closed_motion_kernel, "constrain_directly", faster))
told(
    "reversed friction", rough,
    *((place, "pushed_direction", reversed_direction) for place in (slip_kernel, slip_onset_kernel)
      if hasattr(place, "pushed_direction")),
)
told(
    "sticks beyond its cone", rough, (slip_kernel, "begins_to_slip", lambda contacts, i: False),
    x0={x: 0, z: 0, u: 0, w: 0},
)

calls = Counter()
for place in (assemble_kernel, slip_kernel):
    for what in ("call_flow", "call_boundary", "call_chosen", "call_chosen_flow"):
        if hasattr(place, what):
            def counted(*arguments, right=getattr(place, what), name=what):
                calls[name] += 1
                return right(*arguments)
            setattr(place, what, counted)
belt = models.block_on_belt()
audited = belt.with_numbers(t_span=(0.0, 0.5)).simulate()
with_audit = dict(calls)
calls.clear()
closed_motion_kernel.is_audited = lambda contacts, out: False
plain = belt.with_numbers(t_span=(0.0, 0.5)).simulate()
same = (audited.x == plain.x).all() and audited.counts == plain.counts and with_audit == dict(calls)
print("cost", same, sum(calls.values()) > 1000, audited.settings["equation_residual"] > 0.0, sep=" | ")
"""


pytestmark = pytest.mark.slow  # its runs are interpreted, and take ten seconds; the audit itself is in every run


@pytest.fixture(scope="module")
def told():
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False, env=environment)
    assert not done.returncode, done.stderr
    return {line.split(" | ")[0]: line.split(" | ")[1:] for line in done.stdout.splitlines()}


@pytest.mark.parametrize("friction", ["without", "with"])
def test_arcs_that_are_right_pass(told, friction):
    status, _, end, residual, *_ = told[f"right {friction} friction"]
    assert (status, float(end)) == ("FINISHED", 0.2)
    assert float(residual) < 1e-14


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [
        # the normal force and friction are 20 N and 10 N; without them the acceleration is hypot(9, 10) m/s^2
        ("wrong forces", "miss the equations of motion by 0.000831 of the largest force, most at the contact 'foot'"),
        ("wrong forces without friction", "miss the equations of motion by 0.000743 of the largest force"),
        ("wrong motion", "miss the equations of motion by 7.43e-05 of the largest force, most at the contact 'foot'"),
    ],
)
def test_a_fault_ends_the_run_with_its_contact_and_its_figure(told, fault, sentence):
    status, _, end, _, message, _ = told[fault]
    assert status == "UNBALANCED_ARC"
    assert sentence in message
    assert float(end) < 0.1 or fault == "wrong forces"


@pytest.mark.parametrize("friction", ["0", "0.5"])
def test_arcs_of_constrained_models_are_audited(told, friction):
    status, _, end, residual, *_ = told[f"right with a rod, {friction}"]
    assert (status, float(end)) == ("FINISHED", 0.2)
    assert 0.0 < float(residual) < 1e-14
    status, _, _, residual, *_ = told[f"wrong with a rod, {friction}"]
    assert status == "UNBALANCED_ARC"
    assert float(residual) > 1e-4


@pytest.mark.parametrize("fault", ["reversed friction", "sticks beyond its cone"])
def test_forces_outside_their_cones_are_measured(told, fault):
    assert float(told[fault][-1]) > 1e-3
    assert float(told["right with friction"][-1]) < 1e-12


def test_a_fault_below_the_threshold_passes(told):
    for name, status, excess in ("slightly wrong", "UNBALANCED_ARC", 1e-5), ("hardly wrong", "FINISHED", 1e-7):
        assert told[name][0] == status
        assert float(told[name][3]) == pytest.approx(0.831 * excess, rel=1e-3)


def test_the_audit_calls_no_function_of_the_model_and_changes_no_bit(told):
    assert told["cost"] == ["True", "True", "True"]


def test_the_largest_residual_of_a_run_is_in_its_settings_and_in_its_file(tmp_path):
    result = dice().with_numbers(t_span=(0.0, 0.6)).simulate()
    assert 0.0 < result.settings["equation_residual"] < 1e-13
    assert result.settings["cone_violation"] < 1e-9
    result.save(tmp_path / "die.npz")
    assert load(tmp_path / "die.npz").settings == result.settings


@pytest.mark.parametrize("load", ["time", "div", "none"])
def test_the_residual_is_measured_whatever_the_loads_are(load):
    """Of some loads the margins between the stages of a step are not determined by those there: they are sampled."""
    x, z, u, w = dynamicsymbols("x z u w")
    N, O, P = ReferenceFrame("N"), Point("O"), Point("P")
    O.set_vel(N, 0)
    P.set_pos(O, x * N.x + z * N.z)
    P.set_vel(N, u * N.x + w * N.z)
    system = System(N, O)
    system.add_bodies(Particle("block", P, 3))
    pull = {"time": 9 + sm.sin(dynamicsymbols._t), "div": 9 + 1 / (2 + x), "none": 9 - x}[load]
    system.add_loads((P, 3 * (pull * N.x - 10 * N.z)))
    system.q_ind, system.u_ind, system.kdes = [x, z], [u, w], [u - x.diff(), w - z.diff()]
    slope = Plane(O, (N.x + 3 * N.z).normalize())
    model = HybridModel(system, [Contact(P, slope, restitution=0, friction=0.3)])
    result = model.simulate((0, 0.5), [0, 0, 3, -1], {})
    assert set(result.stages[1:]) == {"P on O slips"}
    assert 0.0 < result.settings["equation_residual"] < 1e-14


def test_a_run_that_closes_no_contact_has_nothing_to_audit():
    settings = bouncing_ball().with_numbers(t_span=(0.0, 1.0)).simulate().settings
    assert settings["equation_residual"] == settings["cone_violation"] == 0.0


@pytest.mark.slow
@pytest.mark.parametrize("n", [2, 3])
def test_rows_of_dominoes_are_balanced_to_a_billionth_of_their_largest_force(n):
    for seed in range(4):
        result, _ = simulate(*random_dominoes(seed, n))
        assert result.status is not Status.UNBALANCED_ARC
        assert np.maximum(result.settings["equation_residual"], result.settings["cone_violation"]) < 1e-9
