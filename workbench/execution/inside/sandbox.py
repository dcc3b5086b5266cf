"""What the supervisor can do to a candidate: lend it an identity, start it, kill it, wipe after it.

How candidates are contained (`containment`), best first:
- `uid`: the supervisor is root with SETUID and SETGID; each execution has an unused uid, and
  everything of that uid is killed by a `kill(-1)` sent under it, then looked for in /proc.
- `pidns`: each step has a PID namespace (and a user and IPC namespace) of its own; when its first
  process is dead the kernel has killed all others.
- `tree`: the process tree is killed as /proc shows it; a program that forks faster than that can
  outlive its execution. Only where nothing else works.
"""

# No pathlib inside the sandbox: byte-exact paths and descriptors.
# ruff: noqa: PTH101, PTH102, PTH104, PTH106, PTH108, PTH118, PTH119, PTH208
from __future__ import annotations

import fcntl
import math
import os
import resource
import secrets
import signal
import stat
import tempfile
import time
from typing import TYPE_CHECKING, Any

from workbench.execution.inside import kernel
from workbench.execution.inside.kernel import Fault

if TYPE_CHECKING:
    from workbench.execution.inside.steps import Step

TICKS = os.sysconf("SC_CLK_TCK")
PAGE_MB = os.sysconf("SC_PAGE_SIZE") / 1_048_576
KILL_PATIENCE_S = 5.0
NICE_COUNTED, NICE = 19, 5
"""Candidates stand back behind the supervisor, so that it sees a limit passed in time. Where a
control group holds both, that changes nothing for others; elsewhere it would: so only a little."""
SHELF = "/warm"
"""Mount of what is made for later programs, where a language has one."""
SHARED_DIR_MODE = 0o1733
"""Everybody may make entries in it, nobody but its owner may list it."""


