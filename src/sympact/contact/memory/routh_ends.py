"""The quantity that expansion returns along Routh's path, see `routh_kernel`."""

BY_ENERGY = 0  # e^2 of the work of compression
BY_IMPULSE = 1  # e of its impulse
BY_RATE = 2  # e of the approach speed, -v_N before
