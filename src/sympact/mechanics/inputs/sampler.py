"""Controllers in one run: the times at which they act, and what they have written so far."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np
from sympy import Expr

from sympact.integrate.problem.real import returned
from sympact.integrate.problem.sampled_laws import common_instants, period_times, times_within
from sympact.mechanics.inputs.continued import Held
from sympact.mechanics.inputs.controller import Controller, Sampled
from sympact.mechanics.inputs.given import formula_of, function_of_state
from sympact.mechanics.inputs.kinds import LawKind, Shaping

__all__ = ["Sampler", "read_controllers", "sampled_input", "samplers_of"]


@dataclass(frozen=True, eq=False)
class Sampler:
    """A controller in one run.

    Attributes
    ----------
    controller : Controller
    kind : LawKind
        Its law, without numbers.
    numbers : tuple of float
        The numbers in its formulas.
    times : array, shape (n,)
        When it acts; before these -inf, once for each sample that was taken before the run and `waits`.
    starts : mapping of Expr to array, shape (n + 1,)
        From when on each row of a symbol is valid.
    rows : mapping of Expr to array, shape (n + 1, 1)
        The values of each symbol that it changes, as far as the run has come: the first one before it acts.
    starts_at : float
        The start of the run (s).
    waits : int
        1 if a command that was computed before the run takes effect in it, else 0.
    held : mapping of Expr or str to Held
        What the run goes on with; empty for one that begins.
    """

    controller: Controller
    kind: LawKind
    numbers: tuple[float, ...]
    times: np.ndarray
    starts: Mapping[Expr, np.ndarray]
    rows: Mapping[Expr, np.ndarray]
    starts_at: float
    waits: int = 0
    held: Mapping[Expr | str, Held] = field(default_factory=dict)

    @property
    def goes_on(self) -> bool:
        """Whether it goes on from an earlier run, with the samples that that has not taken."""
        return bool(self.held)

    @property
    def events(self) -> np.ndarray:
        """The times that are events where it records them: no run begins with one, but one that goes on may."""
        own = self.times[self.waits :]
        return own if self.goes_on else own[own > self.starts_at]

    def held_at(self, t: float) -> dict[Expr | str, Held]:
        """Its symbols at a time up to which the run has come; of one without any that it has acted then, by its
        name."""
        sampled, found = bool((self.times[self.waits :] == t).any()), {}
        if not self.starts:
            return {self.controller.name: Held(0.0, sampled)}
        for letter, starts in self.starts.items():
            k = max(int(np.searchsorted(starts, t, side="right")) - 1, 0)
            value, computed = float(self.rows[letter][k, 0]), k < len(self.times) and self.times[k] <= t
            if computed and letter not in self.controller.memory:
                due = self.held[letter].due if k < self.waits else float(self.times[k]) + self.controller.delay
                found[letter] = Held(value, sampled, due, float(self.rows[letter][k + 1, 0]))
            else:
                found[letter] = Held(value, sampled)
        return found

    @property
    def takes_state(self) -> bool:
        """Whether its law is a Python function of the state of the user's model."""
        return self.kind.python and self.controller.measure is None

    @property
    def function(self) -> Callable:
        """The Python function that is its law: ``f(t, measured, memory)``, which returns all symbols' values."""
        return partial(_returned, self.controller)


def sampled_input(letter: Expr, sampled: Sampled, t: float) -> Controller:
    """The controller that computes one input.

    Raises
    ------
    ValueError
        The end of a sentence, if its law is neither an expression nor a function of one or two arguments.
    """
    law: Mapping | Callable = {letter: sampled.law}
    if callable(sampled.law) and not isinstance(sampled.law, Expr):
        law = partial(_of_state, function_of_state(sampled.law, t))
    return Controller(
        every=sampled.every,
        law=law,
        commands=[letter],
        phase=sampled.phase,
        delay=sampled.delay,
        start={letter: sampled.start},
        quantum={letter: sampled.quantum},
        limits={letter: sampled.limits},
        name=str(letter),
    )


