"""A ball on a vibrating table: its return map, its bifurcations, which starts come to rest, and a periodic orbit."""

# begin
import numpy as np
from matplotlib.figure import Figure
from scipy.stats import qmc, uniform

import sympact
from sympact.models import shaking_table

period = 0.2  # of the table (s)
chaotic = shaking_table(1.4, 0.8)  # largest acceleration 1.4 g, restitution 0.8
returns = sympact.return_map(
    chaotic,
    "ball",
    (0, 100),
    {"z": uniform(0.05, 0.05)},  # heights between 5 and 10 cm
    runs=64,
    points=qmc.Sobol(d=1, seed=1),  # quasi-random
    transient=20.0,
)
print(returns)
figure = Figure(figsize=(6.4, 4.4), layout="constrained")
axes = figure.subplots()
axes.plot(np.mod(returns.t, period), returns.value("v"), ",")
axes.set(xlabel="time of the impact in the period (s)", ylabel="velocity after it (m/s)")
figure.savefig("sweeps_portrait.png", dpi=120)

# diagram
strengths = np.linspace(0.9, 1.3, 80)  # largest acceleration in units of g
amplitudes = strengths * 9.81 / (2 * np.pi / period) ** 2
diagram = sympact.bifurcation_diagram(
    shaking_table(1.0, 0.8),
    "ball",
    {"A": amplitudes},
    (0.14, 40.14),  # begins where the ball is high, so that the next start is above the table as well
    {"z": 0.057, "v": 0.0},
    transient=30.0,
    follow="up",
    period=period,
)
diagram.plot(diagram.phase(period), label="time in the period (s)").savefig("sweeps_diagram.png", dpi=120)

# basins
resting = sympact.basins(
    shaking_table(1.0, 0.3),
    {"z": np.linspace(0.001, 0.1, 20), "e": np.linspace(0.1, 0.9, 20)},
    lambda runs: np.where(runs.n_events > 30, "bounces", "rests"),
    (0, 4),
)
print(resting)

# orbit
table = shaking_table(0.9, 0.8)
orbit = sympact.find_orbit(table, "ball", {"z": 0.01, "v": 1.0}, t_max=0.5, t_start=0.036, period=period)
print(orbit)
orbit.plot("z", "v", labels=("height (m)", "velocity (m/s)")).savefig("sweeps_orbit.png", dpi=120)

# check
assert abs(orbit.x[1] - 9.81 * period / 2) < 1e-9  # up and down in one period
assert orbit.stable
