"""Runs of processes that go on from their results: the events and states of the whole, wherever it is cut."""

import pickle
from dataclasses import dataclass, field

import numpy as np
import pytest
import sympy as sm
from fuzz.cuts import after_cut, cuts_of, in_pieces
from quick_members import members

from sympact import Crossing, DiscreteTime, HybridSystem, Status, Stop, Transition, load
from sympact.models import bouncing_ball

G = 9.81
METHODS = ("DOP853", "RK45", "RadauIIA")
x, v, n, k, t = sm.symbols("x v n k t")
HALF = sm.Rational(1, 2)


@dataclass
class Case:
    """A process with the numbers of one run."""

    process: HybridSystem
    x0: object
    start: str
    end: float
    events: dict = field(default_factory=dict)
    method: str = "DOP853"

    def run(self, span, earlier=None):
        """A run over a span, from the start or from an earlier run."""
        options = {"events": self.events, "method": self.method}
        if earlier is None:
            return self.process.simulate(span, self.x0, start=self.start, **options)
        return self.process.simulate(span, earlier, **options)


def ball(written):
    """A ball of restitution 0.8 that falls from 1 m; its apexes, a time, and a height are events."""
    if written:
        ground = Transition("air", "air", boundary=-x, jump={v: -0.8 * v}, name="ground")
        process = HybridSystem.from_sympy({"air": [v, -G]}, [ground], states=[x, v])
        return Case(process, [1.0, 0.0], "air", 2.5, {"apex": v, "late": t > 1, "fast": v**2 > 4, "high": x - 0.3})
    ground = Transition("air", "air", boundary=lambda t, y: -y[0], jump=lambda t, y: [y[0], -0.8 * y[1]], name="ground")
    events = {"apex": lambda t, y: y[1], "late": lambda t, y: t - 1, "high": Crossing(lambda t, y: y[0] - 0.3, -1)}
    return Case(HybridSystem({"air": lambda t, y: [y[1], -G]}, [ground]), [1.0, 0.0], "air", 2.5, events)


def thermostat(written):
    ways = [("on", "off", lambda y: y - 22), ("off", "on", lambda y: 20 - y)]
    if written:
        edges = [Transition(a, b, boundary=g(x)) for a, b, g in ways]
        return Case(
            HybridSystem.from_sympy({"on": [2], "off": [-1]}, edges, states=[x]), [21.0], "on", 8.9, {"a": x - 21}
        )
    edges = [Transition(a, b, boundary=lambda t, y, g=g: g(y[0])) for a, b, g in ways]
    process = HybridSystem({"on": lambda t, y: [2.0], "off": lambda t, y: [-1.0]}, edges)
    return Case(process, [21.0], "on", 8.9, {"a": lambda t, y: y[0] - 21})


def oscillator(written):
    if written:
        return Case(HybridSystem.from_sympy({"s": [v, -4 * x]}, [], states=[x, v]), [0, 1], "s", 6.0, {"a": x, "b": v})
    events = {"a": Crossing(lambda t, y: y[0], -1), "b": lambda t, y: y[1]}
    return Case(HybridSystem({"s": lambda t, y: [y[1], -4 * y[0]]}, []), [0.0, 1.0], "s", 6.0, events)


def counted(written):
    """An oscillator that counts where it rises through 1/2: the jump leaves the boundary where it is."""
    if written:
        edge = Transition("s", "s", boundary=x - HALF, jump={n: n + 1}, name="up")
        process = HybridSystem.from_sympy({"s": [v, -x, 0]}, [edge], states=[x, v, n])
        return Case(process, [0.0, 1.0, 0.0], "s", 16.0, {"twice": n - 1.5})
    edge = Transition("s", "s", boundary=lambda t, y: y[0] - 0.5, jump=lambda t, y: [y[0], y[1], y[2] + 1], name="up")
    return Case(HybridSystem({"s": lambda t, y: [y[1], -y[0], 0.0]}, [edge]), [0.0, 1.0, 0.0], "s", 16.0)


def dry_friction(written):
    """Conditions in the flow, a wall that is a transition, and an event."""
    wall = Transition("s", "s", boundary=x - 0.4, jump={v: -v}, name="wall")
    flow = [v, -x - sm.sign(v) / 20 - 0.3 * sm.Abs(x)]
    return Case(HybridSystem.from_sympy({"s": flow}, [wall], states=[x, v]), [0, 1], "s", 9.0, {"mid": x - 0.2})


def belt(written):
    """A block on a belt of 1 m/s, which sticks and slips (Filippov)."""
    flow = [v, -x - sm.sign(v - 1) / 2]
    process = HybridSystem.from_sympy({"s": flow}, [], states=[x, v], sliding="filippov")
    return Case(process, [1.0, 0.0], "s", 12.0, {"mid": x - 0.2})


def landing(written):
    """A ball on a spring, whose stages have different states: one counts the time since it touched."""
    fall, held = {x: v, v: -1}, {x: v, v: -1 - 20 * x, n: 1}
    edges = [Transition("fall", "held", boundary=-x, jump={n: 0}), Transition("held", "fall", boundary=x)]
    return Case(HybridSystem.from_sympy({"fall": fall, "held": held}, edges), {x: 1, v: 0}, "fall", 9.0, {"v": v})


