"""A thousand balls dropped from random heights, and what their runs say together."""

# begin
import numpy as np
from scipy.stats import norm, uniform

import sympact
from sympact.models import bouncing_ball

balls = sympact.ensemble(
    bouncing_ball(),
    (0, 2),
    x0={"z": uniform(1, 0.5), "v": 0.0},  # heights between 1 and 1.5 m
    parameters={"e": norm(0.6, 0.02)},
    runs=1000,
    seed=1,
)
print(balls)
print(balls.events)

# statistics
print("at rest after 2 s:", balls.share(balls.at_rest))
early = balls.rest_time[balls.at_rest]
print("mean time of rest:", balls.mean(early))
first = balls.events.impacts.first(3)  # the times of the first three impacts, shape (1000, 3)
print("impacts at", first.mean(axis=0).round(3), "s on average")

# one
run = balls[17]  # run 17 again, alone, with everything
assert np.array_equal(run.x[:, -1], balls.x[17])
print(run.message)

# bands
times = np.linspace(0, 2, 101)
over_time = sympact.ensemble(
    bouncing_ball(), (0, 2), {"z": uniform(1, 0.5)}, {"e": norm(0.6, 0.02)}, runs=100, seed=1, keep=times
)
over_time.plot("z", label="height (m)").savefig("ensemble_bands.png", dpi=120)
balls.plot(early, label="time of rest (s)").savefig("ensemble_rest.png", dpi=120)

# check
assert np.array_equal(over_time.x, balls.x[:100])
assert abs(first[:, 0] - np.sqrt(2 * balls.x0[:, 0] / 9.81)).max() < 1e-9
