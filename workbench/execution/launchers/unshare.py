"""util-linux: the same namespaces as bubblewrap's with `unshare`, `mount` and `pivot_root`."""

from __future__ import annotations

import os
import shutil

from workbench.errors import SandboxUnavailable
from workbench.execution.launchers.host import HostLauncher
from workbench.execution.slots import Settings

COMMANDS = ("unshare", "mount", "umount", "pivot_root", "setpriv", "sh")

# $1: how the supervisor's rights are cut, then read-only paths, "--", then its command. The new root
# is a tmpfs over /mnt of this mount namespace, so that nothing has to be made on the machine's disk.
SETUP = """\
set -e
umask 022
rights=$1; shift
# In a user namespace the flags that a mount has already can't be dropped, so they are tried with.
freeze() {
    for more in "" ,nodev ,nodev,noatime; do
        mount -o "remount,bind,ro,nosuid$more" "$1" 2>/dev/null && return
    done
    echo "$1 can't be made read-only"
    return 1
} >&2
mount --make-rprivate /
mount -t tmpfs -o mode=755,size=1m workbench /mnt
cd /mnt
while [ "$1" != -- ]; do
    if [ -h "$1" ]; then
        mkdir -p ".${1%/*}"; ln -s "$(readlink "$1")" ".$1"
    elif [ -d "$1" ]; then
        mkdir -p ".$1"; mount --rbind "$1" ".$1"; freeze ".$1"
    elif [ -e "$1" ]; then
        mkdir -p ".${1%/*}"; : >".$1"; mount --bind "$1" ".$1"; freeze ".$1"
    fi
    shift
done
shift
mkdir dev dev/shm proc box tmp old
for name in null zero full random urandom; do
    : >dev/$name; mount --bind /dev/$name dev/$name
done
ln -s /proc/self/fd dev/fd
ln -s /proc/self/fd/0 dev/stdin
ln -s /proc/self/fd/1 dev/stdout
ln -s /proc/self/fd/2 dev/stderr
mount -t proc -o nosuid,nodev,noexec workbench proc
mount -t tmpfs -o mode=1733,size=256m,nr_inodes=20000,nosuid,nodev workbench box
mount -t tmpfs -o mode=1733,size=32m,nr_inodes=2000,nosuid,nodev workbench tmp
mount -t tmpfs -o mode=1733,size=32m,nr_inodes=2000,nosuid,nodev workbench dev/shm
pivot_root . old
cd /
umount -l /old
rmdir /old
freeze /
exec setpriv $rights --no-new-privs -- "$@"
"""
KEPT = "--inh-caps=-all --bounding-set=-all,+setuid,+setgid"
# Root of a user namespace may be mapped into another only by who could set file capabilities.
NONE = "--inh-caps=-all --bounding-set=-all,+setfcap"


class UnshareLauncher(HostLauncher):
    """Namespaces made by `unshare`; as an ordinary user with a user namespace around them."""

    id = "unshare"
    guarantees = "namespaces without network; memory watched by its resident size"

    async def check(self) -> None:
        """Find the commands and start a supervisor."""
        missing = [c for c in COMMANDS if shutil.which(c, path=self.tools.path) is None]
        if missing:
            raise SandboxUnavailable(f"{', '.join(missing)} not installed")
        await super().check()

    def settings(self) -> Settings:
        """Folders of its own, and whichever containment the user allows."""
        return Settings(
            root="/box",
            private=("/tmp", "/dev/shm"),  # noqa: S108
            containment=("uid", "pidns") if os.getuid() == 0 else ("pidns",),
            env=self.env,
            path=self.tools.path,
        )

    def command(self) -> list[str]:
        """`unshare`, the set-up script, the supervisor."""
        root = os.getuid() == 0
        words = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--net", "--ipc", "--uts"]
        if not root:
            words += ["--user", "--map-root-user"]
        return [
            *words,
            "sh",
            "-c",
            SETUP,
            "sh",
            KEPT if root else NONE,
            *self.tools.shown(),
            "--",
            *self.python(),
        ]
