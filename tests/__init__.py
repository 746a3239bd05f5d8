"""The tests. ``python -m tests`` runs every check."""
