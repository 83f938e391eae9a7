"""What players say about calling trump, measured over the whole book: ``python -m benchmarks.book_rules``.

The book of the package values every five-card hand (`hokm_solver.book`). Rules of thumb are tried on all of them, each
class counted as often as it is dealt. The figures are printed; ``--write`` puts them into docs/book.md and draws its
pictures, which needs the extra ``plot``.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, permutations
from math import comb, factorial
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from benchmarks.common import ROOT, markdown, replace_between
from benchmarks.pictures import IMAGES, canvas, save
from hokm_solver.book import Book, shipped
from hokm_solver.cards import LANE_BITS, Rank, Suit
from hokm_solver.engine.calibration import OUTCOMES, table_model
from hokm_solver.fives import HANDS, SHAPES, groups_of, hand_of, numbers_at, ways_of
from hokm_solver.report.words import TERMINAL
from hokm_solver.rules import Outcome
from hokm_solver.table import POINTS

PAGE = ROOT / "docs" / "book.md"
WORST = 10
NEAR = 0.05  # points that do not matter
SAME = 1e-9  # points of suits that hold the same ranks
NOISE_SEED = 1
VALUES_PICTURE, MARGINS_PICTURE = "book-values.svg", "book-margins.svg"
COLOURS = ("#0b6e4f", "#3d7ea6", "#d98e04", "#b23a48", "#6a4c93", "#555555")
HONOURS = (Rank.ACE, Rank.KING, Rank.QUEEN)
QUANTILES = (
    (0.0, "the worst of all"),
    (0.1, "one in ten is worse"),
    (0.25, "one in four is worse"),
    (0.5, "the one in the middle"),
    (0.75, "one in four is better"),
    (0.9, "one in ten is better"),
    (1.0, "the best of all"),
)
HELD = [held for count in (3, 2, 1, 0) for held in combinations(HONOURS, count)]
TOPS = (Rank.KING, Rank.QUEEN, Rank.JACK, Rank.TEN)  # of a suit; the last is the highest small card, or a smaller one
SMALL = TOPS[-1]
HONOUR_PAIRS = tuple(combinations((Rank.ACE, Rank.KING, Rank.QUEEN, Rank.JACK), 2))

Bools: TypeAlias = NDArray[np.bool_]
Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]


# All hands


@dataclass(frozen=True, eq=False)
class Hands:
    """Every class of five-card hands; the suits are those of `fives.hand_of`.

    Attributes:
        ranks: a bit for each rank held, the deuce being bit 0, shape (classes, 4).
        chances: of the OUTCOMES at the table under each trump, shape (classes, 4, 4).
        errors: standard errors of the differences between suits in the playouts, shape (classes, 4, 4).
        weights: the share of all hands that a class stands for, shape (classes,).
    """

    ranks: Ints
    chances: Floats
    errors: Floats
    weights: Floats

    @classmethod
    def of(cls, book: Book) -> Hands:
        """Read a whole book."""
        column = book.column()
        shares = column.counts / column.counts.sum(axis=-1, keepdims=True)
        ranks = _ranks()[: len(shares)]
        return cls(ranks, table_model().correct(shares).chances, column.errors, _weights(ranks))

    @property
    def points(self) -> Floats:
        """What each suit is worth at the table, shape (classes, 4)."""
        found: Floats = self.chances @ POINTS
        return found

    @property
    def lengths(self) -> Ints:
        """How many cards of each suit are held, shape (classes, 4)."""
        return _summed(self.ranks, lambda rank: 1)

    def holds(self, rank: int) -> Bools:
        """Whether a suit holds this rank, shape (classes, 4)."""
        found: Bools = self.ranks >> (rank - 2) & 1 > 0
        return found

    def mean(self, values: Floats | Bools, which: Bools | None = None) -> float:
        """The mean over all hands, or over those of some classes, each class counted as often as it is dealt."""
        weights = self.weights if which is None else self.weights * which
        return float(weights @ values / weights.sum())

    def share(self, which: Bools) -> float:
        """The share of all hands in some classes."""
        return float(self.weights @ which)


@lru_cache(maxsize=1)
def _ranks() -> Ints:
    return np.concatenate([_ranks_of_shape(shape) for shape in SHAPES])


def _ranks_of_shape(shape: Sequence[int]) -> Ints:
    """What `fives.hand_of` says of all classes of a shape, at once."""
    found = np.zeros((1, 0), dtype=np.int64)
    for length, suits in groups_of(shape):
        sets = [sum(1 << number for number in numbers_at(place, length)) for place in range(comb(len(Rank), length))]
        rows = [_sets_at(place, suits, sets) for place in range(ways_of(length, suits))]
        found = np.hstack([np.repeat(found, len(rows), axis=0), np.tile(rows, (len(found), 1))])
    return np.pad(found, ((0, 0), (0, len(Suit) - len(shape))))


def _sets_at(place: int, suits: int, sets: Sequence[int]) -> list[int]:
    """The sets of ranks of some suits of equal length, the later sets first."""
    return [sets[shifted - i] for i, shifted in enumerate(numbers_at(place, suits))][::-1]


def _weights(ranks: Ints) -> Floats:
    """Shares of all hands: the ways to give the suits their names, those that hold the same ranks being one."""
    alike = (ranks[:, :, None] == ranks[:, None, :]).sum(axis=2)  # k suits alike: each says k
    same = np.array([factorial(k) ** (1 / k) if k else 1.0 for k in range(len(Suit) + 1)])[alike].prod(axis=1)
    found: Floats = np.rint(factorial(len(Suit)) / same) / HANDS
    return found


def _summed(ranks: Ints, worth: Callable[[int], int]) -> Ints:
    """Sums of what the cards of a suit are worth, shape (classes, 4)."""
    total = np.zeros_like(ranks)
    for rank in Rank:
        total += (ranks >> (rank - 2) & 1) * worth(rank)
    return total


# Rules


Rule: TypeAlias = Callable[[Hands], Bools]  # which suits it may call, shape (classes, 4)


def highest(scores: Ints) -> Bools:
    """The suits with the highest score, all of them where several are level."""
    found: Bools = scores == scores.max(axis=1, keepdims=True)
    return found


def longest(hands: Hands) -> Bools:
    """The longest suit; of equals any."""
    return highest(hands.lengths)


def rank_sum(hands: Hands) -> Bools:
    """The highest sum of ranks, the ace being 14; of equals any."""
    return highest(_summed(hands.ranks, int))


def longest_then_sum(hands: Hands) -> Bools:
    """The longest suit, of equals the one with the highest sum of ranks."""
    return highest(1000 * hands.lengths + _summed(hands.ranks, int))


def longest_then_top(hands: Hands) -> Bools:
    """The longest suit, of equals the one with the highest cards: the highest first, then the next."""
    return highest(2**LANE_BITS * hands.lengths + hands.ranks)


def any_held(hands: Hands) -> Bools:
    """Any suit of which there is a card."""
    return hands.lengths > 0


RULES: Sequence[tuple[str, Rule]] = (
    ("the longest suit; of equals the one with the higher sum of ranks", longest_then_sum),
    ("the longest suit; of equals the one with the higher top card", longest_then_top),
    ("the longest suit; of equals any", longest),
    ("the highest sum of ranks (ace 14, king 13, …)", rank_sum),
    ("any suit of which there is a card", any_held),
)


def costs_of(hands: Hands, rule: Rule) -> Floats:
    """Points lost against the best suit, shape (classes,); where a rule leaves suits level, the mean over these."""
    allowed = rule(hands)
    found: Floats = hands.points.max(axis=1) - (hands.points * allowed).sum(axis=1) / allowed.sum(axis=1)
    return found


def right_by(hands: Hands, rule: Rule, allowance: float = SAME) -> float:
    """How often a rule calls the best suit, or one within an allowance of it."""
    allowed = rule(hands)
    good = hands.points >= hands.points.max(axis=1, keepdims=True) - allowance
    return hands.mean((allowed & good).sum(axis=1) / allowed.sum(axis=1))


def rules_table(hands: Hands) -> str:
    """Every rule: how often it is right, and what it costs."""
    rows = [_rule_row(hands, name, rule) for name, rule in RULES]
    heads = ["call", "right", f"within {NEAR} points of the best", "costs a hand", "costs when wrong"]
    return markdown(heads, [*rows, _noise_row(hands)])


def _rule_row(hands: Hands, name: str, rule: Rule) -> list[str]:
    right, cost = right_by(hands, rule), hands.mean(costs_of(hands, rule))
    return [name, percent(right), percent(right_by(hands, rule, NEAR)), f"{cost:.4f}", f"{cost / (1 - right):.3f}"]


def _noise_row(hands: Hands) -> list[str]:
    """How a player would fare in the book who always calls the truly best suit: its errors are counted against him.

    The values of the book are taken for true and disturbed once more, by normal errors that are as large as theirs.
    """
    disturbed = hands.points + _errors(hands)
    true = hands.points.argmax(axis=1)[:, None]
    cost = disturbed.max(axis=1) - np.take_along_axis(disturbed, true, axis=1)[:, 0]
    right, near = hands.mean(cost <= SAME), hands.mean(cost <= NEAR)
    mean = hands.mean(cost)
    return [
        "*for comparison: the truly best suit, measured with the book's errors*",
        percent(right), percent(near), f"{mean:.4f}", f"{mean / (1 - right):.3f}",
    ]  # fmt: skip


def _errors(hands: Hands) -> Floats:
    """Errors of the four values that differ from each other as the book's do; equal for suits with the same ranks."""
    squares = hands.errors**2
    rows = squares.sum(axis=2)
    spread = np.sqrt(np.maximum(rows - rows.sum(axis=1, keepdims=True) / 6, 0) / 2)
    found = np.random.default_rng(NOISE_SEED).standard_normal(spread.shape) * spread
    twins = (hands.ranks[:, :, None] == hands.ranks[:, None, :]).argmax(axis=2)
    equal: Floats = np.take_along_axis(found, twins, axis=1)
    return equal


