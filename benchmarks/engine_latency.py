"""Whether the engine keeps its time limits: serial requests from deals in play, the very first one included."""

from __future__ import annotations

import argparse
import shlex
import sys
import time
from collections.abc import Iterator
from itertools import count, islice

from hokm_solver.engine.arena import Duel, play_duel
from hokm_solver.engine.choice import Limits
from hokm_solver.engine.external import ExternalPlayer
from hokm_solver.engine.view import PublicRecord, View

COMMAND = f"{shlex.quote(sys.executable)} -m hokm_solver engine"
GRACE_MS = 20.0  # a reply may come this much after its limit


def views(seed: int) -> Iterator[View]:
    """What seats see in deals that policies play against each other, wherever there is a choice."""
    for game in play_duel(Duel("learned", "greedy", pairs=10**9, seed=seed)):
        assert game.deal.hakem is not None
        record = PublicRecord(game.deal.hakem, game.trump)
        for card in game.plays:
            view = record.view(game.deal.hands[record.trick.to_play])
            if len(view.legal_cards()) > 1:
                yield view
            record.add(card)


def times_ms(asked: list[View], limit_ms: float, command: str = COMMAND) -> list[float]:
    """Milliseconds from each request to its reply."""
    player, times = ExternalPlayer(command), []
    try:
        player.choose_trump(tuple(islice(asked[0].hand, 5)), limits=Limits(worlds=1))  # once it is ready
        for number, view in zip(count(1), asked):
            begun = time.perf_counter()
            player.choose_card(view, Limits(time_ms=limit_ms, seed=number))
            times.append((time.perf_counter() - begun) * 1000)
    finally:
        player.close()
    return times


def main() -> None:
    """Print how many replies came in time, and how late the others were."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=5000)
    parser.add_argument("--time-ms", type=float, default=20.0)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    asked = list(islice(views(options.seed), options.requests))
    times = times_ms(asked, options.time_ms)
    in_time = sum(each <= options.time_ms + GRACE_MS for each in times)
    print(f"{len(times)} requests of {options.time_ms:g} ms, seed {options.seed}, time limit plus {GRACE_MS:g} ms:")
    print(f"{in_time / len(times):.3%} in time; first {times[0]:.1f} ms, longest {max(times):.1f} ms")


if __name__ == "__main__":
    main()
