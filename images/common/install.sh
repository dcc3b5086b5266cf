#!/bin/sh
# Installs Debian packages and leaves nothing behind that a running image has no use for.
#   install.sh PACKAGE...
# DEBIAN_MIRROR and DEBIAN_SECURITY_MIRROR (build arguments) stand in for Debian's own mirrors
# while this image is built.
set -eu
if [ "$(readlink -f "$0")" != /opt/workbench/build/install.sh ]; then
    echo "install.sh: for image builds only: it clears away more than a living system can spare" >&2
    exit 1
fi
export DEBIAN_FRONTEND=noninteractive

# Slim bases have no manual pages; the alternatives of a JDK fail without the folder for theirs.
mkdir -p /usr/share/man/man1

# A list that couldn't be fetched is an error here, not a warning followed by "no such package".
sources=
options="-o APT::Update::Error-Mode=any -o Acquire::Retries=3"
if [ -n "${DEBIAN_MIRROR:-}" ]; then
    . /etc/os-release
    sources=$(mktemp)
    keyring=/usr/share/keyrings/debian-archive-keyring.gpg
    echo "deb [signed-by=$keyring] $DEBIAN_MIRROR $VERSION_CODENAME main" >"$sources"
    if [ -n "${DEBIAN_SECURITY_MIRROR:-}" ]; then
        echo "deb [signed-by=$keyring] $DEBIAN_SECURITY_MIRROR $VERSION_CODENAME-security main" >>"$sources"
    fi
    chmod 644 "$sources"
    options="$options -o Dir::Etc::sourcelist=$sources -o Dir::Etc::sourceparts=-"
fi
# shellcheck disable=SC2086  # lists of options
apt-get $options update -q
# shellcheck disable=SC2086
apt-get $options install -q -y --no-install-recommends "$@"
apt-get clean
[ -z "$sources" ] || rm -f "$sources"
rm -rf /var/lib/apt/lists/* /var/cache/apt/*.bin /var/cache/debconf/*-old /var/log/apt /var/log/*.log \
    /usr/share/doc/*/changelog* /usr/share/doc/*/NEWS* /usr/share/man/man*/*
