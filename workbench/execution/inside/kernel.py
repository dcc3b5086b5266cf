"""What the supervisor asks of the kernel: process attributes, filters, namespaces, counters."""

# No pathlib inside the sandbox: byte-exact paths and descriptors.
from __future__ import annotations

import ctypes
import os
import re
import signal
import struct
from typing import Any

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_SECCOMP = 1, 4, 22
PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS = 36, 38
CLONE_NEWIPC, CLONE_NEWUSER, CLONE_NEWPID = 0x08000000, 0x10000000, 0x20000000
INNER_ID = 1000
"""The id a candidate sees itself under in a namespace of its own: not 0, so that exec drops all
capabilities."""

# Denied on top of what the launcher denies: what outlives a process (queues, shared memory,
# keys), what sees into other processes, and the kernel's widest doors. Architecture, then numbers
# of shmget, semget, msgget, mq_open, mq_unlink, add_key, request_key, keyctl, ptrace,
# process_vm_readv, process_vm_writev, pidfd_getfd, userfaultfd, bpf, perf_event_open.
DENIED = {
    "x86_64": (
        0xC000003E,
        (29, 64, 68, 240, 241, 248, 249, 250, 101, 310, 311, 438, 323, 321, 298),
    ),
    "aarch64": (
        0xC00000B7,
        (194, 190, 186, 180, 181, 217, 218, 219, 117, 270, 271, 438, 282, 280, 241),
    ),
}
IO_URING_SETUP = 425
X32_NUMBERS = 0x40000000
NO_LIMIT = 1 << 60
"""Version 1 writes no limit as a number from here on, version 2 as the word `max`."""
ALLOW, KILL, EPERM, ENOSYS = 0x7FFF0000, 0x80000000, 0x00050000 | 1, 0x00050000 | 38
LOAD, IF_EQUAL, IF_AT_LEAST, RETURN = 0x20, 0x15, 0x35, 0x06

_libc = ctypes.CDLL(None, use_errno=True)


class Fault(Exception):
    """The sandbox failed; never what a candidate did."""


class HostGone(BaseException):
    """Nobody listens any more."""


def prctl(option: int, value: int, pointer: Any = None) -> None:
    """Call prctl(2); raises OSError."""
    third = ctypes.c_ulong(0) if pointer is None else pointer
    zero = ctypes.c_ulong(0)
    if _libc.prctl(option, ctypes.c_ulong(value), third, zero, zero) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def syscall_filter() -> tuple[Any, Any] | None:
    """The filter for `PR_SET_SECCOMP` and the buffer it points to; None where no list exists.

    Calls of another architecture end the process.
    """
    machine = os.uname().machine
    if machine not in DENIED:
        return None
    arch, numbers = DENIED[machine]
    code = [(LOAD, 0, 0, 4), (IF_EQUAL, 1, 0, arch), (RETURN, 0, 0, KILL), (LOAD, 0, 0, 0)]
    code += [(IF_AT_LEAST, 0, 1, X32_NUMBERS), (RETURN, 0, 0, ENOSYS)]
    for number in numbers:
        code += [(IF_EQUAL, 0, 1, number), (RETURN, 0, 0, EPERM)]
    # "Not implemented" is the answer that runtimes know to do without.
    code += [(IF_EQUAL, 0, 1, IO_URING_SETUP), (RETURN, 0, 0, ENOSYS), (RETURN, 0, 0, ALLOW)]
    buffer = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *line) for line in code))
    program = struct.pack("HxxxxxxQ", len(code), ctypes.addressof(buffer))
    return ctypes.create_string_buffer(program, len(program)), buffer


def new_namespaces() -> None:
    """Give this process's children a PID, user and IPC namespace; raises OSError."""
    uid, gid = os.getuid(), os.getgid()
    prctl(PR_SET_DUMPABLE, 1)  # else the map files belong to root
    if _libc.unshare(CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWIPC) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    write_once("/proc/self/setgroups", "deny")
    write_once("/proc/self/gid_map", f"{INNER_ID} {gid} 1")
    write_once("/proc/self/uid_map", f"{INNER_ID} {uid} 1")
    prctl(PR_SET_DUMPABLE, 0)


