"""Laws of the normal force of compliant contacts, by the compression d and its rate d'."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from numbers import Real

from sympy import Expr, Integer, Rational, Symbol, exp, log, nsolve, sstr

from sympact.integrate.problem.real import described
from sympact.mechanics.shapes.unilateral import read_expression

__all__ = ["ContactLaw", "HuntCrossley", "KelvinVoigt", "LankaraniNikravesh", "WrittenLaw", "compression", "read_law"]

compression = Symbol("d", nonnegative=True), Symbol("d'", real=True)
"""The compression d (m), positive where the two overlap, and its rate d' (m/s)."""

_DIGITS = 60  # of the equation of `HuntCrossley.from_restitution`, whose sides nearly cancel for e near 1


class ContactLaw(ABC):
    """The force F(d, d') with which a compliant contact pushes while it is compressed; it never pulls.

    Other laws are subclasses, or functions of d and d' that give an expression.
    """

    @abstractmethod
    def force(self, d: Expr, rate: Expr) -> Expr:
        """F (N) for d > 0; where it is negative the contact is released."""

    def pushes(self, d: Expr, rate: Expr) -> Expr:
        """A number that has the sign of F for d > 0; by default F."""
        return self.force(d, rate)

    @abstractmethod
    def energy(self, d: Expr) -> Expr | None:
        """V (J) with the elastic force dV/dd; None where nothing is known to be elastic: all of F does work then."""

    def parts(self) -> tuple[Expr, ...]:
        """The expressions in it, without d and d'."""
        energy, without = self.energy(compression[0]), dict.fromkeys(compression, Integer(1))
        written = (self.force(*compression), self.pushes(*compression), *(() if energy is None else (energy,)))
        return tuple(one.xreplace(without) for one in written)


def _positive(value: object, what: str, or_zero: str = "") -> Expr:
    """A parameter of a law; a number must be positive, or not negative."""
    read = read_expression(value, what)
    if read.is_number and not (read.is_real and (read > 0 or (or_zero and read == 0))):
        raise ValueError(f"{what} is {sstr(read, full_prec=False)}, expected a positive number{or_zero}")
    return read


@dataclass(frozen=True)
class HuntCrossley(ContactLaw):
    """F = k d^n (1 + a d'), Hunt and Crossley's law: without a jump of the force at touch.

    Parameters
    ----------
    stiffness : number or Expr
        k (N/m^n), positive.
    exponent : number or Expr
        n, positive: 3/2 for Hertz's contact of round bodies, 1 for a flat one.
    damping : number or Expr
        a (s/m), at least 0. `from_restitution` finds the one that gives a rebound.

    Notes
    -----
    A free body that touches at the speed v leaves at e v, where z = a v and

        (1 + e) z = log((1 + z) / (1 - e z)),   e = (1 + W(-(1 + z) exp(-(1 + z)))) / z

    with Lambert's function W, whatever k, n and the masses are. For small z this is e = 1 - 2 z / 3 [1]_.

    Raises
    ------
    TypeError
        If a parameter is no number or expression.
    ValueError
        If a number is negative, or the stiffness or the exponent zero.

    References
    ----------
    .. [1] K. H. Hunt, F. R. E. Crossley, "Coefficient of restitution interpreted as damping in vibroimpact", Journal of
       Applied Mechanics 42 (1975) 440-445.

    Examples
    --------
    >>> HuntCrossley(1e6, 1.5, damping=0.2)
    HuntCrossley(stiffness=1000000.00000000, exponent=1.50000000000000, damping=0.200000000000000)
    >>> float(HuntCrossley.from_restitution(1e6, 1.5, restitution=0.5, speed=2.0).damping)
    0.7163752666356875
    """

    stiffness: Expr
    exponent: Expr
    damping: Expr

    def __post_init__(self) -> None:
        for what, or_zero in (("stiffness", ""), ("exponent", ""), ("damping", " or 0")):
            value = _positive(getattr(self, what), f"the {what} of a {type(self).__name__}", or_zero)
            object.__setattr__(self, what, value)

    @staticmethod
    def from_restitution(stiffness: Expr, exponent: Expr, restitution: float, speed: Expr) -> HuntCrossley:
        """The law by which a free body that touches at a speed rebounds with a coefficient of restitution.

        Parameters
        ----------
        stiffness, exponent : number or Expr
        restitution : float
            e, above 0 and at most 1, at this speed; it is more at lower speeds.
        speed : number or Expr
            The speed of approach v (m/s), positive.

        Raises
        ------
        ValueError
            If the restitution is no number above 0 and up to 1.
        """
        if not (isinstance(restitution, Real) and 0.0 < restitution <= 1.0):
            raise ValueError(
                f"the restitution of a HuntCrossley is {described(restitution)}, expected a number above 0 and up to "
                "1: with this law every body rebounds"
            )
        speed = _positive(speed, "the speed of a HuntCrossley")
        return HuntCrossley(stiffness, exponent, _damped_speed(float(restitution)) / speed)

    def force(self, d: Expr, rate: Expr) -> Expr:
        """k d^n (1 + a d')."""
        return self.stiffness * d**self.exponent * self.pushes(d, rate)

    def pushes(self, d: Expr, rate: Expr) -> Expr:
        """1 + a d'."""
        return 1 + self.damping * rate

    def energy(self, d: Expr) -> Expr:
        """k d^(n + 1) / (n + 1)."""
        return self.stiffness * d ** (self.exponent + 1) / (self.exponent + 1)


