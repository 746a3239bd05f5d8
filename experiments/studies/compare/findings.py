"""What there is to say of a comparison: the answer, what differs in each draft, and how it was judged."""

from __future__ import annotations

from dataclasses import replace

from experiments.metrics.scores import Distance
from experiments.play.matches import Key, Run
from experiments.report import options, words
from experiments.report.sections import Cell, Figure, Mark, Report, Row, Section, Table, cell
from experiments.report.words import MISSING, letter, number, percent, plural, show, show_difference
from experiments.stats import Kind
from experiments.studies.compare import distances, lineups, verdicts
from experiments.studies.compare.headline import headline
from experiments.studies.compare.play import Comparison, Judged
from experiments.studies.run import findings as of_run
from experiments.studies.run import label_findings, measures

_LISTED = 6
"""Disagreements of line-ups that are told one by one."""

_LEAST_P = 0.001


def report(comparison: Comparison) -> Report:
    """Return what there is to say of a comparison."""
    runs = comparison.studies[0].runs
    base = runs[0]
    names = [run.draft.label for run in runs]
    title = (
        " against ".join(reversed(names)) if len(names) < 3 else f"{len(names) - 1} drafts against {names[0]}"
    )
    pairs = [
        (level, study.runs[run.number]) for run in runs[1:] for level, study in enumerate(comparison.studies)
    ]
    bots = [bot for study in comparison.studies for bot in study.runs[0].batch.lineup]
    return Report(
        kicker="What a draft changes",
        title=title,
        headline=headline(comparison),
        figure=_figure(comparison),
        facts=[
            *((letter(run.number), run.draft.label) for run in runs),
            ("Matches of each draft", _matches(comparison)),
            ("Line-ups" if len(comparison.studies) > 1 else "Line-up", _lineups(comparison)),
            ("Seed", str(comparison.spec.seed)),
            *of_run.trained_players([run.draft for run in runs], bots),
        ],
        sections=[
            *_orders(comparison),
            *(_pair(comparison, level, run) for level, run in pairs),
            _scores(runs),
            *(_in_full(comparison, level, run) for level, run in pairs),
            *(replace(section, folded=True) for section in label_findings.sections(runs)),
            *_squares(runs),
            Section(
                "options",
                "Every option of each draft",
                tables=[options.table([run.draft for run in runs], [letter(run.number) for run in runs])],
                folded=True,
            ),
            Section("method", "How the verdicts were reached", verdicts.method(comparison), folded=True),
        ],
        terms=[*_terms(comparison), *of_run.terms(base)],
        partial=_partial(comparison),
        notes="; ".join(
            f"{letter(run.number)}: {run.draft.notes}"
            for run in runs
            if run.draft.notes and (run is base or run.draft.notes != base.draft.notes)
        ),
    )


def _figure(comparison: Comparison) -> Figure:
    runs = comparison.studies[0].runs
    if len(runs) == 2 and runs[0].draft.players == runs[1].draft.players and len(comparison.studies) == 1:
        return Figure(
            "differences",
            "Who wins more often, and who less?",
            measures.win_differences(*runs),
            "Mark: the difference; bar: its 95% interval. A bar that touches the dashed line cannot be told from no change.",
        )
    return Figure("rates", "Who wins?", measures.win_rates(runs, "seat"), of_run.SEATS)


def _partial(comparison: Comparison) -> str:
    """Say how far an interrupted comparison came; empty for a whole one."""
    if comparison.complete:
        return ""
    wanted = number(comparison.spec.matches)
    done = words.listed([number(study.matches) for study in comparison.studies])
    each = " of each draft" + (" and line-up" if len(comparison.studies) > 1 else "")
    return f"Interrupted: {done} of {wanted} matches{each} were played. All numbers are of these alone."


def _matches(comparison: Comparison) -> str:
    text = "; ".join(of_run.games_of(study.runs[0]) for study in comparison.studies)
    shorter = [
        f"{letter(run.number)} {number(run.totals.matches)}"
        for study in comparison.studies
        for run in study.runs
        if run.totals.matches < study.runs[0].totals.matches
    ]
    return f"{text} (decided earlier: {', '.join(shorter)})" if shorter else text


def _lineups(comparison: Comparison) -> str:
    return "; ".join(of_run.lineup(study.runs[0]) for study in comparison.studies)


# ---- what differs in a draft ----------------------------------------------------------------------------


def _under(comparison: Comparison, run: Run) -> str:
    return f", {run.level}" if len(comparison.studies) > 1 else ""


def _name(prefix: str, level: int, run: Run) -> str:
    return f"{prefix}-{letter(run.number)}-{level}".lower()


