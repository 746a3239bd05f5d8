"""The report of a study: one HTML page that needs nothing else to be read."""

from experiments.report.page import comparison_page, page

__all__ = ["comparison_page", "page"]
