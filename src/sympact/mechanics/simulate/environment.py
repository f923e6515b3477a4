"""A model as an environment for reinforcement learning: the interface of Gymnasium."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import inf
from typing import Any, ClassVar

import numpy as np
from sympy import Expr

from sympact.integrate.problem.status import Status
from sympact.integrate.stepped_run import SteppedRun
from sympact.native.sentences.refused_calls import explain_public

try:
    import gymnasium
except ImportError as error:
    raise ImportError(
        "an Environment needs gymnasium, which is not installed; install it with: python -m pip install "
        "'sympact[learn]'"
    ) from error

__all__ = ["Environment"]

Reward = Callable[[SteppedRun], float]
"""A number for the step that has just been made, from the run at its end."""


class Environment(gymnasium.Env):
    """A model that an agent acts on, with the interface of Gymnasium.

    Each call of ``step(action)`` holds the inputs for `dt`. The episode terminates where the run does, by a `Stop` in
    `events` or an early end, and where `terminated` says so; it is truncated after `max_time`.

    Parameters
    ----------
    model : HybridModel
    x0 : mapping, array_like or callable
        The start, or a function of a `numpy.random.Generator` that draws one.
    parameters : mapping of Symbol to float
    actions : mapping of Expr to (float, float)
        The inputs that the agent chooses, each with its least and its largest number.
    observations : sequence of Expr or str
        What the agent sees: expressions of the model, states or outputs by their names.
    reward : callable
        ``reward(run) -> float`` of the `SteppedRun` after the step.
    dt : float
        The duration of a step (s).
    terminated : callable, optional
        ``terminated(run) -> bool``: whether the episode is over.
    max_time : float
        The duration after which an episode is truncated (s).
    **options
        Those of `HybridModel.stepper`, such as ``events`` and ``inputs``.

    Attributes
    ----------
    run : SteppedRun
        The run of the present episode.

    Raises
    ------
    ImportError
        Without gymnasium: ``python -m pip install 'sympact[learn]'``.
    ValueError
        If no action or observation is there, or a range is none.

    Examples
    --------
    A cart on a rail with a stop at its end, which an agent pushes:

    >>> from sympact import HybridModel, Limit
    >>> from sympy.physics.mechanics import Force, Particle, PrismaticJoint, RigidBody, System, dynamicsymbols
    >>> rail, cart, force = RigidBody("rail"), Particle("cart", mass=1), dynamicsymbols("F")
    >>> system = System.from_newtonian(rail)
    >>> joint = PrismaticJoint("slide", rail, cart)
    >>> system.add_joints(joint)
    >>> system.add_loads(Force(cart, force * rail.x))
    >>> (place,), (speed,) = system.q, system.u
    >>> model = HybridModel(system, [Limit(1 - place, restitution=0.5)])
    >>> env = Environment(
    ...     model, [0.0, 0.0], {}, {force: (-1, 1)}, [place, speed], lambda run: -run[place] ** 2, dt=0.1, max_time=5.0
    ... )
    >>> seen, info = env.reset(seed=1)
    >>> seen, reward, terminated, truncated, info = env.step([1.0])
    >>> seen.round(6), round(reward, 9), terminated, truncated
    (array([0.005, 0.1  ]), -2.5e-05, False, False)
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": []}

    def __init__(
        self,
        model: Any,
        x0: Mapping[Expr, float] | Sequence[float] | Callable[[np.random.Generator], Any],
        parameters: Mapping[Expr, float],
        actions: Mapping[Expr, tuple[float, float]],
        observations: Sequence[Expr | str],
        reward: Reward,
        *,
        dt: float,
        terminated: Callable[[SteppedRun], bool] | None = None,
        max_time: float = inf,
        **options,
    ) -> None:
        if not actions or not observations:
            raise ValueError("an Environment needs at least one action and one observation")
        for letter, bounds in actions.items():
            if not (len(bounds) == 2 and bounds[0] < bounds[1]):
                raise ValueError(f"the range of {letter} is {bounds!r}, expected its least and its largest number")
        least, largest = np.array(list(actions.values()), dtype=float).T
        self.action_space = gymnasium.spaces.Box(least, largest, dtype=np.float64)
        self.observation_space = gymnasium.spaces.Box(-inf, inf, (len(observations),), dtype=np.float64)
        self._draw, self._actions, self._observations = x0, tuple(actions), tuple(observations)
        self._reward, self._dt, self._terminated, self._max_time = reward, dt, terminated, max_time
        inputs = {**dict.fromkeys(actions, 0.0), **options.pop("inputs", {})}
        start = x0(np.random.default_rng(0)) if callable(x0) else x0
        self.run: SteppedRun = model.stepper(start, parameters, inputs=inputs, **{"record": False, **options})
        self._begun = self.run.t

    def reset(self, *, seed: int | None = None, options: dict | None = None) -> tuple[np.ndarray, dict]:
        """A new episode; `seed` determines what a function for the start draws."""
        super().reset(seed=seed)
        self.run.reset(self._draw(self.np_random) if callable(self._draw) else None)
        return self._seen(), {}

    def step(self, action: Any) -> tuple[np.ndarray, float, bool, bool, dict]:
        """Hold the inputs for a step: what is seen, the reward, whether the episode is terminated or truncated."""
        numbers = np.asarray(action, dtype=float).ravel()
        if numbers.shape != (len(self._actions),):
            raise ValueError(f"action is {action!r}, expected {len(self._actions)} numbers")
        status = self.run.step(self._dt, dict(zip(self._actions, numbers.tolist(), strict=True)))
        over = status is not None and status is not Status.FINISHED
        over = over or (self._terminated is not None and bool(self._terminated(self.run)))
        truncated = status is Status.FINISHED or self.run.t - self._begun >= self._max_time
        info = {} if status is None else {"status": status.name}
        return self._seen(), float(self._reward(self.run)), over, truncated and not over, info

    def _seen(self) -> np.ndarray:
        return np.array([self.run[one] for one in self._observations])


explain_public(globals())
