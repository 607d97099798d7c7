#!/bin/sh
# The one program that the tests need besides git and Python: bubblewrap, for `passdown sandbox`. Installed where that can be
# done without asking (root on Debian or Ubuntu); elsewhere the tests of the sandbox are skipped and say what to install.
set -eu
say() { printf '%s\n' "passdown: $*" >&2; }

command -v bwrap >/dev/null && exit 0
[ "$(uname -s)" = Linux ] || exit 0
if [ "$(id -u)" = 0 ] && [ -f /etc/debian_version ] && command -v apt-get >/dev/null; then
    say "bubblewrap is missing: installing it"
    apt-get update -qq >&2 || true
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq bubblewrap >&2 && exit 0
fi
say "bubblewrap is missing, the sandbox is not tested. On Debian or Ubuntu: sudo apt-get install bubblewrap"
