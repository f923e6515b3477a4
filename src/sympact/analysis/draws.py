"""The starts and parameters of the runs of an ensemble: given numbers, arrays, distributions, functions."""

from __future__ import annotations

import operator
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np

from sympact.integrate.problem.real import real_array

if TYPE_CHECKING:
    from scipy.stats.qmc import QMCEngine

__all__ = [
    "Arrays",
    "Given",
    "Table",
    "check_finite",
    "drawn",
    "number_of_runs",
    "quasi_given",
    "read_given",
    "seed_of",
]


Arrays = tuple[np.ndarray | None, dict[int, np.ndarray]]
"""What was given for each of some runs: `Given.table` and `Given.columns`."""
Arrange = Callable[[object], np.ndarray]
"""Makes numbers in their order from a mapping or an array, or raises a ValueError with what is wrong."""
_LOOK_EVERY = 64  # draws, less than a millisecond each


@runtime_checkable
class Distribution(Protocol):
    """A frozen distribution of ``scipy.stats``."""

    def ppf(self, q): ...


@dataclass(frozen=True, eq=False)
class Given:
    """What was given as starts, or as parameters.

    Attributes
    ----------
    what : str
        The argument's name.
    letters : sequence
        The symbols in their order.
    arrange : callable
        Makes numbers in their order.
    first : array, shape (n,), or None
        The numbers of the first run, zeros for what is drawn; None where a function gives them.
    table : array, shape (runs, n), or None
        A row for each run.
    columns : dict of int to array
        The numbers that are given for each run, by their place.
    drawn : dict of int to Distribution
        Those that are drawn, by their place, in the order of the places.
    others : dict
        Numbers that were given for symbols on which the motion does not depend.
    function : callable or None
        ``function(generator)``, which returns all numbers of a run.
    """

    what: str
    letters: Sequence[Hashable]
    arrange: Arrange
    first: np.ndarray | None = None
    table: np.ndarray | None = None
    columns: dict[int, np.ndarray] = field(default_factory=dict)
    drawn: dict[int, Distribution] = field(default_factory=dict)
    others: dict[Hashable, float] = field(default_factory=dict)
    function: Callable[[np.random.Generator], object] | None = None

    @property
    def random(self) -> bool:
        """Whether runs draw numbers."""
        return bool(self.drawn) or self.function is not None

    @property
    def sizes(self) -> dict[str, int]:
        """The numbers of runs that arrays imply, by what they are."""
        found = {} if self.table is None else {self.what: len(self.table)}
        return found | {f"{self.what}[{self.letters[place]}]": len(column) for place, column in self.columns.items()}

    @property
    def varying(self) -> list[int]:
        """The places of the numbers that may differ between runs."""
        if self.function is not None or self.table is not None:
            return list(range(len(self.letters)))
        return sorted({*self.columns, *self.drawn})

    def arrays(self, first: int, last: int) -> Arrays:
        """What was given for each of the runs from `first` to the one before `last`."""
        table = None if self.table is None else self.table[first:last]
        return table, {place: column[first:last] for place, column in self.columns.items()}

    def with_arrays(self, arrays: Arrays) -> Given:
        """The same for the runs of these arrays alone."""
        return replace(self, table=arrays[0], columns=arrays[1])

    def with_numbers(self, columns: Iterator[np.ndarray]) -> Given:
        """The same with one column in [0, 1) for each distribution in its place."""
        found = {place: distribution.ppf(next(columns)) for place, distribution in self.drawn.items()}
        return replace(self, columns=self.columns | found, drawn={})

    def numbers(self, rng: np.random.Generator) -> np.ndarray:
        """What one run draws: its numbers, or one in [0, 1) for each distribution."""
        if self.function is None:
            return rng.random(len(self.drawn))
        try:
            return self.arrange(self.function(rng))
        except ValueError as error:
            raise ValueError(f"the function given as {self.what} returned numbers that do not fit: {error}") from None

    def rows(self, runs: int, numbers: np.ndarray | None) -> np.ndarray:
        """The numbers of all runs, shape (runs, n), or (1, n) where all have the same; `numbers` is what they draw."""
        if self.function is not None and numbers is not None:
            return numbers
        if self.table is not None:
            return self.table
        assert self.first is not None, "it is there without a function"
        if not self.columns and not self.drawn:
            return self.first[np.newaxis]
        rows = np.repeat(self.first[np.newaxis], runs, axis=0)
        for place, column in self.columns.items():
            rows[:, place] = column
        for j, (place, distribution) in enumerate(self.drawn.items()):
            assert numbers is not None, "distributions are drawn"
            rows[:, place] = distribution.ppf(numbers[:, j])
        return rows


