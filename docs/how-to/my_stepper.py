"""Steppers of one's own: semi-implicit Euler as a function, Ralston's method as a tableau; their order and energy."""

# begin
import numpy as np

from sympact import HybridSystem, OneStep, RungeKutta, Transition


def semi_implicit_euler(f, t, x, h):
    """The speeds by the rates at the start, then the places by the new speeds; x = [q, u] with q' = u."""
    n = len(x) // 2
    u = x[n:] + h * f(t, x)[n:]
    return np.concatenate([x[:n] + h * u, u])


symplectic = OneStep(semi_implicit_euler, name="semi-implicit Euler")
ralston = RungeKutta(a=[[], [2 / 3]], b=[1 / 4, 3 / 4], name="Ralston")
assert ralston.order == 2

# a spring of frequency 1 that hits a wall at q = -1/2 and turns round: events are found with every method
wall = Transition("spring", "spring", boundary=lambda t, x: -0.5 - x[0], jump=lambda t, x: [x[0], -x[1]], name="wall")
spring = HybridSystem({"spring": lambda t, x: [x[1], -x[0]]}, [wall], states=["q", "u"])
hit = 2 * np.pi / 3  # cos(t) = -1/2
for method, order in ((symplectic, 1), (ralston, 2)):
    errors = []
    for step in (0.02, 0.01):
        result = spring.simulate((0, 4), [1.0, 0.0], start="spring", method=method, max_step=step)
        errors.append(abs(result.events[0].t - hit))
    print(f"{method.name}: the wall is hit {errors[0]:.1e} and {errors[1]:.1e} s off")
    assert abs(errors[0] / errors[1] - 2**order) < 0.4 * 2**order  # half the step: a half, or a quarter, of the error

# without the wall: the energy after 32 periods
free = HybridSystem({"spring": lambda t, x: [x[1], -x[0]]}, [], states=["q", "u"])
for method in ("Euler", symplectic):
    result = free.simulate((0, 200), [1.0, 0.0], start="spring", method=method, max_step=0.05)
    energy = (result["q"] ** 2 + result["u"] ** 2) / 2
    print(f"{result.settings['method']}: the energy of 1/2 ends at {energy[-1]:.3g}")
assert abs(energy - 0.5).max() < 0.02  # it swings by h/4 about its mean, for ever; that of Euler's method explodes
