"""Every option of a model and of a run: islands give the run that one step for all states gives."""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
import sympy as sm
import sympy.physics.mechanics as me
from quick_members import members
from scipy.interpolate import CubicSpline

from sympact import (
    Baumgarte,
    Contact,
    Controller,
    Count,
    Crossing,
    Direct,
    Energetic,
    HybridModel,
    ImpactWithoutCollision,
    ImpulseRatio,
    Integral,
    Interpolated,
    Latch,
    Limit,
    Maximum,
    NormalForce,
    NullSpace,
    Partitioning,
    Plane,
    Poisson,
    Result,
    Sampled,
    Sequential,
    Stop,
    Transition,
)
from sympact.mechanics.islands.islands import Islands

M, G, E, MU = sm.symbols("m g e mu", positive=True)
T = me.dynamicsymbols._t
COUNTER = me.dynamicsymbols("n")
SPAN, TOLERANCES = (0.0, 0.8), {"rtol": 1e-10, "atol": 1e-12}
Case = tuple[dict[str, Any], dict[str, Any]]
"""The options of a model, and those of its run."""


class Pucks:
    """Pucks that slide on a floor towards a wall that leans over them, each in a plane of its own.

    Parameters
    ----------
    count : int
    """

    def __init__(self, count: int) -> None:
        self.count, ground = count, me.RigidBody("ground")
        self.system = system = me.System.from_newtonian(ground)
        frame, origin = system.frame, system.fixed_point
        floor = Plane(origin, frame.z)
        wall = Plane(origin.locatenew("W", 0.6 * frame.x), -(0.8 * frame.x + 0.6 * frame.z))
        self.contacts: list[Contact] = []
        self.x, self.z = me.dynamicsymbols(f"x:{count}"), me.dynamicsymbols(f"z:{count}")
        self.vx, self.vz = me.dynamicsymbols(f"v:{count}"), me.dynamicsymbols(f"w:{count}")
        self.pushes = me.dynamicsymbols(f"F:{count}")
        for i in range(count):
            point = origin.locatenew(f"P{i}", self.x[i] * frame.x + self.z[i] * frame.z)
            point.set_vel(frame, self.vx[i] * frame.x + self.vz[i] * frame.z)
            system.add_bodies(me.Particle(f"puck{i}", point, M))
            system.add_coordinates(self.x[i], self.z[i])
            system.add_speeds(self.vx[i], self.vz[i])
            system.add_kdes(self.x[i].diff() - self.vx[i], self.z[i].diff() - self.vz[i])
            system.add_loads(me.Force(point, self.pushes[i] * frame.x))
            self.contacts.append(Contact(point, floor, restitution=E, friction=MU, name=f"floor{i}"))
            self.contacts.append(Contact(point, wall, restitution=E, friction=MU, name=f"wall{i}"))
        system.apply_uniform_gravity(-G * frame.z)
        self.parameters = {M: 2.0, G: 9.8, E: 0.6, MU: 0.2}

    @property
    def start(self) -> dict:
        """The first one slides; the others are thrown."""
        heights = [0.0, 0.05, 0.11][: self.count]
        numbers = {**dict(zip(self.z, heights, strict=True)), **dict(zip(self.x, [0.0, 0.1, 0.05], strict=False))}
        return numbers | dict.fromkeys(self.vz, 0.0) | dict(zip(self.vx, [2.0, 1.5, 1.1], strict=False))

    @property
    def inputs(self) -> dict:
        """A constant push for each."""
        return {push: 0.3 * i for i, push in enumerate(self.pushes)}


PUCKS = {count: Pucks(count) for count in (2, 3)}


def of_kane(pucks: Pucks) -> dict[str, Any]:
    """Kane's method of the same bodies, which gets bodies and loads from the model."""
    system = pucks.system
    kane = me.KanesMethod(
        system.frame, list(system.q), list(system.u), kd_eqs=list(system.kdes), bodies=[], forcelist=[]
    )
    return {"source": kane, "bodies": list(system.bodies), "loads": list(system.loads)}


def on_rails(pucks: Pucks) -> list[sm.Expr]:
    """A rail for each: z = x^2/4 + const. through its start."""
    start = pucks.start
    return [z - start[z] - (x**2 - start[x] ** 2) / 4 for x, z in zip(pucks.x, pucks.z, strict=True)]


def at_rest(pucks: Pucks) -> dict:
    """The start without speeds, on the rails."""
    return {**pucks.start, **dict.fromkeys([*pucks.vx, *pucks.vz], 0.0)}


def railed(pucks: Pucks, **options) -> Case:
    """Pucks on rails."""
    return {"constraints": on_rails(pucks), "contacts": [], **options}, {"x0": at_rest(pucks)}


