"""Many reviews in one table: what each player brought, lost and called over a match or an archive.

Reviews are added as JSON, so that those in a file written earlier count like new ones.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from io import StringIO
from math import sqrt
from typing import Any

from hokm_solver.cards import Seat
from hokm_solver.review.judgement import DECIMALS
from hokm_solver.review.judgement import SCHEMA as SCHEMA_OF_REVIEW

SCHEMA = "hokm-solver/summary/1"
LARGEST = 1e6  # no figure of a review comes near
Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Part:
    """What one player did in one deal, his side's view; the field names are those of the review.

    Attributes:
        name: the player.
        result: points the deal brought his side, and `luck` those that the deal itself gave more than an average one.
        choices: plays that were not forced; then what they cost him, and how many were what.
        known_cost: points lost by what could be known, None if that was not judged.
        call_cost: points his call lost on the real deal, None if he was not hakem.
        call_behind: points his call was behind at the table by the five cards, None if he was not hakem or that was
            not judged.
    """

    name: str
    result: float
    luck: float
    choices: int
    cost: float
    margin_cost: float
    slips: int
    mistakes: int
    blunders: int
    known_cost: float | None
    call_cost: float | None
    call_behind: float | None


@dataclass(frozen=True, slots=True)
class PlayerSummary:
    """One row of the table, over all deals of a player; means are per deal, or per call of which the figure is known.

    Attributes:
        player: the name, or the seat in brackets where records give none.
        deals: deals judged.
        points: mean points his side got, and `luck` what the deals themselves gave it above the average.
        cost: mean points lost by his plays, `cost_se` its standard error (None with one deal), `margin_cost` margin.
        choices, slips, mistakes, blunders: how many plays in all; blunders are mistakes too.
        known_cost: mean points lost by what could be known; None without such a judgement.
        calls: deals in which he was hakem.
        call_cost: mean points lost by the call on the real deal; None without a call.
        call_behind: mean points lost at the table by the call from the five cards; None without such a judgement.
    """

    player: str
    deals: int
    points: float
    luck: float
    cost: float
    cost_se: float | None
    margin_cost: float
    choices: int
    slips: int
    mistakes: int
    blunders: int
    known_cost: float | None
    calls: int
    call_cost: float | None
    call_behind: float | None

    @classmethod
    def of(cls, parts: list[Part]) -> PlayerSummary:
        """Sum up the deals of one player."""
        calls = [part.call_cost for part in parts if part.call_cost is not None]
        return cls(
            player=parts[0].name,
            deals=len(parts),
            points=_mean([part.result for part in parts]) or 0.0,
            luck=_mean([part.luck for part in parts]) or 0.0,
            cost=_mean([part.cost for part in parts]) or 0.0,
            cost_se=_standard_error([part.cost for part in parts]),
            margin_cost=_mean([part.margin_cost for part in parts]) or 0.0,
            choices=sum(part.choices for part in parts),
            slips=sum(part.slips for part in parts),
            mistakes=sum(part.mistakes for part in parts),
            blunders=sum(part.blunders for part in parts),
            known_cost=_mean([part.known_cost for part in parts]),
            calls=len(calls),
            call_cost=_mean(calls),
            call_behind=_mean([part.call_behind for part in parts]),
        )

    def to_json(self) -> Json:
        """An entry of ``players``."""
        values = {name: getattr(self, name) for name in COLUMNS}
        return {name: round(value, DECIMALS) if isinstance(value, float) else value for name, value in values.items()}


COLUMNS = tuple(field.name for field in fields(PlayerSummary))


class Summary:
    """The table in the making.

    Attributes:
        deals: reviews added that could be counted.
        unjudged: those that could not, since the trump was not known.
        failed: records that could not be read.
    """

    def __init__(self) -> None:
        """Start with nothing."""
        self.deals = self.unjudged = self.failed = 0
        self._parts: dict[str, list[Part]] = {}

    def add(self, answer: Mapping[str, Any]) -> bool:
        """Count a review, or an error in the place of one, as JSON; False for what is neither."""
        if not isinstance(answer, Mapping):
            return False
        if "error" in answer:
            self.failed += 1
            return True
        try:
            parts = list(_parts(answer))
        except (KeyError, TypeError, ValueError, AttributeError):
            return False
        self.deals += bool(parts)
        self.unjudged += not parts
        for part in parts:
            self._parts.setdefault(part.name, []).append(part)
        return True

    @property
    def players(self) -> tuple[PlayerSummary, ...]:
        """A row for every player, in the order of their names."""
        return tuple(PlayerSummary.of(self._parts[name]) for name in sorted(self._parts))

    def to_json(self) -> Json:
        """The object ``hokm-solver/summary/1``."""
        return {
            "schema": SCHEMA,
            "deals": self.deals,
            "unjudged": self.unjudged,
            "failed": self.failed,
            "players": [player.to_json() for player in self.players],
        }

    def to_csv(self) -> str:
        """The table as CSV: a line of the names of the columns and one for each player; what is not known is empty."""
        stream = StringIO()
        writer = csv.DictWriter(stream, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(player.to_json() for player in self.players)
        return stream.getvalue().removesuffix("\n")


def _parts(answer: Mapping[str, Any]) -> Iterator[Part]:
    """What each seat did; nothing if the trump was not known."""
    if answer["schema"] != SCHEMA_OF_REVIEW:
        raise ValueError("no review")
    if answer["balance"] is None:
        return
    hakem = Seat[answer["hakem"]]
    names = answer.get("players", {})
    for seat in Seat:
        yield _part(answer, seat, hakem, names.get(seat.name, f"({seat})"))


def _part(answer: Mapping[str, Any], seat: Seat, hakem: Seat, name: str) -> Part:
    totals, call = answer["seats"][seat.name], answer["trump_choice"]
    sign = 1 if seat.side == hakem.side else -1
    counts = {field: int(_number(totals[field])) for field in ("choices", "slips", "mistakes", "blunders")}
    if not isinstance(name, str):
        raise TypeError("a name is text")
    return Part(
        name=name,
        result=sign * _number(answer["balance"]["result"]),
        luck=sign * _number(answer["balance"]["luck"]),
        cost=_number(totals["cost"]),
        margin_cost=_number(totals["margin_cost"]),
        known_cost=_number(totals["known_cost"]) if "known_cost" in totals else None,
        call_cost=_number(call["cost"]) if seat == hakem else None,
        call_behind=_number(call["behind"]) if seat == hakem and "behind" in call else None,
        **counts,
    )


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not abs(value) <= LARGEST:
        raise ValueError("no number of a review")
    return value


def _mean(values: list[Any]) -> float | None:
    """The mean of those that are not None; None if there is none."""
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def _standard_error(values: list[float]) -> float | None:
    n = len(values)
    if n < 2:
        return None
    mean = sum(values) / n
    return sqrt(sum((value - mean) ** 2 for value in values) / (n - 1) / n)
