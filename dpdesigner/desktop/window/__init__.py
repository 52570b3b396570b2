"""The window: its parts, start page, menus, commands, help, and the application that starts and ends it.

May know: errors, resources, dpdesigner, studies, files, desktop, data.grid.
Begin with: main_window, then commands.
"""