def hooks(pucks: Pucks) -> list[Latch]:
    """Each is held until a time of its own."""
    start = pucks.start
    return [Latch(z - start[z], closed=True, opens=0.1 * (i + 1) < T, name=f"hook{i}") for i, z in enumerate(pucks.z)]


def counting(pucks: Pucks) -> Case:
    """A counter of passages, which throws the last one upwards."""
    jump = {COUNTER: COUNTER + 1, pucks.vz[-1]: 1.5}
    transitions = [Transition(boundary=pucks.x[-1] - 0.3, jump=jump)]
    return {"discrete": [COUNTER], "transitions": transitions}, {"x0": {**pucks.start, COUNTER: 0.0}}


def tumbling(count: int, attitude: str) -> Case:
    """Bodies that three angles turn, without forces."""
    system, start = me.System.from_newtonian(me.RigidBody("ground")), {}
    for i in range(count):
        angles, rates = me.dynamicsymbols(f"a{i} b{i} c{i}"), me.dynamicsymbols(f"p{i} q{i} r{i}")
        frame, centre = me.ReferenceFrame(f"B{i}"), system.fixed_point.locatenew(f"C{i}", 0 * system.frame.x)
        frame.orient_body_fixed(system.frame, angles, "XYZ")
        spin = frame.ang_vel_in(system.frame)
        frame.set_ang_vel(system.frame, sum((w * axis for w, axis in zip(rates, frame, strict=True)), me.Vector(0)))
        centre.set_vel(system.frame, 0)
        system.add_bodies(me.RigidBody(f"body{i}", centre, frame, M, (me.inertia(frame, M, 2 * M, 3 * M), centre)))
        system.add_coordinates(*angles)
        system.add_speeds(*rates)
        system.add_kdes(*(w - spin.dot(axis) for w, axis in zip(rates, frame, strict=True)))
        start |= dict(zip([*angles, *rates], [0.1 * i, 0.2, 0.3, 1.0 + i, 2.0, 0.1], strict=True))
    options = {"source": system, "contacts": [], "attitude": attitude}
    return options, {"x0": start, "inputs": {}}


MODELS: dict[str, Callable[[Pucks], list[Case]]] = {
    "source": lambda pucks: [({}, {})],
    "contacts": lambda pucks: [({"contacts": [*pucks.contacts, Limit(pucks.x[0] + 0.1, restitution=E)]}, {})],
    "impact": lambda pucks: [({"impact": law}, {}) for law in (Poisson(), Energetic())],
    "resolution": lambda pucks: [
        ({"impact": Energetic(), "resolution": Sequential()}, {}),
        ({"impact": Energetic(), "resolution": ImpulseRatio(tuple(range(1, 2 * pucks.count + 1)), 1.5)}, {}),
        ({"impact": Energetic(), "resolution": ImpulseRatio(2.0, 1.0)}, {}),
    ],
    "formulation": lambda pucks: [
        railed(pucks, formulation=one) for one in (Direct(), Baumgarte(20.0), Partitioning(), NullSpace("qr"))
    ],
    "constraints": lambda pucks: [railed(pucks)],
    "discrete": lambda pucks: [counting(pucks)],
    "transitions": lambda pucks: [
        (
            {
                "transitions": [
                    Transition(boundary=x - 0.3, jump={v: 2 * v}) for x, v in zip(pucks.x, pucks.vx, strict=True)
                ]
            },
            {},
        )
    ],
    "latches": lambda pucks: [({"latches": hooks(pucks)}, {})],
    "outputs": lambda pucks: [({"outputs": {"sum": sum(pucks.z), "a": pucks.vz[0].diff(), "w": pucks.vx[1] * M}}, {})],
    "length": lambda pucks: [({"length": 0.25}, {}), ({"length": M / 8}, {})],
    "painleve": lambda pucks: [({"painleve": ImpactWithoutCollision()}, {})],
    "attitude": lambda pucks: [tumbling(pucks.count, attitude) for attitude in ("quaternion", "angles")],
    "bodies": lambda pucks: [(of_kane(pucks), {})],
    "loads": lambda pucks: [],  # with the bodies
}
"""Cases of each option of `HybridModel`."""


def expressions(pucks: Pucks) -> dict:
    """Of time, of its own state, and of another input."""
    first, second = pucks.pushes[:2]
    return {**pucks.inputs, first: sm.sin(5 * T), second: -pucks.vx[1] * M}


