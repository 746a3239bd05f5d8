"""The report of a study: one HTML page that needs nothing else to be read."""

from experiments.report.page import page

__all__ = ["page"]
