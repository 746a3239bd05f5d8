"""``tefuda ladder``: which bot is the stronger, and by how much."""
