"""The parts of the program that need Qt.

May know: errors, messages, arrays, resources, dpdesigner, core, data, studies, files.
Begin with: window/main_window, then document/page_host.
"""

import builtins

import PySide6.QtCore  # noqa: F401  # puts an import of its own in place of Python's

# PySide's import reads the source of every module, to see whether it asks for PySide's ``__feature__``. Nothing here does, and it
# takes a tenth of the start and some megabytes: Python's own import is put back.
builtins.__import__ = getattr(builtins, "__orig_import__", builtins.__import__)
