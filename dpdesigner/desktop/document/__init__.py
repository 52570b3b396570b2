"""The document: designs, undo, files, the shadow of unsaved work; and the pages that show what is current.

May know: errors, core, core.privacy, data, studies, files, desktop.look, desktop.work, desktop.widgets.base, desktop.pages.kit.
Begin with: document.
"""
