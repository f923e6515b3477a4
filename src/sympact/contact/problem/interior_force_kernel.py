"""The forces of redundant contacts for their margins: those next to forces inside the cones at an earlier state.

Of all forces that give the motion of a mode, those of least norm may leave their cones while others do not. The
difference is a self-stress. Once forces inside the cones are known in a smooth arc, the margins are those of the forces
with the least distance from them: they change as slowly as the loads, and stay inside until these have changed.
"""

from sympact.contact.problem.direct_friction_kernel import solve_factored
from sympact.native.kernel import kernel
from sympact.native.pointer import leading2


@kernel
def follow_interior(contacts, total):
    """Replace the forces that `direct_friction_kernel` has found last by those next to `interior_force`; False where
    it is not known."""
    problem = contacts.problem
    found, force = problem.rank.count[0], problem.multipliers
    if problem.interior <= 0 or problem.decided_directly == 0 or total <= found:
        return False
    equations, weighted = leading2(problem.equations, found, total), leading2(problem.kept_equations, found, total)
    b, target = problem.right_side, problem.force_target
    for k in range(total):
        force[k] = interior_component(problem, problem.force_components[k])
    for _ in range(2):
        for i in range(found):
            s = b[i]
            for k in range(total):
                s -= equations[i, k] * force[k]
            target[i] = s
        solve_factored(problem.force_matrix, found, target)
        for k in range(total):
            s = 0.0
            for i in range(found):
                s += weighted[i, k] * target[i]
            force[k] += s
    return True


@kernel
def interior_component(problem, component):
    """The component 3 j + 0, 1, 2 of `interior_force`: along the normal and the present tangents of contact j."""
    j, c = component // 3, component % 3
    known = problem.interior_force
    if c == 0:
        return known[j, 0]
    s = 0.0
    for i in range(3):
        s += problem.axes[j, 3 * (c - 1) + i] * known[j, 1 + i]
    return s
