#!/bin/sh
# Installs Docker Engine on a bare Debian (bookworm, trixie) and starts it.
#
#   scripts/install-docker.sh            install what is missing, start dockerd if it doesn't answer
#   scripts/install-docker.sh --gvisor   that, and gVisor's runsc as a runtime of the engine
#   scripts/install-docker.sh --stop     end the dockerd that this script started, and no other
#
# Meant for CI machines and containers without systemd; safe to run again at any time. Prints a
# line per step; everything else goes to a log file whose end is shown when a step fails.
# WORKBENCH_DOCKER_DEADLINE is how many seconds the engine gets to answer (default 60).
set -eu

own_pid_file=/run/workbench-dockerd.pid
settings=/etc/docker/daemon.json
deadline=${WORKBENCH_DOCKER_DEADLINE:-60}
started=$(date +%s)
log=

say() {
    printf '[%3ds] %s\n' "$(($(date +%s) - started))" "$*"
}

fail() {
    say "failed: $*" >&2
    if [ -n "$log" ] && [ -s "$log" ]; then
        echo "--- end of $log" >&2
        tail -n 25 "$log" >&2
    fi
    exit 1
}

# A pid alone may have been handed to another process since: the start time makes it certain.
start_time() {
    # The command name (field 2) may hold spaces, so count from behind its closing bracket.
    sed 's/^.*) //' "/proc/$1/stat" 2>/dev/null | cut -d' ' -f20
}

is_process() { # pid, command name
    # A zombie has ended, though nobody asks for its exit status: usual where pid 1 is no init.
    [ -n "$1" ] && grep -qs "^Name:.$2\$" "/proc/$1/status" && ! grep -qs '^State:.Z' "/proc/$1/status"
}

# `docker info` with a dead daemon exits 1; with a hanging one it would never return.
answers() {
    timeout 10 docker info >/dev/null 2>&1
}

stop_own() {
    if [ ! -s "$own_pid_file" ]; then
        say "no dockerd started by this script"
        return
    fi
    read -r pid born <"$own_pid_file"
    if ! is_process "$pid" dockerd || [ "$(start_time "$pid")" != "$born" ]; then
        rm -f "$own_pid_file"
        say "the dockerd started by this script has ended already"
        return
    fi
    say "stopping dockerd (pid $pid)"
    kill -TERM "$pid"
    waited=0
    while is_process "$pid" dockerd && [ "$(start_time "$pid")" = "$born" ]; do
        [ "$waited" -lt "$deadline" ] || fail "dockerd (pid $pid) still runs after ${deadline} s"
        sleep 1
        waited=$((waited + 1))
    done
    rm -f "$own_pid_file"
    say "stopped"
}

install_engine() {
    if command -v dockerd >/dev/null && command -v docker >/dev/null; then
        say "Docker Engine is installed: $(dockerd --version)"
        return
    fi
    command -v apt-get >/dev/null || fail "no apt-get here: this script is for Debian"
    say "updating the package lists"
    apt-get -o DPkg::Lock::Timeout=120 update >>"$log" 2>&1 || fail "apt-get update"
    packages="docker.io iptables ca-certificates"
    # From trixie on the client is a package of its own, only recommended by the engine's.
    if ! command -v docker >/dev/null && apt-cache show docker-cli >/dev/null 2>&1; then
        packages="$packages docker-cli"
    fi
    say "installing $packages"
    # shellcheck disable=SC2086  # a list of packages
    DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=120 install -y \
        --no-install-recommends $packages >>"$log" 2>&1 || fail "apt-get install $packages"
    say "installed: $(dockerd --version)"
}

# What an engine that was killed (or a restored disk image) leaves behind keeps a new one from
# starting: pid files whose number now belongs to somebody else, sockets nobody listens at.
clear_leftovers() {
    for file in /var/run/docker.pid:dockerd /var/run/docker/containerd/containerd.pid:containerd; do
        path=${file%:*}
        [ -e "$path" ] || continue
        if ! is_process "$(cat "$path" 2>/dev/null)" "${file#*:}"; then
            rm -f "$path"
            say "removed stale $path"
        fi
    done
    # dockerd takes a containerd socket that merely exists for a running containerd.
    for socket in /run/containerd/containerd.sock /var/run/docker/containerd/containerd.sock; do
        [ -S "$socket" ] || continue
        if ! grep -q " $(readlink -f "$socket")\$" /proc/net/unix && ! grep -q " $socket\$" /proc/net/unix; then
            rm -f "$socket"
            say "removed stale $socket"
        fi
    done
}

mount_cgroups() {
    if grep -qE '^[^ ]+ [^ ]+ cgroup2? ' /proc/mounts; then
        return
    fi
    say "mounting control groups"
    mkdir -p /sys/fs/cgroup
    mount -t cgroup2 cgroup2 /sys/fs/cgroup >>"$log" 2>&1 || fail "no control groups: is this container privileged?"
}