def _claims(comparison: Comparison, level: int, run: Run) -> list[Judged]:
    return [
        judged
        for judged in comparison.judged
        if (judged.claim.level, judged.claim.draft) == (level, run.number)
    ]


def _pair(comparison: Comparison, level: int, run: Run) -> Section:
    """Return what is decided to differ, the main measures first, and what is undecided."""
    base, claims = run.study.runs[0], _claims(comparison, level, run)
    names = f"{letter(run.number)} against {letter(0)}"
    differ = [judged for judged in claims if judged.differs]
    rows = [_row(comparison, judged, measures.name(run, judged.claim.key)) for judged in differ]
    text = [verdicts.counts(claims)]
    if not differ:
        text.append("No measure is found to differ.")
    rules = options.table([base.draft, run.draft], [letter(0), letter(run.number)], only_different=True)
    tables = (
        [Table("What differs in the results", _heads(run), rows, measures.head_note(run), frozenset({4}))]
        if rows
        else []
    )
    return Section(
        _name("pair", level, run),
        f"What differs: {names}{_under(comparison, run)}",
        text,
        tables=[*tables, *([rules] if rules.rows and level == 0 else [])],
        notes=[note for note in (_pairing(base, run), _distance(comparison, level, run)) if note],
    )


def _heads(run: Run) -> list[str]:
    first, second = letter(0), letter(run.number)
    return ["Measure", first, second, f"{second} − {first}", "Verdict"]


def _row(comparison: Comparison, judged: Judged, name: str, group: str = "") -> Row:
    run, key = comparison.run_of(judged.claim), judged.claim.key
    kind = measures.kind(run, key)
    cells: list[Cell | str] = [measures.shown(each, key).value for each in (run.study.runs[0], run)]
    if judged.verdict is None:
        return Row(name, [*cells, MISSING, "undecided"], group)
    marks: dict[str, Mark] = {"higher": "up", "lower": "down"}
    mark = marks.get(judged.word, "open")
    shown = show_difference(comparison.difference(judged), kind)
    return Row(name, [*cells, cell(shown, mark), Cell(verdicts.short(comparison, judged), mark=mark)], group)


def _in_full(comparison: Comparison, level: int, run: Run) -> Section:
    """Return every measure of two drafts, but for those that are idle in both."""
    base = run.study.runs[0]
    rows, idle = [], 0
    for group, keys in measures.grouped([base, run]):
        if group == measures.SQUARES:
            continue
        for key in keys:
            if measures.is_idle(base, key) and measures.is_idle(run, key):
                idle += 1
                continue
            rows.append(_any_row(comparison, level, run, key, group))
    notes = (
        [f"{plural(idle, 'measure')} not shown: they never came, or came alike in every block of both."]
        if idle
        else []
    )
    names = f"{letter(run.number)} against {letter(0)}"
    return Section(
        _name("all", level, run),
        f"Every measure: {names}{_under(comparison, run)}",
        tables=[Table("Every measure", _heads(run), rows, measures.head_note(run), frozenset({4}))],
        notes=notes,
        folded=True,
    )


def _any_row(comparison: Comparison, level: int, run: Run, key: Key, group: str) -> Row:
    base = run.study.runs[0]
    named = run if key in run.estimates else base
    name = measures.short_name(named, key)
    judged = comparison.by_place.get((level, run.number, key))
    if judged is not None:
        return _row(comparison, judged, name, group)
    cells: list[Cell | str] = [measures.shown(each, key).value for each in (base, run)]
    difference = run.differences.get(key)
    if difference is None:
        return Row(name, [*cells, MISSING, f"only in {letter(named.number)}"], group)
    shown = show_difference(difference, measures.kind(run, key))
    return Row(name, [*cells, cell(shown), "not judged"], group)


