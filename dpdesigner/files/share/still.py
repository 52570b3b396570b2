"""Pictures of live designs for where no script runs: bars and a curve as SVG, without Qt."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np

from dpdesigner.core.numbers.rounding import brief
from dpdesigner.files.share.live import live_data

#: Of each picture, in pixels.
SIZE = (480, 200)

_WIDTH, _HEIGHT = SIZE
_LEFT, _TOP, _BASE = 48, 12, 176
_BLUE, _GREY, _LINE = "#1a62d6", "#59616c", "#dfe2e7"


def still(outcome: Any) -> list[tuple[str, str]]:
    """Return titles and SVG texts of the pictures of a live design; none of others, which have the pictures of their page."""
    data = live_data(outcome)
    if data is None:
        return []
    if data["kind"] == "count":
        row, n = data["row"], data["n"]
        powers = data["alpha"] ** np.abs(np.arange(n + 1) - row)
        weights = np.full(n + 1, 1 - data["alpha"])
        weights[[0, -1]] = 1.0
        released = powers * weights / (1 + data["alpha"]) if n else np.ones(1)
        return [
            ("The reader’s prior", _bars(data["prior"])),
            (f"Probability of each release if the true count is {row}", _bars(released.tolist())),
        ]
    if data["kind"] == "noise":
        return [("Density of the noise", _density(outcome.noise))]
    return []


def _bars(values: Sequence[float]) -> str:
    top, step = max(values), (_WIDTH - _LEFT - 8) / len(values)
    parts = [_axis(f"{brief(100 * top)}%", "0%")]
    for k, value in enumerate(values):
        height = (_BASE - _TOP) * value / top
        parts.append(
            f'<rect x="{_LEFT + k * step:.2f}" y="{_BASE - height:.2f}" width="{max(step - 1.5, step / 2):.2f}" '
            f'height="{height:.2f}" fill="{_BLUE}"/>'
        )
    every = max(1, -(-len(values) // 11))
    parts += [_text(_LEFT + (k + 0.5) * step, _BASE + 16, str(k), "middle") for k in range(0, len(values), every)]
    return _svg(parts)


def _density(noise: Any) -> str:
    wide = 4 * float(noise.sensitivity)
    x = np.linspace(-wide, wide, 801)
    y = np.asarray(noise.density(x), dtype=float)
    top = float(y.max())
    points = " ".join(
        f"{_LEFT + (_WIDTH - _LEFT - 8) * (a + wide) / (2 * wide):.1f},{_BASE - (_BASE - _TOP) * b / top:.1f}"
        for a, b in zip(x.tolist(), y.tolist(), strict=True)
    )
    ends = [
        _text(_LEFT, _BASE + 16, f"−{brief(wide)}", "start"),
        _text(_WIDTH - 8, _BASE + 16, brief(wide), "end"),
    ]
    return _svg([_axis(brief(top), "0"), f'<polyline points="{points}" fill="none" stroke="{_BLUE}" stroke-width="2"/>', *ends])


def _axis(top: str, base: str) -> str:
    lines = "".join(f'<line x1="{_LEFT}" x2="{_WIDTH - 8}" y1="{y}" y2="{y}" stroke="{_LINE}"/>' for y in (_TOP, _BASE))
    return lines + _text(_LEFT - 6, _TOP + 4, top, "end") + _text(_LEFT - 6, _BASE + 4, base, "end")


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y}" font-size="12" fill="{_GREY}" text-anchor="{anchor}">{escape(text)}</text>'


def _svg(parts: Sequence[str]) -> str:
    box = f'viewBox="0 0 {_WIDTH} {_HEIGHT}" font-family="sans-serif"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{_HEIGHT}" {box}>{"".join(parts)}</svg>'
