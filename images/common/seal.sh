#!/bin/sh
# Takes from candidates what is the supervisor's alone.
#   seal.sh            nobody but root runs Python, no program changes its uid by being started
#   seal.sh --python   the same, but Python stays everybody's (the language under test)
set -eu
if [ "$(readlink -f "$0")" != /opt/workbench/build/seal.sh ]; then
    echo "seal.sh: for image builds only: it would take sudo and Python from a living system" >&2
    exit 1
fi

# -perm follows no symlink: the links python3 -> python3.13 stay, the binary behind them is shut.
# Root owns it, so the supervisor needs no capability to start it. Unreadable as well as
# unexecutable: what can be read can be copied, or handed to the dynamic loader.
if [ "${1:-}" != --python ]; then
    find /usr/bin /usr/local/bin -type f -name 'python*' -exec chmod 0700 {} +
fi
find / -xdev -type f -perm /6000 -exec chmod a-s {} +