@dataclass(frozen=True, eq=False)
class Table:
    """The numbers of all runs.

    Attributes
    ----------
    starts : array, shape (runs, n_states) or (1, n_states)
    parameters : array, shape (runs, n_parameters) or (1, n_parameters)
    runs : int
    """

    starts: np.ndarray
    parameters: np.ndarray
    runs: int

    def row(self, k: int) -> tuple[np.ndarray, np.ndarray]:
        """The start and the parameters of one run."""
        start, numbers = (one[k if len(one) > 1 else 0] for one in (self.starts, self.parameters))
        return start, numbers


def read_given(what: str, value: object, letters: Sequence[Hashable], arrange: Arrange) -> Given:
    """Read what was given as starts or parameters.

    Parameters
    ----------
    what : str
        "x0" or "parameters".
    value : mapping, array or callable
        A mapping of symbols to numbers, arrays and distributions; an array, shape (n,) or (runs, n); a function of a
        generator.
    letters : sequence
        The symbols in their order.
    arrange : callable

    Raises
    ------
    ValueError
        With what is wrong.
    """
    if callable(value) and not isinstance(value, Mapping):
        return Given(what, letters, arrange, function=value)
    if not isinstance(value, Mapping):
        return _array(what, value, letters, arrange)
    places = {letter: place for place, letter in enumerate(letters)}
    columns, distributions, plain = {}, {}, {}
    for letter, one in value.items():
        if isinstance(one, Distribution):
            distributions[letter], plain[letter] = one, 0.0
        elif np.ndim(one) == 1:
            try:
                columns[letter] = real_array(one)
            except ValueError as error:
                raise ValueError(f"{what} of {letter}: {error}") from None
            plain[letter] = columns[letter][0] if len(columns[letter]) else 0.0
        elif np.ndim(one) > 1:
            raise ValueError(
                f"{what}: {letter} has the shape {np.shape(one)}, expected a number, one number for each run, or a "
                "distribution"
            )
        else:
            plain[letter] = one
    first = arrange(plain)
    order = sorted(((places[letter], letter) for letter in distributions if letter in places), key=lambda one: one[0])
    return Given(
        what,
        letters,
        arrange,
        first,
        columns={places[letter]: column for letter, column in columns.items() if letter in places},
        drawn={place: distributions[letter] for place, letter in order},
        others={letter: one for letter, one in plain.items() if letter not in places},
    )


def _array(what: str, value: object, letters: Sequence[Hashable], arrange: Arrange) -> Given:
    array = real_array(value)
    if array.ndim != 2:
        return Given(what, letters, arrange, arrange(value))
    if not len(array) or array.shape[1] != len(letters):
        raise ValueError(f"{what} has the shape {array.shape}, expected (runs, {len(letters)}): a row for each run")
    return Given(what, letters, arrange, array[0], table=array)


def number_of_runs(asked: object, given: Sequence[Given]) -> int:
    """The number of runs: the requested one, or that which arrays imply.

    Raises
    ------
    ValueError
        If none is known, or they differ.
    """
    sizes = {name: size for one in given for name, size in one.sizes.items()}
    if asked is not None:
        try:
            sizes = {"runs": operator.index(asked), **sizes}  # type: ignore[arg-type]  # the TypeError is caught
        except TypeError:
            raise ValueError(f"runs is {asked!r}, expected a positive whole number") from None
    if not sizes:
        raise ValueError(
            "the number of runs is not known: give runs=, or an array with one entry for each run in x0 or parameters"
        )
    runs = next(iter(sizes.values()))
    if any(size != runs for size in sizes.values()):
        told = ", ".join(f"{name} has {size}" for name, size in sizes.items())
        raise ValueError(f"the numbers of runs differ: {told}")
    if runs < 1:
        raise ValueError(f"runs is {runs}, expected a positive whole number")
    return runs


