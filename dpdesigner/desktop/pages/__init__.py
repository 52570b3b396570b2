"""The pages of the window, one per kind of study; two pages never import each other.

May know: errors, messages, arrays, resources, core, data, studies, files, desktop.
Begin with: kit/page.
"""