def worst_table(hands: Hands, rule: Rule) -> str:
    """The hands in which a rule loses most."""
    rows, points = [], hands.points
    allowed = rule(hands)
    for number in _largest(costs_of(hands, rule)):
        called = [suit.symbol for suit in Suit if allowed[number, suit]]
        best = int(points[number].argmax())
        called_points = points[number][allowed[number]].mean()
        rows.append(_row_of(number, " or ".join(called), called_points, Suit(best).symbol, points[number, best]))
    return markdown(["hand", "the rule calls", "worth", "best", "worth", "cost"], rows)


def _row_of(number: int, called: str, worth: float, best: str, most: float) -> list[str]:
    five = TERMINAL.cards(hand_of(number))
    return [five, called, signed(worth), best, signed(most), f"{most - worth:.2f}"]


def _largest(costs: Floats) -> list[int]:
    """The classes with the highest costs, the highest first."""
    found: list[int] = np.argsort(-costs, kind="stable")[:WORST].tolist()
    return found


# One suit against another


@dataclass(frozen=True)
class Duel:
    """Two kinds of suits that may meet in a hand.

    Attributes:
        name: what meets what.
        first, second: which suits are of the first kind and of the second, shape (classes, 4).
    """

    name: str
    first: Bools
    second: Bools

    def meetings(self, hands: Hands) -> tuple[Floats, Floats]:
        """Points of the first suit over the second for each two that meet, and weights; shapes (classes, 12)."""
        pairs = list(permutations(Suit, 2))
        over = np.stack([hands.points[:, one] - hands.points[:, other] for one, other in pairs], axis=1)
        met = np.stack([self.first[:, one] & self.second[:, other] for one, other in pairs], axis=1)
        return over, met * hands.weights[:, None]

    def row(self, hands: Hands) -> list[str]:
        """How often they meet, and which is better by how much."""
        over, weights = self.meetings(hands)
        total = weights.sum()
        better = float((weights * (over > 0)).sum() / total)
        mean = float((weights * over).sum() / total)
        lost = float((weights * np.maximum(-over, 0)).sum() / total)
        wrong = f"{lost / (1 - better):.3f}" if better < 1 else "-"
        return [self.name, percent(float(weights.any(axis=1) @ hands.weights)), percent(better), signed(mean), wrong]

    def worst(self, hands: Hands) -> list[list[str]]:
        """The hands in which the first suit loses most."""
        over, weights = self.meetings(hands)
        lost = np.where(weights > 0, -over, 0.0)
        rows = []
        for number in _largest(lost.max(axis=1)):
            if lost[number].max() <= SAME:
                break
            one, other = list(permutations(Suit, 2))[int(lost[number].argmax())]
            points = hands.points[number]
            rows.append(_row_of(number, one.symbol, points[one], other.symbol, points[other]))
        return rows