def _pairing(base: Run, run: Run) -> str:
    """Say whether the two were played on the same deals, and what that was worth."""
    gains = sorted(
        difference.gain for difference in run.differences.values() if difference.paired and difference.se > 0
    )
    if gains:
        middle = gains[len(gains) // 2]
        if middle < 1.05:
            return "Both drafts were played on the same deals; that saved hardly any matches here."
        return (
            "Playing both drafts on the same deals saved time: separate deals would typically need "
            f"{number(middle, 1 if middle < 100 else 0)} times as many matches."
        )
    if base.draft.players != run.draft.players:
        return (
            f"The two have {run.draft.players} and {base.draft.players} players, so they are not played on the same deals, and "
            f"the fair share of the win goes from {words.fair_share(base.draft.players)} to {words.fair_share(run.draft.players)}."
        )
    return ""


def _distance(comparison: Comparison, level: int, run: Run) -> str:
    """Say how far the scores of a draft lie from those of the first as distributions; no verdict rests on it."""
    apart = comparison.distances.get((level, run.number))
    if apart is None:
        return ""
    points, gap = apart.wasserstein, apart.kolmogorov
    base = run.study.runs[0]
    what = "totals of a match" if run.by_game else "scores"
    deals = plural(points.value.blocks, "deal")
    unpaired = "" if distances.are_paired(base, run) else ", not paired"
    if points.value.value == 0:
        return f"The {what} came out distributed alike (over {deals}{unpaired})."
    return (
        f"Distribution of {what}, over {deals}{unpaired}: to turn one into the other, a score has to move by "
        f"{_with_noise(points, 'mean')} points on average (Wasserstein distance); the shares of scores up to any point differ by "
        f"at most {_with_noise(gap, 'share')} (Kolmogorov distance). These are not judged."
    )


def _with_noise(distance: Distance, kind: Kind) -> str:
    shown = show(distance.value, kind)
    limit = percent(distance.alike) if kind == "share" else number(distance.alike, 2)
    p = f"p < {_LEAST_P}" if distance.p < _LEAST_P else f"p = {distance.p:.2g}"
    text = f"{shown.together}; noise alone stays below {limit} ({p})"
    return text.replace("%", "\N{NO-BREAK SPACE}pp") if kind == "share" else text


# ---- line-ups, scores, squares --------------------------------------------------------------------------


def _orders(comparison: Comparison) -> list[Section]:
    """Return where line-ups disagree, and the order of the drafts under each."""
    if len(comparison.studies) < 2:
        return []
    told = [
        f"{letter(apart.draft)}, {measures.name(apart.row.run, apart.row.key)}: {apart.words(comparison)}."
        for apart in lineups.disagreements(comparison)
    ]
    if len(told) > _LISTED:
        told = [*told[:_LISTED], f"And {number(len(told) - _LISTED)} more; the table has them all."]
    rows = [
        Row(
            measures.name(row.run, row.key),
            [
                *(lineups.ranking(claims) if claims else MISSING for claims in row.found),
                "yes" if row.disagreements(comparison) else "",
            ],
        )
        for row in lineups.rows(comparison)
        if row.moved
    ]
    table = Table(
        "Order of the drafts by each measure in which some draft differs",
        ["Measure", *comparison.levels, "Line-ups disagree"],
        rows,
        "as far as decided; ?: undecided",
        frozenset(range(1, len(comparison.levels) + 2)),
    )
    note = "“B > A = C”: B is above A, and C is equivalent to it. Only comparisons with A are judged."
    return [
        Section("lineups", "Who plays", told, tables=[table] if rows else [], notes=[note] if rows else [])
    ]


def _scores(runs: list[Run]) -> Section:
    rows = [row for run in runs for row in of_run.score_rows(run, f"{letter(run.number)}: {run.draft.label}")]
    figure = Figure("scores", "How do the scores of the drafts fall?", measures.score_histograms(runs))
    return Section(
        "scores",
        "Scores",
        figures=[figure],
        tables=[of_run.score_table(runs[0], rows)],
        notes=[of_run.SCORES_NOTE],
        folded=True,
    )


def _squares(runs: list[Run]) -> list[Section]:
    """Return the square tables of each draft, and their differences."""
    tables = []
    for run in runs[1:]:
        if run.draft.players != runs[0].draft.players:
            continue

        def written(key: Key, run: Run = run) -> Cell:
            difference = run.differences.get(key)
            if difference is None:
                return Cell(MISSING)
            marks: dict[str, Mark] = {"up": "up", "down": "down"}
            return cell(show_difference(difference, "share"), marks.get(words.verdict(difference), "open"))

        tables += [
            of_run.square(
                run, event, written, f"{letter(run.number)} − {letter(0)}: {event.name.replace('_', ' ')}"
            )
            for event in of_run.square_events(run)
        ]
    return [
        Section(
            section.name, section.title, tables=[*tables, *section.tables], notes=section.notes, folded=True
        )
        for section in of_run.squares(runs)
    ]


def _terms(comparison: Comparison) -> list[tuple[str, str]]:
    return [
        ("Higher, lower", "The difference is beyond chance. It can be clear and yet too small to matter."),
        (
            "Equivalent",
            f"A difference of no more than a margin: {verdicts.margins(comparison)}. Margins were fixed before the first match.",
        ),
        (
            "Undecided",
            "Not enough matches yet. About n more of each draft should settle it, if things stay as they look now.",
        ),
        (
            "Same deals",
            (
                "Drafts with as many players are played on the same shuffles, with the same bots in the same seats, and compared deal "
                "by deal: lucky cards fall to both and cancel out."
            ),
        ),
        (
            "Points (pp)",
            "Differences of percentages are in percentage points: from 25% to 27% is +2 points.",
        ),
    ]
