"""The window combines the shared parts and connects the commands; the application starts and ends it.

May know: errors, resources, dpdesigner, studies, files, desktop, data.grid.
Begin with: main_window.
"""
