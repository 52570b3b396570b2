"""Printing a report through the system's print dialog, where there is a printer."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QDialog, QWidget

from dpdesigner.desktop.report_print import print_report
from dpdesigner.desktop.reports import Illustrated
from dpdesigner.errors import InputError


def print_illustrated(report: Illustrated, parent: QWidget) -> str:
    """Ask for a printer and print, and return a sentence that says what was done.

    Raises
    ------
    InputError
        If there is no printer, or this Qt cannot print.
    """
    try:
        from PySide6.QtPrintSupport import QPrintDialog, QPrinter, QPrinterInfo
    except ImportError as error:
        raise InputError(_tr("This Qt cannot print; write the report as a PDF instead."), "qt") from error
    if not QPrinterInfo.availablePrinterNames():
        raise InputError(_tr("No printer is set up here; write the report as a PDF instead."), "file")
    printer = QPrinter(QPrinter.PrinterMode.HighResolution)
    printer.setDocName(report.title)
    dialog = QPrintDialog(printer, parent)
    accepted = dialog.exec() == QDialog.DialogCode.Accepted
    dialog.deleteLater()
    if not accepted:
        return _tr("Not printed.")
    print_report(report.finished(), report.recorded, printer)
    return _tr("Sent to the printer {name}.").format(name=printer.printerName())


def _tr(text: str) -> str:
    return QCoreApplication.translate("printing", text)
