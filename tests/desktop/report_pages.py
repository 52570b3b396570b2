"""Reports of random designs for paper with blank figures, which take no time to draw; and where their headings come to stand.

Run as a program, since what went wrong here once ended the process: ``report_pages.py SEED...`` writes "ok" for each seed.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator, Mapping

from PySide6.QtCore import QRect
from PySide6.QtGui import QGuiApplication, QPainter, QPicture

from dpdesigner.desktop.output.reports import pdf_bytes
from dpdesigner.files.export import export_of
from dpdesigner.files.report import Picture, Report, chapter, picture_name, report
from dpdesigner.studies.choice.design import ChoiceDesign
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.noise.design import NoiseDesign
from dpdesigner.studies.study import Study

PLAIN = CountDesign(4, epsilon=1)


def random_design(chance: random.Random) -> Study:
    """A count or a noise design that is solved in no time."""
    epsilon, name = chance.choice(["1/10", "ln 2", "1", "5/2"]), "A name of some words " * chance.randrange(5)
    if chance.random() < 0.5:
        n, prior = chance.randrange(1, 25), chance.choice(["uniform", "geometric:0.7", "spike:1"])
        return CountDesign(n, epsilon=epsilon, prior=prior, loss=chance.choice(["absolute", "squared"]), name=name)
    noises = (
        NoiseDesign(epsilon=epsilon),
        NoiseDesign("integer", epsilon=epsilon, sensitivity=2),
        ChoiceDesign.starting(epsilon=epsilon),
    )
    return chance.choice(noises).replace(name=name)


def illustrated(designs: list[Study], pictures: Iterator[int]) -> tuple[Report, Mapping[str, QPicture]]:
    """A report of designs, each with so many blank figures, and the figures for paper."""
    chapters, recorded = [], {}
    for c, design in enumerate(designs, 1):
        blanks = [Picture(f"Figure {k}", "<svg/>", 640 if k == 1 else 400, 420) for k in range(1, next(pictures) + 1)]
        chapters.append(chapter(export_of(design, exact=None)).illustrated(blanks))
        recorded |= {picture_name(c, k): _blank(blank.width) for k, blank in enumerate(blanks, 1)}
    return report("Designs", chapters), recorded


def random_report(seed: int) -> tuple[Report, Mapping[str, QPicture]]:
    """A report of one random design or of twenty."""
    chance = random.Random(seed)
    designs = [random_design(chance) for _ in range(20 if seed % 4 == 0 else 1)]
    return illustrated(designs, iter(lambda: chance.randrange(1, 9), 0))


def _blank(width: int) -> QPicture:
    picture = QPicture()
    painter = QPainter(picture)
    painter.drawRect(0, 0, width - 1, 439)
    painter.end()
    picture.setBoundingRect(QRect(0, 0, width, 440))
    return picture


def main(seeds: list[str]) -> None:
    """Make the reports as PDF files."""
    application = QGuiApplication([])
    print(len(pdf_bytes(*illustrated([PLAIN] * 20, iter(lambda: 7, 0)))) > 1000 and "ok", flush=True)
    for seed in seeds:
        print(pdf_bytes(*random_report(int(seed))).startswith(b"%PDF") and "ok", flush=True)
    del application


if __name__ == "__main__":
    main(sys.argv[1:])
