"""Numbers and names as people read them: rounded, with the sign of their side, and nothing invisible in a name."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup, escape

THIN = "\u202f"
DASH = "–"
NOTHING = "—"

SIDES = {"exact": "", "estimate": "≈", "lower": "≥", "upper": "≤"}
SIDE_WORDS = {
    "exact": "exact",
    "estimate": "estimate",
    "lower": "at least",
    "upper": "at most",
}

JOINERS = "\u200c\u200d"
"""Invisible, but needed to write Persian, Hindi and some emoji."""

HIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def visible(held: Any) -> Any:
    """The same JSON with every control character, bidirectional mark and half character written out.

    >>> visible({"a" + chr(0x202E) + "b": ["tab" + chr(9)]})
    {'a⟨U+202E⟩b': ['tab⟨U+0009⟩']}
    """
    if isinstance(held, str):
        return held if held.isascii() and held.isprintable() else "".join(map(_visible, held))
    if isinstance(held, Mapping):
        return {visible(str(key)): visible(value) for key, value in held.items()}
    if isinstance(held, list | tuple):
        return [visible(value) for value in held]
    return held


def _visible(character: str) -> str:
    if character in JOINERS or unicodedata.category(character) not in HIDDEN:
        return character
    return f"⟨U+{ord(character):04X}⟩"


def value(number: Any) -> float | None:
    """The number as a float; "inf" is infinite."""
    return None if number is None else float(number)


def plain(number: Any, digits: int = 4, *, strip: bool = True) -> str:
    """A number to so many digits, four of them at most behind the point unless it is tiny.

    >>> plain(0.27194), plain(123456), plain("inf"), plain(None), plain(0.00000123)
    ('0.2719', '123,456', '∞', '—', '0.0000012')
    """
    held = value(number)
    if held is None or math.isnan(held):
        return NOTHING
    if math.isinf(held):
        return "∞" if held > 0 else "−∞"
    if held == int(held) and abs(held) < 1e9:
        return f"{held:,.0f}".replace("-", "−")
    if abs(held) >= 1e9 or abs(held) < 1e-7:
        return f"{held:.2e}".replace("-", "−")
    text = f"{held:,.{_places(held, digits)}f}"
    text = text.rstrip("0").rstrip(".") if strip and "." in text else text
    return text.replace("-", "−")


def _places(number: float, digits: int) -> int:
    """How many digits behind the point."""
    leading = math.floor(math.log10(abs(number)))
    return min(max(0, digits - 1 - leading), 4) if leading >= -3 else 1 - leading


def percent(share: Any, places: int = 1) -> str:
    """A share in a hundred.

    >>> percent(0.8391), percent(None)
    ('83.9\u202f%', '—')
    """
    held = value(share)
    return NOTHING if held is None or not math.isfinite(held) else f"{100 * held:.{places}f}{THIN}%"


def in_100(share: Any) -> str:
    """How many times in a hundred, not rounded up to always or down to never.

    >>> in_100(0.8391), in_100(0.9991)
    ('84', '99.9')
    """
    held = value(share)
    if held is None or not math.isfinite(held):
        return NOTHING
    near = held not in {0.0, 1.0} and round(100 * held) in {0, 100}
    return f"{100 * held:.1f}" if near else f"{100 * held:.0f}"


def at_most_100(share: Any) -> str:
    """A limit as times in a hundred, never rounded below itself.

    >>> at_most_100(0.7801), at_most_100(0.78)
    ('78.1', '78')
    """
    held = value(share)
    if held is None or not math.isfinite(held):
        return NOTHING
    return f"{math.ceil(1000 * held * (1 - 1e-12)) / 10:g}"


def factor(number: Any) -> str:
    """How many times as likely: below one as a division.

    >>> factor(4.12), factor(0.25), factor(0.0)
    ('× 4.12', '÷ 4', 'ruled out')
    """
    held = value(number)
    if held is None:
        return NOTHING
    if held <= 0:
        return "ruled out"
    return f"× {plain(held, 3)}" if held >= 1 else f"÷ {plain(1 / held, 3)}"


def edge(number: Any) -> str:
    """An end of a range of factors, short.

    >>> edge(0.125), edge(2.0), edge("inf"), edge(0.0)
    ('÷ 8', '× 2', '× ∞', '÷ ∞')
    """
    held = value(number) or 0.0
    if held <= 0 or math.isinf(held):
        return "÷ ∞" if held <= 0 else "× ∞"
    return f"÷ {plain(1 / held, 2)}" if held < 1 else f"× {plain(held, 2)}"


def reading(held: Mapping[str, Any], *, share: bool = False, unit: bool = True) -> str:
    """The value with the sign of its side and, unless the heading has it, its unit."""
    if held["value"] is None:
        return NOTHING
    sign = SIDES[held["side"]]
    text = percent(held["value"]) if share else plain(held["value"], strip=False)
    text += f"{THIN}{held['unit']}" if unit and not share and held["unit"] else ""
    return f"{sign}{THIN}{text}" if sign else text


def reach(held: Mapping[str, Any], *, share: bool = False) -> str:
    """From where to where; nothing where a bound already says it, or where there is no interval."""
    ends = held["interval"]
    one_sided = ends is not None and held["value"] in ends[:2] and held["side"] in {"lower", "upper"}
    return "" if ends is None or one_sided else interval(held, share=share)


def interval(held: Mapping[str, Any], *, share: bool = False) -> str:
    """From where to where, or a dash where there is none."""
    if held["interval"] is None:
        return NOTHING
    low, high, _ = held["interval"]
    if share:
        return span((low, high))
    start, end = value(low), value(high)
    if start is None or end is None or not 0 <= start < end < 1e9 or end < 1e-7:
        return f"{plain(low, strip=False)}{DASH}{plain(high, strip=False)}"
    places = _places(end, 4)
    return f"{start:,.{places}f}{DASH}{end:,.{places}f}"


def span(shares: Sequence[Any]) -> str:
    """A range of shares in a hundred.

    >>> span([0.8336, 0.8446])
    '83.4–84.5\u202f%'
    """
    low, high = (percent(share) for share in shares)
    return f"{low.removesuffix(THIN + '%')}{DASH}{high}"


def side(held: Mapping[str, Any]) -> str:
    """On which side of the truth, and about which law."""
    return f"{SIDE_WORDS[held['side']]}, of {held['law']}"


def sentences(text: str) -> tuple[str, str]:
    """The first sentence, and the others.

    >>> sentences("Guessed right 84 times (83.4–84.5). Most of it through `age`.")
    ('Guessed right 84 times (83.4–84.5).', 'Most of it through `age`.')
    """
    first, *others = re.split(r"(?<=[.!?]) (?=[A-Z0-9`])", text, maxsplit=1)
    return (first, others[0]) if others and first.count("`") % 2 == 0 else (text, "")


def count(number: int | None, fewest: int) -> str:
    """A count, or that it is too small to be shown."""
    return f"fewer than {fewest}" if number is None else f"{number:,}"


def prose(text: str) -> Markup:
    """A sentence; what stands between backticks is a name.

    >>> prose("drop `a<b` & go")
    Markup('drop <code>a&lt;b</code> &amp; go')
    """
    text = re.sub(r"(?<=\d) %", f"{THIN}%", text)
    parts = text.split("`")
    if len(parts) % 2 == 0:
        return escape(text)
    done = [escape(p) if i % 2 == 0 else Markup("<code>{}</code>").format(p) for i, p in enumerate(parts)]
    return Markup("").join(done)


FILTERS = {
    f.__name__: f
    for f in (
        plain,
        percent,
        in_100,
        factor,
        edge,
        reading,
        reach,
        interval,
        span,
        side,
        sentences,
        count,
        prose,
    )
}
"""What templates may call."""
