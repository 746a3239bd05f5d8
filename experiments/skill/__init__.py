"""``tefuda skill``: what the measures of `experiments.metrics` say of one draft, in numbers and in words.

`spec` says what is played, `sources` and `sampler` play it, each file in `measures` reads one part of it, and `suite` runs
them all.
"""
