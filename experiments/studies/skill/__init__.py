"""``tefuda skill``: what the measures of `experiments.metrics` say of one draft, in numbers and in words.

`spec` says what is asked, the modules of `experiments.play` play it, each file in `measures` reads one part of it, and `play`
runs them all.
"""
