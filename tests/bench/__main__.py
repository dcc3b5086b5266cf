"""All benchmarks, one after the other: `make bench`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent


def main() -> None:
    """Run each in a process of its own; fail when one does."""
    failed: list[str] = []
    for path in sorted(HERE.glob("bench_*.py")):
        print(f"\n== {path.stem}", flush=True)
        if subprocess.run([sys.executable, str(path)], check=False).returncode != 0:
            failed.append(path.stem)
    if failed:
        raise SystemExit(f"benchmarks that fell short: {', '.join(failed)}")


if __name__ == "__main__":
    main()
