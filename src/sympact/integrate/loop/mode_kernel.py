"""Modes: what changes within a stage (statuses of contacts, signs of switches) tells one mode from another."""

from sympact.integrate.memory import run_layout as at
from sympact.native.kernel import kernel
from sympact.native.pointer import reals, wholes


@kernel
def note_mode(frame):
    """The present mode into MODE; one that was not met before joins the table."""
    if frame[at.MODE_WIDTH] == 0:
        frame[at.MODE] = frame[at.STAGE]
        return
    known = frame[at.MODES]
    write_mode(frame, known)
    width = frame[at.MODE_WIDTH]
    new = wholes(frame[at.MODE_TABLE] + 8 * known * width, width)
    for i in range(known):
        row, same = wholes(frame[at.MODE_TABLE] + 8 * i * width, width), True
        for j in range(width):
            same = same and row[j] == new[j]
        if same:
            frame[at.MODE] = i
            return
    frame[at.MODE], frame[at.MODES] = known, known + 1


@kernel
def write_mode(frame, i):
    """The present stage, statuses and signs into row i of the table."""
    width = frame[at.MODE_WIDTH]
    row = wholes(frame[at.MODE_TABLE] + 8 * i * width, width)
    n, m = frame[at.N_STATUSES], frame[at.N_SWITCHES]
    for j in range(width):
        row[j] = 0
    row[0] = frame[at.STAGE]
    if n > 0:
        statuses = wholes(frame[at.STATUSES], n)
        for j in range(n):
            row[1 + j] = statuses[j]
    if m > 0:
        switches = reals(frame[at.SWITCHES], m)
        for j in range(m):
            row[1 + n + j] = 1 if switches[j] > 0.0 else 0
