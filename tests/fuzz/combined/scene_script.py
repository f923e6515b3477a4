"""The Python that a user would write for a scene: what is run, and what a failure is handed on as."""

from __future__ import annotations

from fuzz.combined.scene import GROUND, Act, Catch, Change, Condition, Drive, Pair, Play, Scene, Terms, Touch, Watch

HEAD = '''from sympy import And, Or, symbols
from sympy.physics.mechanics import Force, Particle, PrismaticJoint, RigidBody, System, dynamicsymbols

from sympact import (
    Contact,
    Controller,
    Crossing,
    HybridModel,
    Interpolated,
    Latch,
    Limit,
    NormalForce,
    Plane,
    Reaction,
    Sampled,
    Stop,
    Transition,
    When,
)

t = dynamicsymbols._t
ground = RigidBody("ground")
system = System.from_newtonian(ground)
n0 = dynamicsymbols("n0")


def cart(k, mass):
    """Add a cart, pushed by its weight and its input."""
    x, u, F = dynamicsymbols(f"x{k} u{k} F{k}")
    body = Particle(f"cart{k}", mass=mass)
    system.add_joints(PrismaticJoint(f"J{k}", ground, body, x, u))
    system.add_loads(Force(body.masscenter, (F + symbols(f"w{k}")) * ground.x))
    return x, u, F, body.masscenter


def wall(k, at, side):
    """A wall, whose free side is that of larger x or of smaller x."""
    return Plane(ground.masscenter.locatenew(f"W{k}", at * ground.x), side * ground.x)
'''


def model_script(scene: Scene) -> str:
    """The text that makes `model`."""
    lines = [HEAD]
    lines += [f"x{k}, u{k}, F{k}, P{k} = cart({k}, {mass!r})" for k, mass in enumerate(scene.masses)]
    lines += [f"c{k} = {_touch(k, touch)}" for k, touch in enumerate(scene.touches)]
    lines += [f"l{k} = {_catch(k, catch)}" for k, catch in enumerate(scene.catches)]
    lines += [f"s{k} = {_change(k, change)}" for k, change in enumerate(scene.changes)]
    given = [f"[{', '.join(f'c{k}' for k in range(len(scene.touches)))}]", "length=1.0"]
    if scene.gears:
        given.append(f"constraints=[{', '.join(map(row, scene.gears))}]")
    for name, letter, parts in (("latches", "l", scene.catches), ("transitions", "s", scene.changes)):
        if parts:
            given.append(f"{name}=[{', '.join(f'{letter}{k}' for k in range(len(parts)))}]")
    if scene.counts:
        given.append("discrete=[n0]")
    return "\n".join([*lines, f"model = HybridModel(system, {', '.join(given)})", ""])


def play_script(scene: Scene, play: Play) -> str:
    """The text that makes `model`, `run` and `result`, and says how the run ended."""
    start = {f"x{k}": x for k, x in enumerate(play.x)} | {f"u{k}": u for k, u in enumerate(play.u)}
    start |= {"n0": 0.0} if scene.counts else {}
    numbers = {f"w{k}": weight for k, weight in enumerate(play.weights)}
    numbers |= {f"e{k}": e for k, e in enumerate(play.restitutions)}
    inputs = [f"F{k}: {_drive(drive)}" for k, drive in scene.drives.items()]
    inputs += [f"F{act.cart}: {_sampled(act)}" for act in scene.acts if not act.name]
    laws = [_law(k, act) for k, act in enumerate(scene.acts) if act.python]
    events = [f'"w{k}": {_watch(watch)}' for k, watch in enumerate(scene.watches)]
    return "\n".join(
        [
            model_script(scene),
            *laws,
            f"start = {{{', '.join(f'{name}: {value!r}' for name, value in start.items())}}}",
            f"numbers = {numbers!r}",
            "parameters = {letter: numbers[letter.name] for letter in model.parameters}",
            f"inputs = {{{', '.join(inputs)}}}",
            f"controllers = [{', '.join(_controller(k, act) for k, act in enumerate(scene.acts) if act.name)}]",
            f"events = {{{', '.join(events)}}}",
            "",
            "",
            "def run(span, x0=start, model=model, events=events, **options):",
            '    """A run over a span, from the start or from an earlier run."""',
            "    given = dict(inputs=inputs, controllers=controllers, events=events, max_events=5000)",
            "    return model.simulate(span, x0, parameters, **given, **options)",
            "",
            "",
            f"result = run((0, {play.span!r}))",
            'if __name__ == "__main__":',
            "    print(result.status.name, result.message)",
            "    print(result.events)",
            "",
        ]
    )


def row(pair: Pair) -> str:
    """The expression of a row."""
    first = "" if pair.first == GROUND else f" - {pair.ratio!r} * x{pair.first}"
    return f"x{pair.second}{first} - {pair.at!r}"


