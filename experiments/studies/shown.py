"""How what was played shows itself in Python and in notebooks: its tables, a headline, a figure."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from experiments.store.frames import Frames


class Shown:
    """A result that shows itself; what of each kind is in `experiments.report.notebook` and `experiments.store.frames`."""

    # Imported where it is needed: drawing and pandas take time, and those modules know all kinds of results.

    @cached_property
    def frames(self) -> Frames:
        """All its tables, for pandas."""
        from experiments.store import frames

        return frames.of(self)

    def __repr__(self) -> str:
        """Return the headline and a short table."""
        from experiments.report import notebook

        return notebook.of(self).text()

    def _repr_html_(self) -> str:
        """Return the headline, its figures and a short table, for Jupyter."""
        from experiments.report import notebook

        return notebook.of(self).html()
