"""Public names of the previous version: they remain valid for one version, with a warning that gives the new name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sympact.native.sentences.warn_user import warn_user

__all__ = ["renamed_attribute", "renamed_name", "renamed_value"]


def renamed_attribute(old: str, new: str) -> Any:
    """A property under an old name, which warns and returns the attribute under the new one.

    Parameters
    ----------
    old, new : str

    Examples
    --------
    >>> import warnings
    >>> class Box:
    ...     width = 2
    ...     breadth = renamed_attribute("breadth", "width")
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     print(Box().breadth, caught[0].message)
    2 Box.breadth is Box.width since version 0.2; the old name ends with version 0.3
    """

    def read(self: Any) -> Any:
        kind = type(self).__name__
        _warn(f"{kind}.{old}", f"{kind}.{new}")
        return getattr(self, new)

    return property(read, doc=f"The old name of `{new}`.")


def renamed_name(module: str, name: str, names: Mapping[str, str]) -> str | None:
    """The new name for an old one of a module, with a warning; None where there was no such name.

    Parameters
    ----------
    module, name : str
    names : mapping of str to str
        New names by the old ones.
    """
    new = names.get(name)
    if new is not None:
        _warn(f"{module}.{name}", f"{module}.{new}")
    return new


def renamed_value(argument: str, value: Any, values: Mapping[str, Any]) -> Any:
    """The new value of an argument for an old string, with a warning; every other value unchanged.

    It is called from the function whose argument it is.

    Parameters
    ----------
    argument : str
    value : object
    values : mapping of str to object
        New values by the old strings.

    Examples
    --------
    >>> import warnings
    >>> def draw(style):
    ...     return renamed_value("style", style, {"thin": 1})
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     print(draw("thin"), draw(2), caught[0].message)
    1 2 style='thin' is style=1 since version 0.2; the old name ends with version 0.3
    """
    if not isinstance(value, str) or value not in values:
        return value
    new = values[value]
    _warn(f"{argument}={value!r}", f"{argument}={new!r}")
    return new


def _warn(old: str, new: str) -> None:
    warn_user(f"{old} is {new} since version 0.2; the old name ends with version 0.3", DeprecationWarning)
