"""Fit the model of values at the table to deals of self-play: ``python -m benchmarks.fit_table DEALS``.

DEALS is a file of ``benchmarks.self_play``. Every deal is played out by the learned policy in thousands of worlds, with
the trump that was called in it; the counts are kept in DEALS.playouts, which an interrupted run continues. The model of
``hokm_solver.engine.calibration`` is fitted to all but the last deals and written into the package. The last deals are
held out: what the model says of them is compared with what happened.

``--slow FILE`` holds deals of the same players with more time. ``--compare`` tries other models too, by
cross-validation among the deals that are fitted to. ``--write`` puts the report into docs/advice.md. Needs the extra
``fit``.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib.metadata import version
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

import hokm_solver
from benchmarks.common import ROOT, add_workers, markdown, replace_between, workers
from benchmarks.reliability import EVENTS, GROUPS, overall, reliability, reliability_table, within
from benchmarks.table_deals import FIRST_SEED, Floats, PlayedDeal, Playouts, Sample, read_deals
from hokm_solver.cards import CardSet, Rank, Suit
from hokm_solver.engine.calibration import MODEL_FILE, OUTCOMES, TableModel, chances_of_answers, log_ratios
from hokm_solver.engine.policies import weights_mark
from hokm_solver.parallel import Jobs

SCHEMA = "hokm-solver/table-model/1"
MODEL = Path(hokm_solver.__file__).parent / "engine" / MODEL_FILE
ADVICE = ROOT / "docs" / "advice.md"
BEGIN = "<!-- reliability: made by `python -m benchmarks.fit_table DEALS --write`, do not edit -->"
END = "<!-- end of reliability -->"
HELD_OUT = 0.2
FOLDS = 5
SMOOTHING = 0.0005
WORLDS = 6000  # nearly as many as the adviser uses: about as much noise is left in the shares
WEAK = 1e6  # inverse strength of scikit-learn's penalty on slopes: as good as none
STORED = 8  # predictions kept with the model, to test its application with
FIGURES = 6  # significant ones of numbers in the file

Predict: TypeAlias = Callable[[Sample, Sample], Floats]


# The fit


def ratios_of(sample: Sample) -> Floats:
    """What the playouts answer to each of the QUESTIONS, shape (deals, 3)."""
    return log_ratios(sample.shares, SMOOTHING)


def regression(columns: Floats, answers: NDArray[Any]) -> Any:
    """Scikit-learn's logistic regression, of yes and no or of several classes, without penalty."""
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(C=WEAK, solver="newton-cholesky", tol=1e-8).fit(columns, answers)


def covariance(columns: Floats, fitted: Any) -> Floats:
    """Covariance of the intercept and the slopes: the inverse of the Fisher information at the fit."""
    rows = np.column_stack([np.ones(len(columns)), columns])
    chances = fitted.predict_proba(columns)[:, 1]
    found: Floats = np.linalg.inv((rows * (chances * (1 - chances))[:, None]).T @ rows)
    return found


def fitted_questions(sample: Sample) -> dict[str, Any]:
    """Intercept, slope and their covariance for each of the QUESTIONS."""
    found = {}
    for column, (name, (asked, yes)) in zip(ratios_of(sample).T, sample.answers().items()):
        columns = column[asked, None]
        fitted = regression(columns, yes[asked])
        intercept, slope = fitted.intercept_[0], fitted.coef_[0, 0]
        spread = [[_figures(entry) for entry in row] for row in covariance(columns, fitted)]
        found[name] = {"intercept": _figures(intercept), "slope": _figures(slope), "covariance": spread}
    return found


def _figures(number: float) -> float:
    return float(f"{number:.{FIGURES}g}")


