"""The benchmarks run and their arithmetic is right. Parts that need the extra ``bench`` are skipped without it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parent.parent
sys.path.append(str(ROOT))  # behind everything else: an installed package must not be hidden by the sources

from benchmarks import (  # noqa: E402
    advice_coverage,
    advice_race,
    advice_variance,
    book_check,
    book_rules,
    common,
    engine_latency,
    engine_parts,
    figures,
    fit_table,
    reliability,
    self_play,
    table_coverage,
    table_deals,
)
from hokm_solver.advice import advise  # noqa: E402
from hokm_solver.book import shipped  # noqa: E402
from hokm_solver.cards import Suit  # noqa: E402
from hokm_solver.engine.calibration import OUTCOMES  # noqa: E402
from hokm_solver.errors import JournalError  # noqa: E402
from hokm_solver.fives import HANDS, class_of, hand_of, order_of_suits, weight_of  # noqa: E402
from hokm_solver.notation import parse_cards  # noqa: E402
from hokm_solver.solver import Solver  # noqa: E402
from hokm_solver.table import TableAdvice, table_advice  # noqa: E402

PARTS = ["signature", "questions", "advice_cost", "throughput", "builds"]


def test_ratio_of_means():
    ratio = common.ratio_of_means([2.0, 4.0], [1.0, 3.0])
    assert ratio.value == pytest.approx(1.5)
    # Differences from 1.5 times the unit: 0.5 and -0.5, so a standard error of 0.5 around a mean unit of 2.
    assert ratio.error == pytest.approx(0.25)
    assert str(ratio) == "1.50 ± 0.25"
    assert common.ratio_of_means([1.0], [2.0]).error is None


@pytest.mark.parametrize(("value", "shown"), [(0.123, "0.12"), (12.34, "12.3"), (5123.4, "5,123")])
def test_ratios_as_text(value, shown):
    assert str(common.Ratio(value)) == shown


def test_statistics():
    times = [float(i) for i in range(1, 101)]
    found = {name: ratio.value for name, ratio in common.ratios(times, [1.0] * 100).items()}
    assert found == {"mean": 50.5, "median": 50.5, "95th percentile": 96.0, "ten slowest together": 95.5}


def test_corpora_are_fixed():
    one, two = common.random_boards(20), common.random_boards(20)
    assert one == two
    assert len({(board.position.trump, board.position.hakem) for board in one}) == 16
    assert all(board.win is not None for board in common.recorded_boards(20))


def test_stored_answers():
    solver = Solver()
    for board in common.recorded_boards(20):
        assert common.wins(solver, board.position) == board.win


def test_figures_are_put_between_the_marks(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("before\n<!-- a -->\nold\n<!-- b -->\nafter\n", encoding="utf-8")
    for text in ("new", "newer"):
        common.replace_between(page, "<!-- a -->", "<!-- b -->", text)
    assert page.read_text("utf-8") == "before\n<!-- a -->\n\nnewer\n\n<!-- b -->\nafter\n"
    page.write_text("nothing", encoding="utf-8")
    with pytest.raises(ValueError, match="no place for figures"):
        common.replace_between(page, "<!-- a -->", "<!-- b -->", "new")


@pytest.mark.parametrize("page", [figures.SPEED, figures.README], ids=lambda page: page.name)
def test_documents_have_a_place_for_figures(page):
    text = page.read_text("utf-8")
    assert text.count(figures.BEGIN) == text.count(figures.END) == 1


def run(module, directory, *arguments):
    """Run a benchmark as ``python -m`` does, but with the sources behind an installed package."""
    start = f"import runpy, sys; sys.path.append({str(ROOT)!r}); "
    start += f"runpy.run_module('benchmarks.{module}', run_name='__main__', alter_sys=True)"
    command = [sys.executable, "-c", start, "--quick", "--deals", "4", *arguments]
    return subprocess.run(command, cwd=directory, capture_output=True, encoding="utf-8", check=False, timeout=300)


@pytest.mark.parametrize("part", PARTS)
def test_every_part_runs(part, tmp_path):
    done = run(part, tmp_path)
    assert done.returncode == 0, done.stderr
    assert re.search(r"\d", done.stdout)


@pytest.mark.extra
def test_the_comparison_with_dds_runs(tmp_path):
    pytest.importorskip("endplay._dds")
    done = run("solve_vs_dds", tmp_path)
    assert done.returncode == 0, done.stderr
    assert "0 answers differ from DDS's, 0 from the stored ones" in done.stdout


def test_checks_of_the_book(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["book_check", "--quick"])
    book_check.main()
    told = capsys.readouterr().out
    assert "all four values within 4 joint standard errors: 5 of 5 hands" in told
    assert re.findall(r"jobs (\d), killed .* done and continued: the same bytes", told) == ["1", "2"]


@pytest.fixture(scope="module")
def hands():
    """All classes, and what the book says of them."""
    return book_rules.Hands.of(shipped())


def test_all_hands_at_once(hands):
    assert hands.weights.sum() == pytest.approx(1)
    for number in (0, 1286, 1287, 20_000, 40_000, 77_777, 110_000, 134_458):
        five = hand_of(number)
        assert hands.weights[number] * HANDS == pytest.approx(weight_of(number))
        assert hands.lengths[number].tolist() == [len(five.suit(suit)) for suit in Suit]
        for value in shipped().lookup(five):
            assert hands.points[number, value.trump] == pytest.approx(value.points, abs=1e-5)


@pytest.mark.parametrize(
    ("five", "calls"),
    [
        ("AS 8S QH TH 2D", ["♠♥", "♠", "♠♥", "♠♥"]),  # both sums are 22
        ("9S 8S QH 6H 2D", ["♥", "♥", "♠♥", "♥"]),
        ("4S 3S 2S AH KH", ["♠", "♠", "♠", "♥"]),
        ("AS 9H 5D 2D TC", ["♦", "♦", "♦", "♠"]),
    ],
)
def test_rules_of_thumb(hands, five, calls):
    rules = [
        book_rules.longest_then_sum, book_rules.longest_then_top, book_rules.longest, book_rules.rank_sum
    ]  # fmt: skip
    five = parse_cards(five)
    number, order = class_of(five), order_of_suits(five)
    for rule, call in zip(rules, calls):
        assert {order[i].symbol for i in np.flatnonzero(rule(hands)[number])} == set(call), rule


def test_a_rule_that_is_always_right_costs_nothing(hands):
    def best(hands):
        return hands.points == hands.points.max(axis=1, keepdims=True)

    assert book_rules.right_by(hands, best) == pytest.approx(1)
    assert book_rules.costs_of(hands, best).max() == pytest.approx(0)
    assert 0 < book_rules.right_by(hands, book_rules.rank_sum) < 1


def test_time_limits_of_the_engine(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["engine_latency", "--requests", "10", "--time-ms", "5"])
    engine_latency.main()
    assert re.search(r"^10 requests of 5 ms.*\n[\d.]+% in time; first [\d.]+ ms", capsys.readouterr().out)


def test_parts_of_the_engine(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["engine_parts", "--pairs", "2", "--worlds", "4"])
    engine_parts.main()
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 1 + len(engine_parts.VARIANTS)
    assert all(re.search(r"[+-][\d.]+ ± [\d.]+, [\d.]+ and [\d.]+ ms$", line) for line in lines[1:])


def test_deals_of_self_play_are_continued(monkeypatch, tmp_path):
    def written(name, *deals):
        for n in deals:
            command = ["self_play", str(tmp_path / name), "--deals", str(n), "--player", "learned"]
            monkeypatch.setattr(sys, "argv", command)
            self_play.main()
        return (tmp_path / name).read_text("utf-8")

    whole = written("whole", 12)
    assert whole == written("parts", 3, 12)
    deals = [json.loads(line) for line in whole.splitlines()]
    assert [deal["called"] for deal in deals] == ["engine", "random"] * 6
    assert len({deal["trump"] for deal in deals[1::2]}) > 1


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A file of deals that the learned policy played against itself."""
    path = tmp_path_factory.mktemp("deals") / "deals.jsonl"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["self_play", str(path), "--deals", "800", "--player", "learned"])
        self_play.main()
    return path


