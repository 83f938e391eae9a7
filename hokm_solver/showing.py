"""How deals, positions, solutions and reviews are shown in a notebook, without their knowing anything of reports."""

from __future__ import annotations

from importlib import import_module


class Shown:
    """An object that a notebook shows as a diagram and tables.

    What they look like is known to `hokm_solver.report.notebook`, which stands above. It is asked by its name, when a
    notebook asks: an import here would turn the order of the layers round and load reports with every deal.
    """

    __slots__ = ()

    def _repr_html_(self) -> str:
        """The object as HTML, for notebooks."""
        shown: str = import_module("hokm_solver.report.notebook").html_of(self)
        return shown
