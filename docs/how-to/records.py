"""What is recorded of a run: work and the balance of energy."""

# begin
import numpy as np

from sympact.models import belt_oscillator

result = belt_oscillator().simulate()
for name, work in result.work.items():
    print(f"{name}: {work[-1]:.6f} J")

# balance
balance = result.energy - result.work.total
losses = sum(event.energy for event in result.events if np.isfinite(event.energy))
print("not explained:", balance[-1] - balance[0] - losses)

# end