@pytest.mark.extra
def test_a_fit_to_the_policys_own_deals_leaves_its_playouts_as_they_are(played, monkeypatch, tmp_path, capsys):
    pytest.importorskip("sklearn")
    monkeypatch.setattr(fit_table, "ADVICE", tmp_path / "advice.md")
    fit_table.ADVICE.write_text(f"{fit_table.BEGIN}\n{fit_table.END}\n", encoding="utf-8")
    model = tmp_path / "table.json"
    command = ["fit_table", str(played), "--worlds", "200", "--model", str(model), "--slow", str(played)]
    monkeypatch.setattr(sys, "argv", [*command, "--compare", "--write"])
    fit_table.main()
    entry = json.loads(model.read_text("utf-8"))
    for question in entry["questions"].values():
        found = np.array([question["intercept"], question["slope"] - 1])
        assert found @ np.linalg.inv(question["covariance"]) @ found < 14  # chi-square with two degrees, 0.1 %
    report = capsys.readouterr().out
    assert len(re.findall(r"^\| ---", report, re.MULTILINE)) == 4
    assert len(re.findall(r"^\| \d+ \| 0\.", report, re.MULTILINE)) == 10
    assert all(f"| {name} |" in report for name in fit_table.MODELS)
    assert report.strip() in fit_table.ADVICE.read_text("utf-8")


