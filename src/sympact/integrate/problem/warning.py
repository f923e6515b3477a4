"""Warnings of runs: stored in the result, and shown once for each kind in a process."""

from __future__ import annotations

import sys
import warnings

__all__ = ["EndWarning", "ImpactWarning", "SympactWarning", "restored_warning", "tell"]


class SympactWarning(UserWarning):
    """The base class of warnings of a run; `Result.warnings` has them, also those that a filter does not show.

    By default each kind is shown once in a process, for any figures. Python's filters apply as to every warning:
    ``warnings.simplefilter("always", sympact.SympactWarning)`` shows all, ``"ignore"`` none, ``"error"`` raises the
    first.

    Parameters
    ----------
    message : str
        The fault with its figures, and a remedy.
    kind : str
        Its subject as a short name, the same for all figures.

    Examples
    --------
    >>> warning = SympactWarning("3 impacts were ...", "near miss")
    >>> str(warning), warning.kind
    ('3 impacts were ...', 'near miss')
    """

    def __init__(self, message: str, kind: str = ""):
        super().__init__(message)
        self.kind = kind


class ImpactWarning(SympactWarning):
    """An impact whose outcome the model does not determine, or whose law created energy."""


class EndWarning(SympactWarning, RuntimeWarning):
    """A run that ended early, where only its arrays are returned, without a status."""


_CLASSES = {category.__name__: category for category in (SympactWarning, ImpactWarning, EndWarning)}
_shown: dict[tuple[type, str], dict] = {}


def restored_warning(category: str, kind: str, message: str) -> SympactWarning:
    """A warning read from a file; a category that this version does not know is a `SympactWarning`.

    >>> restored_warning("ImpactWarning", "gain", "1 impact(s) gained energy")
    ImpactWarning('1 impact(s) gained energy')
    """
    return _CLASSES.get(category, SympactWarning)(message, kind)


def tell(warning: SympactWarning) -> None:
    """Show a warning at the line outside of this package that started the run, if none of its kind was shown before.

    Python shows a text once for each place; texts of runs differ in their figures. So each kind has a registry of its
    own, in which a text counts as shown when an earlier one was; a change of the filters empties it, as usual.
    """
    place = sys._getframe()
    while place.f_back is not None and place.f_globals["__name__"].startswith("sympact."):
        place = place.f_back
    category, module = type(warning), place.f_globals.get("__name__", "<unknown>")
    registry = _shown.setdefault((category, warning.kind), {})
    if any(isinstance(key, tuple) for key in registry):
        version = registry.get("version")
        registry.clear()
        registry.update({"version": version, (str(warning), category, place.f_lineno): True})
    warnings.warn_explicit(
        warning, category, place.f_code.co_filename, place.f_lineno, module=module, registry=registry
    )
