"""The versions that a report and the window tell."""

from __future__ import annotations

import importlib.metadata

import pytest

import dpdesigner
from dpdesigner.files.report.versions import versions


def test_versions_of_the_program_and_of_what_it_computes_with() -> None:
    found = versions()
    assert found[0] == ("dpdesigner", dpdesigner.__version__)
    assert dict(found)["numpy"] == importlib.metadata.version("numpy")
    assert dict(found)["HiGHS (highspy)"] == importlib.metadata.version("highspy")


def test_a_package_that_is_not_there_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def version(package: str) -> str:
        if package == "PySide6-Essentials":
            raise importlib.metadata.PackageNotFoundError
        return "1"

    monkeypatch.setattr(importlib.metadata, "version", version)
    assert dict(versions())["numpy"] == "1" and "Qt (PySide6)" not in dict(versions())
