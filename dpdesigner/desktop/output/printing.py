"""Printing a report through the system's print dialog, where there is a printer."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QDialog, QWidget

from dpdesigner.desktop.look.words import tr
from dpdesigner.desktop.output.report_print import print_report
from dpdesigner.desktop.output.reports import Illustrated
from dpdesigner.errors import InputError
from dpdesigner.files.atomic import write_atomically

if TYPE_CHECKING:
    from PySide6.QtPrintSupport import QPrinter


def print_illustrated(report: Illustrated, parent: QWidget) -> str:
    """Ask for a printer and print, and return a sentence that says what was done.

    Raises
    ------
    InputError
        If there is no printer, it does not take the report, the file cannot be written, or this Qt cannot print.
    """
    try:
        from PySide6.QtPrintSupport import QPrintDialog, QPrinter, QPrinterInfo
    except ImportError as error:
        raise InputError(tr("This Qt cannot print; write the report as a PDF instead."), "qt") from error
    if not QPrinterInfo.availablePrinterNames():
        raise InputError(tr("No printer is set up here; write the report as a PDF instead."), "file")
    printer = QPrinter(QPrinter.PrinterMode.HighResolution)
    printer.setDocName(report.title)
    dialog = QPrintDialog(printer, parent)
    accepted = dialog.exec() == QDialog.DialogCode.Accepted
    dialog.deleteLater()
    if not accepted:
        return tr("Not printed.")
    if path := printer.outputFileName():
        return _print_to_file(report, printer, path)
    print_report(report.finished(), report.recorded, printer)
    if printer.printerState() in (QPrinter.PrinterState.Aborted, QPrinter.PrinterState.Error):
        raise InputError(tr("The printer {name} did not take the report.").format(name=printer.printerName()), "file")
    return tr("Sent to the printer {name}.").format(name=printer.printerName())


def _print_to_file(report: Illustrated, printer: QPrinter, path: str) -> str:
    """Print into another file first: what was there before is replaced as a whole or not at all."""
    with TemporaryDirectory() as folder:
        printed = Path(folder) / "report.pdf"
        printer.setOutputFileName(str(printed))
        print_report(report.finished(), report.recorded, printer)
        write_atomically(path, printed.read_bytes())
    return tr("Written to {path}.").format(path=path)
