"""The message of an impact that ended a run: the contacts, the reason, and a remedy."""

from __future__ import annotations

from collections.abc import Sequence

from sympact.contact.contact_workspace import ContactData
from sympact.contact.infeasibility import Infeasibility
from sympact.contact.solve import explain
from sympact.integrate.problem.status import Status

__all__ = ["describe_unsolved"]


def describe_unsolved(status: Status, data: ContactData, model) -> tuple[str, Infeasibility | None]:
    """`detail` and `infeasibility` of the record of a run that ended with ``UNSOLVED_IMPACT`` or a similar status."""
    names = [contact.name for contact in model.contacts]
    if status is Status.NO_RESTITUTION:
        return _restitutions(data, names), None
    if status is Status.NEGATIVE_FRICTION:
        return _frictions(data, names), None
    who = _listed([names[i] for i in data.participants()])
    if status is Status.UNENDED_IMPACT:
        return f"in the impact of {who}", None
    boundless = _boundless(data, names)
    if not data.assembled_impact:
        return f"no forces, or impulses of a time step, were found for {who}{boundless}", None
    found = explain(data, model.law, names)
    if found is None:
        return f"in the impact of {who}, without a proof that no solution exists{boundless}", None
    return found.sentence(), found


def _restitutions(data: ContactData, names: Sequence[str]) -> str:
    """The inadmissible restitution and its approach speed."""
    k = data.count
    given, rate = data.problem.model_restitution, data.problem.rate_minus[:k]
    wrong = [
        f"{given[j]:.6g} of '{names[j]}' at {-v:.6g} m/s"
        for j, v in zip(data.participants(), rate, strict=True)
        if v < 0.0 and not 0.0 <= given[j] <= 1.0
    ]
    return f"the restitution is {', '.join(wrong)}"


def _frictions(data: ContactData, names: Sequence[str]) -> str:
    """The coefficients of friction that are below zero."""
    both = data.problem.slips[:, -2:].min(axis=1)
    wrong = [f"{both[j]:.6g} of '{names[j]}'" for j in data.participants() if both[j] < 0.0]
    return f"the friction is {', '.join(wrong)}"


def _boundless(data: ContactData, names: Sequence[str]) -> str:
    """The participants whose friction is infinite, and a remedy, as the end of a sentence; empty without any."""
    who = [names[j] for j in data.boundless()]
    if not who:
        return ""
    return (
        f" (the friction of {_listed(who)} is infinite: where only a tensile normal force would stop the slip, "
        "no solution is found; give a large number instead, such as 100)"
    )


def _listed(names: Sequence[str]) -> str:
    return " and ".join(f"'{name}'" for name in names) or "no contact"
