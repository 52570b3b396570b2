"""Tools for scripts and notebooks besides designs: tables read and verified, releases, pictures, many designs at once.

May know: errors, resources, display, core, data, studies, files.
Begin with: tables, then plot.
"""
