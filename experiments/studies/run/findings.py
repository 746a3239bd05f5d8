"""What there is to say of a run: who wins, how long it takes, how the scores fall."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from experiments.metrics.spread import QUANTILES, quantile_interval, sd_interval, spread
from experiments.play.matches import Key, Run, in_square, says_something
from experiments.report import options, words
from experiments.report.sections import Cell, Figure, Report, Row, Section, Table, cell
from experiments.report.words import listed, number, plural
from experiments.studies.run import label_findings, measures
from experiments.studies.run.measures import seat_name
from experiments.studies.run.play import Played
from sim.bots import Bot
from sim.drafts import Draft
from sim.events import Event
from strategies import weights

SEATS = "Mark: the win rate; bar: its 95% interval; dashed line: the fair share."
"""How a figure of win rates is to be read."""


def report(played: Played) -> Report:
    """Return what there is to say of a run."""
    run = played.run
    return Report(
        kicker="What happens in a draft",
        title=run.draft.label,
        headline=headline(run),
        figure=Figure("seats", "Who wins?", measures.win_rates([run], "seat"), SEATS),
        facts=[
            ("Players", str(run.draft.players)),
            ("Matches", f"{games_of(run)}, in {plural(run.totals.blocks, 'block')}"),
            ("Line-up", lineup(run)),
            ("Seed", str(played.spec.seed)),
            *trained_players([run.draft], run.batch.lineup),
        ],
        sections=[
            _seats(run),
            *([_bots(run), _cells(run)] if len(run.bots) > 1 else []),
            _scores(run),
            *label_findings.sections([run]),
            _match(run),
            *squares([run]),
            Section(
                "options",
                "Every option of the draft",
                tables=[options.table([run.draft], ["Value"])],
                folded=True,
            ),
        ],
        terms=terms(run),
        partial=partial(run),
        notes=run.draft.notes,
    )


def partial(run: Run) -> str:
    """Say how far an interrupted run came; empty for a whole one."""
    if run.study.complete:
        return ""
    done, wanted = number(run.totals.matches), number(run.study.spec.matches)
    return f"Interrupted: {done} of {wanted} matches were played. All numbers are of these alone."


def games_of(run: Run) -> str:
    """Say how many matches were played, and of how many games each."""
    matches = number(run.totals.matches)
    return f"{matches} of {plural(run.games, 'game')}" if run.by_game else matches


def lineup(run: Run) -> str:
    """Say who sat where."""
    names = [bot.name for bot in run.batch.lineup]
    if len(run.bots) == 1:
        return f"{names[0]} in every seat"
    if run.study.spec.fixed_seats:
        return listed([f"{name} in {seat_name(seat)}" for seat, name in enumerate(names)])
    return f"{listed(names)}; each deal is played {number(run.batch.period)} times, with the line-up moved on by a seat"


def trained_players(drafts: list[Draft], players: list[Bot]) -> list[tuple[str, str]]:
    """Return the fact with which weights `adapted` plays the drafts; nothing if it does not play."""
    if not any(bot.name.partition(":")[0] == weights.NAME for bot in players):
        return []
    told = [weights.told(draft.game, draft.record()) for draft in drafts]
    if len(set(told)) == 1:
        return [("Trained player", told[0])]
    return [("Trained player", "; ".join(f"{words.letter(n)}: {text}" for n, text in enumerate(told)))]


def mixed(run: Run) -> bool:
    """Tell whether seat and bot cannot be told apart."""
    return run.study.spec.fixed_seats and len(run.bots) > 1


# ---- the headline ---------------------------------------------------------------------------------------


def headline(run: Run) -> list[str]:
    """Answer who wins, how long a match is, and how the scores fall."""
    return [
        seats_sentence(run),
        *([_bots_sentence(run)] if len(run.bots) > 1 else []),
        _length_sentence(run),
        _scores_sentence(run),
        _ties_sentence(run),
    ]


def seats_sentence(run: Run) -> str:
    """Say whether a seat is favoured."""
    fair, due = 1 / run.draft.players, words.fair_share(run.draft.players)
    rates = [run.estimates["win", "seat", seat] for seat in range(run.draft.players)]
    what = "of games" if run.by_game else "of matches"
    off = [seat for seat, rate in enumerate(rates) if words.against(rate, fair) in ("up", "down")]
    if not off:
        most = max(max(fair - rate.low, rate.high - fair) for rate in rates)
        text = f"No seat is measurably favoured: each wins its fair share, {due} {what}, within {_points(most)} points."
    else:
        best, worst = (
            max(off, key=lambda seat: rates[seat].value),
            min(off, key=lambda seat: rates[seat].value),
        )
        parts = [
            f"{seat_name(seat)} wins {word}, {words.percent(rates[seat].value)} {what}"
            for seat, word, is_off in (
                (best, "most", rates[best].value > fair),
                (worst, "least", rates[worst].value < fair),
            )
            if is_off
        ]
        text = f"{'; '.join(parts)}. A fair share is {due}."
        text = text[0].upper() + text[1:]
    if mixed(run):
        text += " But each bot kept its seat, so this mixes the seat with its bot."
    return text


def _points(share: float) -> str:
    digits = 2 if share < 0.005 else 1
    return number(words.rounded_up(share * 100, digits), digits)


def _bots_sentence(run: Run) -> str:
    """Say which bot is the strongest of the line-up."""
    rates = {name: run.estimates["win", "bot", name] for name in run.bots}
    order = sorted(rates, key=lambda name: -rates[name].value)
    first, second, last = rates[order[0]], rates[order[1]], rates[order[-1]]
    # Of two bots the one is above the fair share only if the other is below.
    clear = first.low > second.high or (
        len(order) == 2 and words.against(first, 1 / run.draft.players) == "up"
    )
    what = "its games" if run.by_game else "its matches"
    if not clear:
        return (
            f"{order[0]} ({words.percent(first.value)}) and {order[1]} ({words.percent(second.value)}) are too close to say which "
            "is the stronger."
        )
    return (
        f"{order[0]} is the strongest of this line-up: it wins {words.percent(first.value)} of {what}; {order[-1]} wins least, "
        f"{words.percent(last.value)}."
    )


def _length_sentence(run: Run) -> str:
    of_games = f" of {plural(run.games, 'game')}" if run.by_game else ""
    decisions, moves = (measures.shown(run, key).value for key in (("decisions",), ("branching",)))
    return f"A match{of_games} takes {decisions} decisions of all players together, each among {moves} legal moves on average."


def _scores_sentence(run: Run) -> str:
    found = spread(run.histogram())
    assert found is not None
    what = "match totals" if run.by_game else "scores"
    return f"Half of all {what} lie between {number(found.quantiles[1])} and {number(found.quantiles[3])} points."


def _ties_sentence(run: Run) -> str:
    end = {
        "totals": "with the highest total shared",
        "wins": "in a shared win",
        "best scores": "with the best score shared; the rules then say who wins",
    }[run.study.shared]
    return f"{measures.shown(run, ('ties',)).value} of matches end {end}."


# ---- sections of one run --------------------------------------------------------------------------------


def _place_rows(run: Run, places: list[tuple[str, Key, Key]]) -> list[Row]:
    """Return rows of win rate, how it lies to the fair share, and mean score."""
    return [
        Row(
            title,
            [
                cell(
                    measures.shown(run, win), "up" if measures.against_fair(run, win).endswith("fair") else ""
                ),
                measures.against_fair(run, win),
                cell(measures.shown(run, score)),
            ],
        )
        for title, win, score in places
    ]


def _heads(run: Run, first: str) -> list[str]:
    over, game = (", over games", " a game") if run.by_game else ("", "")
    return [first, f"Win rate{over}", f"Fair: {words.fair_share(run.draft.players)}", f"Mean score{game}"]


def _seats(run: Run) -> Section:
    places = [
        (seat_name(seat).capitalize(), ("win", "seat", seat), ("score", "seat", seat))
        for seat in range(run.draft.players)
    ]
    chance = words.percent(min(1.0, 0.05 * run.draft.players), 0)
    doubt = f"Of perfectly fair games, up to {chance} of runs show at least one seat off by chance alone."
    table = Table(
        "By seat", _heads(run, "Seat"), _place_rows(run, places), measures.head_note(run), frozenset({2})
    )
    return Section("seats", "Who wins, by seat", tables=[table], notes=[doubt])


def _bots(run: Run) -> Section:
    places = [(name, ("win", "bot", name), ("score", "bot", name)) for name in run.bots]
    tables = [
        Table("By bot", _heads(run, "Bot"), _place_rows(run, places), measures.head_note(run), frozenset({2}))
    ]
    figure = Figure("bots", "Which bot wins?", measures.win_rates([run], "bot"), SEATS)
    return Section(
        "bots",
        "Who wins, by bot",
        figures=[figure],
        tables=tables,
        notes=[
            "Numbers of a bot are for each place that it takes: one in two seats of a match counts twice."
        ],
    )


def _cells(run: Run) -> Section:
    tables = [_by_cell(run, "win", "Win rate"), _by_cell(run, "score", "Mean score")]
    return Section("cells", "Who wins, by bot and seat", tables=tables, folded=True)


def _by_cell(run: Run, what: str, title: str) -> Table:
    seats = range(run.draft.players)
    return Table(
        f"{title} by bot and seat",
        ["Bot", *(seat_name(seat).capitalize() for seat in seats)],
        [
            Row(name, [cell(measures.shown(run, (what, "cell", name, seat))) for seat in seats])
            for name in run.bots
        ],
        plural(run.totals.blocks, "block"),
    )


def _scores(run: Run) -> Section:
    rows = score_rows(run)
    what = "bot" if len(run.bots) > 1 else "seat"
    figure = Figure("scores", f"How do the scores fall, by {what}?", measures.score_histograms([run]))
    return Section("scores", "Scores", figures=[figure], tables=[score_table(run, rows)], notes=[SCORES_NOTE])


SCORES_NOTE = "Under a percentage: so many of the results are at or below this score."


def score_table(run: Run, rows: list[Row]) -> Table:
    """Return the table of how scores are spread."""
    of = "match totals" if run.by_game else "scores"
    mean = "Mean a game" if run.by_game else "Mean"
    columns = ["Of", mean, f"SD of {of}", *(f"{quantile}%" for quantile in QUANTILES)]
    return Table(f"How {of} are spread", columns, rows, measures.head_note(run))


def score_rows(run: Run, group: str = "") -> list[Row]:
    """Return how scores are spread over all seats or by bot, then by seat."""
    bots: list[tuple[str, Key, Counter[int]]] = [
        ("all seats" if len(run.bots) == 1 else name, ("score", "bot", name), run.histogram(bot=name))
        for name in run.bots
    ]
    seats: list[tuple[str, Key, Counter[int]]] = [
        (seat_name(seat), ("score", "seat", seat), run.histogram(seat=seat))
        for seat in range(run.draft.players)
    ]
    return [_score_row(run, *of, group) for of in [*bots, *seats]]


def _score_row(run: Run, title: str, key: Key, counts: Counter[int], group: str) -> Row:
    found = spread(counts)
    if found is None:
        return Row(title, [words.MISSING] * (2 + len(QUANTILES)), group)
    blocks = run.totals.blocks
    sd = words.MISSING if found.sd is None else _with_ends(found.sd, sd_interval(counts, found.sd, blocks), 1)
    quantiles = [
        _with_ends(score, quantile_interval(counts, percent, blocks), 0)
        for percent, score in zip(QUANTILES, found.quantiles, strict=True)
    ]
    return Row(title, [cell(measures.shown(run, key)), sd, *quantiles], group)


def _with_ends(value: float, ends: tuple[float, float], digits: int) -> Cell:
    low, high = (number(end, digits) for end in ends)
    return Cell(number(value, digits), f"{low} to {high}")


def _match(run: Run) -> Section:
    keys: list[Key] = [("ties",), ("decisions",), ("branching",)]
    events = [
        key for key in run.estimates if key[0] in ("event", "bot_event") and says_something(key, run.bots)
    ]
    events = [key for key in events if not in_square(run.draft.game, key)]
    moving = [key for key in events if not measures.is_idle(run, key)]
    idle = len(events) - len(moving)
    rows = [measures.value_row(run, key, measures.name(run, key)) for key in [*keys, *moving]]
    per = "game" if run.by_game else "match"
    notes = [
        f"Percentages of events are shares of all events of their kind; other events are counted per {per}."
    ]
    if idle:
        notes.append(f"{plural(idle, 'event')} not shown: they never came, or came alike in every block.")
    return Section(
        "match",
        "Length and events",
        tables=[Table("Length, shared wins and events", ["Measure", "Value"], rows, measures.head_note(run))],
        notes=notes,
    )


# ---- square tables: what became of what from one game to the next ---------------------------------------


def squares(runs: list[Run]) -> list[Section]:
    """Return the section of square tables of runs, if there are any."""
    tables = []
    for run in runs:

        def written(key: Key, run: Run = run) -> Cell:
            estimate = run.estimates.get(key)
            return cell(measures.shown(run, key), shade=0.0 if estimate is None else estimate.value)

        before = f"{words.letter(run.number)}: " if len(runs) > 1 else ""
        tables += [
            square(run, event, written, f"{before}{event.name.replace('_', ' ').capitalize()}")
            for event in square_events(run)
        ]
    note = "Each row adds up to 100%. The more colour a cell has, the larger its share."
    return [Section("squares", "From game to game", tables=tables, notes=[note])] if tables else []


def square_events(run: Run) -> list[Event]:
    """Return the events of a run that are square tables."""
    return [
        event
        for event in run.events.values()
        if event.kind == "rows" and ("event", event.name, 0) in run.estimates
    ]


def square(run: Run, event: Event, written: Callable[[Key], Cell], title: str) -> Table:
    """Return a square table; `written` gives the cell of a measure."""
    players = run.draft.players
    row_is, _, columns_are = event.title.partition(", ")
    return Table(
        title,
        [columns_are.capitalize(), *(str(place + 1) for place in range(players))],
        [
            Row(
                row_is.replace("{}", str(row + 1)),
                [written(("event", event.name, row * players + column)) for column in range(players)],
            )
            for row in range(players)
        ],
    )


# ---- words ----------------------------------------------------------------------------------------------


def terms(run: Run) -> list[tuple[str, str]]:
    """Return the words that a reader of win rates and scores may not know."""
    period = run.batch.period
    if run.by_game:
        win = [
            (
                "Game and match",
                (
                    "A match has several games. Wins, mean scores and events are counted by game; decisions, shared totals and the "
                    "spread of scores by match."
                ),
            ),
            (
                "Win rate",
                "The share of the games in which first place was taken. With n players a fair share is 1 in n.",
            ),
        ]
    else:
        shared = (
            "Players who share a win get equal parts of it."
            if run.study.shared == "wins"
            else "Where the best score is shared, the rules of the game say who wins."
        )
        win = [
            (
                "Win rate",
                f"The share of the matches that were won. {shared} With n players a fair share is 1 in n.",
            )
        ]
    return [
        ("Seat", "Seats are numbered from 1 around the table; seat 1 is the first of the rules."),
        *win,
        (
            "95% interval",
            (
                "A run is a sample: another seed would give slightly other numbers. The interval covers the true value in 95 of 100 "
                "runs. Four times as many matches halve it."
            ),
        ),
        (
            "Block",
            (
                f"{'The deals of one match' if run.by_game else 'One deal'}, played once for every rotation of the bots around the "
                f"table ({f'here {period} matches' if period > 1 else 'here a single match'}). Matches on one deal resemble each "
                "other, so intervals count blocks, not matches."
            ),
        ),
        ("SD", "Standard deviation: how far results typically lie from their mean."),
        (
            "Bots",
            "All numbers are for these bots. People may play otherwise: a result is safest if it holds for several bots.",
        ),
    ]
