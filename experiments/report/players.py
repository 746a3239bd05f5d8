"""What a reader must know of the players: with which weights the trained ones play."""

from __future__ import annotations

from experiments.report.findings import Finding
from experiments.report.words import letter, listed
from sim.bots import Bot
from sim.drafts import Draft
from strategies import weights


def findings(drafts: list[Draft], players: list[Bot]) -> list[Finding]:
    """Say with which weights `adapted` plays each draft; nothing if it does not play."""
    if not any(bot.name.partition(":")[0] == weights.NAME for bot in players):
        return []
    told = [weights.told(draft.game, draft.record()) for draft in drafts]
    if len(drafts) == 1:
        return [Finding("Trained player", f"{_sentence(told[0])}.")]
    drafts_of = {
        text: [letter(number) for number in range(len(told)) if told[number] == text] for text in told
    }
    items = [f"{listed(letters)}: {text}." for text, letters in drafts_of.items()]
    return [Finding("Trained player", "In each draft:", items)]


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:] if text.startswith("no ") else text
