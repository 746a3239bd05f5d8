"""What every question's result can do: tables, JSON, a report, and showing itself in Python and in notebooks."""

from __future__ import annotations

from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from experiments.report.sections import Report
    from experiments.store.frames import Frames
    from experiments.store.tables import Stored
    from experiments.studies.asked import Asked


class Result:
    """What came of a question.

    Attributes
    ----------
    spec : Asked
        What was asked.
    """

    spec: Asked

    @property
    def complete(self) -> bool:
        """Whether all was played that was asked for."""
        raise NotImplementedError

    @property
    def seconds(self) -> float:
        """Time of playing."""
        raise NotImplementedError

    @property
    def played(self) -> dict[str, Any]:
        """What was played, as far as the spec does not say it; JSON."""
        raise NotImplementedError

    @property
    def about(self) -> dict[str, Any]:
        """What else the manifest keeps; JSON."""
        return {}

    def tables(self) -> list[Stored]:
        """Return all numbers as tables."""
        raise NotImplementedError

    def summary(self) -> dict[str, Any]:
        """Return what ``--json`` prints."""
        raise NotImplementedError

    @cached_property
    def report(self) -> Report:
        """What there is to say of it: plain data, for the terminal, the page and notebooks."""
        # By its place: drawing and words take time to import, and few results are told in Python.
        package = type(self).__module__.rpartition(".")[0]
        report: Report = import_module(f"{package}.findings").report(self)
        return report

    @cached_property
    def frames(self) -> Frames:
        """All its tables, for pandas."""
        from experiments.store import frames

        return frames.of(self.tables())

    def __repr__(self) -> str:
        """Return the headline and the tables that matter."""
        from experiments.report import notebook

        return notebook.text(self.report)

    def _repr_html_(self) -> str:
        """Return the headline, its figure and the tables that matter, for Jupyter."""
        from experiments.report import notebook

        return notebook.html(self.report)