def seed_of(seed: object, *, random: bool) -> int | None:
    """The seed as a whole number; one from the system where none is given and runs draw numbers.

    Raises
    ------
    ValueError
        If it is not a whole number that is not negative.
    """
    if seed is None:
        entropy = np.random.SeedSequence().entropy
        return int(entropy) if random and isinstance(entropy, int) else None
    try:
        found = operator.index(seed)  # type: ignore[arg-type]  # the TypeError is caught
    except TypeError:
        found = -1
    if found < 0 or isinstance(seed, bool):
        raise ValueError(f"seed is {seed!r}, expected a whole number that is not negative")
    return found


def quasi_given(starts: Given, parameters: Given, runs: int, points: QMCEngine) -> tuple[Given, Given]:
    """What was given with quasi-random numbers in place of distributions: run k has point k of the sequence.

    The sequence is taken from its beginning, one number for each distribution; the engine is left as it is.

    Raises
    ------
    TypeError, ValueError
        If the engine is none, or does not fit what is drawn.
    """
    from scipy.stats.qmc import QMCEngine

    if not isinstance(points, QMCEngine):
        raise TypeError(f"points is {points!r}, expected an engine of scipy.stats.qmc, such as Sobol(d=2)")
    functions = [one.what for one in (starts, parameters) if one.function is not None]
    if functions:
        raise ValueError(f"{' and '.join(functions)} is a function, which draws by itself: points need distributions")
    count = len(starts.drawn) + len(parameters.drawn)
    if points.d != count:
        raise ValueError(f"points has d = {points.d}, expected {count}: one number for each distribution")
    own = deepcopy(points)
    own.reset()
    columns = iter(own.random(runs).T)
    return starts.with_numbers(columns), parameters.with_numbers(columns)


def drawn(
    starts: Given,
    parameters: Given,
    runs: int,
    seed: int | None,
    first: int = 0,
    look: Callable[[], None] = lambda: None,
) -> Table:
    """The numbers of all runs, or of those from `first` on, with the arrays of these alone.

    Run k draws from ``numpy.random.default_rng([seed, k])``: first what x0 needs, then what parameters need. For
    distributions that is one number of ``random()`` each, in the order of the states and of the parameters, to which
    the distribution's ``ppf`` is applied; a function takes what it calls for. From time to time `look` is called, which
    may raise an exception.

    Raises
    ------
    ValueError
        If a number is not finite.
    """
    numbers: dict[str, list[np.ndarray]] = {}
    if seed is not None and (starts.random or parameters.random):
        for k in range(first, first + runs):
            if not k % _LOOK_EVERY:
                look()
            rng = np.random.default_rng([seed, k])
            for one in (starts, parameters):
                if one.random:
                    numbers.setdefault(one.what, []).append(_of_run(k, one, rng))
    tables = [one.rows(runs, np.array(numbers[one.what]) if one.random else None) for one in (starts, parameters)]
    for one, table in zip((starts, parameters), tables, strict=True):
        _refuse(one.what, table, first)
    starting, given = (np.ascontiguousarray(table) for table in tables)
    return Table(starting, given, runs)


def _of_run(k: int, given: Given, rng: np.random.Generator) -> np.ndarray:
    """What run k draws; an exception of the user's function has its number."""
    try:
        return given.numbers(rng)
    except Exception as error:
        error.add_note(f"raised by the function given as {given.what}, for run {k}")
        raise


def check_finite(given: Given) -> None:
    """Refuse arrays with numbers that are not finite, before any run is made.

    Raises
    ------
    ValueError
        Naming the first such run.
    """
    for one in (given.table, *given.columns.values()):
        if one is not None:
            _refuse(given.what, one.reshape(len(one), -1), 0)


def _refuse(what: str, table: np.ndarray, first: int) -> None:
    """Refuse rows that are not finite; the first row is that of the run `first`."""
    finite = np.isfinite(table)
    if not finite.all():
        wrong = np.flatnonzero(~finite.all(axis=1))
        raise ValueError(
            f"{what} of {wrong.size} runs is not finite, first that of run {first + wrong[0]}: {table[wrong[0]]}; "
            "expected finite numbers"
        )
