"""What a person or a program may get wrong: one line that names the culprit, and the right exit code."""

import json
import shlex

import pytest
from click.testing import CliRunner

from hokm_solver.cli import main

DEAL = '--deal "N:AT97.A.8765.K543 Q2.KT763.QJ.AT97 J3.J9854.K94.J86 K8654.Q2.AT32.Q2"'
FIVE = "AH QH 9H KC 4D"
LAST = "--hakem N --trump S --won NS:6,WE:5"

UNREADABLE = [
    ("advise AH QH 9H KC", '4 cards where 5 are needed: "AH QH 9H KC"'),
    ("advise AH QH 9H KC 4D 2S", '6 cards where 5 are needed: "AH QH 9H KC 4D 2S"'),
    ("advise AH QH 9H KC KC", 'duplicate card KC: "KC" comes a second time'),
    ("advise AH QH 9H KC ♣K", "duplicate card KC"),
    ("advise AH QH 9H KC 4Z", 'unknown suit "Z" in "4Z"'),
    ("advise AH QH 9H KC 1D", 'unknown rank "1" in "1D"'),
    ("advise foo", '"foo" is not a card; cards are written AH'),
    ("advise joker", '"joker" is not a card'),
    ('advise ""', "0 cards where 5 are needed"),
    ("advise AHQH9HKC4", '"4" is a rank without a suit'),
    ("advise --batch missing.txt", "missing.txt: No such file or directory"),
    ("advise --batch .", ".: Is a directory"),
    ("advise --batch - --out .", ".: Is a directory"),
    ("solve --batch missing.jsonl", "missing.jsonl: No such file or directory"),
    ("solve --batch .", ".: Is a directory"),
    ("solve --batch - --out no/such/directory/x.jsonl", "no/such/directory/x.jsonl: No such file or directory"),
    ("arena cmd:true random --pairs 1", '"true" gives no answer: it has ended'),
    ("solve --batch - --out /dev/null", "cannot write to /dev/null: it is no regular file"),
    ("advise --batch - --out /dev/zero", "cannot write to /dev/zero: it is no regular file"),
    ("arena random greedy --pairs 1 --log /dev/full", "cannot write to /dev/full: it is no regular file"),
    (f"solve --hakem Q {DEAL}", 'unknown seat "Q", one of N W S E (or north, west, south, east) is needed'),
    (f'solve --hakem "" {DEAL}', 'unknown seat ""'),
    (f"solve --hakem N --trump X {DEAL}", 'unknown suit "X", one of S H D C (or spades, hearts'),
    (f"solve --hakem N --leader W {DEAL}", "W leads, but hakem N leads the first trick"),
    (f"solve --hakem N --leader Y {DEAL}", 'unknown seat "Y"'),
    (f"solve --hakem N --trick ZZ {DEAL}", '"ZZ" is not a card'),
    (f"solve --hakem N --trick AS {DEAL}", "duplicate card AS: in the trick and in the hand of N"),
    (f"solve --hakem N --won 3-2 {DEAL}", 'tricks won are written NS:2,WE:3, not "3-2"'),
    (f"solve --hakem N --leader N --won NS:7,WE:0 {DEAL}", "NS has won 7 tricks: the deal is over at 7"),
    (f"solve --hakem N --won NS:1 {DEAL}", "the leader is missing"),
    ('solve --hakem N --deal ""', "a deal begins with a seat and a colon"),
    ("solve --hakem N --deal N:", '0 hands where 4 are needed: "N:"'),
    ('solve --hakem N --deal "X:AT97.A.8765.K543 - - -"', 'unknown seat "X"'),
    ('solve --hakem N --deal "N:AT97.A.8765.K543 - -"', "3 hands where 4 are needed"),
    ('solve --hakem N --deal "N:A.A.A K.K.K.K Q.Q.Q.Q J.J.J.J"', "four suits with three dots between"),
    ('solve --hakem N --deal "N:A1.A.. - - -"', 'unknown rank "1" in hand "A1.A.."'),
    (f"solve --hakem N {DEAL.replace('Q2.KT', 'Q3.KT')}", "duplicate card 3S"),
    (f"solve --hakem N {DEAL.replace('K543', 'K54')}", "N has 12 cards where 13 are needed"),
    (f"solve --hakem N {DEAL.replace('AT97.A', 'AAT7.A')}", 'duplicate card AS in hand "AAT7.A.8765.K543"'),
    (f'solve {LAST} --deal "N:A... ..K. .A..2 .KT.."', "the leader is missing"),
    (f'solve {LAST} --leader E --deal "N:A... ..K. .A..2 .KT.."', "N has 1 card where 2 are needed"),
    (f'solve {LAST} --leader E --trick "9H 2D" --deal "N:.3.. ..K. .A..2 .KT.."', "a revoke"),
    (
        f'solve {LAST} --leader E --trick "9H 2H 3H 4H" --deal "N:A... ..K. .A.. .K.."',
        "4 cards in the trick: a trick in progress has at most three",
    ),
    (f'solve {LAST} --leader E --trick "9H 9H" --deal "N:A... ..K. .A..2 .KT.."', "duplicate card 9H"),
    (f'solve {LAST} --leader E --trick "KD 2H" --deal "N:A... ..K. .A..2 .KT.."', "duplicate card KD"),
    ('solve --hakem N --won WE:6 --leader W --deal "N:234567... .234567.. ..234567. ...234567"', "leave 7"),
]
WRONG_COMMAND_LINES = [
    ("advise", "five cards are needed, or --batch (see 'hokm-solver advise --help')"),
    (f"advise --samples 1 {FIVE}", "1 is not in the range 2<=x<=10000000"),
    (f"advise --samples many {FIVE}", "'many' is not a valid integer"),
    (f"advise --time 0 {FIVE}", "0.0 is not in the range x>0"),
    (f"advise --time -1 {FIVE}", "-1.0 is not in the range x>0"),
    (f"advise --time inf {FIVE}", "'--time': inf is not a number of seconds above 0"),
    (f"advise --time nan {FIVE}", "'--time': nan is not a number of seconds above 0"),
    (f"advise --time 1 --samples 100 {FIVE}", "--samples and --time exclude each other"),
    (f"advise --seed -1 {FIVE}", "-1 is not in the range"),
    (f"advise --seed 18446744073709551616 {FIVE}", "18446744073709551616 is not in the range"),
    (f"advise --jobs 0 {FIVE}", "0 is not in the range x>=1"),
    (f"advise --precision 0 {FIVE}", "0.0 is not in the range x>0"),
    (f"advise --precision nan {FIVE}", "'--precision': nan is not a number of points above 0"),
    (f"advise --precision fine {FIVE}", "'fine' is not a valid float"),
    (f"advise --precision 0.1 --samples 100 {FIVE}", "--samples and --precision exclude each other"),
    (f"advise --score 3-9 {FIVE}", "is no score such as 5-6"),
    ("advise --batch - AH", "cards have no place beside --batch"),
    (f"advise --out x.jsonl {FIVE}", "--out needs --batch"),
    ("advise --samples", "requires an argument (see 'hokm-solver advise --help')"),
    ("solve", "--deal and --hakem are needed, or --batch"),
    (f"solve {DEAL}", "--deal and --hakem are needed, or --batch"),
    ("solve --hakem N", "--deal and --hakem are needed, or --batch"),
    ("solve --batch - --hakem N", "--hakem has no place beside --batch"),
    (f"solve --out x.jsonl --hakem N {DEAL}", "--out needs --batch"),
    (f"solve --hakem N --objective tricks {DEAL}", "'tricks' is not one of 'points', 'margin', 'win'"),
    (f"solve --jobs x --hakem N {DEAL}", "'x' is not a valid integer"),
    (f"solve --table-mb 0 --hakem N {DEAL}", "0 is not in the range 1<=x<=4096"),
    (f"solve --table-mb 1000000 --hakem N {DEAL}", "'--table-mb': 1000000 is not in the range 1<=x<=4096"),
    (f"solve --max-nodes {10**30} --hakem N {DEAL}", "'--max-nodes': " + str(10**30)),
    (f"solve --max-nodes 0 --hakem N {DEAL}", "'--max-nodes': 0 is not in the range"),
    (f"solve --max-seconds 0 --hakem N {DEAL}", "0.0 is not in the range x>0"),
    (f"solve --max-seconds inf --hakem N {DEAL}", "'--max-seconds': inf is not a number of seconds above 0"),
    (f"solve --max-seconds nan --hakem N {DEAL}", "'--max-seconds': nan is not a number of seconds above 0"),
    ("arena cmd: random", 'no command stands behind "cmd:"'),
    ("arena 'cmd:\"' random", "a quotation mark is not closed"),
    ("arena cmd:no/such/program random", 'cannot start "no/such/program": No such file or directory'),
    ("arena pimc:worlds=99999999999999 random", "a whole number above 0 and at most 1,000,000"),
    ("arena pimc:worlds=0.5 random", 'a whole number above 0 and at most 1,000,000, not "0.5"'),
    ("arena engine:ms=inf random", 'a number above 0 and at most 600,000, not "inf"'),
    ("arena engine:ms=nan random", 'a number above 0 and at most 600,000, not "nan"'),
    ("solve extra", "unexpected extra argument"),
    ("--nonsense", "--nonsense"),
    ("sovle", "'sovle'"),
]
LINES = [
    ("{", "bad_json", "at character 2; a line holds one position as a JSON object"),
    ("[" * 100_000, "bad_json", "not JSON of a sensible depth"),
    ("9" * 10_000, "bad_json", "a number with too many digits"),
    ("[]", "bad_field", "a position is a JSON object, not a list"),
    ("{}", "bad_field", "hakem is missing"),
    ('{"hakem": 7}', "bad_field", "hakem"),
    ('{"hakem": "N"}', "bad_field", "hands"),
    ('{"hakem": "N", "hands": {"N": "A..."}}', "bad_field", "W"),
    ('{"hakem": "N", "hands": {"N": "A...", "W": "K...", "S": "Q...", "E": "Z..."}}', "bad_notation", "Z"),
    ('{"hakem": "N", "hands": {"N": "A...", "W": "A...", "S": "Q...", "E": "J..."}}', "bad_deal", "AS"),
    ('{"hakem": "N", "deal": "N:A... K... Q... J..."}', "bad_position", "tricks won are missing"),
    ("\xff", "bad_encoding", "not UTF-8"),
    ("x" * 1_000_001, "too_large", "longer than 1,000,000 bytes"),
]


