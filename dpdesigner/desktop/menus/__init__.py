"""Every command as an action, in the menus, in the toolbar and in the command palette.

May know: studies, files, desktop.theme, desktop.widgets.base, desktop.document, desktop.presenting.
Begin with: menus.
"""
