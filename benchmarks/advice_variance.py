"""How many deals each way of lowering the spread saves: ``python -m benchmarks.advice_variance``.

For random hands the difference between the two best suits is valued exactly on the same deals in several ways. What is
compared is the variance at an equal number of exact solves: a factor of 2 means that half the deals will do.

Versions: the deal alone; with its image, in which the unseen cards of the two suits have changed places; or in four
versions, in which the unseen cards of all suits move on (`HiddenHands.rotated`).

Controls, whose mean over all deals is known exactly or could be had from cheap playouts: how many trumps hakem's side
holds; one playout of the learned policy; eight playouts in which it draws its cards. Their coefficients are fitted to
the other half of the hands, so that they flatter nothing. Strata: deals with the same numbers of trumps, of the two
suits, in one hand or on hakem's side, weighted exactly.

The price of the playouts is left out, and so is the error of their own mean; both make them look better than they are.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.common import markdown, random_hand, surroundings
from hokm_solver.cards import CardSet, Seat, Suit
from hokm_solver.engine.policies import make_policy, playout_module
from hokm_solver.rules import points_of_margin
from hokm_solver.sampling import HAKEM, Worlds, seen_by_hakem
from hokm_solver.solver import Solver

FIRST_SEED = 9_100_000  # the first hand is hakem's in deal_cards(FIRST_SEED)
WORLD_SEED = 1
DRAWN = 8  # playouts of a deal in which the policy draws its cards
TEMPERATURE = 1.0
CLOSE = 0.1  # points between suits that are hard to tell apart
SIDE = (Seat.N, Seat.S)

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Hand:
    """What was found out about the two best suits of one hand; arrays of differences over the same deals.

    Attributes:
        gap: mean points between the two.
        values: for every set of versions the difference, shape (deals,): the mean over the versions.
        controls: for every set of versions the differences of the controls, by name.
        lengths: the trumps of hakem and of his partner, for both suits, in the deal itself, shape (2, deals, 2).
    """

    gap: float
    values: dict[str, Array]
    controls: dict[str, dict[str, Array]]
    lengths: NDArray[np.int64]


def measure(five: CardSet, deals: int, solver: Solver) -> Hand:
    """Value deals in all ways."""
    hidden = seen_by_hakem(five, HAKEM)
    worlds = hidden.worlds(deals, WORLD_SEED)
    turned = [worlds]
    for _ in range(len(Suit) - 1):
        turned.append(hidden.rotated(turned[-1], tuple(Suit)))
    points = np.stack([solver.points_of_worlds(worlds, HAKEM, trump) for trump in Suit]).astype(float)
    best, other = sorted(Suit, key=lambda trump: -points[trump].mean())[:2]
    versions = {
        "the deal alone": [worlds],
        "2 versions": [worlds, hidden.rotated(worlds, (best, other))],
        "4 versions": turned,
    }

    def difference(value: Callable[[Worlds, Suit], Array], of: Sequence[Worlds]) -> Array:
        return np.mean([value(each, best) - value(each, other) for each in of], axis=0)  # type: ignore[no-any-return]

    def exact(each: Worlds, trump: Suit) -> Array:
        return solver.points_of_worlds(each, HAKEM, trump).astype(float)

    cheap = {"trumps": side_trumps, "playout": one_playout, "8 playouts": drawn_playouts}
    return Hand(
        gap=float(points[best].mean() - points[other].mean()),
        values={name: difference(exact, of) for name, of in versions.items()},
        controls={
            name: {control: difference(value, of) for control, value in cheap.items()} for name, of in versions.items()
        },
        lengths=np.array([[trumps(worlds, seat, trump) for trump in (best, other)] for seat in SIDE]).swapaxes(1, 2),
    )


def trumps(worlds: Worlds, seat: Seat, trump: Suit) -> NDArray[np.int64]:
    """How many trumps a seat holds in every world."""
    lanes = (worlds[:, seat] >> np.uint64(16 * trump)) & np.uint64(0x1FFF)
    return np.array([lane.bit_count() for lane in lanes.tolist()])


def side_trumps(worlds: Worlds, trump: Suit) -> Array:
    """How many trumps hakem's side holds."""
    return sum(trumps(worlds, seat, trump) for seat in SIDE).astype(float)  # type: ignore[union-attr]


def one_playout(worlds: Worlds, trump: Suit) -> Array:
    """Points of the deals as the learned policy plays them."""
    return played(worlds, trump, 0.0, 0)


def drawn_playouts(worlds: Worlds, trump: Suit) -> Array:
    """Mean points of several playouts of each deal, in which the learned policy draws its cards."""
    return np.mean([played(worlds, trump, TEMPERATURE, seed) for seed in range(DRAWN)], axis=0)  # type: ignore[no-any-return]