def usable_uids(first: int, count: int) -> int | None:
    """Where a range of `count` uids may begin here: at `first`, else where this namespace has room.

    None when no such range is mapped. Engines without root map 65,536 uids at most.
    """
    with open("/proc/self/uid_map", encoding="ascii") as file:
        extents = [[int(word) for word in line.split()] for line in file]
    for inside, _, size in extents:
        if inside <= first and first + count <= inside + size:
            return first
    for inside, _, size in extents:
        low = max(inside, INNER_ID + 1)
        room = inside + size - low - count
        if room >= 0:
            return low + first % (room + 1)
    return None


def works(action: Any) -> bool:
    """Whether `action` succeeds, tried in a child."""
    child = os.fork()
    if child == 0:
        try:
            action()
            os._exit(0)
        except OSError:
            os._exit(1)
    return os.waitpid(child, 0)[1] == 0


def fork_in_namespace() -> None:
    """Set a process up as candidates are, in namespaces of its own; raises OSError."""
    new_namespaces()
    child = os.fork()
    if child == 0:
        prctl(PR_SET_DUMPABLE, 1)
        write_once("/proc/self/oom_score_adj", "1000")
        os._exit(0)
    if os.waitpid(child, 0)[1] != 0:
        raise PermissionError("a process in a namespace of its own can't be set up")


def enter_namespace(status_end: int) -> None:
    """Become the first command of a new PID namespace.

    Three processes: this one stays outside and ends when the namespace has; its child is the
    namespace's first process, which reaps and tells the command's status; the command returns.
    Each dies when its parent does.
    """
    new_namespaces()
    first = os.fork()
    if first:
        os.closerange(4, 1024)
        os.waitpid(first, 0)
        os._exit(0)
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    command = os.fork()
    if command == 0:
        prctl(PR_SET_DUMPABLE, 1)
        return
    os.closerange(4, status_end)
    os.closerange(status_end + 1, 1024)
    while True:
        pid, status = os.wait()
        if pid == command:
            os.write(status_end, struct.pack("i", status))
            os._exit(0)


def write_once(path: str, text: str) -> None:
    """Write `text` in one write, as files of /proc want it."""
    descriptor = os.open(path, os.O_WRONLY)
    try:
        os.write(descriptor, text.encode())
    finally:
        os.close(descriptor)


def kernel_version() -> tuple[int, int]:
    """The kernel's version, such as (6, 1)."""
    numbers = re.findall(r"\d+", os.uname().release)
    return int(numbers[0]), int(numbers[1])


class Counters:
    """What the kernel counts for this sandbox as a whole: memory kills and CPU time."""

    def __init__(self) -> None:
        """Find the control group's files; raises OSError when there are none to be read.

        A group without a memory limit isn't this sandbox's own: an engine without root that can't
        make groups shows the whole machine's, and with it everybody's CPU time.
        """
        base = "/sys/fs/cgroup"
        for version, limit, events, cpu, key, unit in (
            ("cgroup v2", "/memory.max", "/memory.events", "/cpu.stat", b"usage_usec", 1e-6),
            (
                "cgroup v1",
                "/memory/memory.limit_in_bytes",
                "/memory/memory.oom_control",
                "/cpuacct/cpuacct.usage",
                b"",
                1e-9,
            ),
        ):
            self.version, self._key, self._unit = version, key, unit
            try:
                with open(base + limit, encoding="ascii") as file:
                    if int(file.read()) >= NO_LIMIT:
                        continue
                # Kept open: they are read several times for each program.
                self._events = os.open(base + events, os.O_RDONLY | os.O_CLOEXEC)
                self._cpu = os.open(base + cpu, os.O_RDONLY | os.O_CLOEXEC)
                self.oom_kills()
                self.cpu_s()
                return
            except (OSError, ValueError):
                continue
        raise FileNotFoundError("no control group to read")

    def oom_kills(self) -> int:
        """How many processes were killed for memory since the sandbox started."""
        return _number(self._events, b"oom_kill")

    def cpu_s(self) -> float:
        """CPU seconds of everything in the sandbox, the supervisor included."""
        return _number(self._cpu, self._key) * self._unit


def _number(descriptor: int, key: bytes) -> int:
    words = os.pread(descriptor, 4096, 0).split()
    return int(words[words.index(key) + 1] if key else words[0])
