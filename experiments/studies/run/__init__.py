"""``tefuda run``: what happens in a draft."""
