"""One run of a scene from its numbers to its verdict."""

from __future__ import annotations

import functools
import pickle
import tempfile
import warnings
from pathlib import Path

import numpy as np

import sympact
from fuzz.check import Verdict
from fuzz.combined.compare import EVENT_TIME, STATE, check_run, wakes
from fuzz.combined.exact import APART, Exact
from fuzz.combined.scene import Play, Scene
from fuzz.combined.scene_script import model_script, play_script
from fuzz.cuts import COMPARED, after_cut, cuts_of
from fuzz.reading import Findings
from sympact import Result, SteppedRun

CUTS = 3
"""So many cuts of each run."""

STEPS, MET = 8, 3
"""Ends of steps of a run that is stepped, and events of the whole run at which further ones end."""

RUNS = 3
"""Of an ensemble."""


@functools.lru_cache(maxsize=2)
def build(scene: Scene) -> dict[str, object]:
    """The names that the scene's script makes, `model` among them."""
    names: dict[str, object] = {"__name__": "fuzz_scene"}
    exec(compile(model_script(scene), f"<scene {scene.seed}>", "exec"), names)
    return names


def simulate(scene: Scene, play: Play) -> dict[str, object]:
    """The names that the script of a run makes, `result` and `run` among them."""
    names = dict(build(scene))
    text = play_script(scene, play).removeprefix(model_script(scene))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(compile(text, f"<play of {scene.seed}>", "exec"), names)
    return names


def judge(scene: Scene, play: Play, again: bool = False) -> Verdict:
    """Run, and check all that must hold."""
    found, doing = Findings(), "the run"
    try:
        names = simulate(scene, play)
        result, exact = names["result"], Exact(scene, play)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            check_run(scene, play, exact, result, found)
            doing, check = PARTS[(scene.seed + play.number) % len(PARTS)]
            check(scene, play, exact, names, found)
    except Exception as error:
        told = f"{type(error).__name__}: {str(error)[:120]}"
        return Verdict("ERROR", "", str(error), found.list, error=f"{told} ({doing})")
    if again:
        _same(result, simulate(scene, play)["result"], "the same bits again", found)
    reason = "finished" if not exact.why else f"until {exact.why}"
    return Verdict(result.status.name, reason, result.message, found.list, len(result.events))


def _same(one: Result, other: Result, name: str, found: Findings) -> None:
    """Both have the same bits."""
    same = np.array_equal(one.t, other.t) and np.array_equal(one.x, other.x, equal_nan=True)
    same &= [(e.t, e.kind, e.contacts) for e in one.events] == [(e.t, e.kind, e.contacts) for e in other.events]
    found.expect(float(not same), 0.0, name, one.t[-1])


def _check_cuts(scene: Scene, play: Play, exact: Exact, names: dict, found: Findings) -> None:
    """The run cut at some of its events and samples, and beside them, has the events of the whole.

    Up to where it is undecided: from there on rounding decides, and a cut changes the rounding.
    """
    whole, run, rng = names["result"], names["run"], np.random.default_rng([scene.seed, 71, play.number])
    if whole.status.name != "FINISHED":
        return
    periods = [(act.every, act.phase) for act in scene.acts]
    samples = [k * every + phase for every, phase in periods for k in range(int(play.span / every) + 1)]
    cuts = np.array([*cuts_of(whole, np.array(samples))])
    waking = {name for event in whole.events if wakes(event) for name in event.contacts}
    for cut in rng.permutation(cuts)[:CUTS].tolist():
        difference = after_cut(run, whole, cut)
        lost, doubled = (
            [one for one in part if one[1] not in waking and one[0] < exact.until - APART]
            for part in (difference.lost, difference.doubled)
        )
        found.expect(len(lost), 0, "a cut loses an event", cut, str(lost))
        found.expect(len(doubled), 0, "a cut doubles an event", cut, str(doubled))
        later = whole.events.t[whole.events.t > cut]
        compared_until = later[COMPARED] if len(later) > COMPARED else whole.t[-1]
        if not lost and not doubled and (not exact.why or compared_until < exact.until - APART):
            found.expect(difference.error, 1e4, "states after a cut", cut)


def _check_files(scene: Scene, play: Play, exact: Exact, names: dict, found: Findings) -> None:
    """A run that was saved and read is itself, and goes on as itself."""
    whole, run = names["result"], names["run"]
    functions = {"controllers": names["controllers"]} if any(act.python for act in scene.acts) else {}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run.npz"
        whole.save(path)
        _same(whole, sympact.load(path), "a file without its model", found)
        _same(whole, sympact.load(path, model=names["model"], **functions), "a file with its model", found)
        middle = play.span / 2
        first = run((0, middle))
        if first.status.name != "FINISHED":
            return
        first.save(path)
        read = sympact.load(path, model=names["model"], **functions)
        _same(run((middle, play.span), first), run((middle, play.span), read), "a file goes on", found)


