"""A rod that slides down a wall, event by event and by time stepping: how far apart the two are."""

# begin
import numpy as np

from sympact.models import rod_on_wall

rod, times = rod_on_wall(), np.linspace(0, 1, 501)
run = (0, 1), rod.start, rod.parameters
exact = rod.model.simulate(*run)
differences = []
for step in (4e-3, 1e-3, 2.5e-4):
    rough = rod.model.simulate(*run, method="moreau", max_step=step)
    differences.append(abs(rough(times) - exact(times))[:3].max())  # of x, y and theta
    print(f"steps of {step:g} s: within {differences[-1]:.1e}, {-1e3 * rough.gaps.min():.3f} mm below a surface")

assert differences[-1] < differences[0] / 4
