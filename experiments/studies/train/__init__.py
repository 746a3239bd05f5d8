"""``tefuda train``: a player whose weights fit a draft."""
