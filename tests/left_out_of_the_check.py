"""What `check_trajectory` does not look at, and why: the one list of it."""

from __future__ import annotations

from sympact import Contact, HybridModel

CLOSED_FORM = "every run is compared with a closed form or an oracle of its own"
NO_MOTION = "about messages, settings or data; the motion is that of models checked elsewhere"

FILES = {
    "contact/friction/test_friction_balls.py": CLOSED_FORM,
    "contact/friction/test_friction_closed_forms.py": CLOSED_FORM,
    "contact/friction/test_friction_drops.py": "thousands of short runs; Coulomb's law is asked of all forces there",
    "contact/friction/test_friction_onset.py": CLOSED_FORM,
    "contact/friction/test_friction_painleve.py": "runs that end where no force exists, impacts without approach",
    "contact/friction/test_mechanism_friction.py": CLOSED_FORM,
    "contact/impacts/test_impact_jams.py": "single impacts, posed to the solver",
    "contact/impacts/test_impact_models.py": "single impacts under laws but Newton's, against their own oracles",
    "contact/impacts/test_impact_speed.py": CLOSED_FORM,
    "contact/test_contact_solvers.py": NO_MOTION,
    "contact/test_contact_audit.py": "runs that are made to break the balance of an event",
    "mechanics/run/test_simulate_data.py": "loads of data: steps end where the data bend",
    "mechanics/run/test_simulate_settings.py": NO_MOTION,
    "mechanics/test_mechanics_faults.py": NO_MOTION,
    "mechanics/test_mechanics_lines.py": "gaps under expressions that are proven or not; no events are followed",
    "mechanics/test_mechanics_switches.py": CLOSED_FORM,
    "mechanics/test_switches.py": NO_MOTION,
}
"""Files with tests of mechanics that run models without the check, and why."""

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
    "M and f": "those of the model: `mechanics/test_mechanics_equations.py` holds them against SymPy's Kane's method",
    "laws but Newton's, impacts one by one": "what they do is asked by `tests/contact/impacts`; here momentum, cones, "
    "no approach and energy",
    "moreau": "penetration up to a step is what the page promises of it",
}
"""Parts that come from the model, or are not asked, and why."""


def can_be_checked(model: HybridModel) -> bool:
    """Whether the gaps of all contacts of a model have a formula or a search of the tests' own."""
    contacts = [contact for contact in model.contacts if isinstance(contact, Contact)]
    if any(
        not type(side).__module__.startswith(("sympact", "sympy")) for c in contacts for side in (c.point, c.surface)
    ):
        return False  # shapes of a test's own, which it compares with a shape of the library or a closed form
    return not any((type(c.point).__name__, type(c.surface).__name__) in SHAPES for c in contacts)
