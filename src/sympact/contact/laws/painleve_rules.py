"""How a run continues at Painleve's paradox, where a sliding contact has no admissible force or several motions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass

from sympact.contact.laws.impact_laws import shown

__all__ = ["PAINLEVE_WORDS", "EndOfRun", "ImpactWithoutCollision", "PainleveRule"]


class PainleveRule(ABC):
    """How a run continues at Painleve's paradox.

    A sliding contact has g'' = A lambda_N + b, where A counts the friction that lambda_N brings. With A <= 0 no
    admissible force exists (b < 0), or lift-off and continued contact are both solutions (b > 0).
    """

    def __repr__(self) -> str:
        return shown(self)

    @property
    @abstractmethod
    def makes_impact(self) -> bool:
        """Whether friction stops the slip in an impact, after which the run goes on."""


@dataclass(frozen=True, repr=False)
class EndOfRun(PainleveRule):
    """The run ends with the status ``PAINLEVE`` and keeps everything before; `Result.message` names the contact.

    Examples
    --------
    >>> EndOfRun()
    EndOfRun()
    """

    @property
    def makes_impact(self) -> bool:
        """It makes none."""
        return False


@dataclass(frozen=True, repr=False)
class ImpactWithoutCollision(PainleveRule):
    """An impact whose normal velocity before is zero: friction stops the slip, which ends the coupling.

    The law of the model gives its impulses, M (u+ - u-) = W_N Lambda_N + W_T Lambda_T, for an approach of a few parts
    in 10^9 of the speeds; see :doc:`/theory/friction`. A contact that was open and may lift off does, without an
    impact. Where the impact does not resolve the paradox, the run ends as under `EndOfRun`. A contact with infinite
    friction that slips at a finite force has this impact under either rule.

    References
    ----------
    - F. Genot and B. Brogliato, "New results on Painleve paradoxes", European Journal of Mechanics A/Solids 18 (1999).
    - B. Brogliato, Nonsmooth Mechanics, 3rd edition, Springer, 2016, section 5.6.

    Examples
    --------
    >>> ImpactWithoutCollision()
    ImpactWithoutCollision()
    """

    @property
    def makes_impact(self) -> bool:
        """It makes one."""
        return True


PAINLEVE_WORDS: Mapping[str, PainleveRule] = {"stop": EndOfRun(), "impact": ImpactWithoutCollision()}
"""The rules by their names of version 0.1, which remain valid for one version."""
