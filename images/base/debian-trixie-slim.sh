#!/bin/sh
# Makes debian:trixie-slim from Debian packages, for machines that reach no container registry.
#
#   scripts/make-base-image.sh          from a checkout; does nothing when the image is there already
#   workbench images build --base mmdebstrap   from anywhere
#
# Needs root, a running engine and a Debian mirror; installs mmdebstrap if missing. Asks no
# registry. WORKBENCH_DEBIAN_MIRROR names another mirror than Debian's own; http_proxy is heeded.
set -eu

image=debian:trixie-slim
suite=trixie
started=$(date +%s)
work=

say() {
    printf '[%3ds] %s\n' "$(($(date +%s) - started))" "$*"
}

fail() {
    say "failed: $*" >&2
    if [ -n "$work" ] && [ -s "$work/log" ]; then
        tail -n 25 "$work/log" >&2
    fi
    exit 1
}

finish() {
    [ -z "$work" ] || rm -rf "$work"
}
trap finish EXIT
trap 'exit 130' INT TERM

if [ "$#" -ne 0 ]; then
    echo "usage: $0" >&2
    exit 2
fi
timeout 20 docker info >/dev/null 2>&1 || fail "Docker doesn't answer: start it, or run scripts/install-docker.sh"
if docker image inspect "$image" >/dev/null 2>&1; then
    say "$image is there already"
    exit 0
fi
[ "$(id -u)" -eq 0 ] || fail "run me as root (mmdebstrap unpacks packages with their owners)"
work=$(mktemp -d "${TMPDIR:-/tmp}/workbench-base.XXXXXX")

if ! command -v mmdebstrap >/dev/null; then
    say "installing mmdebstrap"
    apt-get -o DPkg::Lock::Timeout=120 update >>"$work/log" 2>&1 || fail "apt-get update"
    DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=120 install -y \
        --no-install-recommends mmdebstrap debian-archive-keyring >>"$work/log" 2>&1 ||
        fail "apt-get install mmdebstrap"
fi

# Images are layers: what apt keeps for a next time would only be carried along. The hook runs
# after every dpkg call, as in the published image.
cat >"$work/lean.conf" <<'CONF'
DPkg::Post-Invoke { "rm -f /var/cache/apt/archives/*.deb /var/cache/apt/archives/partial/*.deb /var/cache/apt/*.bin || true"; };
APT::Update::Post-Invoke { "rm -f /var/cache/apt/archives/*.deb /var/cache/apt/*.bin || true"; };
Dir::Cache::pkgcache "";
Dir::Cache::srcpkgcache "";
Acquire::Languages "none";
Acquire::GzipIndexes "true";
APT::Install-Recommends "false";
CONF

say "unpacking Debian $suite (half a minute or so)"
# Packages are signed, so an old mirror is no danger to what is installed, only out of date.
mmdebstrap --variant=minbase --mode=root --quiet \
    --aptopt='Acquire::Check-Valid-Until "false"' \
    --aptopt='Acquire::Languages "none"' \
    --dpkgopt='path-exclude=/usr/share/man/*' \
    --dpkgopt='path-exclude=/usr/share/locale/*' \
    --dpkgopt='path-exclude=/usr/share/doc/*' \
    --dpkgopt='path-include=/usr/share/doc/*/copyright' \
    --dpkgopt='path-exclude=/usr/share/info/*' \
    --customize-hook="copy-in $work/lean.conf /etc/apt/apt.conf.d" \
    --customize-hook='rm -rf "$1"/var/lib/apt/lists/* "$1"/var/cache/apt/* "$1"/var/log/*.log "$1"/var/log/apt' \
    "$suite" "$work/rootfs.tar" ${WORKBENCH_DEBIAN_MIRROR:+"$WORKBENCH_DEBIAN_MIRROR"} \
    >>"$work/log" 2>&1 || fail "mmdebstrap (does this machine reach a Debian mirror?)"
say "importing $(($(stat -c %s "$work/rootfs.tar") / 1000000)) MB as $image"
docker import --change 'CMD ["bash"]' --change 'LABEL workbench.base=mmdebstrap' \
    --message "Debian $suite from packages, by mmdebstrap" "$work/rootfs.tar" "$image" \
    >>"$work/log" 2>&1 || fail "docker import"
say "ready: $(docker image inspect --format '{{.Id}}' "$image" | cut -c8-19)"
