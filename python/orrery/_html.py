"""Shows runs in notebooks: plain HTML and SVG, without scripts and without anything from a network."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Iterable, Sequence

if TYPE_CHECKING:
    from ._run import Run

# Parts of a step with colours that also people who are colour-blind can tell apart, on light and dark grounds.
_PARTS = (("compute", "#4477aa"), ("bubble", "#ccbb44"), ("exposed", "#ee6677"), ("idle", "#999999"))
_WIDTH = 560


def _time(seconds: float) -> str:
    """Returns a time with four digits and a unit that fits."""
    for unit, factor in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= factor:
            return f"{seconds / factor:.4g} {unit}"
    return f"{seconds / 1e-9:.4g} ns" if seconds > 0 else "0 s"


def _count(number: float) -> str:
    for unit, factor in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if number >= factor:
            return f"{number / factor:.4g} {unit}"
    return f"{number:.4g}"


def _bar(run: Run, width: float, height: int = 18) -> str:
    """Returns a drawing of where the time of a run goes; `width` is the length of the whole, in pixels."""
    x = 0.0
    parts: list[str] = []
    for name, colour in _PARTS:
        share = getattr(run, name) / run.time if run.time else 0.0
        title = f"{name}: {_time(getattr(run, name))}, {100 * share:.1f} %"
        if share > 0:
            parts.append(f'<rect x="{x:.1f}" width="{share * width:.1f}" height="{height}" fill="{colour}"><title>{title}</title></rect>')
        x += share * width
    drawing = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height}" viewBox="0 0 {width:.0f} {height}"'
    return f'{drawing} role="img" aria-label="where the time goes">{"".join(parts)}</svg>'


def _legend() -> str:
    items = (f'<span style="white-space:nowrap"><span style="color:{colour}">&#9632;</span> {name}</span>' for name, colour in _PARTS)
    return f'<div>{" &nbsp; ".join(items)}</div>'


def _table(rows: Iterable[Sequence[str]], heads: Sequence[str] = ()) -> str:
    """Returns a table whose first column is words and whose others are numbers."""

    def cells(row: Sequence[str], tag: str) -> str:
        side = ("left", *["right"] * (len(row) - 1))
        return "".join(f'<{tag} style="text-align:{at}">{cell}</{tag}>' for at, cell in zip(side, row))

    head = f"<thead><tr>{cells(heads, 'th')}</tr></thead>" if heads else ""
    body = "".join("<tr>" + cells(row, "td") + "</tr>" for row in rows)
    return f"<table>{head}<tbody>{body}</tbody></table>"


def _facts(run: Run) -> list[tuple[str, str, str]]:
    """Returns the figures of a run: what each is, its value, and a remark."""
    facts = [("time of a step", _time(run.step), f"{run.npus:,} NPUs, {run.iterations} iteration{'s' * (run.iterations != 1)}")]
    if interval := run.step_interval:
        facts.append(("measured, in most cases", " to ".join(map(_time, interval)), ""))
    for name, _ in _PARTS:
        value = getattr(run, name)
        if value > 0 or name in ("compute", "exposed"):
            facts.append((name, _time(value), f"{100 * value / run.time:.1f} %" if run.time else ""))
    if run.mfu is not None and run.hfu is not None:
        facts.append(("MFU", f"{100 * run.mfu:.1f} %", f"HFU {100 * run.hfu:.1f} %"))
    if run.tokens_per_second is not None:
        facts.append(("tokens per second", _count(run.tokens_per_second), ""))
    if run.memory is not None:
        facts.append(("memory", f"{run.memory / 2**30:.4g} GiB", "on the fullest device"))
    return facts


def plain_html(text: str) -> str:
    """Returns a text as it is printed."""
    return f"<pre>{escape(text)}</pre>"


def run_html(run: Run) -> str:
    """Returns a run as a notebook shows it: its figures, and where its time goes."""
    if error := run.error:
        return f"<p><b>{escape(run.name)}</b> failed: {escape(error.message)}</p>"
    return f"<div><b>{escape(run.name)}</b>{_table(_facts(run))}{_bar(run, _WIDTH)}{_legend()}</div>"


def runs_html(runs: Sequence[Run], most: int = 50) -> str:
    """Returns several runs below one another, with bars whose lengths are their times; the first `most` of them."""
    shown, longest = runs[:most], max((run.step for run in runs), default=0.0)
    rows: list[tuple[str, ...]] = []
    for run in shown:
        if error := run.error:
            rows.append((escape(run.name), "failed", "", escape(error.message)))
            continue
        bar = _bar(run, max(1.0, _WIDTH * run.step / longest)) if longest else ""
        rows.append((escape(run.name), _time(run.step), _time(run.exposed / run.iterations), f'<div style="text-align:left">{bar}</div>'))
    more = f"<p>and {len(runs) - most} more</p>" if len(runs) > most else ""
    return f"<div>{_table(rows, ('run', 'step', 'exposed', ''))}{more}{_legend()}</div>"
