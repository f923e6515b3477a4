"""Modes: the statuses of contacts and signs of switches distinguish the modes of a stage.

Conditions of the user's own do not: no flow contains them.
"""

from sympact.native.kernel import kernel
from sympact.native.pointer import row_of


@kernel
def note_mode(run):
    """The present mode into `mode`; a new one is added to the table."""
    if run.mode_width == 0:
        run.mode = run.stage_index
        return
    known = run.modes
    write_mode(run, known)
    width = run.mode_width
    new = row_of(run.mode_table, known)
    for i in range(known):
        row, same = row_of(run.mode_table, i), True
        for j in range(width):
            same = same and row[j] == new[j]
        if same:
            run.mode = i
            return
    run.mode, run.modes = known, known + 1


@kernel
def write_mode(run, i):
    """The present stage, statuses and signs into row i of the table."""
    width = run.mode_width
    row = row_of(run.mode_table, i)
    n, m = run.stage.n_statuses, run.stage.n_switches - run.stage.n_watches
    for j in range(width):
        row[j] = 0
    row[0] = run.stage_index
    if n > 0:
        statuses = run.stage.statuses
        for j in range(n):
            row[1 + j] = statuses[j]
    if m > 0:
        switches = run.stage.switches
        for j in range(m):
            row[1 + n + j] = 1 if switches[j] > 0.0 else 0
