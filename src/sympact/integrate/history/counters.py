"""The counters and the settings of a run, members of `Result`."""

from __future__ import annotations

from sympact.integrate.history.run_view import RunView

__all__ = ["counts", "evaluations", "rejected", "settings", "steps", "unproven"]


def steps(result: RunView) -> int:
    """The number of accepted steps."""
    return result._record.counts["steps"]


def rejected(result: RunView) -> int:
    """The number of rejected steps, whose error was too large; 0 for SciPy's methods, which do not count them."""
    return result._record.counts["rejected"]


def unproven(result: RunView) -> int:
    """The number of steps in which the bounds of a boundary left a crossing undecided: there sampled values decided.

    It is 0 unless a boundary has no bound along the motion (through a zero of a divisor, for instance) or a jump, or
    stays near zero throughout. docs/theory, boundary search, states what is proven.
    """
    return result._record.counts.get("unproven", 0)


def evaluations(result: RunView) -> int:
    """The number of evaluations of the flow."""
    return result._record.counts["flow"]


def counts(result: RunView) -> dict[str, int]:
    """The work done: ``steps``, ``rejected`` steps, evaluations of ``flow`` and ``boundary``, ``dense`` outputs.

    Also ``parts`` of steps whose boundaries were enclosed, ``unproven`` steps, in which the enclosures left open
    whether a boundary was crossed, and ``interpolated`` events, whose places are those of the step's polynomial; with
    constraints the ``choices`` of dependent coordinates, tangent spaces or bases by the formulation, and the
    evaluations in which constraints were ``unmet``, because their rank decreases there for an instant.
    """
    return dict(result._record.counts)


def settings(result: RunView) -> dict[str, object]:
    """The settings: ``t_span``, ``method``, ``rtol``, ``atol``, ``max_step``, ``max_events``, ``max_steps``.

    For a model with contacts also the lengths to which gaps are relative (m): ``length``, the model's own or the one
    measured along the motion up to the end of the run; ``dead_band``, the depth of a crossing that the search may omit;
    ``rebound_height``, the height of rebounds at which an accumulation ends. ``solvers`` has the number of calls of
    each solver of impacts and forces and of each of its fallbacks; docs/theory, complementarity, has
    the list of their names. The audit of smooth arcs with closed contacts gives ``equation_residual``, the largest
    residual of the equations of motion with the forces of contacts, relative to the largest force, and
    ``cone_violation``, the largest distance of a force from its cone, or a slip against its direction; both are 0
    where no contact was closed.

    Examples
    --------
    >>> from sympact.models import two_links
    >>> settings = two_links().simulate().settings
    >>> settings["length"], settings["dead_band"], settings["rebound_height"]
    (1.0, 1e-10, 1e-10)
    """
    return dict(result._record.settings)