TIMES = np.linspace(0.0, 1.0, 21)
RUNS: dict[str, Callable[[Pucks], list[dict[str, Any]]]] = {
    "t_span": lambda pucks: [{"t_span": (0.2, 0.7)}],
    "x0": lambda pucks: [{"x0": [pucks.start[letter] for letter in (*pucks.system.q, *pucks.system.u)]}],
    "parameters": lambda pucks: [{"parameters": {MU: 0.0, E: 0.0}}],
    "method": lambda pucks: (
        [{"method": one} for one in ("RK45", "Radau", "RadauIIA")]
        + [{"method": "RK4", "max_step": 5e-3}, {"method": "moreau", "max_step": 2e-3}]
    ),
    "rtol": lambda pucks: [{"rtol": 1e-7}],
    "atol": lambda pucks: [{"atol": 1e-11 * np.arange(1.0, 4 * pucks.count + 1)}],
    "t_eval": lambda pucks: [{"t_eval": np.linspace(0.0, 0.8, 7)}],
    "max_step": lambda pucks: [{"max_step": 0.01}],
    "max_events": lambda pucks: [{"max_events": 3}],
    "max_steps": lambda pucks: [{"max_steps": 2000}],
    "inputs": lambda pucks: [
        {"inputs": expressions(pucks)},
        {"inputs": {**pucks.inputs, pucks.pushes[0]: Interpolated(TIMES, np.sin(TIMES))}},
        {"inputs": {**pucks.inputs, pucks.pushes[1]: CubicSpline(TIMES, np.cos(TIMES))}},
        {"inputs": {**pucks.inputs, pucks.pushes[1]: lambda t: np.sin(t)}},
        {"inputs": {**pucks.inputs, pucks.pushes[0]: Sampled(0.1, -pucks.x[0])}},
    ],
    "controllers": lambda pucks: [
        {
            "inputs": dict.fromkeys(pucks.pushes[1:], 0.0),
            "controllers": [Controller(every=0.1, law={pucks.pushes[0]: -pucks.vx[0]})],
        }
    ],
    "events": lambda pucks: [
        {"events": {"half": pucks.x[0] - 0.3, "low": pucks.z[1] < 0.02, "up": Crossing(pucks.vz[1], 1)}},
        {"events": {"end": Stop(pucks.x[1] - 0.4)}},
        {"events": {"late": T > 0.35, "both": pucks.x[0] - pucks.x[1]}},
        {"events": [lambda t, x: x[0] - 0.25]},
        {"events": {"heavy": NormalForce(pucks.contacts[0]) > 25.0}},
    ],
    "keep": lambda pucks: [{"keep": "events"}],
    "observe": lambda pucks: [
        {"observe": {"far": Maximum(pucks.x[1]), "way": Integral(pucks.vx[0]), "hits": Count("wall1")}}
    ],
    "consistent": lambda pucks: [{"consistent": "refuse"}],
    "progress": lambda pucks: [{"progress": True}],
    "engine": lambda pucks: [{"engine": "interpreted", "t_span": (0.0, 0.12)}],
}
"""Cases of each option of `HybridModel.simulate`."""


