"""Models as environments of Gymnasium: its own checker, a closed form, what is refused."""

import numpy as np
import pytest
import sympy as sm
from sympy.physics.mechanics import Force, Particle, PrismaticJoint, RigidBody, System, dynamicsymbols

from sympact import HybridModel, Limit, Stop

env_checker = pytest.importorskip("gymnasium.utils.env_checker")


@pytest.fixture(scope="module")
def pushed():
    """A cart of 1 kg that a force pushes, up to a stop that it hits without rebound."""
    rail, cart, force = RigidBody("rail"), Particle("cart", mass=1), dynamicsymbols("F")
    system = System.from_newtonian(rail)
    system.add_joints(PrismaticJoint("slide", rail, cart))
    system.add_loads(Force(cart, force * rail.x))
    (x,), (v,) = system.q, system.u
    return HybridModel(system, [Limit(sm.Rational(1, 2) - x, restitution=0)]), x, v, force


def environment(pushed, **options):
    from sympact import Environment

    model, x, v, force = pushed
    given = {"dt": 0.1, "max_time": 2.0, **options}
    return Environment(model, [0.0, 0.0], {}, {force: (-1.0, 1.0)}, [x, v], lambda run: run[x], **given)


@pytest.mark.filterwarnings("ignore:.*A Box observation space m:UserWarning")
def test_gymnasiums_own_checker_accepts_it(pushed):
    env_checker.check_env(environment(pushed), skip_render_check=True)


def test_an_episode_under_a_constant_force(pushed):
    """x = t^2/2 up to the stop at t = 1, where the cart stays; the episode is truncated after 2 s."""
    env, (seen, _), k = environment(pushed), (np.zeros(2), {}), 0
    env.reset(seed=1)
    truncated = False
    while not truncated:
        seen, reward, terminated, truncated, _ = env.step([1.0])
        k += 1
        t = 0.1 * k
        assert not terminated
        assert np.allclose(seen, [t**2 / 2, t] if t < 0.99 else [0.5, 0.0], atol=1e-8)
        assert reward == seen[0]
    assert k == 20


def test_a_stop_terminates_and_a_start_is_drawn(pushed):
    from sympact import Environment

    model, x, v, force = pushed
    env = Environment(
        model,
        lambda rng: {x: rng.uniform(0, 0.1), v: 0},
        {},
        {force: (-1, 1)},
        [x],
        lambda run: 0.0,
        dt=0.25,
        events={"far": Stop(x - sm.Rational(1, 4))},
    )
    first, _ = env.reset(seed=3)
    again, _ = env.reset(seed=3)
    other, _ = env.reset(seed=4)
    assert first == again != other
    terminated = False
    while not terminated:
        seen, _, terminated, truncated, info = env.step([1.0])
        assert not truncated
    assert np.isclose(seen[0], 0.25)
    assert info == {"status": "STOPPED"}


@pytest.mark.parametrize(
    ("bounds", "words"), [([], "at least one action"), ([(1.0, 1.0)], "expected its least and its largest")]
)
def test_what_is_refused(pushed, bounds, words):
    from sympact import Environment

    model, x, _, force = pushed
    given = dict(zip([force], bounds, strict=False))
    with pytest.raises(ValueError, match=words):
        Environment(model, [0, 0], {}, given, [x], lambda run: 0.0, dt=0.1)
    env = environment(pushed)
    env.reset()
    with pytest.raises(ValueError, match="expected 1 numbers"):
        env.step([1.0, 2.0])