def _damped_speed(e: float) -> float:
    """z = a v of a restitution: the root of (1 + e) z = log(1 + z) + y with y = -log(1 - e z)."""
    if e == 1.0:
        return 0.0
    e, y = Rational(e), Symbol("y")
    z = (1 - exp(-y)) / e
    ends = (1 - e) / 4, (1 + e) / e  # y = 1.5 (1 - e) near e = 1, and e z < 1
    excess = (1 + e) * z - log(1 + z) - y
    root = nsolve(excess, y, ends, solver="illinois", maxsteps=500, verify=False, prec=_DIGITS)
    return float(z.subs(y, root))


@dataclass(frozen=True)
class LankaraniNikravesh(HuntCrossley):
    """F = k d^n (1 + 3 (1 - e^2) / 4 d' / v), Lankarani and Nikravesh's formula for the damping of a restitution.

    The rebound is not e: a free body that touches at v leaves with .684, .725, .796 and .913 of v for e = .3, .5, .7
    and .9. `HuntCrossley.from_restitution` has the damping that gives e.

    Parameters
    ----------
    stiffness, exponent : number or Expr
        k (N/m^n) and n, as of `HuntCrossley`.
    restitution : number or Expr
        e of the formula [1]_.
    speed : number or Expr
        The speed of approach v (m/s) in the formula, positive.

    Raises
    ------
    TypeError
        If a parameter is no number or expression.
    ValueError
        If a number is negative, or the stiffness, the exponent or the speed zero, or the restitution above 1.

    References
    ----------
    .. [1] H. M. Lankarani, P. E. Nikravesh, "A contact force model with hysteresis damping for impact analysis of
       multibody systems", Journal of Mechanical Design 112 (1990) 369-376.

    Examples
    --------
    >>> float(LankaraniNikravesh(1e6, 1.5, restitution=0.5, speed=2.0).damping)
    0.28125
    """

    damping: Expr = field(init=False)
    restitution: Expr = field(kw_only=True)
    speed: Expr = field(kw_only=True)

    def __post_init__(self) -> None:
        restitution = read_expression(self.restitution, "the restitution of a LankaraniNikravesh")
        if restitution.is_number and not (restitution.is_real and 0 <= restitution <= 1):
            raise ValueError(
                f"the restitution of a LankaraniNikravesh is {sstr(restitution, full_prec=False)}, expected a number "
                "from 0 to 1"
            )
        speed = _positive(self.speed, "the speed of a LankaraniNikravesh")
        damping = 3 * (1 - restitution**2) / (4 * speed)
        for what, value in (("restitution", restitution), ("speed", speed), ("damping", damping)):
            object.__setattr__(self, what, value)
        super().__post_init__()


@dataclass(frozen=True)
class KelvinVoigt(ContactLaw):
    """F = k d + c d': a spring beside a damper. The force jumps to c d' at touch, and ends before d does.

    Parameters
    ----------
    stiffness : number or Expr
        k (N/m), positive.
    damping : number or Expr
        c (N s/m), at least 0.

    Notes
    -----
    With the damping ratio zeta = c / (2 sqrt(k m)) < 1 a free mass m is released where F = 0, at the phase theta =
    acos(2 zeta^2 - 1) of the damped oscillation, and rebounds with

        e = exp(-zeta theta / sqrt(1 - zeta^2)),

    not with exp(-zeta pi / sqrt(1 - zeta^2)): until d = 0 the force would have pulled.

    Raises
    ------
    TypeError
        If a parameter is no number or expression.
    ValueError
        If a number is negative, or the stiffness zero.

    Examples
    --------
    >>> KelvinVoigt(1000, 5)
    KelvinVoigt(stiffness=1000, damping=5)
    """

    stiffness: Expr
    damping: Expr

    def __post_init__(self) -> None:
        for what, or_zero in (("stiffness", ""), ("damping", " or 0")):
            object.__setattr__(self, what, _positive(getattr(self, what), f"the {what} of a KelvinVoigt", or_zero))

    def force(self, d: Expr, rate: Expr) -> Expr:
        """k d + c d'."""
        return self.stiffness * d + self.damping * rate

    def energy(self, d: Expr) -> Expr:
        """k d^2 / 2."""
        return self.stiffness * d**2 / 2


@dataclass(frozen=True)
class WrittenLaw(ContactLaw):
    """A function of the user's: F(d, d') as an expression of both and of the model's symbols."""

    function: Callable[[Expr, Expr], Expr]

    def force(self, d: Expr, rate: Expr) -> Expr:
        """F (N)."""
        return read_expression(self.function(d, rate), f"the force of the law {self.function!r}")

    def energy(self, d: Expr) -> None:
        """Unknown."""
        return


def read_law(law: object, title: str) -> ContactLaw:
    """A law, or a function of the compression and its rate as one.

    Raises
    ------
    TypeError
        If it is neither.
    """
    if isinstance(law, ContactLaw):
        return law
    if callable(law) and not isinstance(law, type):
        try:
            law(*compression)
        except TypeError as error:
            raise TypeError(
                f"the law of {title} is a function of the compression d and its rate, law(d, rate); called with both "
                f"it raised: {error}"
            ) from error
        return WrittenLaw(law)
    raise TypeError(
        f"the law of {title} is a ContactLaw, such as HuntCrossley(k, n, damping), or a function of the compression d "
        f"and its rate; found {described(law)}"
    )
