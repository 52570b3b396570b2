"""An interactive page of solved designs and their scenes: one self-contained HTML file.

The template, the style and the scripts are in ``share`` among the resources. The page may load nothing: its policy allows its own
script and style by their hashes, and the pictures inside it. Designs are JSON in an element of their own; what a user typed is
escaped there and shown as text.

A design that a script can compute is live: the page has its numbers as doubles and as proved texts. Any other design has the
sentence, the number and the pictures of its report. Neither shows a column, answers or a table of people: what is secret is in no
public picture, and a live attack is on invented people.
"""

from __future__ import annotations

import base64
import hashlib
import json
import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import PurePath
from typing import Any

import numpy as np

from dpdesigner import __version__, resources
from dpdesigner.core.basics.rounding import brief, figure
from dpdesigner.core.count.costs import costs_of_others
from dpdesigner.core.noise.staircase import Staircase
from dpdesigner.files.export import Export
from dpdesigner.files.formatting import data_url
from dpdesigner.files.project import Scene
from dpdesigner.files.report import NO_PICTURE, Picture
from dpdesigner.messages import without_markup
from dpdesigner.studies.findings import format_finding
from dpdesigner.studies.study import Study

#: The largest n of a count, and of one whose loss goes into the page as a table.
LARGEST_N, LARGEST_TABLE = 200, 60
#: The range of the page's epsilon slider.
LEAST_EPSILON, LARGEST_EPSILON = 0.01, 10.0
#: The most people and answers of an attack.
MOST_PEOPLE, MOST_ANSWERS = 64, 512

_LOSSES = ("absolute", "squared", "zero-one", "pinball")


def live_data(outcome: Any) -> dict[str, Any] | None:
    """Return the data that a kind's script needs of a solved design; None if the design cannot be live."""
    make = _LIVE.get(outcome.design.kind)
    return None if make is None else make(outcome)


def live_state(kind: str, n: int, view: dict[str, Any]) -> dict[str, Any]:
    """Return a scene's selection in a live design: for a count, the true count and whether the remap is applied."""
    row = view.get("row")
    if kind != "count" or not isinstance(row, int) or not 0 <= row <= n:
        return {}
    return {"row": row, "readAs": view.get("view") in ("optimal", "induced", "remap")}


def _in_range(epsilon: float) -> bool:
    return LEAST_EPSILON <= epsilon <= LARGEST_EPSILON


def _count(outcome: Any) -> dict[str, Any] | None:
    design, solved = outcome.design, outcome.solved
    named = design.loss.name in _LOSSES
    if (
        design.uncovered
        or not design.covered
        or not _in_range(design.privacy.epsilon)
        or design.n > (LARGEST_N if named else LARGEST_TABLE)
    ):
        return None
    costs = dict(costs_of_others(design))
    tau = float(design.loss.parameter) if design.loss.name == "pinball" else 0.5
    return {
        "kind": "count",
        "n": design.n,
        "prior": design.prior.probabilities.tolist(),
        "epsilon": design.privacy.epsilon,
        "alpha": design.privacy.alpha,
        "loss": design.loss.name if named else design.loss.matrix(design.n).tolist(),
        "lossTitle": f"{design.loss.title} loss",
        "tau": tau,
        "measure": "expected error" if design.loss.name == "absolute" else "expected cost",
        "value": float(solved.value),
        "valueText": format_finding(solved.findings["value"]),
        "gapText": format_finding(solved.findings["gap"]),
        "attainedText": format_finding(solved.findings["epsilon"]),
        "remap": solved.remap.tolist(),
        "laplace": float(costs["laplace"]),
        "laplaceText": figure(float(costs["laplace"])),
        "ignore": float(costs["ignore"]),
        "ignoreText": figure(float(costs["ignore"])),
        "proved": bool(solved.proved),
        "row": round(float(design.prior.probabilities @ range(design.n + 1))),
    }