# Prints the dockerd options this kernel needs; picks the iptables flavour that works.
network_options() {
    if iptables -t nat -L -n >/dev/null 2>>"$log"; then
        return
    fi
    for flavour in legacy nft; do
        if "iptables-$flavour" -t nat -L -n >/dev/null 2>>"$log"; then
            update-alternatives --set iptables "/usr/sbin/iptables-$flavour" >>"$log" 2>&1
            say "this kernel speaks iptables-$flavour" >&2
            return
        fi
    done
    say "no NAT in this kernel: the engine starts without a bridge; build images with --build-network host" >&2
    echo "--iptables=false --ip6tables=false --bridge=none"
}

start_engine() {
    if answers; then
        say "the engine answers already"
        return
    fi
    if running=$(cat /var/run/docker.pid 2>/dev/null) && is_process "$running" dockerd; then
        say "dockerd runs (pid $running), waiting for its answer"
        wait_for "$running"
        return
    fi
    clear_leftovers
    mount_cgroups
    options=$(network_options)
    say "starting dockerd, log in $log"
    # A session of its own, so that it outlives the shell, the CI step and their signals.
    # shellcheck disable=SC2086  # a list of options
    setsid nohup dockerd $options >>"$log" 2>&1 </dev/null &
    pid=$!
    sleep 1
    is_process "$pid" dockerd || fail "dockerd ended at once"
    echo "$pid $(start_time "$pid")" >"$own_pid_file"
    wait_for "$pid"
}

wait_for() {
    until answers; do
        is_process "$1" dockerd || fail "dockerd ended while starting"
        [ $(($(date +%s) - started)) -lt "$((deadline + 600))" ] || fail "gave up"
        tries=$((${tries:-0} + 1))
        [ "$tries" -lt "$deadline" ] || fail "dockerd doesn't answer after $tries tries"
        sleep 1
    done
}

# gVisor's runtime in the engine's settings; what else stands there stays. The engine reads its
# runtimes again on SIGHUP, so nothing that runs is disturbed.
# --network=none: runsc would open a device for the loopback interface, which a container that has
# no /dev/net/tun refuses; sandboxes have no network anyway.
register_gvisor() {
    if ! command -v runsc >/dev/null; then
        say "installing runsc"
        apt-get -o DPkg::Lock::Timeout=120 update >>"$log" 2>&1 || fail "apt-get update"
        DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=120 install -y \
            --no-install-recommends runsc >>"$log" 2>&1 || fail "apt-get install runsc"
    fi
    say "gVisor: $(runsc --version | head -n 1)"
    command -v python3 >/dev/null || fail "python3 is needed to change $settings"
    changed=$(python3 - "$settings" "$(command -v runsc)" <<'END'
import json, os, sys
path, runsc = sys.argv[1:]
try:
    with open(path, encoding="utf-8") as file:
        table = json.load(file)
except FileNotFoundError:
    table = {}
wanted = {"path": runsc, "runtimeArgs": ["--network=none"]}
if table.get("runtimes", {}).get("runsc") != wanted:
    table.setdefault("runtimes", {})["runsc"] = wanted
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path + ".new", "w", encoding="utf-8") as file:
        json.dump(table, file, indent=2)
        file.write("\n")
    os.replace(path + ".new", path)
    print("changed")
END
    ) || fail "$settings can't be changed"
    [ -z "$changed" ] || say "runtime runsc written to $settings"
}

reload_engine() {
    docker info --format '{{range $name, $_ := .Runtimes}}{{$name}} {{end}}' 2>/dev/null | grep -qw runsc && return
    running=$(cat /var/run/docker.pid 2>/dev/null) && is_process "$running" dockerd ||
        fail "the engine isn't this machine's: it can't be told of the runtime"
    say "telling dockerd (pid $running) to read its settings again"
    kill -HUP "$running"
    tries=0
    until docker info --format '{{range $name, $_ := .Runtimes}}{{$name}} {{end}}' 2>/dev/null | grep -qw runsc; do
        tries=$((tries + 1))
        [ "$tries" -lt 10 ] || fail "dockerd doesn't know runsc"
        sleep 1
    done
}

gvisor=
case ${1:-} in
    "") ;;
    --gvisor) gvisor=yes ;;
    --stop) ;;
    *)
        echo "usage: $0 [--gvisor | --stop]" >&2
        exit 2
        ;;
esac
if [ "$(id -u)" -ne 0 ]; then
    echo "$0: run me as root" >&2
    exit 1
fi
if [ "${1:-}" = --stop ]; then
    stop_own
    exit 0
fi
# DOCKER_HOST of the caller may name an engine elsewhere; this one is local.
unset DOCKER_HOST DOCKER_CONTEXT
log=$(mktemp "${TMPDIR:-/tmp}/workbench-docker.XXXXXX.log")
install_engine
[ -z "$gvisor" ] || register_gvisor
start_engine
[ -z "$gvisor" ] || reload_engine
say "ready: $(docker version --format 'engine {{.Server.Version}}, API {{.Server.APIVersion}}' 2>/dev/null)"