def test_playouts_are_kept_and_continued(played, tmp_path):
    deals = table_deals.read_deals(played)[:6]
    playouts, path = table_deals.Playouts(worlds=20), tmp_path / "playouts"
    first = playouts.shares(deals[:4], path)
    assert np.array_equal(playouts.shares(deals, path)[:4], first)
    assert first.sum(axis=1) == pytest.approx(np.ones(4))
    with pytest.raises(JournalError):
        table_deals.Playouts(worlds=30).shares(deals, path)


def test_reliability_of_chances_that_are_right_and_of_wrong_ones():
    rng = np.random.default_rng(1)
    won = rng.uniform(0.2, 0.8, 4000)
    chances = np.stack([won * 0.8, won * 0.2, (1 - won) * 0.9, (1 - won) * 0.1], axis=1)
    ended = [OUTCOMES[rng.choice(4, p=row)] for row in chances]
    sample = table_deals.Sample([table_deals.PlayedDeal(0, (), Suit.SPADES, True, end) for end in ended], chances)
    assert reliability.within(reliability.reliability(chances, sample)) >= 26
    assert all(abs(cell.off) < 3 for cell in reliability.overall(chances, sample).values())
    wrong = chances[:, [0, 3, 2, 1]]
    assert reliability.within(reliability.reliability(wrong, sample)) < 15
    cell = reliability.Cell.of(np.full(100, 0.5), np.arange(100) < 60)
    assert (cell.predicted, cell.observed, cell.error) == (0.5, 0.6, 0.05)
    assert cell.off == pytest.approx(2)


def test_the_page_has_a_place_for_reliability():
    text = fit_table.ADVICE.read_text("utf-8")
    assert text.count(fit_table.BEGIN) == text.count(fit_table.END) == 1


def test_times_of_races(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["advice_race", "--quick"])
    advice_race.main()
    lines = capsys.readouterr().out.splitlines()
    assert re.search(r"^seconds: median [\d.]+, 95th percentile [\d.]+, longest [\d.]+; CPU seconds: mean", lines[2])
    assert sum(map(int, re.findall(r"\d+", lines[3]))) == 2