def _check_ensemble(scene: Scene, play: Play, exact: Exact, names: dict, found: Findings) -> None:
    """Runs of an ensemble are those alone."""
    model = names["model"].watching(names["events"]) if names["events"] else names["model"]
    alone = names["run"](tuple(names["result"].t_span), model=model, events=None)
    start = np.array([alone.x[:, 0]] * RUNS)
    rng = np.random.default_rng([scene.seed, 73, play.number])
    column = list(alone.state_names).index("u0")
    start[1:, column] = rng.normal(size=RUNS - 1)
    given = {"inputs": names["inputs"], "controllers": names["controllers"], "max_events": 5000}
    several = sympact.ensemble(model, (0, play.span), start, names["parameters"], keep="run", **given)
    for k in range(RUNS):
        one = model.simulate((0, play.span), start[k], names["parameters"], **given)
        _same(one, several[k], "a run of an ensemble", found)


def _check_observed(scene: Scene, play: Play, exact: Exact, names: dict, found: Findings) -> None:
    """A run that keeps its events alone has the same ones, the states that are asked for, and the exact extremes."""
    whole, times = names["result"], np.linspace(0.0, play.span, 7)
    place, speed = names["x0"], names["u0"]
    asked = {"most": sympact.Maximum(place), "least": sympact.Minimum(speed), "way": sympact.Integral(place)}
    asked |= {f"c{k}": sympact.Count(f"c{k}") for k in range(len(scene.touches))}
    thin = names["run"]((0, play.span), keep="events", observe=asked, t_eval=times)
    own, other = ([event for event in run.events if not wakes(event)] for run in (whole, thin))
    same = [event.contacts for event in own] == [event.contacts for event in other]
    found.expect(float(not same), 0.0, "events of a run that keeps them alone", whole.t[-1])
    off = max((abs(a.t - b.t) for a, b in zip(own, other, strict=False)), default=0.0)
    found.expect(off, EVENT_TIME, "times of a run that keeps its events alone", whole.t[-1])
    kept = times[times <= whole.t[-1]]
    off = np.abs(thin(kept) - whole(kept)).max()
    found.expect(off, STATE, "states at given times", whole.t[-1])
    for k in range(len(scene.touches)):
        count = sum(f"c{k}" in event.contacts for event in whole.events)
        found.expect(abs(thin.observed[f"c{k}"].value - count), 0.0, "a count", whole.t[-1], f"c{k}: {count}")
    if not exact.why:
        for name, right in zip(("most", "least", "way"), exact.observed(), strict=True):
            own = thin.observed[name].value
            found.expect(
                abs(own - right), 10 * STATE * (1.0 + abs(right)), "an observer", whole.t[-1], f"{name}: {own}"
            )


def _check_stepped(scene: Scene, play: Play, exact: Exact, names: dict, found: Findings) -> None:
    """A run that is stepped from outside moves as its polynomials; one that is restored has its bits.

    Its steps end at random times and at the first events of the whole run.
    """
    rng, model = np.random.default_rng([scene.seed, 79, play.number]), names["model"]
    given = {name: names[name] for name in ("inputs", "controllers", "events")}
    met = [event.t for event in names["result"].events[:MET]]
    ends = sorted({*rng.uniform(0.0, play.span, STEPS).tolist(), *met, play.span})
    first, other = (
        model.stepper(names["start"], names["parameters"], t_end=play.span, max_events=5000, **given) for _ in range(2)
    )
    moment = int(rng.integers(len(ends)))
    _step(first, ends[:moment])
    saved = pickle.dumps(first.save())
    _step(first, ends[moment:])
    check_run(scene, play, exact, first.result, found)
    other.restore(pickle.loads(saved))
    _step(other, ends[moment:])
    _same(first.result, other.result, "a restored run", found)


def _step(run: SteppedRun, ends: list[float]) -> None:
    """Go on to some times."""
    for end in ends:
        if end > run.t:
            run.step(end - run.t)


PARTS = (
    ("cuts", _check_cuts),
    ("files", _check_files),
    ("ensembles", _check_ensemble),
    ("observers", _check_observed),
    ("steps", _check_stepped),
)
"""What is tried of a run besides: one of these, in turn."""
