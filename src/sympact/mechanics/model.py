"""The user's model: a SymPy mechanics model, its contacts, and the resolution of impacts."""

from __future__ import annotations

import copy
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sympy import Expr, Symbol
from sympy.physics.vector import vsstrrepr

from sympact.contact import EndOfRun, ImpactComparison, ImpactLaw, Newton, PainleveRule, Resolution, Simultaneous
from sympact.contact.compare import compare_problem
from sympact.contact.constraints.formulations import Formulation, Projection
from sympact.contact.laws.painleve_rules import PAINLEVE_WORDS
from sympact.contact.memory.reduction import NO_DIRECTIONS
from sympact.graph import depth_is_known
from sympact.hybrid.transition import check_edges_travel
from sympact.integrate.memory.run_tolerances import DEFAULT_ATOL, DEFAULT_RTOL
from sympact.mechanics.derive.derivation import derive, kinematics_of
from sympact.mechanics.derived.compiled import CompiledModel, compile_model
from sympact.mechanics.derived.derived_model import DerivedModel
from sympact.mechanics.kit.motion import Motion
from sympact.mechanics.kit.symbols import state_name
from sympact.mechanics.linear.equilibrium import Equilibrium, find_equilibrium
from sympact.mechanics.linear.linearization import Linearization
from sympact.mechanics.linear.linearize import linearize_model
from sympact.mechanics.present.model_summary import contact_formulas, letters
from sympact.mechanics.present.notebook import model_html, model_latex
from sympact.mechanics.read.constraint import Constraint
from sympact.mechanics.read.latches import Latch, read_latches
from sympact.mechanics.read.source import always_closed, constrained, describe, with_discrete, with_latches
from sympact.mechanics.read.transitions import with_transitions
from sympact.mechanics.run.impacts import assemble_impact
from sympact.mechanics.shapes.compliant import CompliantContact
from sympact.mechanics.shapes.unilateral import Unilateral, read_expression
from sympact.mechanics.simulate.assemble import assemble_model
from sympact.mechanics.start.assembly import Assembly
from sympact.mechanics.start.set_velocities import warn_of_contradictions
from sympact.mechanics.watching import again_watching, watching_model, with_stored_events
from sympact.native.renamed import renamed_value
from sympact.on_request import on_request

if TYPE_CHECKING:
    from sympact.hybrid.transition import Transition, When
    from sympact.integrate.history.event import Event
    from sympact.integrate.measure.observers import Observer
    from sympact.integrate.problem.stepper import Stepper
    from sympact.integrate.result import Result
    from sympact.integrate.trajectory.evaluator import Evaluator
    from sympact.integrate.trajectory.record import Record
    from sympact.mechanics.inputs.controller import Controller
    from sympact.mechanics.islands.islands import Islands
    from sympact.mechanics.simulate.model_stepper import ModelStepper
    from sympact.mechanics.simulate.turned_model import Turning

__all__ = ["HybridModel"]

_NEWTON, _SIMULTANEOUS, _END_OF_RUN, _PROJECTION = Newton(), Simultaneous(), EndOfRun(), Projection()
_ATTITUDES = ("quaternion", "angles")


