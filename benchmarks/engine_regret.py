"""What more time buys: points lost by quick decisions, judged by slow ones: ``python -m benchmarks.engine_regret``.

Positions come from deals played by the learned policy, one decision with a choice from each deal. A decision is judged
by the values of all cards over many worlds, drawn with another seed than its own. Every time limit meets the same
positions, so that differences between limits are paired. Printed: the mean regret a decision with its standard error.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from statistics import fmean, stdev

from hokm_solver.cards import Card, Seat
from hokm_solver.deal import Position
from hokm_solver.dealing import SplitMix64, deal_cards
from hokm_solver.engine.choice import Limits
from hokm_solver.engine.player import Player, make_player
from hokm_solver.engine.policies import record_of
from hokm_solver.engine.view import View

FIRST_SEED = 5_000_000
JUDGE_SEED = 2**32
SINGLE = 1  # distinct cards of a decision without a choice


def decisions(n: int) -> Iterator[View]:
    """Yield one decision with a choice from each of n deals, played by the learned policy."""
    player = make_player("learned")
    for number in range(n):
        deal = deal_cards(FIRST_SEED + number, Seat(number % 4))
        assert deal.hakem is not None
        assert deal.first_five is not None
        position = Position.start(deal, player.choose_trump(deal.first_five, deal.hakem).trump)
        views: list[View] = []
        plays: tuple[Card, ...] = ()
        while position.outcome() is None:
            view = View.of_deal(deal, position.to_play, position.trump, plays)
            if len(record_of(view).distinct(view.held.bits)) > SINGLE:
                views.append(view)
            card = player.choose_card(view).card
            position, plays = position.play(card), (*plays, card)
        yield views[SplitMix64(number).below(len(views))]


def regrets(view: View, worlds: int, limits: list[Limits]) -> list[float]:
    """Points lost, the mover's view, by the decision under each of the limits."""
    judge = Player().choose_card(view, Limits(worlds=worlds, seed=JUDGE_SEED))
    sign = 1 if view.seat.side == view.hakem.side else -1
    value = {candidate.card: sign * (candidate.points or 0.0) for candidate in judge.candidates}
    best = value[judge.card]
    return [best - value[Player().choose_card(view, limit).card] for limit in limits]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=1000)
    parser.add_argument("--worlds", type=int, default=20_000, help="of the judge")
    parser.add_argument("--ms", type=float, nargs="*", default=[5.0, 20.0, 100.0])
    parser.add_argument("--choices", type=int, nargs="*", default=[], help="numbers of worlds, beside the times")
    options = parser.parse_args()
    limits = [Limits(time_ms=ms) for ms in options.ms] + [Limits(worlds=worlds) for worlds in options.choices]
    names = [f"{ms:g} ms" for ms in options.ms] + [f"{worlds} worlds" for worlds in options.choices]
    rows = [regrets(view, options.worlds, limits) for view in decisions(options.positions)]
    for name, column in zip(names, zip(*rows)):
        print(f"{name:>12}: {fmean(column):.4f} ± {stdev(column) / len(column) ** 0.5:.4f} points a decision")


if __name__ == "__main__":
    main()
