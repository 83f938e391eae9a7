"""Are chances right? Deals in groups by the chance predicted for them, beside what happened."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.common import markdown
from benchmarks.table_deals import Bools, Floats, Sample
from hokm_solver.engine.calibration import OUTCOMES
from hokm_solver.rules import Outcome

GROUPS = 10
EVENTS: Mapping[str, tuple[Outcome, ...]] = {
    "win": (Outcome.WIN, Outcome.KOT),
    "kot": (Outcome.KOT,),
    "hakem koti": (Outcome.HAKEM_KOTI,),
}


@dataclass(frozen=True, slots=True)
class Cell:
    """A group of deals: mean chance predicted, share observed, and the standard error of a share with such chances."""

    predicted: float
    observed: float
    error: float

    @classmethod
    def of(cls, chances: Floats, happened: Bools) -> Cell:
        """Compare the chances of some deals with what happened in them."""
        error = float(np.sqrt((chances * (1 - chances)).sum())) / len(chances)
        return cls(float(chances.mean()), float(happened.mean()), error)

    @property
    def off(self) -> float:
        """How many standard errors lie between the two; with a sign, positive when it happened more often."""
        return (self.observed - self.predicted) / self.error


Cells = Mapping[str, Sequence[Cell]]


def chances_of(event: str, chances: Floats) -> Floats:
    """The chance of an event from those of the OUTCOMES, shape (deals, 4)."""
    total: Floats = chances[:, [OUTCOMES.index(outcome) for outcome in EVENTS[event]]].sum(axis=1)
    return total


def overall(chances: Floats, sample: Sample) -> dict[str, Cell]:
    """All deals as one group, for each event."""
    return {name: Cell.of(chances_of(name, chances), sample.ended(*kinds)) for name, kinds in EVENTS.items()}


def reliability(chances: Floats, sample: Sample) -> dict[str, list[Cell]]:
    """Ten groups of deals for each event, from the lowest chances to the highest."""
    found = {}
    for name, kinds in EVENTS.items():
        predicted, happened = chances_of(name, chances), sample.ended(*kinds)
        groups = np.array_split(np.argsort(predicted, kind="stable"), GROUPS)
        found[name] = [Cell.of(predicted[group], happened[group]) for group in groups]
    return found


def within(cells: Cells, errors: float = 2) -> int:
    """How many groups are at most so many standard errors off."""
    return sum(abs(cell.off) <= errors for column in cells.values() for cell in column)


def reliability_table(cells: Cells, overall: Mapping[str, Cell]) -> str:
    """The groups side by side, and all deals, as a Markdown table."""
    heads = ["group", *(f"{name}: {part}" for name in EVENTS for part in ("predicted", "observed"))]
    rows = [[str(k + 1), *_entries([cells[name][k] for name in EVENTS])] for k in range(GROUPS)]
    return markdown(heads, [*rows, ["all", *_entries([overall[name] for name in EVENTS])]])


def _entries(cells: Sequence[Cell]) -> list[str]:
    return [text for cell in cells for text in (f"{cell.predicted:.3f} ± {cell.error:.3f}", f"{cell.observed:.3f}")]
