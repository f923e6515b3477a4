"""Warnings of a run: kept with it, saved with it, and shown once for each kind, whatever their figures are."""

import warnings

import pytest
from contact_models import rod

from sympact import ConditionalDynamic, ImpactWarning, SympactWarning, load
from sympact.integrate.problem.warning import EndWarning, tell

GAIN = {"e_A": 0.0, "e_B": 1.0, "g": 0.0}
"""With these restitutions Newton's law gains energy where both ends of the rod hit together."""


def gaining(spin=1.5):
    """A rod whose ends hit with -spin/6 + spin/2 and its opposite sense; the gain grows with the spin."""
    case = rod()
    return case.model.simulate((0, 0.1), [0, 0, 0, 0, -spin / 6, spin], case.parameters(**GAIN), max_events=1)


def caught(action, *calls):
    """What is shown of some calls under a filter."""
    with warnings.catch_warnings(record=True) as shown:
        warnings.simplefilter(action)
        for call in calls:
            call()
    return [str(one.message) for one in shown]


def test_a_run_keeps_its_warnings_also_those_that_are_not_shown():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SympactWarning)
        result = gaining()
    (warning,) = result.warnings
    assert isinstance(warning, ImpactWarning)
    assert warning.kind == "gain of energy"
    assert "33.3 % of the kinetic energy" in str(warning)


def test_warnings_are_saved_and_loaded(tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = gaining()
    result.save(tmp_path / "run.npz")
    again = load(tmp_path / "run.npz").warnings
    assert [(type(one), one.kind, str(one)) for one in again] == [
        (type(one), one.kind, str(one)) for one in result.warnings
    ]


def test_by_default_each_kind_is_shown_once_whatever_its_figures_are():
    shown = caught("default", gaining, lambda: gaining(3.0), lambda: tell(ImpactWarning("near", "near miss")), gaining)
    assert len(shown) == 2
    assert "gained energy" in shown[0]
    assert shown[1] == "near"


def test_filters_rule_as_for_every_warning():
    """`always` shows each, `ignore` none; another filter begins to count anew."""
    assert len(caught("always", gaining, lambda: gaining(3.0))) == 2
    assert caught("ignore", gaining) == []
    assert len(caught("once", gaining, lambda: gaining(3.0))) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error", SympactWarning)
        with pytest.raises(ImpactWarning, match="gained energy"):
            gaining()


def test_a_filter_of_the_base_class_takes_in_runs_that_end_early():
    stuck = ConditionalDynamic(lambda t, x: [1.0], lambda t, x: x[0] - 1.0, lambda t, x: x)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", SympactWarning)
        stuck.run([0.0], (0, 3), t_density=10)
    with pytest.warns(EndWarning, match="changed nothing") as told:
        stuck.run([0.0], (0, 3), t_density=10)
    assert told[0].message.kind == "JUMP_WITHOUT_EFFECT"
    assert told[0].filename == __file__