class HybridModel(DerivedModel):
    """A mechanical model with contacts: equations of motion between impacts, jump maps at them.

    Conditions in the equations (`Piecewise`, `Abs`, `sign`, `Max`, `Min`, `Heaviside`) are boundaries at which a run
    changes from one branch to the other: events of the kind "switch".

    Parameters
    ----------
    source : System, KanesMethod, LagrangesMethod or SymbolicSystem
        The user's model; it is not changed. :doc:`/how-to/sources` shows each of them.
    contacts : iterable of Contact, CompliantContact, Limit and String
        The unilateral constraints: contacts with surfaces, limits of joints, strings; and contacts that are compliant.
    impact : ImpactLaw, default Newton()
        The impact law of the contacts.
    resolution : Resolution, default Simultaneous()
        The rule that combines simultaneous impacts of several contacts.
    formulation : Formulation, default Projection()
        How bilateral constraints enter the equations that are integrated, see :doc:`/theory/formulations`.
    constraints : iterable of Constraint and Expr, optional
        Bilateral constraints beyond those of the source, such as joints that close a loop; an expression is zero.
        :doc:`/theory/constraints` describes them.
    discrete : iterable of Expr, optional
        Discrete states, such as counters and modes: functions of time, ``dynamicsymbols("n")``, that change in the
        jumps of transitions alone. They are states as the coordinates are, with an initial value in ``x0``; loads,
        conditions, jumps and outputs may contain them.
    transitions : iterable of Transition and When, optional
        Jumps of the state that conditions of your own cause, see :doc:`/how-to/conditions`.
    latches : iterable of Latch, optional
        Bilateral constraints that close at one event and open at another, see :doc:`/how-to/latches`.
    outputs : mapping of str to Expr, optional
        Further quantities to record, as expressions of the model's symbols.
    length : number or Expr, optional
        The length to which the tolerances of gaps are relative (m). By default the model's own: the largest distance of
        two points of a body or radius of a contacting part; without any, the size of a surface; else measured along the
        motion, see :doc:`/theory/lengths`.
    painleve : PainleveRule, default EndOfRun()
        The continuation of a run at Painleve's paradox, where a sliding contact has no admissible force or several
        motions: none (`EndOfRun`), or an impact in which friction stops the slip (`ImpactWithoutCollision`).
    attitude : "quaternion" or "angles", default "quaternion"
        The coordinates in which runs integrate the rotation of a free body that three angles turn; results contain the
        angles in both cases, see :doc:`/theory/attitude`.
    bodies, loads : iterable, optional
        For a `KanesMethod` whose ``kanes_equations`` has not been called.

    Raises
    ------
    ValueError
        If the model cannot be built, with a sentence for each fault found, or if the impact law is not defined for the
        resolution.
    TypeError
        If the source, a contact, the impact law, the resolution or the rule for Painleve's paradox is something else.

    Attributes
    ----------
    derivation : Derivation
        The model as nodes of one graph.
    description : Description
        The parts of the source.
    source, resolution, outputs, painleve, attitude
        As given.
    law : ImpactLaw
        As given by ``impact``.
    calls_python : bool
        Whether impacts call a Python function of the user's, a `CustomLaw`.

    Examples
    --------
    >>> from sympact import Contact, HybridModel, Plane
    >>> from sympy import symbols
    >>> from sympy.physics.mechanics import Particle, PrismaticJoint, RigidBody, System
    >>> m, g, e = symbols("m g e")
    >>> ground, ball = RigidBody("ground"), Particle("ball", mass=m)
    >>> system = System.from_newtonian(ground)
    >>> system.add_joints(PrismaticJoint("height", ground, ball, joint_axis=ground.z))
    >>> system.apply_uniform_gravity(-g * ground.z)
    >>> floor = Plane(ground.masscenter, ground.z)
    >>> model = HybridModel(system, [Contact(ball.masscenter, floor, restitution=e, friction=0)])
    >>> model.mass_matrix, model.forcing, model.gaps
    (Matrix([[m]]), Matrix([[-g*m]]), Matrix([[q_height(t)]]))
    >>> model.parameters
    (e, g, m)
    """

    def __init__(
        self,
        source: object,
        contacts: Iterable[Unilateral | CompliantContact],
        *,
        impact: ImpactLaw = _NEWTON,
        resolution: Resolution = _SIMULTANEOUS,
        formulation: Formulation | None = None,
        constraints: Iterable[Constraint | Expr] = (),
        discrete: Iterable[Expr] = (),
        transitions: Iterable[Transition | When] = (),
        latches: Iterable[Latch] = (),
        outputs: Mapping[str, Expr] | None = None,
        length: Expr | float | None = None,
        painleve: PainleveRule = _END_OF_RUN,
        attitude: str = "quaternion",
        bodies: Iterable[object] | None = None,
        loads: Iterable[object] | None = None,
    ) -> None:
        kinds = (Unilateral, CompliantContact)
        given = _expect("contacts", contacts, kinds, "Contact, CompliantContact, Limit or String")
        rigid = tuple(contact for contact in given if isinstance(contact, Unilateral))
        compliant = tuple(contact for contact in given if isinstance(contact, CompliantContact))
        latches = read_latches(latches, [contact.name for contact in rigid])
        constraints, discrete, transitions = _listed(constraints), _listed(discrete), _listed(transitions)
        bodies, loads = _listed(bodies), _listed(loads)
        self._given: dict[str, Any] = {
            "source": source, "contacts": given, "impact": impact, "resolution": resolution,
            "formulation": formulation, "constraints": constraints, "discrete": discrete, "transitions": transitions,
            "latches": latches, "outputs": outputs, "length": length, "painleve": painleve, "attitude": attitude,
            "bodies": bodies, "loads": loads,
        }  # fmt: skip
        _expect("impact", (impact,), ImpactLaw, "ImpactLaw")
        _expect("resolution", (resolution,), Resolution, "Resolution")
        painleve = renamed_value("painleve", painleve, PAINLEVE_WORDS)
        _expect("painleve", (painleve,), PainleveRule, "EndOfRun or ImpactWithoutCollision")
        if attitude not in _ATTITUDES:
            raise ValueError(f"attitude is {attitude!r}, expected one of {', '.join(map(repr, _ATTITUDES))}")
        if formulation is not None:
            _expect(
                "formulation",
                (formulation,),
                Formulation,
                "a Formulation such as Projection",
            )
        friction = any(contact.has_friction for contact in rigid)
        calls_python = resolution.plan(impact, friction).check(len(rigid))
        self.source = source
        with depth_is_known("the model"):
            described = with_discrete(constrained(describe(source, bodies, loads), constraints), discrete)
            described = replace(described, compliant=compliant)
            if latches:
                kinematics = kinematics_of(always_closed(described, latches))
                described = with_latches(described, latches, Motion(kinematics))
            description = with_transitions(described, transitions, [contact.name for contact in rigid])
            derivation = derive(description, rigid)
            warn_of_contradictions(derivation, description.origin)
        if formulation is not None and not derivation.constraints:
            raise ValueError(
                f"formulation={formulation!r} is for models with bilateral constraints, and this one has none; "
                "leave it out"
            )
        formulation = _PROJECTION if formulation is None else formulation
        if latches and formulation.rule != NO_DIRECTIONS:
            raise ValueError(
                f"formulation={formulation!r} completes states along directions that are chosen at the start of a "
                "step, and latches change the constraints at an event; take another one, such as Projection() or "
                "NullSpace('qr')"
            )
        super().__init__(
            derivation,
            description,
            law=impact,
            resolution=resolution,
            formulation=formulation,
            painleve=painleve,
            attitude=attitude,
            outputs=_outputs_of(description.outputs, _read_outputs(outputs), derivation.x),
            length=_read_length(length),
            calls_python=calls_python,
        )
        self._asked()

    def __reduce__(self) -> tuple:
        """Its source, contacts and laws travel; it is derived again where it arrives.

        Raises
        ------
        TypeError
            Naming a function that cannot travel, such as a lambda.
        """
        if self.watched is not None:
            return again_watching(*self.watched)
        edges = enumerate(self._given["transitions"], start=1)
        check_edges_travel((edge.name or f"transition {k}", edge) for k, edge in edges)
        return _built, (type(self), self._given)

    def __deepcopy__(self, memo: dict) -> HybridModel:
        return type(self)(**copy.deepcopy(self._given, memo))

    def compile(self) -> CompiledModel:
        """The compiled functions of the model, for a loop of the user's own."""
        return self.made(compile_model)

    @property
    def turning(self) -> Turning:
        """The rotations by three angles, and the model with quaternions in their place."""
        from sympact.mechanics.simulate.turned_model import turning_of

        return self.made(turning_of)

    @property
    def islands(self) -> Islands | None:
        """The parts that no joint, load or contact connects; None where there is one alone."""
        from sympact.mechanics.islands.islands import islands_of

        return self.made(islands_of)

    @property
    def attitudes(self) -> dict[str, str]:
        """The coordinates in which runs integrate the rotation of each frame that three angles turn, by its name.

        ``"quaternion"``, or ``"angles"`` with the reason, see :doc:`/theory/attitude`.

        Examples
        --------
        >>> from sympact.models import tumbling_cube
        >>> tumbling_cube().model.attitudes
        {'B': 'quaternion'}
        """
        return dict(self.turning.told)

    def simulate(
        self,
        t_span: Sequence[float],
        x0: Mapping[Expr, float] | Sequence[float] | Result,
        parameters: Mapping[Symbol, float],
        *,
        method: str | Stepper = "DOP853",
        rtol: float = DEFAULT_RTOL,
        atol: float = DEFAULT_ATOL,
        t_eval: Sequence[float] | None = None,
        max_step: float = math.inf,
        max_events: int = 1_000_000,
        max_steps: int | None = None,
        inputs: Mapping[Expr, object] | None = None,
        controllers: Sequence[Controller] | None = None,
        events: object = None,
        keep: str = "run",
        observe: Mapping[str, Observer] | None = None,
        consistent: str = "project",
        progress: bool = False,
        engine: str | None = None,
    ) -> Result:
        """Simulate the motion event by event.

        Parameters
        ----------
        t_span : (t0, t1)
            Start and end (s).
        x0 : mapping or array, shape (n_states,)
            The initial state: a value for every entry of `x`, or an array in its order; what `assemble` returns. Or
            a `Result` of this model, from which the run goes on at t0: with its state there, just after a jump, and
            with what its controllers and sampled inputs have in force, keep and are about to command; give them again.
            At the end of that result also with the sides on which its conditions are and with its closed contacts:
            what becomes true there, or opens, is an event of one of the two runs.
        parameters : mapping of Symbol to float
            A value for each of `parameters`.
        method : str or Stepper
            The stepper: a name, see :doc:`/how-to/steppers`, or one of your own, a `RungeKutta` or a `OneStep`.
            ``"moreau"`` is time stepping without a search for events, with steps of `max_step`.
        rtol, atol : float
            Relative and absolute tolerance of a step.
        t_eval : array, optional
            Times to return the state at. A run that ends before the end of its span has its end as the last sample.
        max_step : float
            The longest step (s), and the step itself for a method of fixed steps.
        max_events : int
            The run ends after so many events.
        max_steps : int, optional
            The run ends after this many attempted steps, accepted or rejected. Without it the number is not limited,
            and the run ends where it makes no progress, see `Status.NO_PROGRESS`.
        inputs : mapping, optional
            The values of the free functions of time: numbers, expressions of time, states, parameters and other inputs,
            `Interpolated` data or splines of SciPy, Python functions ``f(t)`` or ``f(t, x)``, `Sampled` laws.
        controllers : sequence of Controller, optional
            What acts at given times: commands that are constant between samples, symbols that are kept, events of time.
        events : mapping of str to Expr, condition, Crossing or Stop; or a list of these or of callables, optional
            Events of your own by their names: where an expression of the model's symbols passes zero, or a condition
            such as ``q > 1`` becomes true. They are found as impacts are and recorded in ``result.events``; a `Stop`
            ends the run. Also functions ``f(t, x)``, in the mapping or in a list as in `solve_ivp`, with their
            attributes ``terminal`` and ``direction``, and expressions of `normal_forces`, of a `Reaction` and of
            accelerations; of these values alone are followed. :doc:`/how-to/conditions` has examples.
        keep : "run" or "events", default "run"
            "events" keeps the states at events, at `t_eval`, and at both ends, and not those of the steps between, so
            that long runs need little memory; then a result has no state at other times.
        observe : mapping of str to Observer, optional
            Numbers that sum up the run, by name, such as ``{"highest": Maximum(z), "work": Integral(F * v), "hits":
            Count("floor")}``: extremes and integrals on the dense output between samples, also where these are not
            kept. They are in `Result.observed`.
        consistent : "project" or "refuse", default "project"
            What is done with an initial state that violates bilateral constraints: "project" starts from the closest
            one that satisfies them, see `assemble`, with a warning where a coordinate changes by more than 1e-6 of the
            length (or radians), or a speed by more than 1e-6 of the speeds; "refuse" raises a ValueError where they
            are violated by more than 1e-9 of the length and of the speeds.
        progress : bool
            Show a line with the simulated time, the events so far, the simulated seconds per second and the time left,
            on standard error.
        engine : str, optional
            How the loop is evaluated where there is no machine code of it on this machine: "auto", the default,
            interprets the run while other processes compile the loop for the next run; "any" does so, too, and goes on
            with the machine code as soon as it is there; "compiled" waits for it; "interpreted" never uses it. See
            :doc:`/install`. ``result.settings["engine"]`` says how it was.

        Returns
        -------
        Result
        """
        from sympact.mechanics.simulate.simulate_model import simulate_model

        return simulate_model(
            self if events is None or (not callable(events) and not events) else self.watching(events),
            t_span,
            x0,
            parameters,
            method=method,
            rtol=rtol,
            atol=atol,
            t_eval=t_eval,
            max_step=max_step,
            max_events=max_events,
            max_steps=max_steps,
            inputs=inputs or {},
            controllers=controllers,
            keep=keep,
            observe=observe,
            consistent=consistent,
            progress=progress,
            engine=engine,
        )

    def stepper(
        self,
        x0: Mapping[Expr, float] | Sequence[float],
        parameters: Mapping[Symbol, float],
        *,
        inputs: Mapping[Expr, object] | None = None,
        controllers: Iterable[Controller] | Controller | None = None,
        events: object = None,
        t: float = 0.0,
        t_end: float = math.inf,
        method: str | Stepper = "DOP853",
        rtol: float = DEFAULT_RTOL,
        atol: float | Sequence[float] = DEFAULT_ATOL,
        max_step: float = math.inf,
        max_events: int = 1_000_000,
        consistent: str = "project",
        engine: str | None = None,
        record: bool = True,
    ) -> ModelStepper:
        """A run that goes on a step at a time, for loops of your own: controllers, games, learning, real time.

        Its numbers are those of one run whose steps end at the same times, and what is given with a step acts as the
        command of a `Controller` at its start does. :doc:`/how-to/stepping` has examples.

        Parameters
        ----------
        x0, parameters
            As for `simulate`.
        inputs : mapping, optional
            As for `simulate`; those that are numbers may change with each step.
        controllers, events, method, rtol, atol, max_step, consistent, engine
            As for `simulate`.
        t, t_end : float
            The time of the start, and that of the end of the run (s); with controllers, and with inputs that change by
            themselves, the end must be known.
        max_events : int
            The run ends after so many events in one step.
        record : bool
            Keep all steps, for ``stepper.result``; False keeps the last one alone, so that memory does not grow.

        Returns
        -------
        ModelStepper
            With ``step(dt, {F: 3.0})``, ``t``, ``x``, ``stepper[expression]``, ``events``, ``result``, ``save()``,
            ``restore(saved)`` and ``reset()``.

        Raises
        ------
        ValueError
            As `simulate` does.

        Examples
        --------
        >>> from sympact.models import bouncing_ball
        >>> ball = bouncing_ball()
        >>> run = ball.model.stepper(ball.start, ball.parameters)
        >>> while run.n_events == 0:
        ...     ended = run.step(0.01)
        >>> run.t.__round__(2), run.events[0].kind.value
        (0.46, 'impact')
        """
        from sympact.mechanics.simulate.model_stepper import ModelStepper

        return ModelStepper(
            self if events is None or (not callable(events) and not events) else self.watching(events),
            x0,
            parameters,
            inputs=inputs or {},
            controllers=controllers,
            t=t,
            t_end=t_end,
            method=method,
            rtol=rtol,
            atol=atol,
            max_step=max_step,
            max_events=max_events,
            consistent=consistent,
            engine=engine,
            record=record,
        )

    def restored(
        self, stored: Mapping, record: Record, inputs: Mapping[Expr, object], controllers: object = None
    ) -> Evaluator:
        """The model with the numbers of a run that was read from a file; called by `sympact.load`."""
        from sympact.mechanics.simulate.simulate_model import restored_model

        return restored_model(with_stored_events(self, stored), stored, record, inputs, controllers)

    def watching(self, events: object) -> HybridModel:
        """The same model with events of the user's own in all of its runs, see `simulate`; the last ones are kept.

        Raises
        ------
        ValueError, TypeError
            If an event cannot be read.
        """
        return watching_model(self, events)

    def assemble(
        self,
        x0: Mapping[Expr, float] | Sequence[float],
        parameters: Mapping[Symbol, float],
        *,
        keep: Mapping[Expr, float] | Iterable[Expr] | None = None,
        t: float = 0.0,
        inputs: Mapping[Expr, object] | None = None,
    ) -> Assembly:
        """Find the state closest to a given one that satisfies the bilateral constraints.

        The coordinates change by the least q - q0 with phi(q, t) = 0 in the metric of the mass matrix at the given
        state, (q - q0)^T M (q - q0) where q' = u; then the speeds by the least (u - u0)^T M (u - u0) with A u + a = 0.
        A motion without inertia counts as that of the largest. Of several assemblies, such as the two of a four-bar,
        the search finds the one to which the start leads. Redundant constraints are no fault. No gap of a contact is
        below zero: where the closest coordinates would lie below a surface, the closest ones above it are found.
        :doc:`/how-to/assemble` has examples, :doc:`/theory/assembly` the method.

        Parameters
        ----------
        x0 : mapping or array, shape (n_states,)
            The given state. A mapping may leave out states, which are then guessed: they begin at 0 and change first,
            so that given ones stay as they are where this suffices; else a guessed one counts as with a millionth of
            its inertia.
        parameters : mapping of Symbol to float
            A value for each of `parameters`.
        keep : iterable of Expr, or mapping of Expr to float, optional
            The states that must not change, or the weights of changes: a coordinate of weight w counts as with w times
            its inertia. inf keeps it.
        t : float
            The time (s).
        inputs : mapping, optional
            The values of the free functions of time, as for `simulate`.

        Returns
        -------
        Assembly
            A mapping of the states to numbers, which `simulate` takes as ``x0``.

        Raises
        ------
        ValueError
            If no state is found that satisfies the constraints: the message has their residuals and the coordinates
            that could change them. If ``keep`` names unknown states, or all; if a number is missing or wrong, or the
            model has no constraints.
        TypeError
            If ``keep`` is something else.

        Examples
        --------
        A pendulum in Cartesian coordinates, given beside its circle, with a speed along the rod:

        >>> from sympy import symbols
        >>> from sympy.physics.mechanics import LagrangesMethod, dynamicsymbols
        >>> (x, y), m, g = dynamicsymbols("x y"), *symbols("m g")
        >>> L = m * (x.diff() ** 2 + y.diff() ** 2) / 2 - m * g * y
        >>> model = HybridModel(LagrangesMethod(L, [x, y], hol_coneqs=[x**2 + y**2 - 1]), [])
        >>> start, numbers = dict(zip(model.x, [0.3, -0.4, 1.0, 1.0])), {m: 1.0, g: 9.81}
        >>> model.assemble(start, numbers).x.round(9) + 0.0
        array([ 0.6 , -0.8 ,  1.12,  0.84])
        >>> model.assemble(start, numbers, keep=[x]).x.round(6) + 0.0
        array([ 0.3     , -0.953939,  1.196182,  0.376182])
        """
        return assemble_model(self, x0, parameters, keep, t, inputs or {})

    def draw(self, **options):
        """Draw the modes of a contact: open and closed, with the conditions and jumps of impact, close and open.

        Below them are the gap of every contact and, where it is short, its jump map. Each contact has its own stage, so
        that n contacts have up to 2^n of them: ``result.draw_modes()`` draws those of a run. `sympact.show.draw_graph`
        describes the picture and the option ``title``.

        Returns
        -------
        matplotlib.figure.Figure

        Examples
        --------
        >>> from sympact.models import bouncing_ball
        >>> texts = [text.get_text() for text in bouncing_ball().model.draw().axes[0].texts]
        >>> texts[-3:]
        ['ball', '$g_N = z$', '$v^+ = - e v$']
        """
        from sympact.mechanics.present.contact_chart import model_flows, model_graph, model_transitions

        labels = {"flows": model_flows(self), "transitions": model_transitions(self)}
        return on_request("draw_graph")(
            model_graph(self), **labels, **{"notes": [*contact_formulas(self).values()], **options}
        )

    def impact(
        self,
        t: float,
        x: Mapping[Expr, float] | Sequence[float],
        parameters: Mapping[Symbol, float],
        *,
        law: ImpactLaw | None = None,
        resolution: Resolution | None = None,
        contacts: Iterable[Unilateral | str] | None = None,
        inputs: Mapping[Expr, object] | None = None,
        length: float | None = None,
    ) -> Event:
        """The impact at a state under any law: the change of the speeds, without a run.

        Parameters
        ----------
        t : float
            The time (s).
        x : mapping or array, shape (n_states,)
            The state just before, such as ``event.x_minus``.
        parameters : mapping of Symbol to float
            A value for each of `parameters`.
        law : ImpactLaw, optional
            By default that of the model.
        resolution : Resolution, optional
            By default that of the model.
        contacts : iterable of contacts or str, optional
            The participants; by default all contacts that touch: their gaps are zero to 1e-9 of the length, or to the
            rounding of the coordinates.
        inputs : mapping, optional
            The values of the free functions of time, as for `simulate`.
        length : float, optional
            The model length (m), such as ``result.settings["length"]``; by default the model's own.

        Returns
        -------
        Event
            Of the kind "impact"; ``source`` and ``target`` are empty, because only a run determines which contacts stay
            closed.

        Raises
        ------
        ValueError
            If no contact touches, a number is missing or wrong, or no impulses satisfy the law.

        Examples
        --------
        The tip of a falling rod hits the floor, under the model's law and under Stronge's, which agree for one contact
        without friction:

        >>> from sympact import Energetic
        >>> from sympact.models import falling_rod
        >>> rod = falling_rod()
        >>> hit = rod.simulate().events[0]
        >>> again = rod.model.impact(hit.t, hit.x_minus, rod.parameters)
        >>> again.contacts == hit.contacts, abs(again.x_plus - hit.x_plus).max() < 1e-12
        (True, np.True_)
        >>> other = rod.model.impact(hit.t, hit.x_minus, rod.parameters, law=Energetic())
        >>> (other.impulse / again.impulse).round(9)
        array([1.])
        """
        assembled = assemble_impact(self, t, x, parameters, contacts, inputs or {}, length)
        return assembled.event(self.law if law is None else law, self.resolution if resolution is None else resolution)

    def compare_impacts(
        self,
        t: float,
        x: Mapping[Expr, float] | Sequence[float],
        parameters: Mapping[Symbol, float],
        *,
        contacts: Iterable[Unilateral | str] | None = None,
        inputs: Mapping[Expr, object] | None = None,
        length: float | None = None,
        pairs: Iterable[tuple[ImpactLaw, Resolution]] | None = None,
    ) -> ImpactComparison:
        """Compare the impact at a state under several laws and resolutions.

        Where they differ, rigid-body mechanics alone does not determine the motion after the impact.

        Parameters
        ----------
        t : float
            The time (s).
        x : mapping or array, shape (n_states,)
            The state just before, such as ``event.x_minus``.
        parameters : mapping of Symbol to float
            A value for each of `parameters`.
        contacts : iterable of contacts or str, optional
            The participants; by default all contacts that touch.
        inputs : mapping, optional
            The values of the free functions of time, as for `simulate`.
        length : float, optional
            The model length, as for `impact`.
        pairs : iterable of (ImpactLaw, Resolution), optional
            The laws and resolutions to compare, see `sympact.compare_impacts`.

        Returns
        -------
        ImpactComparison

        Raises
        ------
        ValueError
            If no contact touches, or a number is missing or wrong.

        Examples
        --------
        >>> from sympact.models import bouncing_ball
        >>> ball = bouncing_ball()
        >>> height, speed = ball.model.x
        >>> ball.model.compare_impacts(0.0, {height: 0.0, speed: -3.0}, ball.parameters).agree
        True
        """
        return compare_problem(assemble_impact(self, t, x, parameters, contacts, inputs or {}, length), pairs)

    def linearize(
        self,
        x: Mapping[Expr, float] | Sequence[float] | Result,
        parameters: Mapping[Symbol, float],
        *,
        t: float = 0.0,
        inputs: Mapping[Expr, object] | None = None,
        closed: Iterable[Unilateral | str] | None = None,
        independent: Sequence[Expr] = (),
    ) -> Linearization:
        """Linearize the motion about a state: an equilibrium, or one state of a motion.

        z' = A z + B w, y = C z + D w, for small changes z of the independent coordinates and speeds, w of the inputs
        and y of the outputs. The derivatives are exact, those of constraint forces included. Closed contacts are
        bilateral here: the linearisation is that of the motion in which they stay closed. :doc:`/how-to/linearize` has
        examples, :doc:`/theory/linearization` the equations.

        Parameters
        ----------
        x : mapping or array, shape (n_states,), or Result
            The state, as for `simulate`; of a run that at the time `t`, on the right of an event. It satisfies the
            bilateral constraints to 1e-9, see `assemble`.
        parameters : mapping of Symbol to float
            A value for each of `parameters`.
        t : float
            The time (s).
        inputs : mapping, optional
            The values of the free functions of time, as for `simulate`. Where a value is an expression of the state, A
            contains this feedback, and w is what is added to it.
        closed : iterable of contacts or str, optional
            The closed contacts. By default those that touch and do not part; of a run those that transmit a force. A
            closed contact with friction slides where it has a slip velocity, else it sticks. All others are open; where
            they are named, a gap below 0 is permitted.
        independent : sequence of Expr
            Coordinates and speeds that are to be independent, where constraints leave a choice; they come first, in
            this order. The others are chosen by pivoting, so that the rows of the constraints are best solved for the
            dependent ones.

        Returns
        -------
        Linearization

        Raises
        ------
        ValueError
            If a number is missing or wrong, the state violates the constraints, a contact named as closed is apart or
            moves along its normal, one that touches would have to pull, the equations have no derivative at the state,
            the rank of the constraints changes there, or the states named as independent are not.
        TypeError
            If ``closed`` or ``independent`` is no list.
        NotImplementedError
            For sliding contacts whose normal forces are not determined, and in motion for friction along surfaces whose
            closest point is found by a search.

        Examples
        --------
        A cart with a pole that stands upright: one motion grows, one decays, and the cart may be anywhere.

        >>> from sympact.models import cart_pole
        >>> cart = cart_pole()
        >>> linear = cart.model.linearize(dict.fromkeys(cart.model.x, 0.0), cart.parameters)
        >>> linear.eigenvalues().real.round(4) + 0.0, linear.stable
        (array([ 4.2184,  0.    ,  0.    , -4.2184]), False)
        """
        return linearize_model(self, x, parameters, t, inputs, closed, independent)

    def equilibrium(
        self,
        guess: Mapping[Expr, float] | Sequence[float],
        parameters: Mapping[Symbol, float],
        *,
        t: float = 0.0,
        inputs: Mapping[Expr, object] | None = None,
        closed: Iterable[Unilateral | str] | None = None,
        speeds: Mapping[Expr, float] | None = None,
        max_step: float = 0.5,
    ) -> Equilibrium:
        """Find coordinates near a guess at which the speeds do not change, with the forces of contacts and constraints.

        By default the conditions 0 <= g, 0 <= lambda, g lambda = 0 of every contact decide which contacts close, from
        any guess, open or closed; friction of contacts at rest keeps to the static cone. Where equilibria are a family,
        as those of a block on a rough floor, the search ends at one near the guess. :doc:`/theory/linearization` gives
        the equations and the method.

        Parameters
        ----------
        guess : mapping or array, shape (n_coordinates,)
            A value for each of `q`; constraints need not be satisfied.
        parameters : mapping of Symbol to float
            A value for each of `parameters`.
        t : float
            The time (s).
        inputs : mapping, optional
            The values of the free functions of time, as for `simulate`.
        closed : iterable of contacts or str, optional
            The closed contacts, and no others.
        speeds : mapping of Expr to float, optional
            Constant generalized speeds of a steady motion that the constraints permit; those that are left out are 0.
        max_step : float
            The largest change in one step of the search: radians by which a body turns, lengths of the model by which a
            point moves.

        Returns
        -------
        Equilibrium

        Raises
        ------
        NoEquilibrium
            A ValueError with the conditions that are not met: if none is found, or named contacts would have to pull.
        ValueError
            If a number is missing or wrong.

        Examples
        --------
        A block that is dropped upright lies on both corners; each bears half of its weight:

        >>> from sympact.models import rocking_block
        >>> block = rocking_block()
        >>> rest = block.model.equilibrium([0.0, 2.0, 0.1], block.parameters)
        >>> rest.closed, rest.normal_force.round(6), abs(rest.x.round(9)[:3])
        (('left', 'right'), array([4.905, 4.905]), array([0. , 0.5, 0. ]))
        """
        return find_equilibrium(self, guess, parameters, t, inputs, closed, speeds, max_step)

    def __repr__(self) -> str:
        def listed(items: Iterable[object]) -> str:
            return ", ".join(item if isinstance(item, str) else vsstrrepr(item) for item in items) or "none"

        return "\n".join(["HybridModel", *(f"  {name:<12} {listed(items)}" for name, items in letters(self).items())])

    def _repr_html_(self) -> str:
        """A summary of the model for notebooks: symbols, contacts, equations in LaTeX, the long ones folded."""
        return model_html(self)

    def _repr_latex_(self) -> str | None:
        """The equations in LaTeX, for notebooks exported to PDF; None, which shows the table, if they are too large."""
        return model_latex(self)


