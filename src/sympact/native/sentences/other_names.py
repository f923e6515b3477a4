"""Names that other tools use, and what they are called here: arguments, attributes, and names of the package."""

from __future__ import annotations

__all__ = ["ARGUMENTS", "ATTRIBUTES", "HINTS", "NAMES", "NEEDED"]

_STEPS = (
    "the step is adaptive: samples at equal times are result.sample(dt) or t_eval=, max_step= bounds the steps, and "
    "control at a fixed rate is Sampled(period, law)"
)
_RIGID = "contacts are rigid; a spring or a damper is a load of the source"
_NUMBERS = "the numbers of the parameters are given to a run: model.simulate(t_span, x0, parameters)"
_COEFFICIENTS = "coefficients belong to the pair: Contact(point, surface, restitution=..., friction=...)"

HINTS: dict[str, tuple[str, str]] = {
    **dict.fromkeys(("dt", "step", "step_size", "stepsize", "timestep", "first_step", "h"), ("max_step", _STEPS)),
    **dict.fromkeys(("dense_output", "interpolant"), ("max_step", "a result has its states at all times: result(t)")),
    **dict.fromkeys(("stiffness", "damping", "k", "solref", "solimp"), ("static_friction", _RIGID)),
    **dict.fromkeys(("params", "parameters", "values", "args", "constants"), ("contacts", _NUMBERS)),
    **dict.fromkeys(("gravity", "g"), ("contacts", "gravity is a load: system.apply_uniform_gravity(-g * N.z)")),
    **dict.fromkeys(("friction", "restitution", "mu", "e"), ("", _COEFFICIENTS)),
    "terminal": ("direction", "a Stop ends the run, a Crossing does not"),
}
"""By the name of an unknown argument: one that the called function must have, if any, and what to do."""

ARGUMENTS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("mu", "friction_coefficient", "cof"), ("friction",)),
    **dict.fromkeys(("e", "cor", "epsilon", "restitution_coefficient", "bounce"), ("restitution",)),
    **dict.fromkeys(("t_end", "tf", "t_final", "duration", "time", "t", "tspan", "times"), ("t_span", "t_eval")),
    **dict.fromkeys(("y0", "initial_state", "initial_conditions", "ic", "start"), ("x0",)),
    **dict.fromkeys(("args", "params", "constants", "p", "values"), ("parameters",)),
    **dict.fromkeys(("tol", "tolerance", "eps"), ("rtol", "atol")),
    **dict.fromkeys(("solver", "integrator"), ("method",)),
    **dict.fromkeys(("guard", "condition", "event"), ("boundary",)),
    **dict.fromkeys(("reset", "map"), ("jump",)),
    **dict.fromkeys(("dt", "period", "rate"), ("every",)),
    **dict.fromkeys(("n", "n_runs", "samples", "size", "number"), ("runs",)),
    **dict.fromkeys(("r",), ("radius",)),
    **dict.fromkeys(("color",), ("colour",)),
    **dict.fromkeys(("control", "controller"), ("controllers", "inputs")),
    **dict.fromkeys(("file", "filename", "fname"), ("path",)),
    **dict.fromkeys(("stage", "mode", "initial_stage"), ("start",)),
    **dict.fromkeys(("law", "impact_law"), ("impact",)),
    **dict.fromkeys(("jobs", "n_jobs", "processes"), ("workers",)),
    **dict.fromkeys(("callback", "output"), ("observe", "outputs")),
}
"""Arguments by other names of them; those that the called function has are named."""

NEEDED: dict[str, str] = {
    "friction": "there is no default for physics; give a coefficient, a symbol, or 0 for a smooth contact",
    "restitution": "there is no default for physics; give a number from 0 (no rebound) to 1 (no loss), or a symbol",
    "contacts": "a list of Contact, Limit and String objects, [] for none",
    "t_span": "the first and the last time (s), such as (0, 10)",
    "x0": "a number for each state, such as {q: 0.1, u: 0}",
    "parameters": "a number for each symbol in model.parameters (SI units), such as {m: 1.0, g: 9.81}",
    "normal": "the unit vector to the free side, such as N.z",
    "boundary": "the function or expression that reaches 0 where the transition fires",
    "start": "the name of the stage at the first time",
}
"""What to give for an argument that is missing."""

ATTRIBUTES: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("y", "ys", "xs", "Y", "X", "solution"), ("x",)),
    **dict.fromkeys(("time", "times", "ts"), ("t",)),
    **dict.fromkeys(("q", "u", "state", "states", "position", "velocity"), ("x", "state_names")),
    **dict.fromkeys(("t_events", "y_events", "event", "impacts"), ("events",)),
    **dict.fromkeys(("force", "forces", "contact_force", "contact_forces"), ("normal_force", "impulse")),
    **dict.fromkeys(("nfev", "njev", "nlu"), ("evaluations", "counts")),
    **dict.fromkeys(("show", "draw", "view", "render"), ("show", "plot", "animate", "draw_modes", "report")),
    **dict.fromkeys(("summary", "info", "describe"), ("table", "message", "report")),
    **dict.fromkeys(("df", "dataframe", "to_pandas"), ("to_dataframe", "events_dataframe")),
    **dict.fromkeys(("run", "solve", "integrate", "sim", "solve_ivp", "simulation"), ("simulate",)),
    **dict.fromkeys(("step", "reset"), ("stepper", "simulate")),
    **dict.fromkeys(("results", "result"), ("run", "trajectory", "quantity")),
    **dict.fromkeys(("play", "gui", "plot", "animate"), ("play", "animate", "simulate")),
    **dict.fromkeys(("x0", "initial_state", "initial_conditions"), ("start", "x")),
    **dict.fromkeys(("params", "constants"), ("parameters",)),
    **dict.fromkeys(("coordinates", "generalized_coordinates"), ("q",)),
    **dict.fromkeys(("speeds", "generalized_speeds"), ("u",)),
    **dict.fromkeys(("eom", "eoms", "equations", "rhs"), ("mass_matrix", "forcing", "formulas")),
    **dict.fromkeys(("mu", "friction_coefficient"), ("friction",)),
    **dict.fromkeys(("e", "cor"), ("restitution",)),
}
"""Attributes by other names of them; those that the object has are named."""

NAMES: dict[str, str] = {
    **dict.fromkeys(
        ("simulate", "solve", "solve_ivp", "run", "odeint", "integrate"),
        "a run is HybridModel(...).simulate(...) or HybridSystem(...).simulate(...)",
    ),
    **dict.fromkeys(
        (
            "System", "KanesMethod", "LagrangesMethod", "Particle", "RigidBody", "Point", "ReferenceFrame", "PinJoint",
            "PrismaticJoint", "dynamicsymbols", "inertia", "Force", "Torque",
        ),
        "it is in sympy.physics.mechanics",
    ),
    **dict.fromkeys(("symbols", "Symbol", "sin", "cos", "Matrix"), "it is in sympy"),
}  # fmt: skip
"""Names that the package does not have, and where to look."""