def read_controllers(
    controllers: object, known: Iterable[Expr], owners: Mapping[str, str]
) -> tuple[list[Controller], list[str]]:
    """The controllers of a run, and a sentence for each that does not fit to the others or to the `known` symbols.

    `owners`: what has a name in the model already, such as ``"contact"``.
    """
    if controllers is None:
        return [], []
    given = [controllers] if isinstance(controllers, Controller) else controllers
    if not isinstance(given, Iterable) or isinstance(given, str | Mapping):
        raise TypeError(f"controllers is {controllers!r}, expected a list of Controller objects")
    read, faults, names = list(given), [], set(map(str, known))
    wrong = [one for one in read if not isinstance(one, Controller)]
    if wrong:
        raise TypeError(f"controllers contains {wrong[0]!r}, expected Controller objects")
    kept: dict[str, str] = {}
    for one in read:
        for letter in one.memory:
            name = str(letter)
            if name in names:
                faults.append(
                    f"the memory of the controller of {one.name} contains {letter}, which the model has; "
                    "expected a symbol of its own"
                )
            elif name in kept:
                faults.append(
                    f"the controllers of {kept[name]} and of {one.name} both keep {letter}; expected a symbol "
                    "in one memory, which others may read"
                )
            kept[name] = one.name
    return read, faults + _shared_names(read, owners)


def _shared_names(controllers: Sequence[Controller], owners: Mapping[str, str]) -> list[str]:
    """A sentence for each name of two controllers, or of a controller and something else."""
    names = [one.name for one in controllers]
    twice = [name for name in dict.fromkeys(names) if names.count(name) > 1]
    return [f"two controllers are called {name!r}; give each its own name=" for name in twice] + [
        f"a controller and a {owners[name]} are both called {name!r}; give the controller another name="
        for name in dict.fromkeys(names)
        if name in owners
    ]


def samplers_of(
    controllers: Sequence[Controller], span: tuple[float, float], held: Mapping[Expr, Held] | None = None
) -> tuple[Sampler, ...]:
    """The controllers in a run over a span, which goes on with what is `held`.

    Raises
    ------
    ValueError
        The end of a sentence, with the name of the controller.
    """
    times = [_times_of(one, span) for one in controllers]
    applied = [own + one.delay for own, one in zip(times, controllers, strict=True)]
    due = [np.array([one.due]) for one in (held or {}).values() if one.due is not None]
    common = common_instants([*times, *applied, *due], span)
    instants = dict(zip((one.item() for one in due), (one.item() for one in common[2 * len(times) :]), strict=True))
    samplers = []
    for k, one in enumerate(controllers):
        own, later = common[k], common[len(times) + k] if one.delay else common[k]
        kind, numbers = _kind(one)
        keys = kind.letters or (one.name,)
        before = {key: held[key] for key in keys if key in held} if held else {}
        if before and span[0] in own[:1] and all(known.sampled for known in before.values()):
            own, later = own[1:], later[1:]
        waits = int(any(known.due is not None for known in before.values()))
        given = dict.fromkeys(one.commands, 0.0) | one.start | one.memory
        first, starts, rows = np.array([span[0]]), {}, {}
        for letter in kind.letters:
            known = before.get(letter) or Held(given[letter])
            pending = []
            if waits:  # a sample of this run that takes effect before it takes its place
                pending = [span[0] if known.due is None else min([instants[known.due], *later[:1]])]
            starts[letter] = np.concatenate([first, pending, own if letter in one.memory else later])
            rows[letter] = np.full((len(starts[letter]), 1), known.value)
            rows[letter][1:] = known.value if known.due is None else known.waiting
        acts = np.concatenate([[-np.inf] * waits, own])
        samplers.append(Sampler(one, kind, numbers, acts, starts, rows, span[0], waits, before))
    return tuple(samplers)


