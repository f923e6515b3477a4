"""Names of the code that the field has a term for do not come back."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import sympact

SOURCE = Path(sympact.__file__).parent

RETIRED = {
    "BENDS": "ACCELERATIONS",
    "Demand": "Precondition",
    "Demands": "Preconditions",
    "GRIP": "LARGE_FRICTION",
    "HELD_BY_CONE": "CONSTRAINED_BY_CONE",
    "JAMMED": "PAINLEVE",
    "Jam": "Painleve",
    "Posed": "Assembled",
    "PosedImpact": "AssembledImpact",
    "RUBBING": "FRICTIONAL",
    "Skeleton": "KinematicTree",
    "TOUCH": "UNLOADED",
    "_bends": "_accelerations",
    "_posed": "_assembled",
    "_rehearse": "_dry_run",
    "_rubbing": "_frictional",
    "_skeleton": "_kinematic_tree",
    "add_posed": "add_assembled",
    "anchor_beginning": "set_impending_reference",
    "anchor_slips": "set_reference_slips",
    "ask_less": "relax_tolerance",
    "bearers": "force_components",
    "begin_flight": "begin_arc",
    "bends": "accelerations",
    "bound_bends": "bound_accelerations",
    "cannot_rub": "why_no_friction",
    "carriers": "force_rows",
    "demands": "preconditions",
    "demands_of": "preconditions_of",
    "depth_is_told": "depth_is_known",
    "effort": "right_side",
    "grip": "solve_with_large_friction",
    "held_acceleration": "constrained_acceleration",
    "held_as_low": "constrained_while_low",
    "held_as_well": "constrained_as_well",
    "held_by_cone": "constrained_by_cone",
    "held_count": "constrained_count",
    "held_rank": "constrained_rank",
    "held_share": "ratio_of_constrained",
    "hold_accelerations": "constrain_accelerations",
    "hold_direction": "constrain_direction",
    "hold_rubbing": "constrain_with_friction",
    "hold_velocities": "constrain_velocities",
    "idle_parameters": "unused_parameters",
    "learn_bends": "learn_accelerations",
    "least_bend": "least_acceleration",
    "less_held": "less_constrained",
    "lies_still": "at_rest",
    "lifts_off": "separates",
    "lighten": "minimize_norm",
    "list_carriers": "list_force_directions",
    "list_held": "list_constrained",
    "loosen": "release_static_friction",
    "low_hop": "low_rebound",
    "own_law": "custom_law",
    "pose_accelerations": "assemble_accelerations",
    "pose_angle": "assemble_angle",
    "pose_columns": "assemble_columns",
    "pose_compliant": "assemble_compliant",
    "pose_contact": "assemble_contact",
    "pose_curvature": "assemble_curvature",
    "pose_forces": "assemble_force_equations",
    "pose_handles": "assemble_scaled_rows",
    "pose_impact": "assemble_impact",
    "pose_percussions": "assemble_percussions",
    "pose_plain": "assemble_plain",
    "pose_quartic": "assemble_quartic",
    "pose_row": "assemble_row",
    "pose_same_motion": "assemble_same_motion",
    "pose_single": "assemble_single",
    "pose_slip": "assemble_slip",
    "pose_step": "assemble_step",
    "pose_tableau": "assemble_tableau",
    "posed": "assembled",
    "posed_impact": "assembled_impact",
    "project_rubbing": "project_frictional",
    "rehearse": "dry_run",
    "rub_alone": "single_with_friction",
    "rubbing_forces": "closed_friction_forces",
    "rubbing_margins": "friction_margins",
    "rubbing_rates": "friction_rates",
    "rubs": "has_friction",
    "settle_closed": "project_closed_contacts",
    "settle_gaps": "project_gaps",
    "settle_rubbing": "project_frictional_gaps",
    "sharpen": "refine",
    "skeleton": "kinematic_tree",
    "solve_own": "solve_custom",
    "still_gaps": "close_gaps",
    "still_rates": "remove_rates",
    "strike": "apply_impact",
    "strike_by_friction": "apply_friction_impact",
    "take_held_rates": "project_constrained_rates",
    "take_rates": "project_rates",
    "take_slow_rates": "project_slow_rates",
    "tell_driven": "describe_driven",
    "tell_end": "describe_end",
    "tell_imbalance": "describe_imbalance",
    "tell_jam": "describe_painleve",
    "tell_leap": "describe_leap",
    "tell_two_places": "describe_two_places",
    "tell_unsolved": "describe_unsolved",
    "undecided": "indeterminate",
    "unrest": "residual_acceleration",
}
"""Names of the first version, and the terms that took their place."""

OLD_PUBLIC_NAMES = {"rubs", "idle_parameters"}
"""Attributes that answer for one version more, with a warning."""


def identifiers(file: Path) -> set[str]:
    """All names that a file defines or uses."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Name):
            found.add(node.id)
        elif isinstance(node, ast.Attribute):
            found.add(node.attr)
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.arg):
            found.add(node.arg)
    return found


def test_retired_names_are_used_nowhere():
    used = {
        f"{file.relative_to(SOURCE)}: {name} is {RETIRED[name]}"
        for file in SOURCE.rglob("*.py")
        if RETIRED.keys() & re.findall(r"\w+", file.read_text(encoding="utf-8"))  # as a name, or in a text
        for name in identifiers(file) & set(RETIRED)
        if name not in OLD_PUBLIC_NAMES
    }
    assert used == set()
