"""Train the learned policy: ``python benchmarks/train_policy.py OUT.npz``.

Round after round the current policy plays deals against itself; at every few decisions the legal cards are valued as
the engine values them (sampled worlds, one playout each by the current policy), and look-up weights are fitted to those
values. The first round is played by the rules; the early rounds are short, the late ones keep the decisions of the late
rounds before them. Values are noisy but unbiased, and the loss is linear in them, so many decisions with few worlds
teach more than few decisions with many.

The loss of one decision, with p the softmax of the scores and q the points of the cards, the mover's view:

    Σ p · (−q) / τ + Σ p · log p        (the divergence of p from softmax(q / τ), up to a constant)

Everything is seeded. A tenth of the decisions is held out; what the policy gains there over a random legal card is
printed and stored with the weights, and so are the points a deal against the greedy and the rule policy.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hokm_solver._sample import Sampler
from hokm_solver.cards import FULL_SET, CardSet, Suit
from hokm_solver.engine.policies import longest_suit, playout_module
from hokm_solver.engine.worth import LARGEST_MARGIN, POINTS

SCALE = 256  # weights are stored as whole numbers, so many to one unit of log-odds
HELD_OUT = 0.1
HAKEM = 0
DEALS_AT_ONCE = 256
TEST_SEED = 2**40  # the deals on which policies are compared; training seeds are small


@dataclass(frozen=True)
class Settings:
    """Everything the result depends on, besides the code."""

    early: int = 3  # rounds
    late: int = 2
    early_decisions: int = 100_000  # a round
    late_decisions: int = 400_000
    worlds: int = 48  # a decision
    every: int = 4  # decisions from one valued to the next
    wandering: float = 2.0  # temperature of the policy that chooses what to play on with
    tau: float = 0.02  # points; the temperature of the loss
    rate: float = 0.5
    epochs: int = 30
    batch: int = 4096
    seed: int = 1


@dataclass
class Decisions:
    """Decisions one after another: look-up numbers and points of their cards, and how many cards each has."""

    numbers: NDArray[np.int32]  # (cards, look-ups), −1 for none
    points: NDArray[np.float64]  # (cards,), the mover's view
    sizes: NDArray[np.int64]  # (decisions,)

    def __post_init__(self) -> None:
        """Find where every decision starts."""
        self.starts = np.concatenate([[0], np.cumsum(self.sizes)[:-1]])

    def pick(self, chosen: NDArray[np.int64]) -> Decisions:
        """Return some of the decisions."""
        sizes = self.sizes[chosen]
        starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
        rows = np.repeat(self.starts[chosen] - starts, sizes) + np.arange(sizes.sum())
        return Decisions(self.numbers[rows], self.points[rows], sizes)


def deals(n: int, seed: int) -> NDArray[np.uint64]:
    """Whole deals, drawn uniformly, shape (n, 4)."""
    worlds = np.empty((n, 4), dtype=np.uint64)
    Sampler([0] * 4, FULL_SET.bits, [13] * 4, [0] * 4).fill(worlds, seed)
    return worlds


def called(hakems_hand: int, rng: np.random.Generator) -> Suit:
    """The trump called from five of hakem's cards."""
    cards = tuple(CardSet(hakems_hand))
    return longest_suit(cards[k] for k in rng.permutation(len(cards))[:5])


