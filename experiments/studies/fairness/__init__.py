"""``tefuda fairness``: whether each seat wins its fair share."""