def _times_of(controller: Controller, span: tuple[float, float]) -> np.ndarray:
    if controller.at is not None:
        return times_within(controller.at, span)
    try:
        return period_times(controller.every, controller.phase, span)
    except ValueError as error:
        raise ValueError(f"the controller of {controller.name} {error}") from None


def _kind(controller: Controller) -> tuple[LawKind, tuple[float, ...]]:
    """The law without its numbers, and these."""
    memory, law = tuple(controller.memory), controller.law
    if law is None:
        return LawKind((), memory, (), ()), ()
    if not isinstance(law, Mapping):
        read = [_formula(controller, "measure", one) for one in controller.measure or ()]
        kind = LawKind(controller.commands, memory, memory, tuple(one for one, _ in read), python=True)
        return kind, tuple(number for _, numbers in read for number in numbers)
    updated = tuple(letter for letter in memory if letter in law)
    letters = (*controller.commands, *updated)
    read = [_formula(controller, f"the law of {letter}", law[letter]) for letter in letters]
    shaping = []
    for letter in controller.commands:
        quantum, limits = controller.quantum.get(letter), controller.limits.get(letter)
        parts = [_formula(controller, "quantum", quantum)] if quantum is not None else []
        parts += [_formula(controller, "limits", one) for one in limits or ()]
        formulas = tuple(one for one, _ in parts)
        bounds = (formulas[-2], formulas[-1]) if limits else None
        shaping.append(Shaping(formulas[0] if quantum is not None else None, bounds))
        read += parts
    kind = LawKind(controller.commands, memory, updated, tuple(one for one, _ in read[: len(letters)]), tuple(shaping))
    return kind, tuple(number for _, numbers in read for number in numbers)


def _formula(controller: Controller, name: str, expression: Expr):
    try:
        return formula_of(expression)
    except ValueError as error:
        raise ValueError(f"the controller of {controller.name}: {name} = {expression} {error}") from None


def _of_state(function: Callable, t: float, x: np.ndarray, memory: np.ndarray) -> object:
    """The law of a function of time and state."""
    return function(t, x)


def _returned(controller: Controller, t: float, measured: np.ndarray, memory: np.ndarray) -> np.ndarray:
    """What a Python function returns as the values of all symbols, quantised and limited.

    Raises
    ------
    ValueError
        If there are more or fewer numbers than symbols.
    TypeError
        If there is something else.
    """
    assert callable(controller.law), "a law of expressions is compiled"
    found, kept = controller.law(t, measured, memory), ()
    if controller.memory:
        if not isinstance(found, tuple | list) or len(found) != 2:
            raise TypeError(
                f"the law of {controller!r} has memory and returned {found!r} at t = {t:.12g}, expected the pair "
                "(commands, memory)"
            )
        found, kept = found
    who = f"the law of {controller!r}", t
    commands = _numbers(found, controller.commands, "commands", *who)
    for k, letter in enumerate(controller.commands):
        quantum, limits = controller.quantum.get(letter), controller.limits.get(letter)
        if quantum is not None:
            commands[k] = float(quantum) * np.floor(commands[k] / float(quantum) + 0.5)
        if limits is not None:
            commands[k] = min(max(commands[k], float(limits[0])), float(limits[1]))
    return np.concatenate([commands, _numbers(kept, tuple(controller.memory), "numbers of the memory", *who)])


def _numbers(values: object, letters: Sequence[Expr], called: str, who: str, t: float) -> np.ndarray:
    try:
        array = np.array(returned(values), ndmin=1)
    except ValueError as error:
        raise TypeError(
            f"{who} returned {values!r} as {called} at t = {t:.12g}, expected real numbers: {error}"
        ) from None
    if array.shape != (len(letters),):
        names = ", ".join(map(str, letters))
        raise ValueError(f"{who} returned {array.size} {called} at t = {t:.12g}, expected {len(letters)}: [{names}]")
    return array
