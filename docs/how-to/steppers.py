"""The same ball with every stepper: where each finds the first impact."""

# begin
from math import sqrt

from sympact.models import bouncing_ball

ball, exact = bouncing_ball(), sqrt(2 / 9.81)
settings = {
    "DOP853": {},  # the default: adaptive, order 8
    "RK45": {},  # adaptive, order 5
    "RK4": {"max_step": 0.01},  # the steps are max_step
    "improved Euler": {"max_step": 0.01},
    "Euler": {"max_step": 0.01},
    "RadauIIA": {},  # implicit, for stiff flows
    "Radau": {},  # SciPy's
    "BDF": {},
    "LSODA": {},
}
errors = {}
for method, options in settings.items():
    result = ball.simulate(method=method, max_events=1, **options)
    errors[method] = abs(result.events[0].t - exact)
    print(f"{method:15} {result.counts['steps']:4} steps, first impact off by {errors[method]:.1e} s")

assert errors.pop("Euler") < 0.01  # of first order: by about half a step
assert max(errors.values()) < 1e-6