class Teacher:
    """Plays deals and values cards."""

    def __init__(self, settings: Settings, policy: Any, wandering: Any, seed: int) -> None:
        """Value by ``policy``, play on by ``wandering``."""
        self.module = playout_module()
        self.settings, self.policy, self.wandering = settings, policy, wandering
        self.seed = seed
        self.rng = np.random.default_rng(seed)
        self.worlds = np.empty((settings.worlds, 4), dtype=np.uint64)

    def gather(self, n: int) -> Decisions:
        """Return n decisions, a few more to complete the last deal."""
        numbers, points = [], []
        for hands in self._deals():
            for found, values in self._decisions_of(hands):
                numbers.append(found)
                points.append(values)
            if len(points) >= n:
                break
        sizes = np.array([len(values) for values in points])
        return Decisions(np.concatenate(numbers), np.concatenate(points), sizes)

    def _deals(self) -> Iterator[list[int]]:
        block = 0
        while True:
            yield from deals(DEALS_AT_ONCE, self.seed * 1_000_003 + block).tolist()
            block += 1

    def _decisions_of(self, hands: list[int]) -> Iterator[tuple[NDArray[np.int32], NDArray[np.float64]]]:
        """Play one deal; yield look-up numbers and points of the cards at some of its decisions."""
        record = self.module.Record(HAKEM, called(hands[HAKEM], self.rng))
        wait = int(self.rng.integers(self.settings.every))
        while not record.over:
            seat = record.to_play
            cards = record.distinct(hands[seat])
            if len(cards) > 1:
                if wait == 0:
                    wait = self.settings.every
                    yield self._numbers(record, hands[seat], cards), self._points(record, seat, hands[seat], cards)
                wait -= 1
            card = self.wandering.choose(record, hands[seat], self._number())
            hands[seat] ^= 1 << card
            record.play(card)

    def _number(self) -> int:
        return int(self.rng.integers(2**62))

    def _numbers(self, record: Any, hand: int, cards: list[int]) -> NDArray[np.int32]:
        numbers = np.empty((len(cards), self.module.MOST_LOOK_UPS), dtype=np.int32)
        self.module.features(record, hand, numbers)
        return numbers

    def _points(self, record: Any, seat: int, hand: int, cards: list[int]) -> NDArray[np.float64]:
        """Mean points of the cards over sampled worlds, the mover's view."""
        known, sizes = [0] * 4, record.sizes
        known[seat], sizes[seat] = hand, 0
        unseen = FULL_SET.bits & ~(record.gone | hand)
        Sampler(known, unseen, sizes, record.voids).fill(self.worlds, self._number())
        margins = np.empty((len(cards), len(self.worlds)), dtype=np.int8)
        self.policy.card_margins(record, self.worlds, np.array(cards, dtype=np.int32), margins, self._number())
        points: NDArray[np.float64] = POINTS[margins + LARGEST_MARGIN].mean(axis=1)
        return points if (seat - HAKEM) % 2 == 0 else -points


class Fit:
    """Weights fitted to decisions by stochastic gradient steps, each weight with a rate of its own (Adagrad)."""

    def __init__(self, settings: Settings, decisions: Decisions, shape: tuple[int, int]) -> None:
        """Prepare; the last tenth of the decisions is held out."""
        self.shape = shape
        self.settings = settings
        kept = int(len(decisions.sizes) * (1 - HELD_OUT))
        self.kept = decisions.pick(np.arange(kept))
        self.held_out = decisions.pick(np.arange(kept, len(decisions.sizes)))
        # One more than there are: the last, at −1, is looked up where a card needs fewer, and cancels out.
        self.weights = np.zeros(shape[0] * shape[1] + 1)
        self._squares = np.full(len(self.weights), 0.01)

    def run(self) -> None:
        """Go through the decisions again and again, with smaller steps in the second half."""
        rng = np.random.default_rng(self.settings.seed)
        n, epochs = len(self.kept.sizes), self.settings.epochs
        for epoch in range(epochs):
            rate = self.settings.rate * min(1.0, 2 * (1 - epoch / epochs))
            order = rng.permutation(n)
            for start in range(0, n, self.settings.batch):
                self._step(self.kept.pick(order[start : start + self.settings.batch]), rate)

    def _step(self, batch: Decisions, rate: float) -> None:
        chances = self._chances(batch)
        value = np.log(chances + 1e-12) - batch.points / self.settings.tau
        mean = np.add.reduceat(chances * value, batch.starts)
        slope = chances * (value - np.repeat(mean, batch.sizes)) / len(batch.sizes)
        shares = np.repeat(slope, batch.numbers.shape[1])
        gradient = np.bincount(batch.numbers.ravel() % len(self.weights), shares, len(self.weights))
        self._squares += gradient**2
        self.weights -= rate * gradient / np.sqrt(self._squares)

    def _scores(self, batch: Decisions) -> NDArray[np.float64]:
        """The scores of all cards, the best of every decision 0."""
        scores: NDArray[np.float64] = self.weights[batch.numbers].sum(axis=1)
        scores -= np.repeat(np.maximum.reduceat(scores, batch.starts), batch.sizes)
        return scores

    def _chances(self, batch: Decisions) -> NDArray[np.float64]:
        chances: NDArray[np.float64] = np.exp(self._scores(batch))
        chances /= np.repeat(np.add.reduceat(chances, batch.starts), batch.sizes)
        return chances

    def gain(self, decisions: Decisions) -> float:
        """Points a decision by which the best card gains over a random one, by values it was not fitted to."""
        best = (self._scores(decisions) >= 0).astype(np.float64)
        of_best = np.add.reduceat(best * decisions.points, decisions.starts) / np.add.reduceat(best, decisions.starts)
        of_any = np.add.reduceat(decisions.points, decisions.starts) / decisions.sizes
        return float((of_best - of_any).mean())

    def whole_numbers(self) -> NDArray[np.int16]:
        """The weights as they are shipped."""
        limits = np.iinfo(np.int16)
        return np.clip(np.round(self.weights[:-1] * SCALE), limits.min, limits.max).astype(np.int16).reshape(self.shape)


