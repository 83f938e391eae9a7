"""Deals as they were played, kept to be read again: JSON, and text with tag pairs in the style of PBN."""

from __future__ import annotations

from hokm_solver.records.files import format_record, read_records, write_records
from hokm_solver.records.json_form import record_from_json, record_to_json
from hokm_solver.records.record import Record
from hokm_solver.records.text_form import record_from_text, record_to_text

__all__ = [
    "Record",
    "format_record",
    "read_records",
    "record_from_json",
    "record_from_text",
    "record_to_json",
    "record_to_text",
    "write_records",
]
