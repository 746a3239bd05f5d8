"""Kuhn's poker of three cards. The rules are in RULES.md."""
