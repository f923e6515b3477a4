"""One stage of a process as the loop uses it, by addresses, and the scales of its boundaries in a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

__all__ = ["UNKNOWN", "Scales", "Stage"]


@dataclass(frozen=True)
class Stage:
    """One stage of a process: its flow, its boundaries and its transition.

    Addresses are those of C functions; all numbers are doubles, x and x' have n_states of them, `data` is passed
    through.

    Attributes
    ----------
    name : str
    flow : int
        ``void(double t, const double *x, const void *data, double *xdot)``.
    boundary : int
        ``void(double t, const double *x, const double *xdot, const void *data, double *out)``: the gaps g, positive
        inside the stage; with `derivatives` followed by g' and g'' along the flow, where xdot is the rate of x by the
        flow.
    chosen_boundary : int
        The same function with a further argument ``const int64 *chosen``, a number for each boundary: where it is zero
        the function need not write its gap and derivatives, and it writes none that are always zero. 0: there is none.
    boundary_names : tuple of str
        With `boundary` = 0 nothing is watched: they are then the contacts whose impacts the stepper itself records.
    derivatives : bool
    transition : int
        ``int64(double t, double *x, int64 *fired, const double *gaps, const void *data, double *record)``: x- on entry
        and x+ on return; `fired` marks the boundaries that fired and, on return, those that took part; `gaps` are those
        of `boundary`; `record` receives the numbers listed in `run_codes` (energy change, window, ...), then the
        impulse of each boundary (N s). Returns the index of the next stage, or a negative code of `answers`.
    contacts : int
        The number of boundaries that are gaps of contacts; they come first.
    active : int
        Address of an int64 for each boundary, which the transition may change: how it is watched (`run_codes.BY_RATES`,
        ``BY_VALUES``, ``IGNORED``); 0: all by rates.
    force : int
        ``void(double t, const double *x, const void *data, double *out)``, data as for the flow: the values of the
        boundaries watched by values, which fire when they decrease to zero.
    margins : int
        Address of the table of `StageMargins`, where the flow is audited, and records the values of these boundaries at
        the stages of a step; 0: there is none.
    resolved : bool
        Whether the values at the stages of a step determine them between; else they are sampled, and not recorded.
    statuses, switches : (int, int)
        Address and number of the int64, and of the doubles +1.0 or -1.0, that transitions change within the stage: they
        distinguish the modes of the stage. Statuses define which contacts are closed and whether all is at rest;
        switches define the branches of conditions in the flow, and each has a boundary after those of contacts or
        transitions.
    switch_names : tuple of (str, str)
        For each switch the relations that are true at +1 and at -1, such as ("x > 0", "x < 0"); for a condition of the
        user's own twice its name.
    switch_table : int
        Address of the `SwitchMemory` of these switches; 0: there are none.
    watches : int
        How many of the switches are conditions of the user's own, which the flow does not contain: the last ones.
    functions : int
        How many of these are known by their values alone; `active` marks them.
    goes_on : bool
        Whether the transition has a jump where events accumulate, so that the run need not end there.
    project : int
        ``void(double t, const double *x, const void *data, double *x_out)``, data as for the flow; applied after each
        step.
    begin, prepare : int
        ``void(double t, const double *x, const void *data, double *x)``, data as for the flow; called at the start of
        each smooth arc, and of each further step, so that the flow can use the state there. They do not change the
        state.
    stall : int
        ``void(double t, const double *x, const void *data, double *marks)``, data as for the flow; called where no step
        is small enough: boundaries that it marks with a negative number count as reached there.
    residual : int
        ``void(double t, const double *v, const void *data, double *out)``, data as for the flow: v is [x, z] with
        `multipliers` numbers z, out is [x', g]. Implicit steppers solve x' = f(t, x, z), 0 = g(t, x, z) with it; 0:
        they solve the flow.
    begin_residual : int
        Of the same form: z at the start of a step into `out`; called with each new Jacobian.
    multipliers : int
        The number of z, and of g.
    rubbing : int
        The number of contacts with friction impulses: three numbers each after the impulses in `record`.
    proof : int
        Address of the table of `Proof`, with which the search proves that a gap has no crossing; 0: by numbers alone.
    present : tuple of int
        The indices of the states that the stage has; empty: all of the run. The others have the rate 0 in it.
    clock : int
        Address of a `ClockMemory`, where states are updated at instants; 0: there are none.
    owner : object
        Objects that must live as long as the addresses are used.
    """

    name: str
    flow: int
    flow_data: int = 0
    boundary: int = 0
    boundary_data: int = 0
    chosen_boundary: int = 0
    boundary_names: tuple[str, ...] = ()
    derivatives: bool = False
    transition: int = 0
    transition_data: int = 0
    contacts: int = 0
    project: int = 0
    begin: int = 0
    prepare: int = 0
    stall: int = 0
    residual: int = 0
    begin_residual: int = 0
    multipliers: int = 0
    rubbing: int = 0
    active: int = 0
    force: int = 0
    margins: int = 0
    resolved: bool = True
    statuses: tuple[int, int] = (0, 0)
    switches: tuple[int, int] = (0, 0)
    switch_names: tuple[tuple[str, str], ...] = ()
    switch_table: int = 0
    watches: int = 0
    functions: int = 0
    goes_on: bool = False
    proof: int = 0
    present: tuple[int, ...] = ()
    clock: int = 0
    owner: object = field(default=None, repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Scales:
    """The scales to which the tolerances of a stage's boundaries are relative in one run.

    Attributes
    ----------
    lengths : array_like, shape (k,)
        The scales of the first gaps; 0.0 where none is known, as for all others: then the largest value so far is used.
    roundings : array_like, shape (k,)
        The height of each of the first gaps that is rounding of the coordinates; for the others that of its scale.
    measured : int
        Address of the model length (a double), where it is measured along the motion: from the value in `lengths` it
        grows to the largest excursion between two events of one contact. 0: it is constant.
    switch_slopes : array_like, shape (n_switches, n_states)
        The derivatives of the margins of the switches by the states: with the tolerances of the states they give the
        uncertainty of its zero.
    """

    lengths: Sequence[float] | np.ndarray = ()
    roundings: Sequence[float] | np.ndarray = ()
    measured: int = 0
    switch_slopes: Sequence[Sequence[float]] | np.ndarray = ()


UNKNOWN = Scales()
"""The scales of a stage of which no number is known before the run."""