def run(arguments, data=""):
    return CliRunner().invoke(main, shlex.split(arguments), input=data)


def check(result, code, message):
    assert result.exit_code == code
    assert result.stdout == ""
    assert result.stderr.startswith("error: ")
    assert result.stderr.count("\n") == 1
    assert result.stderr.endswith("\n")
    assert message in result.stderr


@pytest.mark.parametrize(("arguments", "message"), UNREADABLE)
def test_input_that_cannot_be_read_or_be(arguments, message):
    check(run(arguments), 1, message)


@pytest.mark.parametrize(("arguments", "message"), WRONG_COMMAND_LINES)
def test_a_wrong_command_line(arguments, message):
    check(run(arguments), 2, message)


@pytest.mark.parametrize(
    ("line", "code", "message"), LINES, ids=[f"{code}-{i}" for i, (_, code, _) in enumerate(LINES)]
)
def test_a_line_of_a_batch_that_cannot_be_read(line, code, message):
    result = run("solve --batch -", b"\n" + line.encode("latin-1") + b"\r\n")
    assert result.exit_code == 1
    assert result.stderr == ""
    (answer,) = result.stdout.splitlines()
    answer = json.loads(answer)
    assert answer["line"] == 2
    assert answer["error"]["code"] == code
    assert message in answer["error"]["message"]


def test_the_tables_are_long_enough():
    assert len(UNREADABLE) >= 40
    assert len(WRONG_COMMAND_LINES) >= 25
