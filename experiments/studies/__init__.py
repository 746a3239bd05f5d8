"""The questions of the lab, a folder each."""
