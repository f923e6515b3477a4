"""Functions of the user that travel to another process."""

from __future__ import annotations

import pickle

__all__ = ["check_travels"]


def check_travels(what: str, function: object) -> None:
    """Refuse a function that pickle cannot send to another process.

    Raises
    ------
    TypeError
        Naming `what` it is, and the cure.

    Examples
    --------
    >>> check_travels("the flow", lambda t, x: x)
    Traceback (most recent call last):
        ...
    TypeError: the flow, '<lambda>', cannot travel to another process; define it with def at the top of a module
    """
    try:
        pickle.dumps(function)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        name = getattr(function, "__name__", None) or repr(function)
        raise TypeError(
            f"{what}, {name!r}, cannot travel to another process; define it with def at the top of a module"
        ) from error
