"""Whether what is computed from people's data without noise goes into files: only where that is asked for, with a warning."""

from __future__ import annotations

from typing import Any

from dpdesigner.studies.asked import asked, choice
from dpdesigner.studies.said import said

KEPT, PUBLISHED = "kept", "published"

#: Stands wherever a real error does.
WARNING = said("the real error is told, which is not private: it is computed from the data themselves, and no ε covers it")
BADGE = said("not private with its real error")


def real_errors() -> Any:
    """Ask whether real errors go into files; a field of a declared design."""
    return asked(
        choice((KEPT, said("stays with you")), (PUBLISHED, said("goes into files too"))),
        default=KEPT,
        label=said("How far off it really is"),
        term=said("not private"),
        note=said("What it really is off is computed from the data themselves, without noise: in a file it is not private."),
        undo=said("Publish the real error"),
        when=lambda design: not getattr(design, "drawn", False),
        aside=True,
    )
