"""An interactive page of solved designs and their scenes, as one HTML file.

The template, the style and the scripts are in ``share`` among the resources. The page may load nothing: its policy allows its own
script and style by their hashes, and pictures that are in it. Designs are JSON in an element of their own; what a user typed is
escaped there and shown as text.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any

from dpdesigner import __version__, resources
from dpdesigner.files.export.export import Export
from dpdesigner.files.project.scene import Scene
from dpdesigner.files.report.report import Picture
from dpdesigner.files.share.live import live_data, live_state
from dpdesigner.files.share.still import SIZE, still

#: Above this many bytes pictures are left out, the last ones first.
LARGEST_PAGE = 2_000_000
#: What the dialog and the command line say before such a page goes to anybody.
CAUTION = "The page shows the true counts selected in your scenes. Use invented ones."

_SCRIPTS = ("common.js", "count.js", "noise.js", "attack.js", "page.js")
_MARKUP = re.compile(r"</?[a-z]+>")
#: How the path of a file begins or ends.
_PATH = re.compile(r"^(?:/|~|[A-Za-z]:\\)|\.(?:csv|tsv|txt|dpd|json|parquet|xlsx|db)$", re.IGNORECASE)
#: Which cards a scene lights up, by what its view selects.
_LIT = {"row": "release", "view": "mechanism"}
_NO_PICTURES = "Pictures are omitted: they could show data of people."


@dataclass(frozen=True)
class SharedPage:
    """A page and what had to be left out of it, in sentences."""

    html: str
    left_out: tuple[str, ...] = ()


@dataclass
class _Section:
    title: str
    line: str
    sentence: str
    badge: str
    proved: bool
    facts: list[tuple[str, str]]
    live: dict[str, Any] | None
    hash: str
    pictures: list[dict[str, Any]] = field(default_factory=list)
    remark: str = ""


def pictured(solved: Export) -> bool:
    """Whether a page shows pictures of a design: where no script makes it live, and where it holds nothing that is left out.

    What `Export.inputs` leaves out are values of people and where they are; pictures of such a design could show them.
    """
    return live_data(solved.outcome) is None and solved.inputs() == solved.study.to_json()


def page(
    designs: Sequence[Export],
    scenes: Sequence[Scene] = (),
    pictures: Mapping[int, Sequence[Picture]] | None = None,
    remark: str = "",
) -> SharedPage:
    """Return the page.

    Parameters
    ----------
    designs : sequence of Export
        At least one, solved.
    scenes : sequence of Scene
        Each names its design by its place in `designs`.
    pictures : mapping, optional
        Of the designs for which `pictured` is true, by their place.
    remark : str
        Why there are no pictures.
    """
    sections = [_section(solved, remark if pictured(solved) else "") for solved in designs]
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
    outcome = solved.outcome
    live, open_ = live_data(outcome), solved.inputs() == solved.study.to_json()
    names = _file_names(solved.study.to_json())
    facts = [(label, text) for label, text in solved.facts(full=False) if not _names_a_file(text, names)]
    line = "" if _names_a_file(solved.line, names) else solved.line
    sentence = solved.sentence if open_ and not _names_a_file(solved.sentence, names) else ""
    badge, state = outcome.badge
    inputs = json.dumps(live if live is not None else facts, sort_keys=True)
    known = hashlib.sha256(inputs.encode("utf-8")).hexdigest()[:10]
    why = "" if live is not None else remark if open_ else _NO_PICTURES
    return _Section(solved.title, line, sentence, _plain(badge), state == "proved", facts, live, known, remark=why)


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
    """The names of files and folders that inputs name."""
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


def _names_a_file(text: str, names: set[str]) -> bool:
    return any(name in text for name in names)


def _picture(picture: Picture) -> dict[str, Any]:
    return {"title": picture.title, "source": _data_url(picture.svg), "width": picture.width, "height": picture.height}


def _plain(text: str) -> str:
    return _MARKUP.sub("", str(text))


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode('utf-8')).digest()).decode('ascii')}"


def _data_url(svg: str) -> str:
    return f"data:image/svg+xml;base64,{base64.b64encode(svg.encode('utf-8')).decode('ascii')}"