@contextmanager
def joined() -> Iterator[None]:
    """All states are one island."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Islands, "why_joined", lambda self, settings, signals: "a test joins them")
        yield


def model_of(pucks: Pucks, options: dict[str, Any]) -> HybridModel:
    """The model of pucks with these options."""
    return HybridModel(**{"source": pucks.system, "contacts": pucks.contacts, **options})


def arguments(pucks: Pucks, options: dict[str, Any], model: HybridModel) -> dict[str, Any]:
    """Those of a run of a model, with further numbers for parameters."""
    numbers = {**pucks.parameters, **options.get("parameters", {})}
    given = {"t_span": SPAN, "x0": pucks.start, "inputs": pucks.inputs, **TOLERANCES, **options}
    return given | {"parameters": {letter: numbers[letter] for letter in model.parameters}}


def same_runs(model: HybridModel, given: dict[str, Any]) -> Result:
    """The run of islands, which is that of one step for all states."""
    apart = model.simulate(**given)
    with joined():
        whole = model.simulate(**given)
    assert apart.status is whole.status
    assert [(e.kind, e.contacts) for e in apart.events] == [(e.kind, e.contacts) for e in whole.events]
    fine = 1.0 if given["rtol"] < 1e-8 and isinstance(given.get("method", ""), str) else 1e3
    np.testing.assert_allclose(apart.events.t, whole.events.t, rtol=0, atol=1e-8 * fine)
    np.testing.assert_allclose(apart.x[:, -1], whole.x[:, -1], rtol=0, atol=1e-7 * fine)
    if "t_eval" in given:
        np.testing.assert_allclose(apart.x, whole.x, rtol=0, atol=1e-7)
    for name in model.outputs:
        np.testing.assert_allclose(apart[name][-1], whole[name][-1], rtol=0, atol=1e-6)
    for name, one in apart.observed.items():
        np.testing.assert_allclose(one.value, whole.observed[name].value, rtol=0, atol=1e-7)
    if given.get("keep") != "events" and given.get("method") != "moreau":
        same_quantities(model, apart, whole, 1e-5 * fine)
    return apart


def same_quantities(model: HybridModel, apart: Result, whole: Result, within: float) -> None:
    """Forces, reactions, accelerations, energies and work are those of one step for all states."""
    ends = np.concatenate([[apart.t[0]], apart.events.t, [apart.t[-1]]])
    times = np.array([(2.0 * a + b) / 3.0 for a, b in itertools.pairwise(ends) if b - a > 1e-3])
    found = []
    for run in (apart, whole):
        there = run.at_times(times)
        quantities = {"kinetic energy": there.kinetic_energy, "work": run.work.total[-1]}
        quantities |= {str(letter): there[letter.diff()] for letter in model.u}
        quantities |= run.reaction.at(times)
        if model.contacts:
            quantities |= {"N": run.normal_force_at(times), "F": run.friction_force_at(times)}
        found.append(quantities)
    for name, own in found[0].items():
        np.testing.assert_allclose(own, found[1][name], rtol=within, atol=within, err_msg=name)


def option_names(function: Callable) -> set[str]:
    """The arguments of a function."""
    return set(inspect.signature(function).parameters) - {"self"}


FURTHER = {
    *(("attitude", 1), ("formulation", 2), ("formulation", 3), ("length", 1), ("resolution", 2)),
    *(("events", 1), ("events", 2), ("inputs", 1), ("inputs", 3), ("method", 0), ("method", 2)),
}
"""Cases of options that have others, whose islands are found in the same way: they are slow."""


def cases_of(options: dict[str, Callable[[Pucks], list]]) -> list:
    """The number of pucks, name and place of each case; of the quick ones each eighth has three pucks."""
    cases = [(name, k) for name, made in options.items() for k in range(len(made(PUCKS[2])))]
    others = [(2 if i % 8 == 3 else 3, *case) for i, case in enumerate(cases)]
    others += [(count, *case) for count in PUCKS for case in cases if case in FURTHER]
    return members([(count, *case) for count in PUCKS for case in cases], slow=others)


def test_every_option_has_a_case():
    assert option_names(HybridModel.__init__) == set(MODELS)
    assert option_names(HybridModel.simulate) == set(RUNS)


@pytest.mark.parametrize(("count", "name", "k"), cases_of(MODELS))
def test_islands_of_a_model_with_an_option(count, name, k):
    pucks = PUCKS[count]
    options, further = MODELS[name](pucks)[k]
    model = model_of(pucks, options)
    assert same_runs(model, arguments(pucks, further, model)).settings["islands"] == count


@pytest.mark.parametrize(("count", "name", "k"), cases_of(RUNS))
def test_islands_in_a_run_with_an_option(count, name, k, ready):
    pucks = PUCKS[count]
    run = same_runs(ready[count], arguments(pucks, RUNS[name](pucks)[k], ready[count]))
    told = run.settings.get("islands")
    if (name == "inputs" and k < 3) or name in ("t_span", "x0", "parameters", "rtol", "atol", "t_eval", "max_step"):
        assert told == count
    else:
        assert told in (count, count - 1, None) or told.startswith("joined: "), "one number, or the reason"


def test_a_run_of_islands_goes_on(ready):
    pucks = PUCKS[2]
    given = arguments(pucks, {}, ready[2])
    first = ready[2].simulate(**given | {"t_span": (0.0, 0.3)})
    again = same_runs(ready[2], given | {"t_span": (0.3, 0.8), "x0": first})
    np.testing.assert_allclose(again.x[:, -1], ready[2].simulate(**given).x[:, -1], rtol=0, atol=1e-7)


def test_stiffnesses_are_those_of_the_contacts_of_an_island():
    """A puck between floor and wall has the impacts that the ratio of its two stiffnesses gives."""
    pucks = PUCKS[3]
    ratio = ImpulseRatio((1.0, 1.0, 2.0, 6.0, 5.0, 1.0), 1.5)
    assert ratio.narrowed([2, 3]) == ImpulseRatio((2.0, 6.0), 1.5)
    assert ratio.narrowed([]) == ratio
    whole = model_of(pucks, {"impact": Energetic(), "resolution": ratio})
    alone = model_of(pucks, {"impact": Energetic(), "resolution": ImpulseRatio((1.0, 3.0) * 3, 1.5)})
    runs = [model.simulate(**arguments(pucks, {}, model)) for model in (whole, alone)]
    first, second = ([event for event in run.events if event.contacts[0][-1] == "1"] for run in runs)
    assert [event.t for event in first] == pytest.approx([event.t for event in second], abs=1e-9)
    others = ([event.t for event in run.events if event.contacts[0][-1] == "0"] for run in runs)
    assert len({tuple(np.round(times, 6)) for times in others}) == 2


@pytest.fixture(scope="module")
def ready() -> dict[int, HybridModel]:
    """The models without options."""
    return {count: model_of(pucks, {}) for count, pucks in PUCKS.items()}
