"""What is recorded of a run: work and the balance of energy."""

# begin
import numpy as np

from sympact import Count, Integral, Maximum
from sympact.models import belt_oscillator

result = belt_oscillator().simulate()
for name, work in result.work.items():
    print(f"{name}: {work[-1]:.6f} J")

# balance
balance = result.energy - result.work.total
losses = sum(event.energy for event in result.events if np.isfinite(event.energy))
print("not explained:", balance[-1] - balance[0] - losses)

# observe
ready = belt_oscillator()
x, _, v, _ = ready.model.x
observe = {"farthest": Maximum(x), "way": Integral(abs(v)), "slips": Count(kind="slip")}
result = ready.simulate(observe=observe, keep="events")
for name, found in result.observed.items():
    print(f"{name}: {found.value:.6f} at t = {found.t:.6f}")

# join
first = ready.model.simulate((0, 2), ready.start, ready.parameters)
second = ready.model.simulate((2, 5), first(2), ready.parameters, rtol=1e-6)
whole = first + second
print(whole.t_span, len(whole.events))

# end
