"""The parts of messages that all rooms share: near names, units, and the faults of calls of everything public."""

from __future__ import annotations

import inspect
import subprocess
import sys
import warnings
from dataclasses import dataclass
from enum import Enum
from types import FunctionType

import pytest

import sympact
from sympact import HybridModel, Result, models
from sympact.native.sentences.near_names import near_names
from sympact.native.sentences.refused_calls import explained
from sympact.native.sentences.stripped_units import unit_fault

WITHOUT = {"sympact.about", "sympact.approach_speed"}
"""A function without arguments, and a symbol."""


@dataclass
class Pints:
    """A quantity as packages like pint have it."""

    magnitude: float
    units: str
    factor: float

    def to_base_units(self) -> Pints:
        return Pints(self.magnitude * self.factor, "base", 1.0)


@dataclass
class Astropys:
    """A quantity that has no number in SI units."""

    value: float
    unit: str


def public() -> dict[str, object]:
    """All that a user can call, by name: functions, constructors, and the public methods of classes."""
    found: dict[str, object] = {}
    listed = [(f"sympact.{name}", getattr(sympact, name)) for name in sympact.__all__]
    listed += [(f"models.{name}", getattr(models, name)) for name in models.__all__]
    for name, thing in listed:
        if isinstance(thing, FunctionType):
            found[name] = thing
        elif isinstance(thing, type) and not issubclass(thing, Enum | BaseException):
            found[name] = thing.__init__
            methods = {one: value for one, value in inspect.getmembers(thing) if not one.startswith("_")}
            found |= {f"{name}.{one}": value for one, value in methods.items() if isinstance(value, FunctionType)}
    return {name: one for name, one in found.items() if name not in WITHOUT and _ours(one)}


def _ours(function: object) -> bool:
    """Whether it is a function of the package with arguments of its own, and without a place for any others."""
    if not isinstance(function, FunctionType) or not function.__module__.startswith("sympact."):
        return False
    parameters = inspect.signature(function).parameters.values()
    others = any(one.kind is one.VAR_KEYWORD for one in parameters)
    return not others and len([one for one in parameters if one.name != "self"]) > 0


def test_everything_public_answers_an_unknown_argument_with_those_it_takes():
    unexplained = {}
    for name, function in public().items():
        with pytest.raises(TypeError) as error:
            function(None, zzyzx=1)
        if "has no argument 'zzyzx'; it takes" not in str(error.value):
            unexplained[name] = str(error.value)
    assert unexplained == {}
    assert len(public()) > 150


def test_signatures_and_docstrings_are_those_that_are_written():
    assert [*inspect.signature(HybridModel.simulate).parameters][:4] == ["self", "t_span", "x0", "parameters"]
    assert [*inspect.signature(sympact.Contact).parameters][:3] == ["point", "surface", "restitution"]
    assert inspect.getsource(Result.sample).lstrip().startswith("def sample(self, dt: float)")
    assert HybridModel.simulate.__globals__ is vars(sys.modules[HybridModel.__module__]), "doctest finds it there"


def test_an_error_within_a_function_is_left_as_it_is():
    @explained
    def outer(number):
        return inner(number, number)

    def inner(number):
        return number

    with pytest.raises(TypeError, match=r"inner\(\) takes 1 positional argument but 2 were given"):
        outer(1)


def test_an_attribute_error_within_a_property_is_left_as_it_is():
    @explained
    class Broken:
        """A class of the user's."""

        __module__ = "sympact.broken"

        @property
        def size(self):
            return None.real_size

    with pytest.raises(AttributeError, match=r"'NoneType' object has no attribute 'real_size'"):
        _ = Broken().size
    with pytest.raises(AttributeError, match=r"Broken has no attribute 'siz'; did you mean 'size'\?"):
        _ = Broken().siz
    assert not hasattr(Broken(), "_repr_html_")


def test_a_name_that_is_imported_in_vain_is_answered_in_a_fresh_process():
    done = subprocess.run(
        [sys.executable, "-c", "from sympact import Newtn"], capture_output=True, text=True, check=False
    )
    last = done.stderr.strip().splitlines()[-1]
    assert last == "ImportError: cannot import name 'Newtn' from 'sympact'; did you mean 'Newton'?"


@pytest.mark.parametrize(
    ("name", "names", "near"),
    [
        ("plt", ["plot", "path"], ["plot"]),
        ("SIMULATE", ["simulate"], ["simulate"]),
        ("dir", ["direction", "t"], ["direction"]),
        ("x", ["t", "y"], []),
        ("force", ["source"], []),
        ("abcd", ["abcde", "abcdf", "abcdg", "abcdh"], ["abcde", "abcdf", "abcdg"]),
    ],
)
def test_near_names_agree_in_most_characters_or_contain_one_another(name, names, near):
    assert near_names(name, names) == near


def test_quantities_of_other_packages_are_recognized_by_their_number_and_unit():
    assert unit_fault(Pints(30.0, "degree", 0.5)).endswith("in SI: write 15")
    assert unit_fault(Astropys(2.0, "kg")).endswith("in SI: strip them")
    assert unit_fault(Pints(30.0, "dimensionless", 1.0)) == unit_fault(Astropys) == unit_fault(1.0) == ""
    ball = models.bouncing_ball()
    with pytest.raises(ValueError, match=r"parameters: m = .*has a unit; .*write 15"):
        ball.with_numbers({"m": Pints(30.0, "pound", 0.5)}).simulate()


def test_a_warning_names_the_line_of_the_user():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        HybridModel(models.bouncing_ball().model.source, [], painleve="stop")
        _ = models.Ready
    assert [one.filename for one in caught] == [__file__] * 2
