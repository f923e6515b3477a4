"""Balls in a store, made by threads and processes, and read in pieces."""

# begin
import multiprocessing
from concurrent.futures import ProcessPoolExecutor

import xarray
from scipy.stats import uniform

import sympact
from sympact.models import bouncing_ball

heights, numbers = {"z": uniform(0.5, 2.0)}, {"e": uniform(0.3, 0.4)}


def drop(**options):
    return sympact.ensemble(bouncing_ball(), (0, 4), heights, numbers, runs=5000, seed=5, **options)


if __name__ == "__main__":
    balls = drop(store="balls.zarr")
    print(balls)

    # again
    drop(store="balls.zarr")  # all runs are there
    try:
        drop(store="balls.zarr", rtol=1e-6)
    except ValueError as error:
        print(error)

    # lazily
    balls = sympact.Ensemble.open("balls.zarr", bouncing_ball())
    run = balls[17]  # run 17 again, with everything
    with xarray.open_zarr("balls.zarr", chunks=None) as runs:
        some = runs.isel(run=slice(1000, 2000))
        print(some.x.sel(state="z").values.max())  # reads 1000 runs of one array

    # executors
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        again = drop(executor=pool, workers=2)

    # check
    assert (again.x == balls.x).all()
    assert (run.x[:, -1] == balls.x[17]).all()
