"""The faults of a call, and unknown attributes, as sentences with near names.

`explained` wraps functions and the methods of a class. Signatures stay true: a wrapper only looks at a call that Python
has refused before its first line ran, so that a call that is right costs one more frame (0.1 us).
"""

from __future__ import annotations

import dis
import functools
import inspect
import re
import reprlib
import sys
from collections.abc import Callable, Collection, Iterable, Mapping, MutableMapping, Sequence
from enum import Enum
from types import FunctionType
from typing import Any, TypeVar

from sympact.native.sentences.near_names import near_names, suggestion
from sympact.native.sentences.other_names import ARGUMENTS, ATTRIBUTES, HINTS, NAMES, NEEDED

__all__ = ["explain_public", "explained", "unknown_name"]

T = TypeVar("T", bound="Callable[..., Any]")
_SHORT = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = 24
_BY_NAME = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
_OPEN = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
_BY_PLACE = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def explained(thing: T) -> T:
    """A function or a class whose refused calls and unknown attributes raise errors with near names.

    A class is changed in place: its methods, and those of its bases in `sympact`.

    Parameters
    ----------
    thing : function or class

    Examples
    --------
    >>> @explained
    ... def swing(length, *, damping=0.0):
    ...     return length
    >>> swing(1, dampign=0.1)
    Traceback (most recent call last):
        ...
    TypeError: swing() has no argument 'dampign'; did you mean 'damping'?
    """
    if isinstance(thing, type):
        for kind in reversed(thing.__mro__):
            if kind.__module__.startswith("sympact.") and not issubclass(kind, Enum | BaseException):
                _explain_class(kind)
        return thing
    return thing if hasattr(thing, "told_by") else _explained_function(thing, thing.__name__, False)


def explain_public(module: MutableMapping[str, Any], internal: Collection[str] = ()) -> None:
    """Explain the public classes and functions of a module or a room, from its globals; functions where they are made.

    Parameters
    ----------
    module : mapping of str to object
        ``globals()``, with ``__all__``.
    internal : collection of str
        The names that other rooms need and users do not: their calls cost nothing more, and functions keep their
        identity.
    """
    for name in [one for one in module["__all__"] if one not in internal]:
        thing = module.get(name)
        if isinstance(thing, type) and thing.__module__.startswith("sympact."):
            explained(thing)
        elif isinstance(thing, FunctionType):
            module[name] = explained(thing)
            vars(sys.modules[thing.__module__])[thing.__name__] = module[name]


def unknown_name(module: str, name: str, names: Iterable[str]) -> AttributeError | ImportError:
    """The error for a name that a module does not have, raised by its ``__getattr__``.

    Python replaces the sentence of an `AttributeError` in ``from module import name`` by one of its own; an
    `ImportError` passes.

    Examples
    --------
    >>> unknown_name("sympact", "Newtn", ["Newton", "Plane"])
    AttributeError("module 'sympact' has no attribute 'Newtn'; did you mean 'Newton'?")
    """
    if name.startswith("_"):  # tools ask modules for many of these
        return AttributeError(f"module {module!r} has no attribute {name!r}", name=name)
    names = [*names]
    hint = f"; {NAMES[name]}" if name in NAMES else suggestion(name, names)
    hint = hint or f"; its public names are {', '.join(names)}"
    caller = sys._getframe(2)
    if caller.f_lasti >= 0 and caller.f_code.co_code[caller.f_lasti] == dis.opmap["IMPORT_FROM"]:
        return ImportError(f"cannot import name {name!r} from {module!r}{hint}", name=module)
    return AttributeError(f"module {module!r} has no attribute {name!r}{hint}", name=name)


def _explain_class(kind: type) -> None:
    foreign = getattr(kind, "_is_protocol", False) or any(base.__module__.startswith("sympy.") for base in kind.__mro__)
    if not foreign and not hasattr(kind, "__getattr__"):  # SymPy asks for attributes, protocols count them
        kind.__getattr__ = _unknown_attribute  # type: ignore[attr-defined]
    for name, value in [*vars(kind).items()]:
        inner = value.__func__ if isinstance(value, classmethod | staticmethod) else value
        if (name.startswith("_") and name not in ("__init__", "__call__")) or not isinstance(inner, FunctionType):
            continue
        if hasattr(inner, "told_by"):
            continue
        title = kind.__name__ if name == "__init__" else f"{kind.__name__}.{name}"
        made = _explained_function(inner, title, not isinstance(value, staticmethod))
        setattr(kind, name, type(value)(made) if inner is not value else made)


