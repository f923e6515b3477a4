"""The inputs and controllers of a run for its file: numbers, expressions as rows, and data; functions are named."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf
from typing import Any

import numpy as np
from sympy import Basic, Expr, Lambda

from sympact.graph.notation.expression_rows import ExpressionRows, Unwritable, expressions_of
from sympact.mechanics.derived.derived_model import DerivedModel
from sympact.mechanics.inputs.controller import Controller, Sampled
from sympact.mechanics.read.input_data import Interpolated, Polynomials, is_spline, polynomials_of

__all__ = ["known_letters", "restored_inputs", "stored_inputs"]


def known_letters(model: DerivedModel) -> dict[Basic, str]:
    """The symbols of a model with their names; not those whose name another one has, too."""
    symbols = model.derivation.symbols
    letters = dict.fromkeys((*model.x, *symbols.parameters, *symbols.inputs, symbols.time))
    names = [str(letter) for letter in letters]
    return {letter: name for letter, name in zip(letters, names, strict=True) if names.count(name) == 1}


def stored_inputs(
    model: DerivedModel, inputs: Mapping[Expr, object], controllers: Sequence[Controller]
) -> dict[str, Any]:
    """What a run was given, as plain data: arrays, numbers, text, and lists and mappings of these.

    What cannot be stored has None in its place.
    """
    writer = _Writer(model)
    found = [[writer.rows(letter), writer.value(value)] for letter, value in inputs.items()]
    return {"inputs": found, "controllers": [writer.controller(one) for one in controllers], "rows": writer.rows.rows}


def restored_inputs(
    model: DerivedModel, stored: Mapping[str, Any], given: Mapping[Expr, object], controllers: object
) -> tuple[dict[Expr, object], object]:
    """The inputs and controllers of a run in a file, where none of these are `given`.

    Raises
    ------
    ValueError
        With the call that gives what the file does not have; or if it does not contain what `stored_inputs` returns.
    """
    try:
        reader = _Reader(model, stored["rows"])
        found = {reader.expression(letter): reader.value(value) for letter, value in stored["inputs"]}
        acting = [None if one is None else reader.controller(one) for one in stored["controllers"]]
    except Exception as error:  # the file may be anybody's
        raise ValueError(f"the inputs in the file are unreadable: {error}; give inputs= and controllers=") from error
    inputs = {**found, **given}
    missing = [str(letter) for letter, value in inputs.items() if value is None]
    alone = controllers is None and None in acting
    if missing or alone:
        what = [f"the input {', '.join(missing)}"] * bool(missing) + ["a controller"] * alone
        call = ["inputs={" + ", ".join(f"{name}: ..." for name in missing) + "}"] * bool(missing)
        call += ["controllers=[...]"] * alone
        raise ValueError(
            f"{' and '.join(what)} of the run contains a Python function, or another thing that no file does; give it "
            f"again: load(path, model=model, {', '.join(call)})"
        )
    return inputs, (acting or None) if controllers is None else controllers


class _Writer:
    """Writes values; expressions are rows of one table."""

    def __init__(self, model: DerivedModel) -> None:
        self._time = model.derivation.symbols.time
        self.rows = ExpressionRows(known_letters(model))

    def value(self, value: Any) -> dict[str, Any] | None:
        """An input."""
        if isinstance(value, Interpolated):
            return {"times": value.times, "values": value.values, "kind": value.kind}
        if isinstance(value, Polynomials) or is_spline(value):
            pieces = polynomials_of(value)
            span = [float(end).hex() for end in pieces.span]
            return {"starts": pieces.starts, "pieces": pieces.rows, "span": span, "period": float(pieces.period).hex()}
        if isinstance(value, Sampled):
            law = self.value(value.law)
            settings = {name: getattr(value, name).hex() for name in ("every", "phase", "delay", "start")}
            try:
                quantum, limits = self._optional(value.quantum), self._pair(value.limits)
            except Unwritable:
                return None
            return None if law is None else {**settings, "quantum": quantum, "limits": limits, "law": law}
        if isinstance(value, Lambda) and len(value.signature) == 1:
            value = value(self._time)
        try:
            return {"row": self.rows(value.item() if isinstance(value, np.ndarray | np.generic) else value)}
        except (ValueError, TypeError, AttributeError):  # SympifyError is a ValueError
            return None

    def controller(self, one: Controller) -> dict[str, Any] | None:
        """A controller; None where a Python function is its law."""
        if callable(one.law):
            return None
        try:
            return {
                "every": None if one.every == inf else one.every.hex(),
                "at": one.at,
                "phase": one.phase.hex(),
                "delay": one.delay.hex(),
                "law": None if one.law is None else self._mapping(one.law),
                "memory": self._mapping(one.memory),
                "start": self._mapping(one.start),
                "quantum": [[self.rows(key), self._optional(part)] for key, part in one.quantum.items()],
                "limits": [[self.rows(key), self._pair(pair)] for key, pair in one.limits.items()],
                "name": one.name,
                "record": one.record,
            }
        except Unwritable:
            return None

    def _mapping(self, mapping: Mapping[Expr, object]) -> list[list[int]]:
        return [[self.rows(key), self.rows(value)] for key, value in mapping.items()]

    def _optional(self, value: object) -> int | None:
        return None if value is None else self.rows(value)

    def _pair(self, pair: tuple[Expr, Expr] | None) -> list[int] | None:
        return None if pair is None else [self.rows(part) for part in pair]


class _Reader:
    """Reads what a `_Writer` has written."""

    def __init__(self, model: DerivedModel, rows: object) -> None:
        self._rows = expressions_of(rows, {name: letter for letter, name in known_letters(model).items()})

    def expression(self, row: int) -> Any:
        """The expression of a row."""
        return self._rows[range(len(self._rows))[row]]

    def value(self, value: Mapping[str, Any] | None) -> object:
        """An input; None for what the file does not have."""
        if value is None:
            return None
        if "row" in value:
            return self.expression(value["row"])
        if "times" in value:
            return Interpolated(np.array(value["times"], float), np.array(value["values"], float), value["kind"])
        if "starts" in value:
            first, last = map(float.fromhex, value["span"])
            starts, pieces = (np.array(value[name], float) for name in ("starts", "pieces"))
            if starts.ndim != 1 or pieces.ndim != 2 or len(starts) != len(pieces) or not len(starts):
                raise ValueError(f"data with pieces of the shape {pieces.shape} from {starts.shape} places")
            return Polynomials(starts, pieces, (first, last), float.fromhex(value["period"]))
        numbers = {name: float.fromhex(value[name]) for name in ("phase", "delay", "start")}
        own = {"quantum": self._optional(value["quantum"]), "limits": self._pair(value["limits"])}
        return Sampled(float.fromhex(value["every"]), self.value(value["law"]), **numbers, **own)

    def controller(self, one: Mapping[str, Any]) -> Controller:
        """A controller."""
        return Controller(
            every=None if one["every"] is None else float.fromhex(one["every"]),
            at=None if one["at"] is None else np.array(one["at"], float),
            law=None if one["law"] is None else self._mapping(one["law"]),
            memory=self._mapping(one["memory"]),
            start=self._mapping(one["start"]),
            quantum={self.expression(key): self._optional(part) for key, part in one["quantum"]},
            limits={self.expression(key): self._pair(pair) for key, pair in one["limits"]},
            phase=float.fromhex(one["phase"]),
            delay=float.fromhex(one["delay"]),
            name=str(one["name"]),
            record=bool(one["record"]),
        )

    def _mapping(self, pairs: Sequence[Sequence[int]]) -> dict[Expr, Any]:
        return {self.expression(key): self.expression(value) for key, value in pairs}

    def _optional(self, row: int | None) -> Any:
        return None if row is None else self.expression(row)

    def _pair(self, rows: Sequence[int] | None) -> tuple | None:
        return None if rows is None else tuple(map(self.expression, rows))
