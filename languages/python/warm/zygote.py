# Runs as `python3 FLAGS FILE`, with the environment and flags of the plain command, and forks a
# process for each candidate. What a candidate can see is what `python3 FLAGS main.py` would show:
# no module is loaded that a fresh interpreter hasn't, and no name of this text is in its way.
# Modules that take long to load are kept aside, and come out of there when they are imported.
# ruff: noqa: E402, S102
# pyright: basic, reportAttributeAccessIssue=false, reportOptionalMemberAccess=false
import sys

fresh = list(sys.modules)

import _socket
import atexit
import builtins
import ctypes
import gc
import marshal
import os
import resource
import signal

# Little, and what programs for such tasks do import: every page of this process costs time at each
# fork and each end. `traceback` is what the interpreter prints an error with.
KEPT = (
    *("typing", "collections", "re", "functools", "itertools", "operator", "math", "heapq"),
    *("bisect", "copy", "types", "enum", "string", "traceback"),
)
FIRST = """
def first(values: list[int], text: str = "a b") -> dict[str, int]:
    '''First.'''
    found = {word: len(word) for word in sorted(text.split(), key=lambda word: word.lower())}
    total = sum(value**2 for value in values if value % 2 == 0) / 2
    for index, value in enumerate(zip(values, reversed(values))):
        found[f"{index}:{total:.2f}"] = max(value[0], round(abs(value[1])))
    try:
        assert found == {}, "first"
    except (AssertionError, ValueError) as error:
        found[str(error)] = int("1") + ord("a")
    return found


class First:
    def __init__(self):
        self.values = [*first([1, 2, 3]), {1, 2} | {3}, tuple(range(3)), "ab"[::-1].join("cd")]


First().values.append(None)
"""
CLONE_PARENT, CLONE_CHILD_CLEARTID, CLONE_CHILD_SETTID, SIGCHLD = 0x8000, 0x200000, 0x1000000, 17
PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_GET_TID_ADDRESS = 1, 4, 40
CLONE = {"x86_64": 56, "aarch64": 220}[os.uname().machine]
ORDER_CAP = 1 << 20

kernel = ctypes.PyDLL(None, use_errno=True)
kernel.syscall.restype = ctypes.c_long


def fork():
    """Fork a child of this process's parent, which waits for it; 0 in the child."""
    flags = CLONE_PARENT | SIGCHLD | (CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID if tid.value else 0)
    ctypes.pythonapi.PyOS_BeforeFork()
    pid = kernel.syscall(
        ctypes.c_long(CLONE),
        ctypes.c_ulong(flags),
        None,
        None,
        *((tid, None) if CLONE == 56 else (None, tid)),
    )
    if pid == 0:
        ctypes.pythonapi.PyOS_AfterFork_Child()
    else:
        ctypes.pythonapi.PyOS_AfterFork_Parent()
        if pid < 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return pid


# Where the C library keeps the thread's number, so that the child's is its own.
tid = ctypes.c_void_p()
if kernel.prctl(PR_GET_TID_ADDRESS, ctypes.byref(tid), 0, 0, 0) != 0:
    tid.value = None