def sampled(written):
    """An update every 0.3 s from the entry of its stage on, with the number of its instants."""
    ways = [Transition("a", "b", boundary=x - 6), Transition("b", "a", boundary=2 - x)]
    flows = {"a": DiscreteTime([x + k / 2 + 1], every=0.3, index=k), "b": [-5]}
    return Case(HybridSystem.from_sympy(flows, ways, states=[x]), [0.0], "a", 6.0, {"mid": x - 3})


CASES = (ball, thermostat, oscillator, counted, dry_friction, belt, landing, sampled)
BOTH = [(case, written) for case in CASES[:4] for written in (True, False)] + [(case, True) for case in CASES[4:]]


def check(case, most=None):
    whole = case.run((0, case.end))
    assert whole.status is Status.FINISHED
    cuts = np.array([*cuts_of(whole, 0.3 * np.arange(1, 6))])
    for cut in np.random.default_rng(0).permutation(cuts)[:most]:
        difference = after_cut(case.run, whole, float(cut))
        assert not difference, (cut, difference)
        assert [event.t for event in whole.events] == sorted(event.t for event in whole.events)


@pytest.mark.parametrize(("make", "written"), members(BOTH, slow=[(case, False) for case in CASES[1:3]]))
def test_a_run_that_is_cut_goes_on_as_the_whole(make, written):
    check(make(written), 20)


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(("make", "written"), BOTH)
def test_runs_of_every_method_go_on_from_every_event(make, written, method):
    case = make(written)
    case.method = method
    check(case)


@pytest.mark.parametrize("zero", [0.0, 1e-300])
def test_a_cannon_shot_goes_on_from_its_own_stop_without_hitting_again(zero):
    """It lands at 2 v / g, where the run stops; below the ground it falls for ever."""
    process = HybridSystem({"fly": lambda t, y: [y[1], -G]}, [])
    for hit in (Stop(lambda t, y: y[0]), Stop(lambda t, y: y[0], -1)):
        first = process.simulate((0, 9), [zero, 7.0], start="fly", events={"hit": hit})
        assert first.status is Status.STOPPED
        again = process.simulate((first.t[-1], 9), first, events={"hit": hit})
        assert (again.status, len(again.events)) == (Status.FINISHED, 0)
        np.testing.assert_allclose(again.x[:, -1], [7 * 9 - G * 81 / 2, 7 - G * 9], rtol=1e-9)


def test_an_oscillator_that_stops_at_every_turn_meets_them_all():
    """Zeros of sin at the multiples of pi, one run each."""
    process, events = HybridSystem.from_sympy({"s": [v, -x]}, [], states=[x, v]), {"turn": Stop(x)}
    last = process.simulate((0, 99), [0.0, 1.0], start="s", events=events)
    for turn in range(2, 9):
        last = process.simulate((last.t[-1], 99), last, events=events)
        np.testing.assert_allclose(last.t[-1], turn * np.pi, rtol=1e-9)


def test_many_pieces_are_the_whole():
    case = ball(True)
    whole = case.run((0, 2.5))
    joined = in_pieces(case.run, whole, np.unique(whole.events.t))
    assert [event.contacts for event in joined.events] == [event.contacts for event in whole.events]
    np.testing.assert_allclose(joined.events.t, whole.events.t, rtol=1e-9)


@pytest.mark.parametrize("make", [counted, belt, sampled])
def test_runs_that_were_stored_go_on_with_the_same_bits(make, tmp_path):
    case = make(True)
    first = case.run((0, case.end / 2))
    first.save(tmp_path / "first.npz")
    then = case.run((case.end / 2, case.end), first)
    for other in (load(tmp_path / "first.npz"), pickle.loads(pickle.dumps(first))):
        assert np.array_equal(case.run((case.end / 2, case.end), other).x, then.x, equal_nan=True)
    later, joined = (case.run((case.end, case.end + 1), other) for other in (then, first + then))
    assert np.array_equal(later.x, joined.x, equal_nan=True)
    again = then._run.origin.again(then._run.record)
    assert np.array_equal(again.record.x, then._run.record.x, equal_nan=True)


def test_a_run_goes_on_from_a_time_within_another():
    case = thermostat(True)
    whole = case.run((0, 8.9))
    assert whole.path[1] == "off"
    assert case.run((1.0, 8.9), whole).path == whole.path[1:]


def test_what_cannot_go_on_is_refused():
    case, other = thermostat(True), counted(True)
    run = case.run((0, 1))
    with pytest.raises(TypeError, match="needs start=: the name of the stage"):
        case.process.simulate((0, 1), [21.0])
    with pytest.raises(ValueError, match=r"this one starts at t = 2; start it at a time of that run"):
        case.process.simulate((2, 3), run)
    with pytest.raises(ValueError, match=r"the states \['x', 'v', 'n'\], and this process has \['x'\]"):
        case.process.simulate((1, 2), other.run((0, 1)))
    with pytest.raises(ValueError, match="start is 'on', and the run x0 is in the stage 'off'"):
        case.process.simulate((1, 2), run, start="on")
    with pytest.raises(ValueError, match="a run of a mechanical model"):
        case.process.simulate((0, 2), bouncing_ball().simulate())
    assert case.process.simulate((1, 2), run, start="off").path == ("off",)
