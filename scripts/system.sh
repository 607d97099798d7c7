#!/bin/sh
# The programs that the tests need besides git and Python: bubblewrap for `passdown sandbox`, chromium for the web pages.
# Installed where that can be done without asking (root on Debian or Ubuntu); elsewhere their tests are skipped and say
# what to install.
set -eu
say() { printf '%s\n' "passdown: $*" >&2; }

[ "$(uname -s)" = Linux ] || exit 0
missing=
command -v bwrap >/dev/null || missing="$missing bubblewrap"
command -v chromium >/dev/null || command -v google-chrome >/dev/null || missing="$missing chromium"
[ -n "$missing" ] || exit 0
if [ "$(id -u)" = 0 ] && [ -f /etc/debian_version ] && command -v apt-get >/dev/null; then
    say "installing$missing"
    apt-get update -qq >&2 || true
    # shellcheck disable=SC2086 # a list of names
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >&2 && exit 0
fi
say "not tested without them:$missing. On Debian or Ubuntu: sudo apt-get install$missing"
