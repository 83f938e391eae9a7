"""The files of ``hokm-solver review``: a page of all deals, a diagram of one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hokm_solver.cli.written import check_place, write_whole
from hokm_solver.errors import FieldError, LimitError, counted

if TYPE_CHECKING:
    from hokm_solver.report.messages import Language
    from hokm_solver.review import Review


@dataclass
class ReviewFiles:
    """What is to be written when all deals are judged.

    Attributes:
        html: the file of the page; None for none.
        svg: the file of the diagram; None for none.
        after: how many cards have been played in the diagram.
        language: that of the diagram; the page has both.
        read: the files with the records.
    """

    html: str | None
    svg: str | None
    after: int
    language: Language
    read: Sequence[str]
    _reviews: list[Review] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Look at the places before work begins.

        Raises:
            OSError: a file cannot be written where it is to be. UsageError: it is one of the others.
        """
        check_place(self.html, self.read)
        check_place(self.svg, [*self.read, self.html])

    @property
    def wanted(self) -> bool:
        """Whether there is anything to write."""
        return self.html is not None or self.svg is not None

    def take(self, review: Review) -> None:
        """Keep a review if it is needed.

        Raises:
            FieldError: a second deal for the diagram. LimitError: more deals than a page holds.
        """
        from hokm_solver.report.page import MOST_DEALS

        if self.svg is not None and self._reviews:
            raise FieldError("--svg draws one deal, and there are more records")
        if self.html is not None and len(self._reviews) == MOST_DEALS:
            raise LimitError(f"a page holds {MOST_DEALS} deals, and there are more records: make several pages")
        if self.wanted:
            self._reviews.append(review)

    def write(self) -> None:
        """Write the files; nothing if no record could be read.

        Raises:
            OSError: naming the file that cannot be written.
            FieldError, PositionError: there is no such diagram.
        """
        if not self._reviews:
            return
        if self.svg is not None:
            write_whole(self.svg, self._diagram(self._reviews[0]) + "\n")
        if self.html is not None:
            from hokm_solver.report.page import review_page

            write_whole(self.html, review_page(self._reviews))

    def _diagram(self, review: Review) -> str:
        from hokm_solver.report.diagram import Scene, diagram
        from hokm_solver.report.words import Words

        words = Words(self.language)
        record = review.record
        if self.after > len(record.plays):
            raise FieldError(f"--after {self.after}: the record has {counted(len(record.plays), 'play')}")
        if self.after == 0:
            return diagram(Scene.of(record.deal, record.trump, record.players), words)
        return diagram(Scene.of(record.positions()[self.after], players=record.players), words)
