"""Designs with declared inputs, and answers that report findings and panels: a kind needs nothing else elsewhere.

A class that derives from `DeclaredDesign` is a frozen dataclass without a decorator: it says its kind, its inputs (`asked`) and
how it is run; `Answer` is what running gives. One entry in `dpdesigner.studies.registry` makes it a kind: the window, the
command line, files, exports, reports and comparisons work from the declarations.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property, wraps
from inspect import Parameter, signature
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from typing_extensions import Self, dataclass_transform

from dpdesigner.core.basics.accountant import Spent
from dpdesigner.core.basics.parsing import excerpt
from dpdesigner.errors import InputError, with_article
from dpdesigner.messages import message
from dpdesigner.studies import registry
from dpdesigner.studies.answer import Outcome
from dpdesigner.studies.answer import Panel as Panel
from dpdesigner.studies.answer import Why as Why
from dpdesigner.studies.fields import MISSING, DeclaredInput, declare
from dpdesigner.studies.findings import Findings, State
from dpdesigner.studies.input_kinds import checked_name, members
from dpdesigner.studies.matrices import Planes
from dpdesigner.studies.panels import Plot, Strips
from dpdesigner.studies.plot_parts import Handle
from dpdesigner.studies.snapshot import Action as Action
from dpdesigner.studies.snapshot import Look, Maker, SideJob, Snapshot, Waiting
from dpdesigner.studies.study import Progress, silent
from dpdesigner.studies.table_panels import Ranking, Sentence, Table


@dataclass(frozen=True)
class View:
    """Panels shown together: a name for scenes, the tab's text and tooltip, and the keys of the panels.

    `when` says whether it is there for a design; None: always. Without a `tab`, only files show it. One that is `rare` is in the
    menu after the tabs; all after it are, too.
    """

    key: str
    title: str
    panels: tuple[str, ...]
    tip: str = ""
    when: Callable[[Any], bool] | None = None
    tab: bool = True
    rare: bool = False


#: A value of a view: a text, a number, a truth value, texts by name, or None for a number not chosen yet.
ViewValue = str | int | float | bool | Mapping[str, str] | None


def fitting(defaults: Mapping[str, ViewValue], given: Mapping[str, Any]) -> dict[str, ViewValue]:
    """Return the view values that have the type of their default; names without a default are left out."""
    kinds: dict[type, tuple[type, ...]] = {type(None): (int, float, type(None)), float: (int, float)}
    fits: dict[str, ViewValue] = {}
    for name, default in defaults.items():
        allowed = kinds.get(type(default), (type(default),))
        if name in given and isinstance(given[name], allowed) and isinstance(given[name], bool) == isinstance(default, bool):
            fits[name] = given[name]
    return fits


@dataclass(frozen=True)
class Typed:
    """A part of the view that a box shows in words, and takes.

    Attributes
    ----------
    label : str
    text : callable
        (answer, view) -> the words.
    read : callable
        (design, words) -> the values of the view; raises an `InputError` for others.
    mend : callable
        (design, refused words) -> the name and the design with which they are taken, or None.
    """

    label: str
    text: Callable[[Any, Mapping[str, Any]], str]
    read: Callable[[Any, str], Mapping[str, ViewValue]]
    mend: Callable[[Any, str], tuple[str, Any] | None]


@dataclass_transform(frozen_default=True, eq_default=False, field_specifiers=(declare, field))
@dataclass(frozen=True, eq=False)
class DeclaredDesign:
    """A design with declared inputs: frozen, checked when created, and compared by the entered values."""

    kind: ClassVar[str] = ""
    compared_as: ClassVar[str] = ""  #: the numbers of two designs mean the same if this is the same; by default the kind
    heading: ClassVar[str] = ""  #: the title of a design without a name; empty: that of its kind
    views: ClassVar[tuple[View, ...]] = ()  #: if the panels are not all shown at once
    view_defaults: ClassVar[Mapping[str, ViewValue]] = {}  #: other things that can be selected; None: a number not chosen yet
    beside_views: ClassVar[tuple[str, ...]] = ()  #: the panels in the right column of every view
    side_jobs: ClassVar[tuple[SideJob, ...]] = ()  #: computations in addition to the answer
    buttons: ClassVar[tuple[Action, ...]] = ()  #: actions other than changing inputs
    typed: ClassVar[Typed | None] = None  #: what of the view can be typed above the pictures
    exports_idle: ClassVar[bool] = True  #: whether exported files state inputs that do not matter
    rough: ClassVar[bool] = False  #: whether its runner takes ``roughly=True``, for answers while a drag lasts
    needed: ClassVar[tuple[str, ...]] = ()  #: inputs that a JSON object must have, in addition to the required ones
    refused: ClassVar[Mapping[str, str]] = {}  #: names that could be mistaken for inputs, with the error message for each
    also: ClassVar[tuple[str, ...]] = ()  #: names that may be used instead of inputs; `_by_field` converts them
    _inputs: ClassVar[tuple[DeclaredInput, ...]] = ()
    _others: ClassVar[Mapping[str, DeclaredInput]] = {}  # inputs that may be set under names that are not fields, by name

    name: str = field(default="", kw_only=True)

    def __init_subclass__(cls) -> None:
        cls.compared_as = vars(cls).get("compared_as", cls.kind)
        dataclass(frozen=True, eq=False)(cls)
        inputs = [(each.name, each.metadata["asked"]) for each in dataclasses.fields(cls) if "asked" in each.metadata]
        cls._inputs = tuple(dataclasses.replace(each, key=name) for name, each in inputs)
        names = {each.name for each in dataclasses.fields(cls)}
        cls._others = {key: each for each in cls._inputs for key in each.input.keys(each.key) if key not in names}
        if cls._others or cls.refused:
            made, shown = cls.__init__, signature(cls.__init__)
            places = [key for key, each in shown.parameters.items() if each.kind is not Parameter.KEYWORD_ONLY][1:]

            @wraps(made)
            def by_any_name(self: DeclaredDesign, *given: Any, **inputs: Any) -> None:
                named = dict(zip(places, given, strict=False))
                if len(given) > len(places) or named.keys() & inputs.keys():
                    made(self, *given, **inputs)  # Python raises the error
                made(self, **cls._by_field({**named, **inputs}))

            more = [Parameter(key, Parameter.KEYWORD_ONLY, default=None) for key in (*cls._others, *cls.also) if key not in names]
            by_any_name.__signature__ = shown.replace(parameters=[*shown.parameters.values(), *more])  # type: ignore[attr-defined]
            cls.__init__ = by_any_name  # type: ignore[method-assign]

    @classmethod
    def starting(cls, **changes: Any) -> Self:
        """Return the window's initial design, with some inputs changed."""
        given = {each.key: each.default for each in cls.inputs() if each.required}
        return cls(**{**given, **cls._by_field(changes)})

    @classmethod
    def _by_field(cls, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return inputs by their fields, including those given by another name that files use: ``epsilon``."""
        values = dict(given)
        cls._refuse(values)
        for key, each in cls._others.items():
            if (value := values.pop(key, None)) is None:
                continue
            if (before := values.get(each.key)) is not None and before is not MISSING:
                names = each.input.keys(each.key)
                raise InputError(f"{each.key} must be given once, as {' or as '.join(names)}, got it twice.", names[0])
            values[each.key] = each.input.from_json(key, value)
        return values

    @classmethod
    def _refuse(cls, names: Iterable[str]) -> None:
        """Refuse a name that could be mistaken for another input."""
        for name in names:
            if name in cls.refused:
                raise InputError(f"{with_article(cls.kind)} design {cls.refused[name]}.", name)

    @classmethod
    def _require(cls, given: Iterable[str], inputs: Iterable[DeclaredInput], field: str = "") -> None:
        """Refuse to continue without one of some inputs."""
        if none := next((each for each in inputs if each.key not in given), None):
            keys = none.input.keys(none.key)
            raise InputError(f"{with_article(cls.kind)} design must have {' or '.join(keys)}, got none.", field or keys[0])

    def __post_init__(self) -> None:
        given = [each.key for each in self.inputs() if each.of(self) is not MISSING and (each.of(self) is not None)]
        self._require(given, (each for each in self.inputs() if each.required))
        values: dict[str, Any] = {"name": checked_name(self.name)}
        for each in self.inputs():
            values[each.key] = each.input.read(each.of(self), each.key, values)
        for key, value in values.items():
            object.__setattr__(self, key, value)
        self.check()

    @classmethod
    def inputs(cls) -> tuple[DeclaredInput, ...]:
        """Return the declared inputs, in order."""
        return cls._inputs

    @classmethod
    def asked(cls) -> Sequence[DeclaredInput]:
        """Return the inputs as the window shows them, in order: by default all."""
        return cls.inputs()

    @classmethod
    def input_named(cls, key: str) -> DeclaredInput:
        """Return the declared input with this key."""
        return next(each for each in cls.inputs() if each.key == key)

    def check(self) -> None:
        """Refuse inputs that are each valid alone but not together, with an `InputError`."""

    @property
    def spent(self) -> Spent | None:
        """The privacy loss of one release for the people in its data; None if nothing is released."""
        return None

    def run(self, progress: Progress = silent) -> Any:
        """Compute the answer; by default with the runner in the list of kinds."""
        return registry.run(self, progress)

    def preview(self, progress: Progress = silent) -> Any:
        """Compute the answer while a drag lasts: roughly, where the kind can."""
        return registry.entry(self.kind).runner()(self, progress, roughly=True) if self.rough else self.run(progress)

    @property
    def line(self) -> str:
        """The inputs in one line."""
        told = [each.summary(self) for each in self.inputs() if each.matters(self) and not each.aside]
        parts = {f"part_{place}": text for place, text in enumerate(filter(None, told))}
        return message(" · ".join(f"{{{name}}}" for name in parts), **parts)

    def handle(self, key: str, *, least: float = -math.inf, most: float = math.inf) -> Handle:
        """Return the handle that drags an input, labelled with its value; it stays within the limits of the picture."""
        asked = self.input_named(key)
        return Handle(max(least, min(asked.input.number(asked.of(self)) or 0.0, most)), asked.summary(self), key)

    @classmethod
    def headline(cls, findings: Findings) -> str:
        """Return the first finding as the header and reports write it, if not rounded as such; to be overridden."""
        return ""

    def replace(self, **changes: Any) -> Self:
        """Return a copy with some inputs changed, checked again; a level of None leaves the level unchanged."""
        given = {key: value for key, value in self._by_field(changes).items() if key != "privacy" or value is not None}
        return dataclasses.replace(self, **given)

    @property
    def data_name(self) -> str:
        """The name by which a project remembers releases of the data, see `Record`; empty where they are nobody's."""
        return ""

    @property
    def release_loss(self) -> Spent | None:
        """The privacy loss of a release that is as private as requested: on public cells, and without measured errors."""
        return self.spent

    def beside(self, folder: Path) -> Self:
        """Return a copy with moved data files located by name in a folder.

        A project file and its data that were moved together, or to another machine, still belong together.
        """
        given = {each.key: each.of(self) for each in self.inputs()}
        moved = {each.key: each.input.beside(given[each.key], folder) for each in self.inputs()}
        changes = {key: value for key, value in moved.items() if value is not given[key]}
        return dataclasses.replace(self, **changes) if changes else self

    def to_json(self) -> dict[str, Any]:
        """Return the inputs as JSON values, with numbers as entered."""
        data: dict[str, Any] = {"kind": self.kind, "name": self.name}
        for each in self.inputs():
            data |= each.input.as_json(each.of(self), each.key)
        return data

    def to_public_json(self) -> dict[str, Any]:
        """Return the inputs as exported files state them: as JSON values, without what must not leave the window."""
        given = [each for each in self.inputs() if self.exports_idle or each.matters(self)]
        public = {key: value for each in given for key, value in each.as_public_json(self).items()}
        inputs = {key for each in self.inputs() for key in each.input.keys(each.key)}
        return {key: public.get(key, value) for key, value in self.to_json().items() if key in public or key not in inputs}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Make a design from JSON values; missing inputs have their defaults, unless they are required or `needed`.

        Raises
        ------
        InputError
            If a key is unknown, one that is needed is missing, or a value cannot be used.
        """
        if isinstance(data, Mapping):
            cls._refuse(data)
        keys = {key: each for each in cls.inputs() for key in each.input.keys(each.key)}
        optional = [key for key, each in keys.items() if each.input.optional]
        allowed = dict.fromkeys(("kind", "name", *keys, *cls.also))
        given = members(data, f"{with_article(cls.kind)} design", tuple(allowed), optional=optional)
        cls._require(
            {keys[key].key for key in given if key in keys}, (each for each in cls.inputs() if each.key in cls.needed), "file"
        )
        if given.pop("kind", cls.kind) != cls.kind:
            raise InputError(f"{with_article(cls.kind)} design's kind must be {cls.kind!r}, got {excerpt(data['kind'])}.", "kind")
        own = {key: each.input.from_json(key, given[key]) for key, each in keys.items() if key in given and key == each.key}
        return cls(**{**given, **own})

    @cached_property
    def _held(self) -> tuple[Any, ...]:
        return (self.name, *(each.input.identity(each.of(self)) for each in self.inputs()))

    def __eq__(self, other: object) -> bool:
        return self is other or (type(other) is type(self) and isinstance(other, DeclaredDesign) and self._held == other._held)

    def __hash__(self) -> int:
        return hash((self.kind, self._held))


class PanelAnswer(Outcome):
    """The base of answers that have `panels`: a sequence, or a mapping from keys to functions that make them."""

    if TYPE_CHECKING:  # a field or a property of the answer

        @property
        def panels(self) -> Sequence[Panel] | Mapping[str, Maker]: ...  # noqa: D102  (described in `Answer`)

    def panels_in(self, view: Mapping[str, Any]) -> Sequence[Panel]:
        """Return the panels of the open view, ``view["view"]``, or those of all views if none is open.

        To be overridden where a sequence of panels depends on what else is selected: ``view["share"]`` is what a handle with the
        target ``"view.share"`` gave. It must be quick: what takes long belongs into `run`, or is a `SideJob`.
        """
        if not isinstance(self.panels, Mapping):
            keys = self.keys_in(str(view.get("view", "")))
            return [panel for panel in self.panels if panel.key in keys]
        now = Snapshot(self.design, self, {**self.design.view_defaults, **view})
        made = []
        for key in self.keys_in(str(view.get("view", ""))):
            with suppress(Waiting):
                made.append(self.panels[key](Look(now)))
        return made

    def in_view(self, view: Mapping[str, Any]) -> Any:
        """Return the answer with its headline and sentence for what is selected; to be overridden where they depend on it."""
        return self

    def selected(self, view: Mapping[str, Any]) -> Any:
        """Return the answer with its findings for what is selected, for files; to be overridden where they depend on it."""
        return self

    def keys_in(self, view: str) -> list[str]:
        """Return the keys of the panels that a view makes: its own, and those that belong to no view."""
        keys = list(self.panels) if isinstance(self.panels, Mapping) else [panel.key for panel in self.panels]
        opened = next((each.panels for each in self.design.views if each.key == view), None)
        elsewhere = {key for each in self.design.views for key in each.panels} - {*self.design.beside_views}
        return keys if opened is None else [key for key in keys if key in opened or key not in elsewhere]


@dataclass(frozen=True, eq=False, repr=False)
class Answer(PanelAnswer):
    """The result of running a declared design.

    Attributes
    ----------
    design : DeclaredDesign
    findings : mapping of str to Finding
        The first is the headline.
    panels : sequence of Panel, or mapping of str to Maker
        Plots, matrices and sentences stand in the middle of the page, rankings and tables at its right. By their keys, with what
        makes each (``lambda look: plot(look.answer, look.view["share"])``), they are made when they are seen, and made again only
        when what they read has changed.
    sentence : str
        The result in plain words.
    badge : (str, State)
        What is proved, or is not.
    checks : tuple of str
        What was verified: the status bar and the report say it.
    why : Why or None
    stated : tuple of (str, str)
        Titles and texts that a report needs to be understood: a claim, and why it holds.
    """

    design: DeclaredDesign
    findings: Findings
    panels: Sequence[Panel] | Mapping[str, Maker] = ()
    sentence: str = ""
    badge: tuple[str, State] = ("", "open")
    checks: tuple[str, ...] = ()
    why: Why | None = None
    stated: Sequence[tuple[str, str]] = ()


def for_owner(panel: Panel) -> bool:
    """Return whether everything that a panel shows is secret."""
    if isinstance(panel, Plot):
        public = panel.public()
        return bool(panel.lines or panel.bars) and not (public.lines or public.bars)
    if isinstance(panel, Strips):
        return panel.public() is None
    return not isinstance(panel, Planes) and panel.secret


def as_table(panel: Panel) -> Table | None:
    """Return a panel as a table without secret content; None if it has no numbers, as a sentence, or more than memory holds."""
    if for_owner(panel):
        return None
    if isinstance(panel, Table):
        return panel
    if isinstance(panel, Planes):
        return replace(panel.cut, key=panel.key).as_table()
    if isinstance(panel, Plot | Strips | Ranking):
        table = panel.as_table()
        return table if table.rows else None  # a picture of areas only
    if isinstance(panel, Sentence) or panel.cells.dense is None:
        return None
    values = [[panel.texts(i, r) if panel.texts else None for r in range(panel.cells.columns)] for i in range(panel.cells.rows)]
    rows = [
        (str(i), *(exact or repr(value) for exact, value in zip(texts, row, strict=True)))
        for i, (texts, row) in enumerate(zip(values, panel.cells.dense.tolist(), strict=True))
    ]
    names = panel.cells.names or map(str, range(panel.cells.columns))
    return Table(panel.key, panel.title, (f"{panel.rows}\\{panel.columns}", *names), tuple(rows))


def flattened(panels: Iterable[Panel]) -> list[Panel]:
    """Return the panels with strips replaced by their plots: in files each plot is its own picture and table."""
    parts = ((panel.table, *panel.plots) if isinstance(panel, Strips) else (panel,) for panel in panels)
    return [each for part in parts for each in part if each is not None]


def tables_of(answer: PanelAnswer) -> list[Table]:
    """Return the tables of all panels, in every view, each once."""
    tables: dict[str, Table] = {}
    lazily = isinstance(answer.panels, Mapping)  # then each panel is returned once if no view is open
    for view in (View("", "", ()),) if lazily or not answer.design.views else answer.design.views:
        for panel in flattened(answer.panels_in({"view": view.key} if view.key else {})):
            if (table := as_table(panel)) is not None:
                tables.setdefault(table.key, table)
    return list(tables.values())