def loaded_by(name):
    """Find which modules a fresh interpreter loads for `import name`, in a child."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        for other in [m for m in sys.modules if m not in fresh]:
            del sys.modules[other]
        try:
            __import__(name)
            os.write(writing, "\n".join(m for m in sys.modules if m not in fresh).encode())
        finally:
            os._exit(0)
    os.close(writing)
    with open(reading, "rb") as file:
        names = file.read().decode().split()
    os.waitpid(child, 0)
    return names


def keep():
    """Load what is kept; gives the modules, and which each of them brings along."""
    own = [m for m in sys.modules if m not in fresh]
    wanted = {name: loaded_by(name) for name in KEPT if name not in fresh}
    for name in sorted({m for names in wanted.values() for m in names} - set(wanted)):
        wanted[name] = loaded_by(name)
    aside = {name: sys.modules.pop(name) for name in own}
    for name in wanted:
        __import__(name)
    stash = {name: sys.modules.pop(name) for name in list(sys.modules) if name not in fresh}
    sys.modules.update(aside)
    brings = {name: [m for m in names if m in stash] for name, names in wanted.items()}
    return stash, {name: names for name, names in brings.items() if name in stash}


class Kept:
    """Finds the modules that are kept aside; what each is is as an import would have made it."""

    def __init__(self, stash, brings, spec):
        """Remember what is kept."""
        self.stash, self.brings, self.spec = stash, brings, spec

    def find_spec(self, name, path=None, target=None):
        """Bring a module and what it imports."""
        names = self.brings.get(name)
        if names is None:
            return None
        for other in names:
            if other != name:
                sys.modules.setdefault(other, self.stash[other])
        return self.spec(name, self, origin=None)

    def create_module(self, spec):
        """Give the module as it was loaded."""
        module = self.stash[spec.name]
        self.specs = getattr(module, "__spec__", None), module
        return module

    def exec_module(self, module):
        """Nothing is left to do but to give it back its own description."""
        module.__spec__ = self.specs[0]


stash, brings = keep()
sys.meta_path.insert(0, Kept(stash, brings, sys.__spec__.__class__))
# Candidates may replace what the end needs.
leave, kill, finish = os._exit, os.kill, atexit._run_exitfuncs
loader = sys.modules["_frozen_importlib_external"].SourceFileLoader
for name in [m for m in sys.modules if m not in fresh]:
    del sys.modules[name]
# What the interpreter makes when it first compiles and runs something it has made by then.
exec(compile(FIRST, "first", "exec"), {"__name__": "first"})
gc.collect()
gc.freeze()
here = _socket.socket(fileno=os.dup(3))
os.set_inheritable(here.fileno(), False)
os.close(3)
here.send(b"ready")
space = _socket.CMSG_SPACE(3 * 4)
while True:
    data, held, _, _ = here.recvmsg(ORDER_CAP, space)
    if not data:
        os._exit(0)
    order = marshal.loads(data)  # noqa: S302  (the supervisor's own)
    ends = [
        int.from_bytes(held[0][2][i : i + 4], sys.byteorder) for i in range(0, len(held[0][2]), 4)
    ]
    try:
        if fork() == 0:
            break
    except OSError as error:
        here.send(b"failed " + str(error).encode())
    for end in ends:
        os.close(end)

# From here on it is the candidate's process.
try:
    os.setsid()
    file = os.open("/proc/self/oom_score_adj", os.O_WRONLY)
    os.write(file, b"1000")
    os.close(file)
    for target, end in enumerate(ends, 1):
        os.dup2(end, target)
    for kind, value in order["limits"]:
        resource.setrlimit(kind, (value, value))
    uid = order["uid"]
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)
    kernel.prctl(PR_SET_DUMPABLE, 1, 0, 0, 0)
    kernel.prctl(PR_SET_PDEATHSIG, 9, 0, 0, 0)
    os.umask(0o022)
    os.nice(order["nice"])
    os.chdir(order["work"])
    path = order["work"] + "/" + order["argv"][-1]
    file = os.open(path, os.O_RDONLY)
    text = os.read(file, os.fstat(file).st_size)
    os.close(file)
    here.send(b"started %d" % os.getpid())
except BaseException as error:
    here.send(b"failed " + repr(error).encode()[:300])
    os._exit(127)
here.detach()
os.closerange(4, 256)
sys.argv[:] = [order["argv"][-1]]
sys.orig_argv[:] = order["argv"]
sys.path_importer_cache.pop(sys.path[0], None)
sys.path[0] = order["work"]
main = type(sys)("__main__")
main.__file__ = path
main.__builtins__ = builtins
main.__cached__ = None
main.__annotations__ = {}
main.__loader__ = loader("__main__", path)
sys.modules["__main__"] = main
# One frame of this text stands under the program's.
sys.setrecursionlimit(sys.getrecursionlimit() + 1)
code = 0
try:
    exec(compile(text, path, "exec"), main.__dict__)
except SystemExit as error:
    code = error.code
    if code is None:
        code = 0
    elif not isinstance(code, int):
        sys.stdout.flush()
        print(code, file=sys.stderr)
        code = 1
except BaseException as error:
    sys.last_exc, sys.last_type, sys.last_value = error, type(error), error
    sys.last_traceback = error.__traceback__ = error.__traceback__.tb_next
    code = -2 if isinstance(error, KeyboardInterrupt) else 1
    sys.excepthook(type(error), error, error.__traceback__)
# The interpreter's own end, but for the clearing of its modules.
if "threading" in sys.modules:
    sys.modules["threading"]._shutdown()
finish()
try:
    for stream in (sys.stdout, sys.stderr):
        if stream is not None and not stream.closed:
            stream.flush()
except BaseException:
    sys.exit(code)  # the interpreter's own end says why it can't be written
if code == -2:
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    kill(os.getpid(), signal.SIGINT)
leave(code & 0xFF)
