"""The `workbench` command: finds the subcommand, loads only that, turns errors into one line."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence

import click

from workbench import __version__
from workbench.errors import WorkbenchError

COMMANDS = {
    "run": ("workbench.cli.run", "run", "Generate, judge and report: a new session."),
    "resume": ("workbench.cli.run", "resume", "Go on with an interrupted session."),
    "extend": ("workbench.cli.run", "extend", "Draw more samples in a session."),
    "demo": ("workbench.cli.run", "demo", "The main job with the embedded model."),
    "view": ("workbench.cli.view", "view", "Open a session in the terminal, or print it."),
    "report": ("workbench.cli.reports", "report", "The numbers of a session, labelled."),
    "compare": ("workbench.cli.compare", "compare", "Differences of models, languages, modes."),
    "published": ("workbench.cli.published", "published", "Results published elsewhere, apart."),
    "rescore": ("workbench.cli.rescore", "rescore", "Judge a session's answers anew, elsewise."),
    "rows": ("workbench.cli.reports", "rows", "One row a sample or turn."),
    "reproduce": ("workbench.cli.reproduce", "reproduce", "Execute one stored program again."),
    "export": ("workbench.cli.reports", "export", "Write a session as one file."),
    "import": ("workbench.cli.reports", "import_", "Check and unpack an exported session."),
    "sessions": ("workbench.cli.sessions", "sessions", "List, delete and restore sessions."),
    "score": ("workbench.cli.judging", "score", "Judge completions that exist already."),
    "check": ("workbench.cli.judging", "check", "Prove the toolchains: references, stubs, cheats."),
    "data": ("workbench.cli.data", "data", "Benchmark files: list, fetch, path."),
    "images": ("workbench.cli.images", "images", "Toolchain images: build, list, prune."),
    "recipes": ("workbench.cli.recipes", "recipes", "Repair recipes: list, show, check."),
    "doctor": ("workbench.cli.doctor", "doctor", "What works on this machine and what doesn't."),
}
"""Name -> module, function, one line of help: so that help needs no import of what it describes."""


class Commands(click.Group):
    """A group whose commands are imported when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names in the order of use."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one command."""
        if cmd_name not in COMMANDS:
            return None
        module, function, _ = COMMANDS[cmd_name]
        command = getattr(importlib.import_module(module), function)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry[2]) for name, entry in COMMANDS.items()])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, or say which is near."""
        name = args[0]
        if name not in COMMANDS and not name.startswith("-"):
            import difflib

            near = difflib.get_close_matches(name, COMMANDS, n=1)
            hint = f" did you mean {near[0]!r}?" if near else " see `workbench --help`"
            raise click.UsageError(f"no command {name!r}:{hint}")
        return super().resolve_command(ctx, args)


@click.command(
    cls=Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, prog_name="workbench")
@click.option("--sessions", metavar="DIR", help="Where sessions are kept (WORKBENCH_SESSIONS).")
@click.pass_context
def cli(ctx: click.Context, sessions: str | None) -> None:
    """Evaluate code models across languages.

    Without a command: the terminal application.
    """
    if sessions is not None:
        os.environ["WORKBENCH_SESSIONS"] = sessions
    if ctx.invoked_subcommand is None:
        from workbench.cli.view import open_home

        ctx.exit(open_home())


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and leave with its exit code: 0 ok, 2 usage, 1 failed, 130 interrupted."""
    try:
        code = cli.main(args=arguments, standalone_mode=False)
        sys.exit(code if isinstance(code, int) else 0)
    except click.exceptions.Exit as done:
        sys.exit(done.exit_code)
    except click.Abort:
        sys.exit(130)
    except KeyboardInterrupt:
        sys.exit(130)
    except click.ClickException as error:
        _say(error.format_message())
        sys.exit(2 if isinstance(error, click.UsageError) else 1)
    except WorkbenchError as error:
        _say(str(error))
        sys.exit(error.exit_code)
    except BrokenPipeError:
        # The reader of our pipe (`head`, a pager) has seen enough.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        _say(f"{place}{error.strerror or error}")
        sys.exit(1)


def _say(message: str) -> None:
    from workbench.text import clean

    line = " ".join(clean(message).split())
    click.echo(f"workbench: {line}", err=True)
