"""What `check_trajectory` does not look at, and why: the one list of it."""

from __future__ import annotations

from sympact import Contact, HybridModel

FILES = {
    "contact/friction/test_anisotropic_friction.py": "friction in ellipses, which the check does not know; closed "
    "forms are the truth of all runs",
    "contact/friction/test_infinite_friction.py": "contacts that never slip, whose cones the check does not know; "
    "closed forms and a bilateral solution are the truth",
    "contact/impacts/test_impact_approach.py": "the gap just before each impact is the truth",
    "contact/impacts/test_impact_kerb.py": "angular momentum about the kerb is the truth of all runs",
    "contact/test_arc_audit.py": "runs are broken on purpose, in a process of their own: the audit must report it",
    "contact/test_contact_leaving.py": "methods of low order, whose times of leaving are compared with closed forms",
    "mechanics/compliant/test_compliant_contacts.py": "forces by laws, which the check does not know; closed "
    "relations, conserved energies and loads written by hand are the truth",
    "mechanics/islands/test_islands_with_options.py": "each island alone, and one step for all, are the truth",
    "mechanics/run/test_conditions_at_zero.py": "jumps of the user's own, which the check does not know; closed forms "
    "are the truth of all runs",
    "mechanics/run/test_one_instant.py": "runs cut at their events; the whole run is the truth",
    "mechanics/run/test_stepper.py": "runs that are stepped from outside; whole runs are the truth, bit by bit",
    "mechanics/run/test_unstable_equilibria.py": "closed forms of the fall are the truth of all runs",
    "mechanics/start/test_admissible_starts.py": "the states at the starts of short runs",
    "mechanics/start/test_projected_starts.py": "the states at the starts of short runs",
    "mechanics/test_set_velocities.py": "velocities that contradict positions on purpose; it looks at warnings",
    "mechanics/test_tree_factor.py": "runs with factors along trees; the mass matrix is the truth of all runs",
    "mechanics/run/test_forces_in_conditions.py": "latches and jumps, whose forces the check does not know; closed "
    "forms are the truth of all runs",
    "mechanics/run/test_transitions_against_scipy.py": "no contacts; SciPy's integrator is the truth of all runs",
    "mechanics/run/test_event_values.py": "events that change nothing; closed forms, SciPy's events and runs without "
    "them are the truth",
    "mechanics/run/test_active_contacts.py": "contacts that are ignored below their surfaces; closed forms are the "
    "truth of all runs",
    "mechanics/run/test_transitions_of_models.py": "jumps of the user's own, which the check does not know; closed "
    "forms are the truth of all runs",
    "mechanics/run/test_chosen_contacts.py": "the run that evaluates all contacts is the truth, bit by bit",
    "contact/test_contact_room.py": "runs with memory that grows; those with room for all contacts are the truth",
    "contact/friction/test_direct_forces.py": "forces at the states of short runs, by two ways",
    "mechanics/run/test_latches.py": "constraints that close and open, whose forces the check does not know; closed "
    "forms and momenta are the truth of all runs",
    "contact/modes/test_stepping_fallbacks.py": "single steps of walls that close in, whose law has no solution",
    "contact/test_contact_audit.py": "runs are broken on purpose, in a process of their own: the audit must tell it",
    "mechanics/islands/test_islands.py": "each island alone, and one step for all, are the truth of all runs",
    "mechanics/islands/test_islands_that_meet.py": "one step for all, and closed forms, are the truth of all runs",
    "mechanics/joints/test_joint_auxiliary.py": "the states at the starts of short runs",
    "mechanics/joints/test_joint_contacts.py": "the balance of momentum, and closed forms of the forces, are the truth "
    "of all runs",
    "mechanics/joints/test_joint_forces.py": "no contacts; closed forms are the truth of all runs",
    "mechanics/joints/test_reactions.py": "constraints, whose forces the check does not know; closed forms, and "
    "the same mechanism cut elsewhere, are the truth of all runs",
    "mechanics/joints/test_reactions_of_loops.py": "the states at the starts of short runs",
    "mechanics/linear/test_linearize_constrained.py": "one run without contacts, of which a state is linearized",
    "mechanics/run/test_simulate_closed_mechanisms.py": "constraints, whose forces the check does not know; drift, "
    "energy and the constraints after impacts are asked of all runs",
    "mechanics/run/test_simulate_constrained.py": "constraints, whose forces the check's formulas do not know; "
    "multiplier equations, joints and closed forms are the truth of all runs",
    "mechanics/run/test_further_multipliers.py": "forces of constraints, which the check's momentum does not know; "
    "the same motions in minimal coordinates are the truth of all runs",
    "mechanics/run/test_simulate_benchmarks.py": "no contacts; published numbers are the truth of all runs",
    "mechanics/run/test_formulations.py": "constraints, which the check's formulas do not know; motions in minimal "
    "coordinates are the truth of all runs",
    "mechanics/run/test_simulate_data.py": "inputs given as data, which the check's formulas do not know; closed forms "
    "of the motion are the truth of all runs",
    "mechanics/run/test_simulate_sampled.py": "inputs that controllers set, which the check's formulas do not know; "
    "recursions by matrix exponentials and closed forms are the truth of all runs",
    "mechanics/start/test_assembly.py": "starts of runs, which last some steps; constraints are compared with "
    "closed forms and multiplier equations",
    "mechanics/test_body_tree.py": "no contacts; energy and a load written otherwise are the truth of all runs",
}
"""Files with tests of mechanics that run models without the check, and why."""

