"""The line of a long run tells the truth: simulated time, events, rate, and the time left."""

import re
from time import perf_counter

import pytest
from integrate_processes import ball, plain_ball

from sympact import Status
from sympact.integrate.loop.progress import Progress
from sympact.models import bouncing_ball

LINE = re.compile(r"(\d+)% \|.*\| t = (\S+) of (\S+) s, (\d+) events?, (\S+) s per s, (\S+) left")


def told(stream: str) -> list[tuple[float, float, int, str, str]]:
    """Time, end, events, rate and time left of each line, in order."""
    found = [match.groups() for match in map(LINE.search, stream.split("\r")) if match]
    return [(float(t), float(end), int(events), rate, left) for _, t, end, events, rate, left in found]


@pytest.fixture
def clock(monkeypatch):
    """A clock that goes on when it is told to, in place of the bar's own."""
    now = [1000.0]
    monkeypatch.setattr("tqdm.std.time", lambda: now[0])
    return now


def test_rate_and_time_left_follow_the_clock(clock, capsys):
    """From 10 s to 30 s: 2 s in four seconds of the clock leave 18 s, which at that rate take 36 more."""
    with Progress(10.0, 30.0) as line:
        clock[0] += 4.0
        line.show(12.0, 1)
        clock[0] += 4.0
        line.show(20.0, 7)
        clock[0] += 2.0
        line.show(30.0, 7)
    start, first, second, *_, last = told(capsys.readouterr().err)
    assert start == (10.0, 30.0, 0, "?", "?")
    assert first == (12.0, 30.0, 1, "0.5", "00:36")
    # the rate of late, 2 s per s, weighs more than the 0.5 s per s before
    assert second[:3] == (20.0, 30.0, 7)
    assert 1.25 < float(second[3]) < 2.0
    assert last == (30.0, 30.0, 7, "2", "00:00")  # 20 s in 10 s


def test_a_run_that_stands_still_still_writes(clock, capsys):
    """Hops that die away take no simulated time: the number of events goes on."""
    with Progress(0.0, 10.0) as line:
        for events in (100, 200, 300):
            clock[0] += 1.0
            line.show(1.0, events)
    assert [events for _, _, events, _, _ in told(capsys.readouterr().err)][:4] == [0, 100, 200, 300]


@pytest.mark.parametrize("build", [ball, plain_ball])
def test_the_last_line_of_a_process_is_its_result(build, capsys):
    began = perf_counter()
    result = build(0.999).simulate((0, 200), [1.0, 0.0], start="air", progress=True)
    elapsed = perf_counter() - began
    lines = told(capsys.readouterr().err)
    assert [line[0] for line in lines] == sorted(line[0] for line in lines)
    assert [line[2] for line in lines] == sorted(line[2] for line in lines)
    t, end, events, rate, left = lines[-1]
    assert (t, end, events, left) == (200.0, 200.0, len(result.events), "00:00")
    assert float(rate) > 0.99 * 200 / elapsed  # the line is there for less than all of the call; three digits of it


def test_a_run_that_ends_early_says_where(capsys):
    result = bouncing_ball().simulate(progress=True, max_events=3)
    assert result.status is Status.MAX_EVENTS
    t, end, events, _, _ = told(capsys.readouterr().err)[-1]
    assert (t, end, events) == (pytest.approx(result.t[-1], rel=1e-5), 5.0, 3)


def test_without_the_wish_nothing_is_written(capsys):
    bouncing_ball().simulate()
    assert capsys.readouterr() == ("", "")


def test_numbers_do_not_depend_on_the_line():
    shown, quiet = bouncing_ball().simulate(progress=True), bouncing_ball().simulate()
    assert shown.x.tobytes() == quiet.x.tobytes()