def duels_table(hands: Hands, duels: Sequence[Duel], first: str) -> str:
    """A row for every duel."""
    heads = ["", "of all hands", f"{first} is better", "by, on average", "costs when wrong"]
    return markdown(heads, [duel.row(hands) for duel in duels])


def duels_worst(hands: Hands, duels: Sequence[Duel]) -> str:
    """The hands in which the first suits of some duels lose most."""
    rows = [row for duel in duels for row in duel.worst(hands)]
    rows.sort(key=lambda row: -float(row[-1]))
    return markdown(["hand", "the rule calls", "worth", "the other suit", "worth", "cost"], rows[:WORST])


def ace_duels(hands: Hands) -> list[Duel]:
    """An ace against one more trump: the shorter suit first, which has the ace."""
    ace, lengths = hands.holds(Rank.ACE), hands.lengths
    found = []
    for length, words in ((1, "single ace against two cards"), (2, "ace and another against three cards")):
        shorter, longer = (lengths == length) & ace, (lengths == length + 1) & ~ace
        found.append(Duel(words, shorter, longer))
        for top in TOPS:
            found.append(Duel(f"… headed by the {_top_name(top)}", shorter, longer & headed(hands, top)))
    return found


def headed(hands: Hands, top: Rank) -> Bools:
    """Whether the highest card of a suit is this one; a small one: this or lower."""
    below = hands.ranks < 1 << (top - 1)
    return below & (hands.ranks > 0) & (hands.holds(top) if top > SMALL else np.ones_like(below))