class Sandbox:
    """What can be done here, found out once, and the doing of it."""

    def __init__(self, settings: dict[str, Any]) -> None:
        """Take the host's settings; raises Fault when candidates can't be contained as wanted."""
        self._made_root = settings["root"] == ""
        self.root: str = settings["root"]
        self.private: list[str] = settings["private"]
        self.shared: list[str] = settings["shared"]
        first, self._uid_count = settings["uids"]
        # Two more than the candidates have: the killer's uid and the services'.
        self._first_uid = kernel.usable_uids(first, self._uid_count + 2) or 0
        if self._made_root and self._first_uid != first:
            # No walls around this process: lower uids may be people's.
            self._first_uid = 0
        self._drawn = 0
        self.residents: set[int] = set()
        """Processes that stay from one execution to the next; one that has ended isn't in it."""
        self.uid = os.getuid()
        self.cpus = len(os.sched_getaffinity(0))
        kernel.prctl(kernel.PR_SET_DUMPABLE, 0)
        self._quiet_rounds = 1
        try:
            kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, 1)
        except OSError:
            # gVisor has no such thing: orphans go to its first process, and are found by their uid.
            # Nor does its kill(-1) reach all at one moment: a chain of processes that respawn can
            # slip through, so nobody must be found many times in a row.
            if settings["containment"] != ["uid"]:
                raise
            self._quiet_rounds = 30
        self.containment = self._containment(settings["containment"])
        if self.containment == "uid":
            # Never 0, not even before the first execution: everything is killed and wiped by this.
            self.uid = self._first_uid
        self.counters: kernel.Counters | None = None
        if settings["cgroup"]:
            try:
                self.counters = kernel.Counters()
            except OSError:
                self.counters = None  # told to the host by `memory` in the ready frame
        self.nice = NICE_COUNTED if self.counters else NICE
        self.filter = kernel.syscall_filter()
        if self.filter is not None and not kernel.works(self._close_doors):
            self.filter = None
        # Before 5.14 the kernel counted processes of a uid over the whole machine.
        self._counts_processes = self.containment == "uid" or kernel.kernel_version() >= (5, 14)
        for place in [*self.private, *([] if self._made_root else [self.root])]:
            if not os.path.ismount(place):
                raise Fault(f"{place} isn't a mount of the sandbox's own: it would be wiped")
        if self._made_root:
            self.root = tempfile.mkdtemp(prefix="workbench-")
            os.chmod(self.root, SHARED_DIR_MODE)
        self.work = os.path.join(self.root, "run")
        self._temporary = os.path.join(self.root, "tmp")
        self.env = dict(os.environ) if settings["inherit"] else {}
        self.env.pop("HOSTNAME", None)
        self.env.setdefault("LANG", "C.UTF-8")
        self.env.setdefault("PATH", settings["path"])
        places = {"HOME": self._temporary, "TMPDIR": self._temporary}
        self.own_env: dict[str, str] = {**settings["env"], **places}
        """What no step's environment replaces: where things are in this sandbox."""

    def _containment(self, allowed: list[str]) -> str:
        if (
            "uid" in allowed
            and os.getuid() == 0
            and self._first_uid
            and kernel.works(lambda: self._become(self._first_uid))
        ):
            os.setgroups([])
            return "uid"
        if "pidns" in allowed and kernel.works(kernel.fork_in_namespace):
            return "pidns"
        if "tree" in allowed:
            return "tree"
        raise Fault("neither uids nor PID namespaces can be used here")

    def ready(self) -> dict[str, Any]:
        """What the host is told at the start."""
        return {
            "ready": True,
            "containment": self.containment,
            "memory": self.counters.version if self.counters else "resident size",
            "filter": self.filter is not None,
            "cpus": self.cpus,
        }

    def close(self) -> None:
        """Leave nothing behind where the work dir lies in a folder of everybody's."""
        self.wipe()
        if self._made_root:
            os.rmdir(self.root)

    # -- identity and files

    def _become(self, uid: int) -> None:
        os.setegid(uid)
        os.seteuid(uid)

    def as_candidate(self, action: Any) -> Any:
        """Do `action` under the candidate's effective uid: its files and pipes are its own."""
        if self.containment != "uid":
            return action()
        self._check_uid()
        self._become(self.uid)
        try:
            return action()
        finally:
            os.seteuid(0)
            os.setegid(0)

    def as_service(self, action: Any) -> Any:
        """Do `action` under the services' effective uid, which owns what is made for later."""
        if self.containment != "uid":
            raise Fault("services need a uid of their own")
        self._become(self.service_uid)
        try:
            return action()
        finally:
            os.seteuid(0)
            os.setegid(0)

    def shelf(self) -> str:
        """A folder for what is made here for later programs: everybody's to read, the services'
        to write. The mount it is in must be empty and nobody's yet."""
        os.chmod(SHELF, 0o777)  # noqa: S103  (no candidate has run)
        try:
            place = os.path.join(SHELF, "kept")
            self.as_service(lambda: os.mkdir(place, 0o755))
        finally:
            os.chmod(SHELF, 0o755)  # noqa: S103
        return place

    def _check_uid(self) -> None:
        if not self._first_uid <= self.uid < self._first_uid + self._uid_count:
            raise Fault(f"uid {self.uid} is no candidate's")

    def fresh(self) -> None:
        """Make ready for the next execution: another uid, an empty work dir."""
        if self.containment == "uid":
            self.uid = self._first_uid + self._drawn % self._uid_count
            self._drawn += 1
        self.as_candidate(lambda: (os.mkdir(self.work, 0o700), os.mkdir(self._temporary, 0o700)))

    @property
    def service_uid(self) -> int:
        """The uid of what serves candidates without being one."""
        return self._first_uid + self._uid_count + 1

    def write(self, name: str, text: str) -> None:
        """Write one source file as the candidate."""
        self.write_bytes(name, text.encode("utf-8", "surrogatepass"))

    def write_bytes(self, name: str, data: bytes) -> None:
        """Write one file of the work dir as the candidate."""
        if os.path.basename(name) != name or name in ("", ".", ".."):
            raise Fault("a source file's name must be a plain name")

        def action() -> None:
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
            descriptor = os.open(os.path.join(self.work, name), flags, 0o600)
            with os.fdopen(descriptor, "wb") as file:
                file.write(data)

        self.as_candidate(action)

    def wipe(self) -> bool:
        """Remove everything candidates may have written; whether nothing is left."""
        clean = True
        for place in [self.root, *self.private]:
            clean = self._empty(place, os.listdir(place)) and clean
        for place in self.shared if self.containment == "uid" else ():
            names = [name for name in os.listdir(place) if self._owns(os.path.join(place, name))]
            clean = self._empty(place, names) and clean
        return clean

    def _owns(self, path: str) -> bool:
        try:
            return os.lstat(path).st_uid == self.uid
        except OSError:
            return False

    def _empty(self, place: str, names: list[str]) -> bool:
        if not names:
            return True
        try:
            self.as_candidate(lambda: _remove(place, list(names)))
        except (OSError, Fault):
            return False
        return not set(names) & set(os.listdir(place))

    # -- processes

    def census(self) -> list[tuple[int, float, float]]:
        """(pid, CPU seconds, resident MB) of every process of the candidate, zombies included."""
        rows: dict[int, tuple[int, float, float]] = {}
        mark = b"\nUid:\t%d\t" % self.uid
        own = os.getpid()
        # The first process of a system is nobody's whom it was started for later.
        others = {"1", str(own), *map(str, self.residents)}
        for name in os.listdir("/proc"):
            if not name.isdigit() or name in others:
                continue
            try:
                if self.containment == "uid":
                    with open(f"/proc/{name}/status", "rb") as file:
                        if mark not in file.read():
                            continue
                with open(f"/proc/{name}/stat", "rb") as file:
                    fields = file.read().rpartition(b")")[2].split()
            except OSError:
                continue
            cpu = sum(int(field) for field in fields[11:15]) / TICKS
            rows[int(name)] = (int(fields[1]), cpu, int(fields[21]) * PAGE_MB)
        if self.containment != "uid":
            family, grew = {own}, True
            while grew:
                more = {pid for pid, row in rows.items() if row[0] in family} - family
                family |= more
                grew = bool(more)
            rows = {pid: row for pid, row in rows.items() if pid in family}
        return [(pid, row[1], row[2]) for pid, row in rows.items()]

    def memory_mb(self, rows: list[tuple[int, float, float]], limit: float) -> float:
        """What the processes of a census hold, MB.

        Where the kernel counts, its own limit is for the sum, and this is the largest process.
        Else, and where the kernel's limit has room for residents, it is the sum of resident sizes,
        and only when that is beyond `limit` pages that are shared are divided among those that
        share them, for that takes long to find out.
        """
        if self.counters is not None and not self.residents:
            return max((row[2] for row in rows), default=0.0)
        total = sum(row[2] for row in rows)
        if total <= limit or len(rows) == 1:
            return total
        try:
            return float(self.as_candidate(lambda: sum(_proportional_mb(row[0]) for row in rows)))
        except (OSError, ValueError, IndexError):
            return total  # it ended meanwhile, or hides its memory map

    def destroy(self, step: Step) -> bool:
        """Kill everything of the candidate; whether that is proved within KILL_PATIENCE_S."""
        deadline = time.monotonic() + KILL_PATIENCE_S
        quiet = 0
        while True:
            found = self._kill(step)
            step.reap()
            if self.containment == "pidns":
                if step.childless:
                    return True
            elif self.census():
                quiet = 0
            elif self._quiet_rounds == 1:
                return True
            else:
                quiet = 0 if found else quiet + 1
                if quiet >= self._quiet_rounds:
                    return True
            if time.monotonic() > deadline:
                return False
            time.sleep(0.001)

    def _kill(self, step: Step) -> bool:
        """Kill what there is; whether there may have been anybody."""
        if self.containment == "uid":
            self._check_uid()
            return self.kill_as(self.uid, -1)
        if self.containment == "pidns":
            pids = [step.pid] if step.running else []
        else:
            pids = [row[0] for row in self.census()]
        for pid in pids:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        return bool(pids)

    def kill_as(self, uid: int, pid: int) -> bool:
        """Kill what runs under a uid of this sandbox's: a process, or with -1 all of them.

        Gives whether anybody was there. There is no right to kill but that of the same uid.
        """
        # Under a real uid of nobody's, so that what is killed can't kill back; the saved uid
        # stays 0.
        os.setresuid(self._first_uid + self._uid_count, uid, 0)
        try:
            os.kill(pid, signal.SIGKILL)
            return True
        except ProcessLookupError:
            return False
        finally:
            os.setresuid(0, 0, 0)

    def start(self, step: Step, ends: tuple[int, int, int], status_end: int) -> int:
        """Start a step's command with (stdout, stderr, channel); gives the pid to wait for.

        In `pidns` that process ends with the namespace, whose first process leaves the command's
        wait status in `status_end`. Raises Fault when the command can't be started, except when
        it is a file of the work dir: then that is the program's failure, with exit code 127.
        """
        notice, told = os.pipe2(os.O_CLOEXEC)
        child = os.fork()
        if child == 0:
            self._child(step, ends, status_end, told)
        os.close(told)
        with os.fdopen(notice, "rb") as file:
            message = file.read().decode("utf-8", "replace")
        if message:
            text = f"{step.argv[0]} can't be started: {message}"
            if not step.argv[0].startswith("./"):
                os.waitpid(child, 0)
                raise Fault(text)
            step.stderr.feed(f"{text}\n".encode())
        return child

    def _child(self, step: Step, ends: tuple[int, int, int], status_end: int, told: int) -> None:
        try:
            os.setsid()
            signal.set_wakeup_fd(-1)
            for number in (signal.SIGCHLD, signal.SIGPIPE, signal.SIGXFSZ):
                signal.signal(number, signal.SIG_DFL)
            if self.containment == "pidns":
                kernel.enter_namespace(status_end)
            elif self.containment == "tree":
                kernel.prctl(kernel.PR_SET_DUMPABLE, 1)
            kernel.write_once("/proc/self/oom_score_adj", "1000")
            for target, end in enumerate(ends, 1):
                if end >= 0:
                    os.dup2(end, target)
            os.set_inheritable(0, True)
            self._limit(step.limits)
            if self.containment == "uid":
                os.setresgid(self.uid, self.uid, self.uid)
                os.setresuid(self.uid, self.uid, self.uid)
            kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
            os.umask(0o022)
            os.nice(self.nice)
            os.chdir(self.work)
            self._close_doors()
            os.execvpe(step.argv[0], step.argv, step.env)  # noqa: S606
        except BaseException as error:
            os.write(told, str(error).encode("utf-8", "replace")[:300] or b"unknown")
        finally:
            os._exit(127)

    def spawn(
        self, argv: list[str], env: dict[str, str], ends: dict[int, int], uid: int = 0
    ) -> int:
        """Start a resident; gives its pid. Raises Fault where candidates have no uids of their own.

        `ends` are its descriptors by number; 0, 1 and 2 are /dev/null unless they are among them.
        With a `uid` it runs under that, else under the supervisor's, and forks candidates.
        """
        if self.containment != "uid":
            raise Fault("residents need candidates with uids of their own")
        child = os.fork()
        if child:
            self.residents.add(child)
            return child
        try:
            signal.set_wakeup_fd(-1)
            for number in (signal.SIGCHLD, signal.SIGPIPE, signal.SIGXFSZ):
                signal.signal(number, signal.SIG_DFL)
            os.setsid()
            # Out of the way first: a target may be another's source.
            held = {t: fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 64) for t, end in ends.items()}
            for target, end in held.items():
                os.dup2(end, target)
            for target in (0, 1, 2):
                os.set_inheritable(target, True)
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            if uid:
                os.setresgid(uid, uid, uid)
                os.setresuid(uid, uid, uid)
            kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
            os.umask(0o022)
            os.chdir("/")
            self._close_doors()
            os.execvpe(argv[0], argv, env)  # noqa: S606
        except BaseException as error:
            os.write(2, str(error).encode("utf-8", "replace")[:300])
        finally:
            os._exit(127)

    def serve(self, argv: list[str], env: dict[str, str], wall_s: float) -> bool:
        """Run a command of the sandbox's own to its end, as the services' uid; whether it succeeded.

        For what serves later programs: nothing a candidate wrote may be in it.
        """
        pid = self.spawn(argv, env, {}, uid=self.service_uid)
        deadline = time.monotonic() + wall_s
        while True:
            ended, status = os.waitpid(pid, os.WNOHANG)
            if ended:
                self.residents.discard(pid)
                return status == 0
            if time.monotonic() > deadline:
                self.kill_as(self.service_uid, -pid)  # its group: compilers start others
            time.sleep(0.005)

    def _limit(self, limits: dict[str, Any]) -> None:
        for kind, value in self.limits(limits).items():
            resource.setrlimit(kind, (value, value))

    def limits(self, limits: dict[str, Any]) -> dict[int, int]:
        """A candidate's resource limits, by the number of their kind."""
        wanted = {
            resource.RLIMIT_CPU: math.ceil(limits["cpu_s"]) + 1,
            resource.RLIMIT_FSIZE: limits["file_mb"] * 1_048_576,
            resource.RLIMIT_NOFILE: 1024,
            resource.RLIMIT_CORE: 0,
        }
        if self._counts_processes:
            wanted[resource.RLIMIT_NPROC] = limits["processes"]
        if limits["address_space"] and self.counters is None:
            wanted[resource.RLIMIT_AS] = limits["memory_mb"] * 1_048_576
        for kind, value in wanted.items():
            hard = resource.getrlimit(kind)[1]
            wanted[kind] = value if hard == resource.RLIM_INFINITY else min(value, hard)
        return wanted

    def _close_doors(self) -> None:
        kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
        if self.filter is not None:
            kernel.prctl(kernel.PR_SET_SECCOMP, 2, self.filter[0])


def _proportional_mb(pid: int) -> float:
    with open(f"/proc/{pid}/smaps_rollup", "rb") as file:
        words = file.read().split()
    return int(words[words.index(b"Pss:") + 1]) / 1024


def _remove(place: str, pending: list[str]) -> None:
    """Remove the named entries of `place` whole.

    Nested directories are moved up beside their parent instead of being descended into: a tree of
    any depth takes no recursion, no long path and no open descriptors.
    """
    prefix = secrets.token_hex(8)
    moved = 0
    while pending:
        path = os.path.join(place, pending.pop())
        if not stat.S_ISDIR(os.lstat(path).st_mode):
            os.unlink(path)
            continue
        os.chmod(path, 0o700)
        with os.scandir(path) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    os.chmod(entry.path, 0o700)
                    moved += 1
                    name = f"{prefix}{moved}"
                    os.rename(entry.path, os.path.join(place, name))
                    pending.append(name)
                else:
                    os.unlink(entry.path)
        os.rmdir(path)
