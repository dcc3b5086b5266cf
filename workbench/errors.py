"""The few errors a user meets: each is one line that says what, where and what to do."""

from __future__ import annotations


class WorkbenchError(Exception):
    """Something failed. The message is one line for a person; the exit code is 1."""

    exit_code = 1


class UsageError(WorkbenchError):
    """What was asked for can't be: an unknown name, a bad value, an unreadable file. Exit code 2."""

    exit_code = 2


class DataError(UsageError):
    """A benchmark or sample file is missing, damaged or of another form than it should be."""


class SamplesMissing(WorkbenchError):
    """Tasks have no sample: a number over them can't be made, only one over a declared subset."""


class SandboxUnavailable(WorkbenchError):
    """No sandbox of the wanted kind can be started on this machine."""


class SandboxFault(WorkbenchError):
    """The machine's side failed while a program was judged: never the candidate's outcome."""


class GenerationFailed(WorkbenchError):
    """A model gave no answer after all retries: never the model's outcome."""


class SessionError(WorkbenchError):
    """A session can't be opened, locked, resumed or read."""