def _noise(outcome: Any) -> dict[str, Any] | None:
    design, findings = outcome.design, outcome.findings
    power = {"absolute": 1, "squared": 2}.get(str(design.cost))
    single = design.query == "real" and design.dimension == 1 and design.delta is None
    gamma = outcome.noise.gamma if isinstance(outcome.noise, Staircase) else None
    if power is None or not single or gamma is None or not 0 < gamma < 1 or not _in_range(float(outcome.noise.epsilon)):
        return None
    return {
        "kind": "noise",
        "epsilon": float(outcome.noise.epsilon),
        "sensitivity": float(outcome.noise.sensitivity),
        "gamma": float(gamma),
        "best": design.gamma == "optimal",
        "power": power,
        "cost": float(findings["value"].value),
        "costText": format_finding(findings["value"]),
        "laplace": float(findings["laplace"].value),
        "laplaceText": format_finding(findings["laplace"]),
        "proved": outcome.badge[1] == "proved",
    }


def _attack(outcome: Any) -> dict[str, Any] | None:
    design = outcome.design
    if design.answers or design.n > MOST_PEOPLE:
        return None
    dice = random.Random(design.n)  # made-up people, whatever the design's column is
    secret = [int(dice.random() < 0.5) for _ in range(design.n)]
    error = min(0.5 * design.n**0.5, design.n / 2) if design.noisy else min(design.bound, design.n / 2)
    return {
        "kind": "attack",
        "secret": secret,
        "questions": min(design.queries, MOST_ANSWERS),
        "error": round(2 * error) / 2,
        "seed": 1,
    }


_LIVE: dict[str, Callable[[Any], dict[str, Any] | None]] = {"count": _count, "noise": _noise, "attack": _attack}


#: The size of each picture, in pixels.
SIZE = (480, 200)

_WIDTH, _HEIGHT = SIZE
_LEFT, _TOP, _BASE = 48, 12, 176
_BLUE, _GREY, _LINE = "#1a62d6", "#59616c", "#dfe2e7"


def still(outcome: Any) -> list[tuple[str, str]]:
    """Return titles and SVG texts of the pictures of a live design; none for others, which show their page's pictures."""
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


#: Above this many bytes pictures are left out, the last ones first.
LARGEST_PAGE = 2_000_000
#: Warning of the dialog and the command line before the page is shared.
CAUTION = "The page shows the true counts selected in your scenes. Use invented ones."

_SCRIPTS = ("common.js", "count.js", "noise.js", "attack.js", "page.js")
#: The beginning or end of a file path.
_PATH = re.compile(r"^(?:/|~|[A-Za-z]:\\)|\.(?:csv|tsv|txt|dpd|json|parquet|xlsx|db)$", re.IGNORECASE)
_SEEDED = "Pictures are omitted: this release has a seed, so it is for study and not for publication."
#: The card that a scene highlights, by what its view selects.
_LIT = {"row": "release", "view": "mechanism"}


@dataclass(frozen=True)
class SharedPage:
    """A shared page and sentences on what was left out of it."""

    html: str
    left_out: tuple[str, ...] = ()


@dataclass
class _Section:
    title: str
    line: str
    sentence: str
    headline: tuple[str, str]
    badge: str
    proved: bool
    facts: list[tuple[str, str]]
    stated: list[tuple[str, str]]
    live: dict[str, Any] | None
    hash: str
    pictures: list[dict[str, Any]] = field(default_factory=list)
    remark: str = ""


def may_move(designs: Sequence[Study], scenes: Sequence[Scene]) -> bool:
    """Return True if there may be something to move on a page: scenes, or a design of a kind that is live."""
    return bool(scenes) or any(study.kind in _LIVE for study in designs)


def pictured(solved: Export) -> bool:
    """Return True if the page shows the public pictures of a design: it is not live, and no release in it has a seed."""
    return live_data(solved.outcome) is None and not solved.for_study


