"""Reviews for tests of what is drawn and of the page, with advice made up, since values of samples may change."""

from dataclasses import replace

from support import load_jsonl
from test_review_text import advised, knowing

from hokm_solver.cards import Seat
from hokm_solver.records import record_from_json
from hokm_solver.review import review

RECORDS = [record_from_json(entry["record"]) for entry in load_jsonl("records")]
PLAYERS = {Seat.N: "Sara", Seat.W: "Babak", Seat.S: "مهرداد"}
NAMED = replace(RECORDS[2], players=PLAYERS, event="Nowruz, deal 3", date="2025-03-21", score=(3, 5))
HOSTILE = {
    Seat.N: "</script><script>alert(1)</script>",
    Seat.W: "\"'><img src=x onerror=alert(1)>",
    Seat.S: "\u202eevil\u2066",
    Seat.E: "x" * 5000,
}


def judged(record, samples=0):
    return review(record, advice_samples=samples)


def early():
    """A deal stopped after seven tricks, with everything that a review can say."""
    return knowing(advised(judged(replace(NAMED, plays=NAMED.plays[:27]))))


def hostile():
    event = "</title></style></script><script>alert(2)</script>" + "y" * 300
    return judged(replace(RECORDS[0], players=HOSTILE, event=event, date="$policy ${title} <!--"))
