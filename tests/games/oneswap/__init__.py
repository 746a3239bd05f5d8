"""One swap: a single decision with two cards hidden. The rules are in RULES.md."""
