"""Fills in what a host decides when the package is built: its addresses, and the links and pictures of the README.

``DPDESIGNER_REPOSITORY=https://example.org/office/dpdesigner`` in the environment of the build gives the package its project
URLs, and makes the README's relative links absolute, below ``blob`` and ``raw`` of the tag of this version. Without it the
package has no URLs, and the README is as it is here.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

SETTING = "DPDESIGNER_REPOSITORY"


class ProjectUrls(MetadataHookInterface):  # type: ignore[misc]  # hatchling calls it where the package is built
    """Gives the project its README and its URLs."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """Add ``readme``, and ``urls`` if there is a repository."""
        root = Path(self.root)
        address = os.environ.get(SETTING, "").rstrip("/")
        found = re.search(r'^__version__ = "([^"]+)"', (root / "dpdesigner" / "__init__.py").read_text("utf-8"), re.MULTILINE)
        tag = f"v{found[1]}" if found else "main"
        text = (root / "README.md").read_text("utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": absolute(text, address, tag)}
        if address:
            metadata["urls"] = urls(address, tag)


def urls(address: str, tag: str) -> dict[str, str]:
    """Return the project URLs for the address of a repository."""
    if not re.fullmatch(r"https://[^\s/]+/\S+", address):
        raise ValueError(f"{SETTING} must be the https address of the repository, got {address!r}.")
    return {
        "Homepage": address,
        "Source": address,
        "Issues": f"{address}/issues",
        "Changelog": f"{address}/blob/{tag}/CHANGELOG.md",
        "Security": f"{address}/blob/{tag}/SECURITY.md",
    }


def absolute(text: str, address: str, tag: str) -> str:
    """Return a README whose relative links and pictures lead to a repository; as it is without one."""
    if not address:
        return text
    text = re.sub(r"(!\[[^\]]*\]\()(?!https?:|#)([^)\s]+)", rf"\1{address}/raw/{tag}/\2", text)
    return re.sub(r"((?<!!)\[[^\]]*\]\()(?!https?:|#)([^)\s]+)", rf"\1{address}/blob/{tag}/\2", text)
