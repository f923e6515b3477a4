"""The work that a run took and what was asked of it: the counters and the settings of `Result`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sympact.integrate.result import Result

__all__ = ["counts", "evaluations", "rejected", "settings", "steps", "unproven"]


def steps(result: Result) -> int:
    """How many steps were accepted."""
    return result._record.counts["steps"]


def rejected(result: Result) -> int:
    """How many steps were tried with too large an error, and repeated; 0 for SciPy's methods, which do not tell."""
    return result._record.counts["rejected"]


def unproven(result: Result) -> int:
    """In how many steps the bounds of a boundary left open whether it was crossed: there its numbers decided.

    It is 0 but where a boundary has no bound along the motion (through a zero of a divisor, say) or a jump, and
    where it stays near zero throughout. docs/theory, boundary search, tells what is proven.
    """
    return result._record.counts.get("unproven", 0)


def evaluations(result: Result) -> int:
    """How often the flow was evaluated."""
    return result._record.counts["flow"]


def counts(result: Result) -> dict[str, int]:
    """The work done: ``steps``, ``rejected`` steps, evaluations of ``flow`` and ``boundary``, ``dense`` outputs.

    Also ``parts`` of steps whose boundaries were enclosed, ``unproven`` steps, in which the enclosures left open
    whether a boundary was crossed, and ``interpolated`` events, whose places are those of the step's polynomial.
    """
    return dict(result._record.counts)


def settings(result: Result) -> dict[str, object]:
    """What was asked for: ``t_span``, ``method``, ``rtol``, ``atol``, ``max_step``, ``max_events``, ``max_steps``.

    Of a model with contacts also what lengths were compared with (m): ``length``, the model's own or the one that
    the motion had told at the end of the run; ``dead_band``, the depth of a dip below a surface that the search may
    pass over; ``rebound_height``, that of rebounds which count as the end of an accumulation. ``solvers`` says how
    often the run called each solver of impacts and forces and each of its fallbacks; docs/theory, complementarity, has
    the list of their names.

    Examples
    --------
    >>> from sympact.models import two_links
    >>> settings = two_links().simulate().settings
    >>> settings["length"], settings["dead_band"], settings["rebound_height"]
    (1.0, 1e-10, 1e-10)
    """
    return dict(result._record.settings)