def _built(kind: type[HybridModel], given: dict[str, Any]) -> HybridModel:
    """A model from the arguments of another one."""
    return kind(**given)


def _listed(some: Any) -> Any:
    """What can be iterated over once as a tuple; everything else as it is."""
    return tuple(some) if isinstance(some, Iterator) else some


def _read_length(length: Expr | float | None) -> Expr | None:
    """The length as an expression; a number must be positive."""
    if length is None:
        return None
    expression = read_expression(length, "the length of a model")
    if expression.is_number and not (expression.is_real and 0 < float(expression) < math.inf):
        raise ValueError(f"length={length}: expected a positive length (m), or an expression of parameters")
    return expression


def _read_outputs(outputs: Mapping[str, Expr] | None) -> dict[str, Expr]:
    """The outputs as expressions."""
    if not isinstance(outputs, Mapping | None):
        raise TypeError(f"outputs is {outputs!r}, expected a mapping of names to expressions, {{'power': F * v}}")
    return {name: read_expression(value, f"the output {name!r}") for name, value in (outputs or {}).items()}


def _outputs_of(source: Mapping[str, Expr], given: Mapping[str, Expr], states: Iterable[Expr]) -> dict[str, Expr]:
    """The outputs that the source names, and those given with it; none but a state itself has the name of a state."""
    twice = [name for name in given if name in source]
    if twice:
        raise ValueError(f"the source of the model has outputs {twice} already; give the further ones other names")
    outputs, named = {**source, **given}, {state_name(state): state for state in states}
    for name, expression in outputs.items():
        if name in named and named[name] != expression:
            raise ValueError(
                f"the output {name!r} = {vsstrrepr(expression)} has the name of the state {named[name]}, which "
                f"result[{name!r}] is; give the output another name"
            )
    return outputs


def _expect(name: str, values: Iterable[object], kind: type | tuple[type, ...], called: str) -> tuple:
    """The values as a tuple, if all are of this class, or of one of these."""
    if not isinstance(values, Iterable):
        raise TypeError(f"{name}: expected a list of {called} objects; found {values!r}")
    values = tuple(values)
    wrong = [value for value in values if not isinstance(value, kind)]
    if wrong:
        made = [f"; write {one.__name__}()" for one in wrong if isinstance(one, type) and issubclass(one, kind)]
        raise TypeError(f"{name}: expected {called} objects; found {', '.join(map(repr, wrong))}{''.join(made)}")
    return values
