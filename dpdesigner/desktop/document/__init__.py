"""The document: designs, undo, files, the shadow of unsaved work, and the pages that show the current design.

May know: errors, core, data, studies, files, desktop.base, desktop.background, desktop.pages.kit.
Begin with: document.
"""