PARTLY = {
    "contact/friction/test_friction_painleve.py": "impacts without collision are under no law of restitution; a floor "
    "whose speed jumps has two rates at that time, of which formulas of time have the later one",
    "contact/friction/test_mechanism_friction.py": "slip below 1e-7 L at a singular value of 1e-7 is left at a dead "
    "point while the contact sticks; a locked slider is let go from a force that has to be found for that instant",
    "contact/impacts/test_impact_jams.py": "runs that end at an unsolved impact, and impacts posed in matrices",
    "contact/impacts/test_impact_models.py": "a gain is made on purpose; laws of ones own; runs that end early",
    "mechanics/linear/test_equilibrium.py": "inputs, and a closed form of the motion",
    "mechanics/linear/test_linearize.py": "inputs, and short runs from changed states",
    "mechanics/test_mechanics_lines.py": "runs that are refused at their start",
    "mechanics/test_mechanics_switches.py": "inputs; a surface with a kink, whose speed is no formula there; a chain "
    "of sixteen links, whose symbolic velocities take minutes",
    "mechanics/test_switches.py": "processes without mechanics; inputs",
    "mechanics/run/test_simulate_attitude.py": "runs through gimbal locks, where formulas in angles have no digits; "
    "two runs of one motion are compared",
    "mechanics/run/test_simulate_inputs.py": "inputs",
}
"""Files of which some runs go without the check, and why these do."""

SHAPES = {
    ("Capsule", "Implicit"): "a search within a search, minutes a run: `tests/fuzz/geometry.py` searches it, and runs "
    "are compared with those on the same surface with a closed form",
}
"""Pairs of shapes without a formula or a search, and why."""

RUNS = {
    "a valley of nearly flat sides": "two places 0.04 R apart: `nearest_place` finds the saddle between them",
}
"""Single runs of `mechanics/run/test_simulate_implicit.py`, and why."""

PARTS = {
    "laws but Newton's, impacts one by one": "what they do is asked by `tests/contact/impacts`; here momentum, cones, "
    "no approach and energy",
    "cones under the plastic law": "it ends slip with whatever friction that takes, as the page of guarantees says",
    "moreau": "penetration up to a step is what the page promises of it",
}
"""Parts that are not asked, and why."""


def can_be_checked(model: HybridModel) -> bool:
    """Whether the gaps of all contacts of a model have a formula or a search of the tests' own."""
    contacts = [contact for contact in model.contacts if isinstance(contact, Contact)]
    if any(
        not type(side).__module__.startswith(("sympact", "sympy")) for c in contacts for side in (c.point, c.surface)
    ):
        return False  # shapes of a test's own, which it compares with a shape of the library or a closed form
    return not any((type(c.point).__name__, type(c.surface).__name__) in SHAPES for c in contacts)