def model_entry(fit: Sample, every: Sample, provenance: Mapping[str, Any]) -> dict[str, Any]:
    """The model file, fitted to ``fit``; calls of the engine are counted in ``every`` deal, held out or not."""
    calls = [deal.outcome for deal in every.deals if deal.engine_called]
    stored = fit.pick(np.arange(STORED) * len(fit) // STORED)
    return {
        "schema": SCHEMA,
        "smoothing": SMOOTHING,
        "questions": fitted_questions(fit),
        "engine_calls": {outcome.value: calls.count(outcome) for outcome in OUTCOMES},
        "provenance": dict(provenance),
        "scikit_learn": {
            "version": version("scikit-learn"),
            "shares": stored.shares.tolist(),
            "chances": by_questions(own_ratio, fit, stored).round(FIGURES).tolist(),
        },
    }


def written(entry: Mapping[str, Any]) -> str:
    """The model as JSON for people: each list of numbers on a line of its own."""
    text = json.dumps(entry, indent=1)
    return re.sub(r"\[[^\[\]{}]*\]", lambda found: re.sub(r"\s*\n\s*", " ", found[0]), text) + "\n"


# Models


def by_questions(columns: Callable[[Sample], Sequence[Floats]], train: Sample, test: Sample) -> Floats:
    """Scikit-learn's chances of the OUTCOMES in ``test``: a regression for each question, on columns of its own."""
    answers = []
    for known, wanted, (asked, yes) in zip(columns(train), columns(test), train.answers().values()):
        answers.append(regression(known[asked], yes[asked]).predict_proba(wanted)[:, 1])
    return chances_of_answers(np.stack(answers, axis=1))


def all_at_once(columns: Callable[[Sample], Floats], train: Sample, test: Sample) -> Floats:
    """The same by one multinomial regression on the same columns for all outcomes."""
    numbers = np.array([OUTCOMES.index(deal.outcome) for deal in train.deals])
    found: Floats = regression(columns(train), numbers).predict_proba(columns(test))
    return found


def own_ratio(sample: Sample) -> list[Floats]:
    """What the playouts answer to the same question: the model that is kept."""
    return [column[:, None] for column in ratios_of(sample).T]


def all_ratios(sample: Sample) -> list[Floats]:
    """What the playouts answer to all three questions."""
    return [ratios_of(sample)] * 3


def own_ratio_and(features: Callable[[PlayedDeal], Sequence[float]], sample: Sample) -> list[Floats]:
    """The kept model with something about the five cards besides."""
    cards = np.array([features(deal) for deal in sample.deals], dtype=np.float64)
    return [np.column_stack([ratio, cards]) for ratio in ratios_of(sample).T]


def all_ratios_and_cards(sample: Sample) -> Floats:
    """All three ratios and all that is known of the five cards."""
    return np.column_stack([ratios_of(sample), [five_cards(deal) for deal in sample.deals]])


def length(deal: PlayedDeal) -> list[float]:
    """How many trumps are among the five cards."""
    return [len(CardSet.of(deal.first_five).suit(deal.trump))]


def caller(deal: PlayedDeal) -> list[float]:
    """Whether the engine called."""
    return [float(deal.engine_called)]


def five_cards(deal: PlayedDeal) -> list[float]:
    """Trumps, trump honours, aces and other honours beside them, and suits held besides."""
    hand = CardSet.of(deal.first_five)
    trumps, others = hand.suit(deal.trump), hand - hand.suit(deal.trump)
    honours = [sum(card.rank >= Rank.QUEEN for card in cards) for cards in (trumps, others)]
    aces = sum(card.rank == Rank.ACE for card in others)
    suits = sum(bool(others.suit(suit)) for suit in Suit)
    return [len(trumps), honours[0], aces, honours[1] - aces, suits]


MODELS: Mapping[str, Predict] = MappingProxyType(
    {
        "kept: each question by its own ratio": partial(by_questions, own_ratio),
        "none: the shares of the playouts": lambda _, test: (test.shares + SMOOTHING) / (1 + 4 * SMOOTHING),
        "each question by all three ratios": partial(by_questions, all_ratios),
        "own ratio, number of trumps": partial(by_questions, partial(own_ratio_and, length)),
        "own ratio, who called": partial(by_questions, partial(own_ratio_and, caller)),
        "own ratio, trumps, honours, aces, suits": partial(by_questions, partial(own_ratio_and, five_cards)),
        "multinomial, all three ratios": partial(all_at_once, ratios_of),
        "multinomial, all ratios and the cards": partial(all_at_once, all_ratios_and_cards),
    }
)


def cross_validated(predict: Predict, sample: Sample) -> Floats:
    """Chances of the OUTCOMES of every deal, from a fit to the four fifths that do not hold it."""
    chances = np.empty_like(sample.shares)
    places = np.arange(len(sample))
    for fold in range(FOLDS):
        inside = places % (2 * FOLDS) // 2 == fold  # pairs, so that every fold has calls of the engine and random ones
        chances[inside] = predict(sample.pick(places[~inside]), sample.pick(places[inside]))
    return chances


def comparison(sample: Sample) -> str:
    """How well each model foretells deals it was not fitted to: log likelihood over the kept one's, and groups."""
    ended = np.array([OUTCOMES.index(deal.outcome) for deal in sample.deals])
    rows, kept = [], None
    for name, predict in MODELS.items():
        chances = cross_validated(predict, sample)
        logs = np.log(chances[np.arange(len(sample)), ended])
        kept = logs if kept is None else kept
        gain, error = (logs - kept).mean() * 1e4, (logs - kept).std() / np.sqrt(len(logs)) * 1e4
        rows.append([name, f"{gain:+.1f} ± {error:.1f}", f"{within(reliability(chances, sample))} of {3 * GROUPS}"])
    heads = ["model", "log likelihood of 10,000 deals over the kept model's", "groups within two standard errors"]
    return markdown(heads, rows)


# The report


def held_out_report(model: TableModel, held_out: Sample) -> list[str]:
    """The table of deals that the model never saw."""
    chances = model.correct(held_out.shares).chances
    cells, whole = reliability(chances, held_out), overall(chances, held_out)
    furthest = max(abs(cell.off) for cell in whole.values())
    return [
        f"**{len(held_out):,} deals held out**, for each event in ten groups by the chance predicted. ± is the standard"
        " error to expect of the share observed, were the predictions right.",
        reliability_table(cells, whole),
        f"{within(cells)} of {3 * GROUPS} groups are within two standard errors; the overall shares are at most"
        f" {furthest:.1f} off.",
    ]


def model_report(entry: Mapping[str, Any]) -> list[str]:
    """The coefficients, and how deals end that the engine calls."""
    rows = []
    for name, question in entry["questions"].items():
        errors = np.sqrt(np.diag(question["covariance"]))
        texts = [f"{question[key]:.3f} ± {error:.3f}" for key, error in zip(("intercept", "slope"), errors)]
        rows.append([name.replace("_", " "), *texts])
    model = TableModel.from_json(entry)
    calls = sum(model.engine_calls.values())
    shares = [
        f"{name} {share:.3f} ± {np.sqrt(share * (1 - share) / calls):.3f}"
        for name, share in ((name, sum(model.frequencies[kind] for kind in kinds)) for name, kinds in EVENTS.items())
    ]
    return [
        "**The model**",
        markdown(["question", "intercept", "slope"], rows),
        f"In the {calls:,} deals in which the engine named trump: {', '.join(shares)}.",
    ]


def slow_report(model: TableModel, slow: Sample) -> list[str]:
    """What the model says of deals played with more time, and what happened in them."""
    rows = [
        [name, f"{cell.predicted:.3f} ± {cell.error:.3f}", f"{cell.observed:.3f}"]
        for name, cell in overall(model.correct(slow.shares).chances, slow).items()
    ]
    return [f"**{len(slow):,} deals with more time**", markdown(["event", "predicted", "observed"], rows)]


# The command


def load(path: Path, playouts: Playouts, jobs: Jobs) -> Sample:
    """Read the deals of a file, and play out those that were not played out before; the playouts are kept beside it."""
    deals = read_deals(path)
    return Sample(deals, playouts.shares(deals, path.with_name(f"{path.name}.playouts"), jobs))


def split(sample: Sample) -> tuple[Sample, Sample]:
    """The deals to fit to, and the last ones, which are held out."""
    places = np.arange(len(sample))
    kept = len(sample) - int(len(sample) * HELD_OUT)
    return sample.pick(places[:kept]), sample.pick(places[kept:])


def origin(options: argparse.Namespace, fit: Sample) -> dict[str, Any]:
    """Where a model comes from."""
    with open(options.deals, encoding="utf-8") as lines:
        first = json.loads(lines.readline())
    return {
        "commands": [
            f"python -m benchmarks.self_play {options.deals.name} --player {first['player']} --seed {first['seed']}",
            f"python -m benchmarks.fit_table {options.deals.name}",
        ],
        "player": first["player"],
        "seed of the deals": first["seed"],
        "deals": len(fit),
        "worlds": options.worlds,
        "seeds of the worlds": f"{FIRST_SEED} + number of the deal",
        "weights of the policy": weights_mark(),
    }


def report(options: argparse.Namespace, entry: Mapping[str, Any], sample: Sample, slow: Sample | None) -> str:
    """The whole report in Markdown."""
    fit, held_out = split(sample)
    model, where = TableModel.from_json(entry), entry["provenance"]
    parts = [
        f"Fitted to {len(fit):,} deals of `{where['player']}` against itself (seed {where['seed of the deals']}, trump"
        f" drawn at random in every other deal), each played out in {options.worlds:,} worlds.",
        *held_out_report(model, held_out),
        *model_report(entry),
    ]
    if slow is not None:
        parts += slow_report(model, slow)
    if options.compare:
        parts += [f"**Other models**, cross-validated in the {len(fit):,} deals", comparison(fit)]
    return "\n\n".join(parts)


def read_options() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("deals", type=Path)
    parser.add_argument("--slow", type=Path, metavar="FILE", help="deals played with more time")
    parser.add_argument("--worlds", type=int, default=WORLDS, help="for every deal (default %(default)s)")
    parser.add_argument("--model", type=Path, default=MODEL, help="where to write the model (default: the package)")
    parser.add_argument("--compare", action="store_true", help="try other models too")
    parser.add_argument("--write", action="store_true", help="put the report into docs/advice.md")
    add_workers(parser)
    return parser.parse_args()


def main() -> None:
    """Fit, write the model and print the report."""
    options = read_options()
    playouts = Playouts(options.worlds)
    with workers(options) as jobs:
        sample = load(options.deals, playouts, jobs)
        slow = None if options.slow is None else load(options.slow, playouts, jobs)
    fit, _ = split(sample)
    entry = model_entry(fit, sample, origin(options, fit))
    options.model.write_text(written(entry), "utf-8")
    text = report(options, entry, sample, slow)
    print(text)
    if options.write:
        replace_between(ADVICE, BEGIN, END, text)


if __name__ == "__main__":
    main()
