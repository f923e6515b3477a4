"""A run of some seconds that reports its progress, and one that is interrupted."""

# begin
import signal
import threading

from sympact.models import tumbling_cube

cube = tumbling_cube().with_numbers({"e": 1.0}, t_span=(0, 500))  # loses nothing: it never lies still
result = cube.simulate(progress=True)
print(result.message)

# interrupt
endless = cube.with_numbers(t_span=(0, 1e6))
threading.Timer(0.5, signal.raise_signal, [signal.SIGINT]).start()  # in place of your Ctrl-C
so_far = endless.simulate(max_events=10**9)
print(so_far.status.name, len(so_far.events), "events until", so_far.t_span[1])

# check
assert result.status.name == "FINISHED"
assert so_far.status.name == "INTERRUPTED"
assert so_far.x[:, 1000].tolist() == result.x[:, 1000].tolist()