def _touch(k: int, touch: Touch) -> str:
    told = f'restitution=symbols("e{k}"), name="c{k}"'
    if touch.plane:
        return f"Contact(P{touch.pair.second}, wall({k}, {touch.pair.at!r}, {touch.side}), friction=0, {told})"
    return f"Limit({'-' if touch.side < 0 else ''}({row(touch.pair)}), {told})"


def _catch(k: int, catch: Catch) -> str:
    told = [f'name="l{k}"', f"closed={catch.closed}", f"keeps_offset={catch.keeps_offset}"]
    told += [
        f"{word}={condition(of)}" for word, of in (("closes", catch.closes), ("opens", catch.opens)) if of is not None
    ]
    return f"Latch({row(catch.pair)}, {', '.join(told)})"


def _change(k: int, change: Change) -> str:
    jump = "{" + ", ".join(f"{letter}: {_sum(terms)}" for letter, terms in change.jump) + "}"
    told = f'name="s{k}", impact="{change.impact}"'
    if len(change.conditions) == 1:
        return f"Transition(boundary={condition(change.conditions[0])}, jump={jump}, {told})"
    return f"When([{', '.join(map(condition, change.conditions))}], reinit={jump}, {told})"


def _watch(watch: Watch) -> str:
    if watch.stop:
        return f"Stop({condition(watch.condition)}, occurrences={watch.stop})"
    return condition(watch.condition)


def condition(given: Condition) -> str:
    """A condition as the argument of a transition, a latch or an event."""
    sums = [_sum(terms) for terms in given.sums]
    if given.sort == "zero":
        return sums[0]
    if given.sort in ("up", "down"):
        return f"Crossing({sums[0]}, {1 if given.sort == 'up' else -1})"
    parts = [f"{one} > 0" for one in sums]
    return {"true": parts[0], "both": f"And({', '.join(parts)})", "any": f"Or({', '.join(parts)})"}[given.sort]


def _sum(terms: Terms) -> str:
    return " + ".join(f"{factor!r}" if letter == "1" else f"{factor!r} * {_letter(letter)}" for letter, factor in terms)


def _letter(letter: str) -> str:
    if letter.startswith("N"):
        return f"NormalForce(c{letter[1:]})"
    if letter.startswith("R"):
        return f'Reaction("l{letter[1:]}")'
    return f'symbols("{letter}")' if letter.startswith("z") else letter


def _drive(drive: Drive) -> str:
    if drive.kind == "number":
        return repr(drive.numbers[0])
    if drive.kind == "time":
        return " + ".join(f"{number!r} * t**{k}" if k else repr(number) for k, number in enumerate(drive.numbers))
    if drive.kind == "state":
        return f"{drive.numbers[0]!r} + {drive.numbers[1]!r} * n0"
    return f'Interpolated({list(drive.times)!r}, {list(drive.numbers)!r}, kind="{drive.kind}")'


def _shaped(act: Act) -> list[str]:
    return [f"{word}={value!r}" for word, value in (("phase", act.phase), ("delay", act.delay)) if value]


def _sampled(act: Act) -> str:
    told = [*_shaped(act), f"start={act.start!r}"]
    told += [f"quantum={act.quantum!r}"] if act.quantum else []
    told += [f"limits={act.limits!r}"] if act.limits else []
    return f"Sampled({act.every!r}, {_sum(act.law)}, {', '.join(told)})"


def _controller(k: int, act: Act) -> str:
    told = [f"every={act.every!r}", *_shaped(act), f'name="{act.name}"', f"record={act.record}"]
    told.append(f"start={{F{act.cart}: {act.start!r}}}")
    told += [f"quantum={{F{act.cart}: {act.quantum!r}}}"] if act.quantum else []
    told += [f"limits={{F{act.cart}: {act.limits!r}}}"] if act.limits else []
    if act.python:
        measured = [_letter(letter) for letter, _ in act.law if letter not in ("1", "t", f"z{k}")]
        told += [f"law=law{k}", f"commands=[F{act.cart}]", f"measure=[{', '.join(measured)}]"]
    else:
        memory = f', symbols("z{k}"): {_sum(act.memory)}' if act.memory else ""
        told.append(f"law={{F{act.cart}: {_sum(act.law)}{memory}}}")
    told += [f'memory={{symbols("z{k}"): 0.0}}'] if act.memory else []
    return f"Controller({', '.join(told)})"


def _law(k: int, act: Act) -> str:
    measured = [letter for letter, _ in act.law if letter not in ("1", "t", f"z{k}")]
    parts = []
    for letter, factor in act.law:
        value = "1.0" if letter == "1" else letter if letter == "t" else f"measured[{measured.index(letter)}]"
        parts.append(f"{factor!r} * {value}")
    return f"\n\ndef law{k}(t, measured, memory):\n    return [{' + '.join(parts)}]\n\n"