def _top_name(top: Rank) -> str:
    return {Rank.KING: "king", Rank.QUEEN: "queen", Rank.JACK: "jack"}.get(top, "ten or less")


def two_duels(hands: Hands) -> list[Duel]:
    """Two honours against three small cards."""
    small = (hands.lengths == 3) & headed(hands, SMALL)
    two = hands.lengths == 2
    pairs = {
        f"{one.name.lower()} and {other.name.lower()}": hands.holds(one) & hands.holds(other)
        for one, other in HONOUR_PAIRS
    }
    any_pair = np.logical_or.reduce(list(pairs.values()))
    every = Duel("any two honours against three small", two & any_pair, small)
    return [every, *(Duel(f"{name} against three small", two & pair, small) for name, pair in pairs.items())]


# What hands are worth


def summary_table(hands: Hands) -> str:
    """The average hand, called as well as can be and at random."""
    best = hands.points.argmax(axis=1)
    called = np.take_along_axis(hands.chances, best[:, None, None], axis=1)[:, 0]
    held = any_held(hands)
    random = (hands.chances * held[:, :, None]).sum(axis=1) / held.sum(axis=1)[:, None]
    rows = [
        ["the best suit", *_outcomes(hands, called)],
        ["any suit of which there is a card", *_outcomes(hands, random)],
    ]
    return markdown(["call", "points a deal", "win", "kot", "hakem koti"], rows)