def page(
    designs: Sequence[Export],
    scenes: Sequence[Scene] = (),
    pictures: Mapping[int, Sequence[Picture]] | None = None,
    remark: str = "",
) -> SharedPage:
    """Return the HTML page.

    Parameters
    ----------
    designs : sequence of Export
        At least one, solved.
    scenes : sequence of Scene
        Each names its design by its place in `designs`.
    pictures : mapping, optional
        Of the designs for which `pictured` is true, by their place.
    remark : str
        Why there are no pictures, where secrets are not the reason.
    """
    sections = [_section(solved, remark or NO_PICTURE) for solved in designs]
    left_out: list[str] = []
    size = 0
    for section, solved in zip(sections, designs, strict=True):
        section.pictures = [_picture(Picture(title, svg, *SIZE)) for title, svg in still(solved.outcome)]
    for place, section in enumerate(sections):
        for picture in (pictures or {}).get(place, ()):
            size += len(picture.svg) * 4 // 3
            if size > LARGEST_PAGE:
                left_out.append(f"“{picture.title}” of {section.title}: the page would be above {LARGEST_PAGE // 1_000_000} MB.")
                continue
            section.pictures.append(_picture(picture))
            section.remark = ""
    shown = [_scene(scene, sections[scene.design], designs[scene.design]) for scene in scenes]
    title = sections[0].title if len(sections) == 1 else f"{sections[0].title} and {len(sections) - 1} more"
    data = {
        "program": f"dpdesigner {__version__}",
        "sections": [{"title": each.title, "hash": each.hash, "live": each.live} for each in sections],
        "scenes": shown,
    }
    script = "\n".join(resources.path("share", name).read_text("utf-8") for name in _SCRIPTS)
    style = resources.path("share", "page.css").read_text("utf-8")
    template = resources.templates("share", keep_trailing_newline=True, autoescape=True).get_template("page.html")
    html = template.render(
        title=title,
        sections=sections,
        scenes=[{**each, "design": sections[each["section"]].title} for each in shown],
        data=json.loads(json.dumps(data, allow_nan=False)),
        script=script,
        style=style,
        script_hash=_hash(script),
        style_hash=_hash(style),
        program=data["program"],
    )
    return SharedPage(html, tuple(left_out))


def _section(solved: Export, remark: str) -> _Section:
    live, names = live_data(solved.outcome), _file_names(solved.study.to_json())

    def unless_naming_a_file(text: str) -> str:
        return "" if any(name in text for name in names) else text

    facts = [(label, text) for label, text in solved.facts(full=False) if unless_naming_a_file(text)]
    badge, state = solved.outcome.badge
    inputs = json.dumps(live if live is not None else facts, sort_keys=True)
    return _Section(
        title=solved.title,
        line=unless_naming_a_file(str(solved.outcome.line)),
        sentence=unless_naming_a_file(solved.sentence),
        headline=solved.headline,
        badge=without_markup(badge),
        proved=state == "proved",
        facts=facts,
        stated=solved.stated(),
        live=live,
        hash=hashlib.sha256(inputs.encode("utf-8")).hexdigest()[:10],
        remark="" if live is not None else _SEEDED if solved.for_study else remark,
    )


def _scene(scene: Scene, section: _Section, solved: Export) -> dict[str, Any]:
    view = dict(scene.view)
    lit = [card for key, card in _LIT.items() if key in view and section.live is not None]
    return {
        "section": scene.design,
        "title": scene.title,
        "text": scene.text,
        "state": live_state(solved.study.kind, solved.true_results - 1, view),
        "lit": lit[:1],
    }


def _file_names(values: Any) -> set[str]:
    """Return the names of files and folders in the inputs."""
    if isinstance(values, Mapping):
        return set().union(*(_file_names(value) for key, value in values.items() if key != "name"))
    if isinstance(values, (list, tuple)):
        return set().union(*map(_file_names, values))
    if not isinstance(values, str) or len(values) > 4000 or "\n" in values:
        return set()
    path = values.removeprefix("file:").strip().partition("#")[0]
    if not (values.startswith("file:") or _PATH.search(path)):
        return set()
    return {name for name in (path, PurePath(path.replace("\\", "/")).name) if len(name) > 2}


def _picture(picture: Picture) -> dict[str, Any]:
    return {
        "title": picture.title,
        "source": data_url("image/svg+xml", picture.svg),
        "width": picture.width,
        "height": picture.height,
    }


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode('utf-8')).digest()).decode('ascii')}"
