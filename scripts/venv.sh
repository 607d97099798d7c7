#!/bin/sh
# Make or renew .venv with the pinned tools and this package (editable). Needs Python >= 3.11 and git.
#   PYTHON=/path/to/python3.12 chooses the interpreter of a new .venv
set -eu
cd "$(dirname "$0")/.."
unset PYTHONPATH PYTHONHOME
venv=.venv

say() { printf '%s\n' "passdown: $*" >&2; }
fail() {
    say "$@"
    exit 1
}
modern() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; }

find_python() {
    if [ -n "${PYTHON:-}" ]; then
        modern "$PYTHON" || fail "PYTHON=$PYTHON is not a Python 3.11 or newer"
        printf '%s\n' "$PYTHON"
        return
    fi
    for name in python3 python3.14 python3.13 python3.12 python3.11 python; do
        if modern "$name"; then
            printf '%s\n' "$name"
            return
        fi
    done
    found=$(python3 --version 2>/dev/null || true)
    fail "needs Python 3.11 or newer; found ${found:-none}. Install one, or name it: make PYTHON=/path/to/python3.12"
}

# Debian and Ubuntu ship venv and ensurepip apart.
need_venv_module() {
    "$1" -c 'import ensurepip, venv' >/dev/null 2>&1 && return
    package=$("$1" -c 'import sys; print(f"python3.{sys.version_info[1]}-venv")')
    if [ "$(id -u)" = 0 ] && [ -f /etc/debian_version ] && command -v apt-get >/dev/null; then
        say "$1 lacks the venv module: installing $package"
        apt-get update -qq >&2
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$package" >&2
        "$1" -c 'import ensurepip, venv' >/dev/null 2>&1 && return
    fi
    fail "$1 lacks the venv module. On Debian or Ubuntu: sudo apt-get install $package"
}

command -v git >/dev/null || fail "git is missing. Install git 2.30 or newer."

if ! { [ -x $venv/bin/python ] && modern $venv/bin/python && $venv/bin/python -m pip --version >/dev/null 2>&1; }; then
    python=$(find_python)
    need_venv_module "$python"
    say "making $venv with $("$python" --version)"
    rm -rf $venv
    "$python" -m venv $venv
fi

export PIP_DISABLE_PIP_VERSION_CHECK=1
$venv/bin/python -m pip install -q --no-input -r constraints.txt ||
    fail "could not install the pinned tools of constraints.txt (see above)"
$venv/bin/python -m pip install -q --no-input --no-deps --no-build-isolation -e . ||
    fail "could not install this package (see above)"
