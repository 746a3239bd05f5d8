"""9 Peak: a set-collecting game whose scoring table is a draft of its own."""
