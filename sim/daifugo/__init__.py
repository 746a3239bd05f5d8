"""Daifugō with its local rules. The rules are in RULES.md, clause by clause."""
