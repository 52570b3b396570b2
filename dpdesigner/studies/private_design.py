"""What designs have in common that keep a privacy level and other inputs, each as it was given, and check them all together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, ClassVar

from typing_extensions import Self

from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.studies import registry
from dpdesigner.studies.inputs.checks import design_members, json_value
from dpdesigner.studies.study import Progress, silent


class PrivateDesign:
    """A frozen dataclass with `privacy` and `name` among its fields.

    Its ``__init__`` takes every field by its name, the level also as epsilon or alpha.

    Attributes
    ----------
    kind : str
    needed : tuple of str
        What its JSON object must have besides the level.
    optional : tuple of str
        What may be null there, which is the same as leaving it out.
    """

    kind: ClassVar[str]
    needed: ClassVar[tuple[str, ...]] = ()
    optional: ClassVar[tuple[str, ...]] = ()

    privacy: PrivacyLevel
    name: str

    @classmethod
    def _inputs(cls) -> tuple[str, ...]:
        return tuple(each.name for each in fields(cls) if each.name != "privacy")  # type: ignore[arg-type]  # kinds are dataclasses

    @property
    def epsilon(self) -> float:
        """The privacy level."""
        return self.privacy.epsilon

    @classmethod
    def starting(cls, **changes: Any) -> Self:
        """Return the design that a new one in the window starts from; scripts must give its privacy level and data."""
        return cls(**changes)

    def replace(self, **changes: Any) -> Self:
        """Return a copy with some inputs changed, checked again; parameters as the class."""
        given = any(changes.get(form) is not None for form in ("alpha", "epsilon", "privacy"))
        level = {} if given else {"privacy": self.privacy}
        return type(self)(**{**{key: getattr(self, key) for key in self._inputs()}, **changes, **level})

    def beside(self, folder: Path) -> Self:
        """Return it with its data as found in a folder by their name, if they are no longer where it says they are."""
        from dpdesigner.data.columns import relocated  # a window opens without it

        path = relocated(given := getattr(self, "path", ""), folder)
        return self if path == given else self.replace(path=path)

    def run(self, progress: Progress = silent) -> Any:
        """Compute the outcome."""
        return registry.run(self, progress)

    def unused(self) -> set[str]:
        """Return the inputs that its JSON object leaves out."""
        values = {key: getattr(self, key) for key in self._inputs()}
        return {key for key, value in values.items() if value is None or (isinstance(value, tuple) and not value)}

    def to_json(self) -> dict[str, Any]:
        """Return the inputs as JSON values, numbers as they were given."""
        form, number = self.privacy.source
        data: dict[str, Any] = {"kind": self.kind, "name": self.name}
        for each in fields(self):  # type: ignore[arg-type]  # kinds are dataclasses
            value = getattr(self, each.name)
            if each.name == "privacy":
                data[form] = json_value(number)
            elif each.name != "name" and each.name not in self.unused():
                data[each.name] = json_value(value)
        return data

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Make a design from JSON values.

        Raises
        ------
        InputError
            If a key is missing or unknown, or a value cannot be used.
        """
        return cls(**design_members(cls.kind, data, cls._inputs(), cls.needed, cls.optional))
