"""Recorded deals judged play by play: what every card was worth, what it cost, luck apart from skill."""

from __future__ import annotations

from hokm_solver.review.judgement import Balance, KnownValue, PlayReview, Review, Totals, TrumpReview
from hokm_solver.review.reviewer import Reviewer, ReviewOptions, review
from hokm_solver.review.summary import PlayerSummary, Summary

__all__ = [
    "Balance",
    "KnownValue",
    "PlayReview",
    "PlayerSummary",
    "Review",
    "ReviewOptions",
    "Reviewer",
    "Summary",
    "Totals",
    "TrumpReview",
    "review",
]
