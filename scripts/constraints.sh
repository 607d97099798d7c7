#!/bin/sh
# Write constraints.txt anew: the newest versions that pyproject.toml allows, with everything they need, names and versions alone.
set -eu
cd "$(dirname "$0")/.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"${PYTHON:-.venv/bin/python}" -m venv "$scratch/venv"
pip="$scratch/venv/bin/python -m pip --disable-pip-version-check"
$pip install -q --upgrade pip
$pip install -q --group dev -e '.[mcp,zstd]'
{
    echo "# Every package of .venv, pinned. Written by: make constraints"
    $pip freeze --exclude-editable | grep -E '^[A-Za-z0-9._-]+==' | grep -v '^passdown=='
} >constraints.txt