def _outcomes(hands: Hands, chances: Floats) -> list[str]:
    """Mean points and shares of outcomes, from chances of shape (classes, 4)."""
    shares = dict(zip(OUTCOMES, (hands.mean(column) for column in chances.T)))
    won, koti = shares[Outcome.WIN] + shares[Outcome.KOT], shares[Outcome.HAKEM_KOTI]
    return [signed(hands.mean(chances @ POINTS)), *map(percent, (won, shares[Outcome.KOT], koti))]


def quantiles_table(hands: Hands) -> str:
    """What hands are worth from the worst to the best, with an example of each."""
    worth = hands.points.max(axis=1)
    order = np.argsort(worth, kind="stable")
    below = np.cumsum(hands.weights[order])
    rows = []
    for share, name in QUANTILES:
        number = int(order[min(int(np.searchsorted(below, share)), len(order) - 1)])
        call = Suit(int(hands.points[number].argmax()))
        rows.append([name, signed(worth[number]), TERMINAL.cards(hand_of(number)), call.symbol])
    return markdown(["hand", "worth", "for example", "call"], rows)


def trumps_table(hands: Hands) -> str:
    """What calling a suit is worth, by its length and its honours."""
    rows = []
    for held in HELD:
        entries = []
        for length in range(1, 6):
            which = (hands.lengths == length) & _exactly(hands, held)
            weights = which * hands.weights[:, None]
            entries.append(signed(float((weights * hands.points).sum() / weights.sum())) if which.any() else "")
        rows.append(["".join(rank.letter for rank in held) or "none of these", *entries])
    return markdown(
        ["honours (A, K, Q)", *(f"{length} trumps" if length > 1 else "1 trump" for length in range(1, 6))], rows
    )


def _exactly(hands: Hands, held: Sequence[Rank]) -> Bools:
    """Whether a suit holds these honours and no others."""
    tests = [hands.holds(rank) if rank in held else ~hands.holds(rank) for rank in HONOURS]
    found: Bools = np.logical_and.reduce(tests)
    return found


def aces_table(hands: Hands) -> str:
    """What calling the longest suit is worth, by the aces in it and beside it."""
    longest_suit = longest_then_sum(hands).argmax(axis=1)[:, None]
    aces = hands.holds(Rank.ACE)
    inside = np.take_along_axis(aces, longest_suit, axis=1)[:, 0]
    beside = aces.sum(axis=1) - inside
    length = np.take_along_axis(hands.lengths, longest_suit, axis=1)[:, 0]
    points = np.take_along_axis(hands.points, longest_suit, axis=1)[:, 0]
    rows = []
    for ace in (False, True):
        for count in range(3):
            which = [(length == k) & (inside == ace) & (beside == count) for k in (2, 3, 4)]
            entries = [signed(hands.mean(points, each)) if each.any() else "" for each in which]
            rows.append(["yes" if ace else "no", str(count), *entries])
    return markdown(["ace of trumps", "aces beside", "2 trumps", "3 trumps", "4 trumps"], rows)


# How the five decide


def margins(hands: Hands) -> Floats:
    """Points of the best suit over the second, shape (classes,)."""
    first, second = -np.sort(-hands.points, axis=1)[:, :2].T
    found: Floats = first - second
    return found


def shapes_of(hands: Hands) -> Iterator[tuple[str, Bools]]:
    """The patterns of suit lengths, and which classes have each."""
    sizes = -np.sort(-hands.lengths, axis=1)
    for shape in SHAPES:
        padded = [*shape, *[0] * (len(Suit) - len(shape))]
        yield "-".join(map(str, padded)), (sizes == padded).all(axis=1)


