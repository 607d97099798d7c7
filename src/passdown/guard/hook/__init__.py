"""The agents' pre-tool hook: one payload in, one answer out, from compiled rules. Standard library alone, no git.

It runs as a copy of this folder under ``<common>/passdown/guard/``, without the package and without ``site``:
:mod:`passdown.guard.hook_files` makes the copy, :mod:`passdown.guard.compiled` the rules. ``re`` and ``json`` would
double its time: the rules carry compiled patterns, ``_json`` scans alone. So nothing here imports anything else.
"""
