"""What the studies said is translated by its template; what stands in it may be translated too."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QCoreApplication

from dpdesigner.desktop.base.translation import capital, translated
from dpdesigner.messages import message

GERMAN = {"error of {method}": "Fehler von {method}", "the rest": "der Rest"}


def test_the_template_is_translated_before_the_values_are_put_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QCoreApplication, "translate", staticmethod(lambda context, text: GERMAN.get(text, text)))
    assert translated(message("error of {method}", method=message("the rest"))) == "Fehler von der Rest"
    assert translated(message("error of {method}", method="the rest")) == "Fehler von the rest", "a name is no word"
    assert translated("the rest") == "the rest" and translated(message("")) == ""
    assert capital("der Rest") == "Der Rest" and capital("") == "" and capital("γ of it") == "γ of it"