def shapes_table(hands: Hands) -> str:
    """How much there is to decide, by pattern."""
    apart, best = margins(hands), hands.points.max(axis=1)
    rows = []
    for name, which in [*shapes_of(hands), ("all", np.ones(len(apart), dtype=bool))]:
        near = hands.mean(apart <= NEAR, which)
        rows.append(
            [
                name,
                percent(hands.share(which)),
                signed(hands.mean(best, which)),
                f"{hands.mean(apart, which):.2f}",
                percent(near),
            ]
        )
    return markdown(["pattern", "of all hands", "worth", "best over second", f"second within {NEAR}"], rows)


# Figures


def percent(share: float) -> str:
    """A share in percent, with a decimal where there would be only one figure."""
    return f"{100 * share:.2f} %" if share < 0.01 else f"{100 * share:.1f} %"


def signed(points: float) -> str:
    """Points with their sign."""
    return f"{points:+.2f}"


# The page


def sections(hands: Hands) -> dict[str, str]:
    """The generated parts of the page by name."""
    aces, twos = ace_duels(hands), two_duels(hands)
    return {
        "average hand": summary_table(hands),
        "quantiles": quantiles_table(hands),
        "trumps": trumps_table(hands),
        "aces": aces_table(hands),
        "rules": rules_table(hands),
        "worst of longest": worst_table(hands, longest_then_sum),
        "worst of sums": worst_table(hands, rank_sum),
        "ace or length": duels_table(hands, aces, "the suit with the ace"),
        "worst of the ace": duels_worst(hands, [aces[0], aces[1 + len(TOPS)]]),
        "two or three": duels_table(hands, twos, "the two-card suit"),
        "worst of two": duels_worst(hands, twos[:1]),
        "patterns": shapes_table(hands),
    }


def marks(name: str) -> tuple[str, str]:
    """What stands before and after a generated part of the page."""
    return f"<!-- {name}: made by `python -m benchmarks.book_rules --write`, do not edit -->", f"<!-- end of {name} -->"


def draw_values(hands: Hands) -> None:
    """How much hands are worth: a histogram for each pattern, one upon the other."""
    figure, axes = canvas()
    edges = np.arange(-1, 2.0001, 0.05)
    worth = hands.points.max(axis=1)
    groups = list(shapes_of(hands))[::-1]
    weights = [100 * hands.weights[which] for _, which in groups]
    values, names = [worth[which] for _, which in groups], [name for name, _ in groups]
    axes.hist(values, edges, weights=weights, stacked=True, color=COLOURS, label=names)
    axes.set_xlim(-0.8, 1.6)
    axes.set_axisbelow(True)
    axes.set_xlabel("points a deal with the best call")
    axes.set_ylabel("hands, %")
    axes.legend(loc="upper right", frameon=False)
    save(figure, IMAGES / VALUES_PICTURE)


def draw_margins(hands: Hands) -> None:
    """How far the best suit is ahead, for each pattern: the share of hands with no more than that."""
    figure, axes = canvas()
    apart = margins(hands)
    grid = np.linspace(0, 1.6, 161)
    for (name, which), colour in zip(shapes_of(hands), COLOURS[::-1]):
        shares = [100 * hands.mean(apart <= limit, which) for limit in grid]
        axes.plot(grid, shares, color=colour, linewidth=2, label=name)
    axes.set_xlim(0, 1.9)
    axes.set_ylim(0, 100)
    axes.set_xlabel("points of the best suit over the second")
    axes.set_ylabel("hands with no more than that, %")
    axes.legend(loc="center right", frameon=False)
    save(figure, IMAGES / MARGINS_PICTURE)


def main() -> None:
    """Print the figures, and write them if asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="put them into docs/book.md, pictures too")
    options = parser.parse_args()
    hands = Hands.of(shipped())
    for name, text in sections(hands).items():
        print(f"{name}\n\n{text}\n")
        if options.write:
            replace_between(PAGE, *marks(name), text)
    if options.write:
        draw_values(hands)
        draw_margins(hands)


if __name__ == "__main__":
    main()
