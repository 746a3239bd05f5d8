"""Questions to the lab: runs, comparisons, their statistics and reports."""
