"""Solvers side by side in threads, in turns in one thread, and stopped in the middle: none disturbs another."""

from __future__ import annotations

import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from random import Random

import pytest
from support import load_jsonl, random_position

from hokm_solver.cards import Seat, Suit
from hokm_solver.errors import SearchInterrupted
from hokm_solver.notation import parse_cards, position_from_json
from hokm_solver.sampling import seen_by_hakem
from hokm_solver.solver import OBJECTIVES, Solver, solve_many

PATIENCE = 60  # seconds; far more than anything here takes


def stored_deals(count):
    return [position_from_json(entry)[0] for entry in load_jsonl("deals_win")[:count]]


def untimed(solution):
    return replace(solution, seconds=0.0)


def solve_all(positions):
    """Solve by a solver of one's own."""
    solver = Solver()
    return [untimed(solver.solve(position, "points", cards=False)) for position in positions]


@pytest.fixture(scope="module")
def deals():
    return stored_deals(200)


@pytest.fixture(scope="module")
def alone(deals):
    """The solutions found by one thread."""
    return solve_all(deals)


def test_the_stored_winners(alone):
    assert [solution.points > 0 for solution in alone] == [
        bool(entry["win"]) for entry in load_jsonl("deals_win")[:200]
    ]


def test_two_threads_on_the_same_deals(deals, alone):
    with ThreadPoolExecutor(2) as pool:
        for solutions in pool.map(solve_all, [deals, deals]):
            assert solutions == alone


def test_two_threads_on_half_of_the_deals_each(deals, alone):
    with ThreadPoolExecutor(2) as pool:
        even, odd = pool.map(solve_all, [deals[::2], deals[1::2]])
    assert (even, odd) == (alone[::2], alone[1::2])


@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_any_number_of_jobs(deals, alone, jobs):
    solutions = solve_many(deals, jobs, "points", cards=False)
    assert [untimed(solution) for solution in solutions] == alone


def mixed_positions(count):
    rng = Random("in turns")
    return [random_position(rng, rng.randint(6, 13), freak=rng.random() < 0.25) for _ in range(count)]


def test_solvers_in_turns_in_one_thread():
    positions = mixed_positions(60)
    solvers = [Solver(), Solver(portable=True), Solver(table_mb=16)]
    for turn, position in enumerate(positions):
        objective = OBJECTIVES[turn % 3]
        solutions = [untimed(solver.solve(position, objective, line=True)) for solver in solvers]
        assert solutions == [untimed(Solver().solve(position, objective, line=True))] * 3
        solvers.append(solvers.pop(0))


def solve_over_and_over(solver):
    """Solve whole deals until something stops it."""
    deals, end = stored_deals(10), time.monotonic() + PATIENCE
    while time.monotonic() < end:
        for position in deals:
            solver.solve(position)


def value_many_worlds(solver):
    """One call that would take a minute."""
    worlds = seen_by_hakem(parse_cards("AH QH 9H KC 4D")).worlds(20_000, seed=1)
    solver.points_of_worlds(worlds, Seat.N, Suit.HEARTS)


LONG = [solve_over_and_over, value_many_worlds]


def check_usable(solver):
    """Whatever stopped the solver, it must answer like a new one."""
    for position in mixed_positions(10):
        assert untimed(solver.solve(position, line=True)) == untimed(Solver().solve(position, line=True))


@pytest.mark.parametrize("work", LONG)
def test_interrupt_from_another_thread(work):
    solver = Solver()
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(work, solver)
        while not running.done():
            time.sleep(0.02)
            solver.interrupt()  # reaches only a search that runs just now, hence again and again
        with pytest.raises(SearchInterrupted):
            running.result()
    check_usable(solver)


@pytest.mark.parametrize("delay", [0.0005, 0.001, 0.002, 0.004])
def test_what_an_interrupted_search_had_proved_is_kept(delay):
    stopped = []
    for position in stored_deals(12):
        solver, exact = Solver(), Solver().solve(position)
        timer = threading.Timer(delay, solver.interrupt)
        timer.start()
        try:
            solver.solve(position)
        except SearchInterrupted as interrupted:
            stopped.append(interrupted.solution)
            bounds = interrupted.solution.bounds
            assert bounds.lowest <= exact.margin <= bounds.highest
            for value, right in zip(interrupted.solution.cards, exact.cards, strict=True):
                assert value.bounds.lowest <= right.margin <= value.bounds.highest
        timer.join()
    assert all(solution.seconds > 0 for solution in stopped)


def test_an_interrupt_stops_one_solver_alone():
    stopped, other = Solver(), Solver()
    with ThreadPoolExecutor(2) as pool:
        running = pool.submit(value_many_worlds, stopped)
        beside = pool.submit(lambda: [untimed(other.solve(position)) for position in mixed_positions(40)])
        while not running.done():
            time.sleep(0.02)
            stopped.interrupt()
        assert beside.result() == [untimed(Solver().solve(position)) for position in mixed_positions(40)]


def test_an_interrupt_without_a_search_is_forgotten():
    solver = Solver()
    solver.interrupt()
    check_usable(solver)


@pytest.mark.parametrize("work", LONG)
def test_ctrl_c_in_the_main_thread(work):
    assert threading.current_thread() is threading.main_thread()
    solver = Solver()
    ctrl_c = threading.Timer(0.1, signal.raise_signal, [signal.SIGINT])
    ctrl_c.start()
    with pytest.raises(KeyboardInterrupt):
        work(solver)
    ctrl_c.join()
    check_usable(solver)
