"""``tefuda compare``: what a draft changes against another."""