def test_what_lowers_the_spread(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["advice_variance", "--quick"])
    advice_variance.main()
    rows = [line.split(" | ") for line in capsys.readouterr().out.splitlines() if " ± " in line]
    assert len(rows) == 3 * len(advice_variance.CONTROLS) + len(advice_variance.STRATA)
    factors = {tuple(row[:2]): float(row[2].split(" ± ")[0]) for row in rows}
    assert factors["| the deal alone", "none"] == 1
    assert factors["| 2 versions", "none"] > 2


def test_coverage_is_continued(monkeypatch, capsys, tmp_path):
    values = tmp_path / "values"
    monkeypatch.setattr(sys, "argv", ["advice_coverage", "--quick", "--values", str(values)])
    advice_coverage.main()
    out, whole = capsys.readouterr().out, values.read_bytes()
    assert re.search(r"^behind in its interval: \d+ of 6", out, re.MULTILINE)
    assert re.search(r"^mean regret: [\d.]+ ± [\d.]+ points$", out, re.MULTILINE)
    values.write_bytes(whole[: len(whole) // 2])
    advice_coverage.main()
    assert (capsys.readouterr().out, values.read_bytes()) == (out, whole)


def test_arithmetic_of_coverage():
    advice = advise(common.random_hand(advice_coverage.FIRST_SEED), samples=40)
    means = {value.trump: value.points for value in advice.trumps}
    points = np.array([means[trump] for trump in Suit])
    same = advice_coverage.check(advice, advice_coverage.Reference(points, np.eye(4) * 1e-12))
    assert (same.called, same.points, same.behind, same.regret, same.equal) == (True, [True] * 4, [True] * 3, 0, None)
    points[advice.best] -= 1  # the suit called is really a whole point worse
    other = advice_coverage.check(advice, advice_coverage.Reference(points, np.eye(4) * 1e-12))
    assert (other.called, other.points, other.behind) == (False, [False, True, True, True], [False] * 3)
    assert other.regret == pytest.approx(max(0, 1 - advice.trumps[1].behind))


def test_coverage_at_the_table(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["table_coverage", "--quick"])
    table_coverage.main()
    out = capsys.readouterr().out
    assert re.search(r"^points in their intervals: \d+ of 8", out, re.MULTILINE)
    assert re.search(r"^behind in its interval: \d+ of 6", out, re.MULTILINE)


def test_arithmetic_of_coverage_at_the_table():
    few = table_advice(common.random_hand(1), worlds=400)
    same = table_coverage.check(few, few, 0.1)
    assert (same.points, same.behind, same.regret, same.seconds) == ([True] * 4, [True] * 3, 0, 0.1)
    best, *others = few.trumps
    other = table_coverage.check(TableAdvice((replace(best, points=best.points + 1), *others)), few, 0.1)
    assert (other.points, other.regret) == ([False, True, True, True], 0)


@pytest.mark.extra
def test_pictures(tmp_path):
    pytest.importorskip("endplay._dds")
    pytest.importorskip("matplotlib")
    done = run("pictures", tmp_path, "--into", str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert all("</svg>" in path.read_text("utf-8") for path in tmp_path.iterdir())
    assert len(list(tmp_path.iterdir())) == 2


def test_every_command_in_the_page_exists():
    names = set(re.findall(r"`python -m benchmarks\.(\w+)`", figures.SPEED.read_text("utf-8")))
    assert names >= {*PARTS, "solve_vs_dds", "pictures"}
    assert all((ROOT / "benchmarks" / f"{name}.py").exists() for name in names)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="measures memory as Linux tells it")
@pytest.mark.parametrize(("leaked", "found"), [(0, 0), (400, 1)])
def test_a_leak_is_found(leaked, found, tmp_path):
    # In a process of its own, which has no free memory that would take the leak.
    code = f"import sys; sys.path.append({str(ROOT)!r}); from benchmarks import memory_growth as growth; kept = []; "
    code += f"growth.Answering.answer = lambda self, number: kept.append(bytes({leaked})); sys.exit(growth.main())"
    command = [sys.executable, "-c", code, "--quick"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, encoding="utf-8", check=False)
    assert (done.returncode, done.stderr) == (found, ""), done.stdout