def _explained_function(function: Callable[..., Any], title: str, bound: bool) -> Any:
    """The function in a frame that replaces the error of a call which Python refuses."""

    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except TypeError as error:
            told = error.__traceback__
            if told is None or told.tb_next is not None:  # the function has run
                raise
            sentence = fault_of_call(function, title, args[bound:], kwargs, bound)
            if not sentence:
                raise
        raise TypeError(sentence)

    fault_of_call = _fault_of_call
    # with the globals of the function, so that tools which look for its module, such as doctest, find it there
    made = FunctionType(call.__code__, function.__globals__, function.__name__, None, call.__closure__)
    functools.update_wrapper(made, function)
    made.told_by = title  # type: ignore[attr-defined]
    return made


def _fault_of_call(
    function: Callable[..., Any], title: str, args: tuple[Any, ...], kwargs: Mapping[str, Any], bound: bool
) -> str:
    """All faults of a call in one sentence; empty if there is none."""
    parameters = [*inspect.signature(function).parameters.values()][bound:]
    named = [one.name for one in parameters if one.kind in _BY_NAME]
    places = [one.name for one in parameters if one.kind in _BY_PLACE]
    kinds = {one.kind for one in parameters}
    faults, meant = [], {*kwargs, *places[: len(args)]}
    if len(args) > len(places) and inspect.Parameter.VAR_POSITIONAL not in kinds:
        others = [name for name in named if name not in places][: len(args) - len(places)]
        faults.append(_surplus(args, places, others))
        meant.update(others)
    faults += [f"has {name} twice, by place and by name" for name in places[: len(args)] if name in kwargs]
    for name in kwargs if inspect.Parameter.VAR_KEYWORD not in kinds else ():
        if name not in named:
            alike, told = _meant(name, named)
            faults.append(f"has no argument {name!r}{told}")
            meant.update(alike)
    required = [one.name for one in parameters if one.default is one.empty and one.kind not in _OPEN]
    faults += [f"needs {name}={_cure(name)}" for name in required if name not in meant]
    names = ", ".join(filter(None, map(_name, args)))
    return f"{title}({names}) {'; it '.join(faults)}" if faults else ""


def _surplus(args: tuple[Any, ...], places: Sequence[str], others: Sequence[str]) -> str:
    """Too many arguments by place."""
    many = f"takes {len(places)} arguments by place ({', '.join(places)}), found {len(args)}"
    rest = [f"{name}={_SHORT.repr(value)}" for name, value in zip(others, args[len(places) :], strict=False)]
    return f"{many}; give the others by name, such as {', '.join(rest)}" if rest else many


def _meant(name: str, named: Sequence[str]) -> tuple[Sequence[str], str]:
    """The arguments that an unknown one may mean, and the end of the sentence on it."""
    known = [one for one in ARGUMENTS.get(name, ()) if one in named]
    if known:
        return known, f"; here that is {' or '.join(f'{one}=' for one in known)}"
    needs, hint = HINTS.get(name, ("", ""))
    if hint and (not needs or needs in named):
        return (), f": {hint}"
    near = near_names(name, named)
    return near, suggestion(name, named) or f"; it takes {', '.join(named) or 'no arguments'}"


def _cure(name: str) -> str:
    return f": {NEEDED[name]}" if name in NEEDED else ""


def _unknown_attribute(self: Any, name: str) -> Any:
    """Raise an `AttributeError` with near names; a property that raised one itself raises it again."""
    kind = type(self)
    if name.startswith("_"):
        raise AttributeError(f"{kind.__name__!r} object has no attribute {name!r}", name=name, obj=self)
    if hasattr(kind, name):
        return object.__getattribute__(self, name)
    public = [one for one in dir(self) if not one.startswith("_")]
    known = [f"{one}{_first_words(kind, one)}" for one in ATTRIBUTES.get(name, ()) if one in public]
    raise AttributeError(
        f"{kind.__name__} has no attribute {name!r}{'; see ' if known else ''}{', '.join(known)}"
        f"{'' if known else suggestion(name, public)}",
        name=name,
    )


def _first_words(kind: type, name: str) -> str:
    """The first part of the docstring of a property or a method, up to a stop, in brackets; empty without one."""
    thing = getattr(kind, name, None)
    text = " ".join((inspect.getdoc(thing) or "").split()) if hasattr(thing, "__get__") else ""
    return f" ({re.split(r'[.:;] |[.:;]$', text)[0].replace('`', '')})" if text else ""


def _name(value: object) -> str | None:
    """The name of an argument that has one, such as a point."""
    name = getattr(value, "name", None)
    return name if isinstance(name, str) else None