def played(worlds: Worlds, trump: Suit, temperature: float, seed: int) -> Array:
    """Points of one playout of each world."""
    margins = np.empty(len(worlds), dtype=np.int8)
    record: Any = playout_module().Record(HAKEM, trump)
    make_policy("learned", temperature).play_out(record, worlds, margins, seed)
    return np.array([points_of_margin(margin) for margin in margins.tolist()], dtype=float)


def unexplained(hand: Hand, versions: str, controls: Sequence[str], weights: Array) -> float:
    """The variance that is left of the difference, of one exact solve, the deal alone and uncontrolled being 1."""
    value = hand.values[versions] - weights @ [hand.controls[versions][control] for control in controls]
    solves = int(versions[0]) if versions[0].isdigit() else 1
    return float(value.var(ddof=1) * solves / hand.values["the deal alone"].var(ddof=1))


def fitted(hands: Sequence[Hand], versions: str, controls: Sequence[str]) -> Array:
    """The coefficients that leave least, the same for all hands."""
    centred = [[x - x.mean() for x in (hand.controls[versions][name] for hand in hands)] for name in controls]
    rows = np.array([np.concatenate(parts) for parts in centred])
    wanted = np.concatenate([hand.values[versions] - hand.values[versions].mean() for hand in hands])
    weights: Array = np.linalg.lstsq(rows.T, wanted, rcond=None)[0]
    return weights


def controlled(hands: Sequence[Hand], versions: str, controls: Sequence[str]) -> list[float]:
    """What is left in each hand, with coefficients of the other half of the hands."""
    if not controls:
        return [unexplained(hand, versions, controls, np.zeros(0)) for hand in hands]
    halves = [fitted(hands[1 - half :: 2], versions, controls) for half in (0, 1)]
    return [unexplained(hand, versions, controls, halves[number % 2]) for number, hand in enumerate(hands)]


def stratified(hand: Hand, whose: Callable[[NDArray[np.int64]], NDArray[np.int64]]) -> float:
    """What is left of the variance inside the strata; `whose` makes their keys, shape (deals, 2), of the lengths."""
    value = hand.values["the deal alone"]
    _, stratum, size = np.unique(whose(hand.lengths), axis=0, return_inverse=True, return_counts=True)
    sums, squares = np.bincount(stratum.ravel(), value), np.bincount(stratum.ravel(), value**2)
    inside, freedom = (squares - sums**2 / size)[size > 1].sum(), (size[size > 1] - 1).sum()
    return float(inside / freedom / value.var(ddof=1))


def saved(left: Sequence[float]) -> str:
    """The factor of deals saved, on average over hands, with its standard error."""
    if len(left) < 2:
        return "too few hands"
    error = stdev(left) / len(left) ** 0.5 / fmean(left) ** 2
    return f"{1 / fmean(left):.2f} ± {error:.2f}"


CONTROLS = ((), ("trumps",), ("playout",), ("8 playouts",), ("trumps", "8 playouts"))
STRATA: dict[str, Callable[[NDArray[np.int64]], NDArray[np.int64]]] = {
    "hakem's trumps": lambda lengths: lengths[0],
    "his partner's trumps": lambda lengths: lengths[1],
    "their side's trumps": lambda lengths: lengths.sum(axis=0),
}


def rows(hands: Sequence[Hand]) -> list[list[str]]:
    """A row for each way: versions, control, and the factor over all hands and over those with a small gap."""
    ways = {
        (versions, " + ".join(controls) or "none"): controlled(hands, versions, controls)
        for versions in hands[0].values
        for controls in CONTROLS
    }
    for name, whose in STRATA.items():
        ways["the deal alone", f"strata: {name}"] = [stratified(hand, whose) for hand in hands]
    close = [hand.gap < CLOSE for hand in hands]
    return [
        [*names, saved(left), saved([each for each, is_close in zip(left, close) if is_close])]
        for names, left in ways.items()
    ]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hands", type=int, default=100, help="default %(default)s")
    parser.add_argument("--deals", type=int, default=100, help="for each hand (default %(default)s)")
    parser.add_argument("--quick", action="store_true", help="few of both: enough to see that it works")
    options = parser.parse_args()
    number, deals = (2, 40) if options.quick else (options.hands, options.deals)
    solver = Solver()
    hands = [measure(random_hand(FIRST_SEED + number), deals, solver) for number in range(number)]
    print(surroundings())
    print(f"{number} hands, seeds {FIRST_SEED} to {FIRST_SEED + number - 1}, {deals} deals each, seed {WORLD_SEED}")
    print(markdown(["versions", "control", "deals saved, all hands", f"gap below {CLOSE}"], rows(hands)))


if __name__ == "__main__":
    main()
