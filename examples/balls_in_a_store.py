"""Twenty thousand balls are dropped into a store, by threads or by a cluster: when do they come to rest?

    python examples/balls_in_a_store.py [PICTURE] [SCHEDULER]

The heights and restitutions of the balls are random. With the address of a Dask scheduler, such as
``tcp://127.0.0.1:8786``, the workers of that cluster make the runs; the bits are the same. The store is read by xarray
in pieces, so that it may be larger than memory. In theory a ball comes to rest at t_1 (1 + e) / (1 - e), with the time
t_1 of its first impact.
"""

import sys
import tempfile
from pathlib import Path

import numpy as np
import xarray
from matplotlib.figure import Figure
from scipy.stats import uniform

import sympact
from sympact.models import bouncing_ball

RUNS = 20_000
PIECE = 4096  # runs that are read at once
EDGES = np.linspace(0, 4, 81)  # s


def drop(store, executor=None):
    """All runs; of a store that has some already the others."""
    heights, restitutions = {"z": uniform(0.5, 2.0)}, {"e": uniform(0.3, 0.4)}
    return sympact.ensemble(
        bouncing_ball(), (0, 4), heights, restitutions, runs=RUNS, seed=5, store=store, executor=executor
    )


def times_of_rest(store):
    """How many balls come to rest in each interval of time: by their last events, and in theory."""
    with xarray.open_zarr(store, chunks=None) as runs:
        last = np.zeros(runs.sizes["run"])
        for first in range(0, runs.sizes["event"], 16 * PIECE):
            events = runs.isel(event=slice(first, first + 16 * PIECE))
            np.maximum.at(last, events.event_run.values, events.event_t.values)
        found, theory = np.zeros(len(EDGES) - 1), np.zeros(len(EDGES) - 1)
        for first in range(0, runs.sizes["run"], PIECE):
            own = runs.isel(run=slice(first, first + PIECE))
            fall, e = np.sqrt(2 * own.x0.sel(state="z").values / 9.81), own.parameter_e.values
            theory += np.histogram(fall * (1 + e) / (1 - e), EDGES)[0]
            found += np.histogram(last[first : first + PIECE][own.at_rest.values], EDGES)[0]
    return found, theory


def draw(found, theory):
    """Both as steps."""
    figure = Figure(figsize=(7, 3.6), layout="constrained")
    axes = figure.subplots()
    axes.stairs(found, EDGES, fill=True, alpha=0.4, label="simulated")
    axes.stairs(theory, EDGES, color="black", linewidth=1, label="in theory")
    axes.set(xlabel="time of rest (s)", ylabel="balls in 0.05 s", title=f"{RUNS:,} balls")
    axes.legend(frameon=False)
    return figure


def main(picture="balls_in_a_store.png", scheduler=None):
    """Run, read, draw."""
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder, "balls.zarr")
        if scheduler is None:
            print(drop(store))
        else:
            from distributed import Client

            with Client(scheduler) as client:
                print(drop(store, client))
        found, theory = times_of_rest(store)
    print("Largest difference in an interval:", int(abs(found - theory).max()), "balls")
    draw(found, theory).savefig(picture, dpi=150)
    print("The picture is in", picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
