"""Presenting: the scenes of a document, full screen and with captions; the demonstration, a story in nine scenes.

May know: resources, messages, errors, arrays, core.basics, studies, files, desktop.base, desktop.background, desktop.document.
Begin with: presenting, then demonstration.
"""
