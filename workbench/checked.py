"""What a check found: rows, and the counts that decide whether a toolchain judges rightly."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from workbench.outcomes import Outcome

Kind = Literal["reference", "proof", "buggy", "stub", "cheat"]
"""`proof`: the reference of a task that stands for a benchmark's family, not of the benchmark."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What the judge said of one item."""

    task: str
    language: str
    kind: Kind
    name: str
    outcome: Outcome
    detail: str
    suspicions: tuple[str, ...]
    """Known tricks that were seen in the candidate's text."""
    known_bad: str = ""
    """Why the benchmark's own reference fails; empty when it must pass."""
    known_good: str = ""
    """Why the benchmark's own buggy solution passes; empty when it must not."""
    tries: int = 1
    """How often it was run: more than once only for references that failed first."""

    @property
    def as_expected(self) -> bool:
        """Whether the judge said what it must."""
        right = self.kind in ("reference", "proof") and not self.known_bad
        if right or self.known_good:
            return self.outcome is Outcome.PASSED
        return self.outcome.scored and self.outcome is not Outcome.PASSED

    def to_json(self) -> dict[str, Any]:
        """As JSON values."""
        return {
            "task": self.task,
            "language": self.language,
            "kind": self.kind,
            "name": self.name,
            "outcome": str(self.outcome),
            "detail": self.detail,
            "suspicions": list(self.suspicions),
            "known_bad": self.known_bad,
            "known_good": self.known_good,
            "tries": self.tries,
        }


@dataclass(frozen=True, slots=True)
class LanguageCheck:
    """What was found of one language."""

    language: str
    rows: tuple[Checked, ...]

    def of(self, kind: Kind) -> list[Checked]:
        """The rows of one kind."""
        return [row for row in self.rows if row.kind == kind]

    def passed(self, kind: Kind) -> list[Checked]:
        """The rows of one kind that passed."""
        return [row for row in self.of(kind) if row.outcome is Outcome.PASSED]

    @property
    def known_bad(self) -> list[Checked]:
        """References that fail as they are known to."""
        return [r for r in self.of("reference") if r.known_bad and r.as_expected]

    @property
    def known_good(self) -> list[Checked]:
        """Buggy solutions that pass as they are known to."""
        return [r for r in self.of("buggy") if r.known_good and r.as_expected]

    @property
    def unsteady(self) -> list[Checked]:
        """References that failed first and passed when they were run again."""
        return [row for row in self.passed("reference") if row.tries > 1]

    @property
    def unexpected(self) -> list[Checked]:
        """Rows whose outcome isn't what it must be, lost ones among them."""
        return [row for row in self.rows if not row.as_expected]

    @property
    def suspects(self) -> list[Checked]:
        """References in whose text a known trick is seen: false alarms."""
        return [row for row in self.of("reference") if row.suspicions]

    @property
    def ok(self) -> bool:
        """Whether nothing was unexpected."""
        return not self.unexpected

    def to_json(self) -> dict[str, Any]:
        """As JSON values."""
        return {
            "language": self.language,
            "ok": self.ok,
            "references": {
                "total": len(self.of("reference")),
                "passed": len(self.passed("reference")),
                "known_bad": [row.to_json() for row in self.known_bad],
                "unsteady": [row.to_json() for row in self.unsteady],
                "suspects": [row.to_json() for row in self.suspects],
            },
            "proofs": {"total": len(self.of("proof")), "passed": len(self.passed("proof"))},
            "buggy": {
                "total": len(self.of("buggy")),
                "passed": len(self.passed("buggy")),
                "known_good": [row.to_json() for row in self.known_good],
            },
            "stubs": {"total": len(self.of("stub")), "passed": len(self.passed("stub"))},
            "cheats": {
                "total": len(self.of("cheat")),
                "passed": len(self.passed("cheat")),
                "suspects": sum(bool(row.suspicions) for row in self.of("cheat")),
            },
            "unexpected": [row.to_json() for row in self.unexpected],
        }


@dataclass(frozen=True, slots=True)
class CheckReport:
    """What was found, by language."""

    sandbox: str
    languages: tuple[LanguageCheck, ...]
    manifests: Mapping[str, Mapping[str, object]] = field(
        default_factory=dict[str, Mapping[str, object]]
    )

    @property
    def ok(self) -> bool:
        """Whether nothing was unexpected in any language."""
        return all(language.ok for language in self.languages)

    def to_json(self) -> dict[str, Any]:
        """As JSON values."""
        return {
            "ok": self.ok,
            "sandbox": self.sandbox,
            "languages": [language.to_json() for language in self.languages],
            "manifests": {name: dict(manifest) for name, manifest in self.manifests.items()},
        }