def points_against(policy: Any, other: Any, n: int = 20_000) -> tuple[float, float]:
    """Points a deal of ``policy`` over ``other`` in duplicate pairs of deals, and the standard error."""
    module, rng = playout_module(), np.random.default_rng(TEST_SEED)
    worlds = deals(n, TEST_SEED)
    trumps = np.array([called(hands[HAKEM], rng) for hands in worlds.tolist()])
    gains = []
    for trump in Suit:
        chosen = np.ascontiguousarray(worlds[trumps == trump])
        mine, theirs = (np.empty(len(chosen), dtype=np.int8) for _ in range(2))
        record = module.Record(HAKEM, trump)
        policy.play_out(record, chosen, mine, TEST_SEED, 0, other)
        other.play_out(record, chosen, theirs, TEST_SEED, 0, policy)
        gains.append((POINTS[mine + LARGEST_MARGIN] - POINTS[theirs + LARGEST_MARGIN]) / 2)
    gain = np.concatenate(gains)
    return float(gain.mean()), float(gain.std() / np.sqrt(n))


def joined(parts: Sequence[Decisions]) -> Decisions:
    """Return the decisions of several rounds, one after another."""
    fields = ("numbers", "points", "sizes")
    return Decisions(*(np.concatenate([getattr(part, field) for part in parts]) for field in fields))


def train(settings: Settings) -> tuple[NDArray[np.int16], dict[str, Any]]:
    """Return the weights of the last round and an account of all rounds."""
    module = playout_module()
    policy = wandering = module.Policy("rules")
    others = {name: module.Policy(name) for name in ("greedy", "rules")}
    account: dict[str, Any] = {"settings": asdict(settings), "rounds": []}
    kept: list[Decisions] = []
    for number in range(1, settings.early + settings.late + 1):
        began, is_early = time.monotonic(), number <= settings.early
        teacher = Teacher(settings, policy, wandering, settings.seed * 1000 + number)
        found = teacher.gather(settings.early_decisions if is_early else settings.late_decisions)
        kept = [*kept, found] if number > settings.early + 1 else [found]
        fit = Fit(settings, joined(kept), module.WEIGHT_SHAPE)
        fit.run()
        weights = fit.whole_numbers()
        policy = module.Policy("learned", weights)
        wandering = module.Policy("learned", weights, settings.wandering)
        result: dict[str, Any] = {"gain": fit.gain(fit.kept), "gain_held_out": fit.gain(fit.held_out)}
        result |= {name: points_against(policy, other) for name, other in others.items()}
        account["rounds"].append(result)
        print(f"round {number}: {result} in {time.monotonic() - began:.0f} s", flush=True)
    return weights, account


def main() -> None:
    """Read the command line, train, and write the weights with their provenance."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", help="file to write, .npz")
    for name, value in asdict(Settings()).items():
        parser.add_argument(f"--{name}", type=type(value), default=value)
    options = vars(parser.parse_args())
    out = options.pop("out")
    weights, account = train(Settings(**options))
    np.savez_compressed(out, weights=weights, provenance=np.array(json.dumps(account)))


if __name__ == "__main__":
    main()
