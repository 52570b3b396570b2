"""The papers as a design: the gallery from which an exhibit is opened, and what is counted there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, ClassVar

from dpdesigner.messages import message
from dpdesigner.studies.base import Answer, DeclaredDesign
from dpdesigner.studies.exhibits.exhibit import ASKS, DIFFERS, HOLDS
from dpdesigner.studies.exhibits.listing import exhibit_class, exhibits_of, papers
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.study import Progress, silent
from dpdesigner.studies.table_panels import Table


class PapersDesign(DeclaredDesign):
    """All exhibits; a file of the kind ``exhibit`` that names one is that exhibit.

    >>> import dpdesigner as dp
    >>> dp.solve(dp.PapersDesign()).findings["value"].value == len(dp.exhibits())
    True
    """

    kind: ClassVar[str] = "exhibit"
    heading: ClassVar[str] = message("Papers")

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Any:
        """Make the exhibit that is named, or the gallery where none is."""
        if data.get("exhibit"):
            return exhibit_class(data["exhibit"]).from_json(data)
        return super().from_json({key: value for key, value in data.items() if key != "exhibit"})

    @property
    def line(self) -> str:
        """The number of papers and exhibits."""
        many = sum(len(exhibits_of(paper)) for paper in papers())
        return message("{papers} papers · {many} exhibits", papers=sum(not paper.ours for paper in papers()), many=many)

    def run(self, progress: Progress = silent) -> Answer:
        """Count the claims that hold as printed, and list all exhibits."""
        every = [each for paper in papers() for each in exhibits_of(paper)]
        many = Counter(each.mark for each in every)
        findings = {
            "value": Finding(message("exhibits"), len(every)),
            "holds": Finding(message("hold as printed"), many[HOLDS]),
            "corrected": Finding(message("need a correction"), many[DIFFERS]),
            "asked": Finding(message("questions or definitions"), many[ASKS]),
        }
        rows = tuple((each.paper.short, each.place, each.heading, f"{each.mark} {each.verdict}", each.exhibit) for each in every)
        header = (message("paper"), message("place"), message("claim"), message("here"), message("name"))
        text = message(
            "{holds} of {claims} claims in {papers} papers hold as printed. {corrected} need a correction, from a "
            "misprint to a number of rows that is {times} times too small. {asked} more exhibits answer a question or "
            "test a definition.",
            claims=many[HOLDS] + many[DIFFERS],
            papers=sum(not paper.ours for paper in papers()),
            holds=many[HOLDS],
            corrected=many[DIFFERS],
            times=round(max(each.too_small for each in every)),
            asked=many[ASKS],
        )
        return Answer(self, findings, (Table("claims", message("The claims"), header, rows),), text)
