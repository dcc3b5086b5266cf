#!/bin/sh
# Records the versions that can change a verdict in /opt/workbench/manifest.json.
#   manifest.sh LANGUAGE [TOOL=VERSION | PATTERN]...
# PATTERN is a dpkg pattern (g++-[0-9]*) of installed packages and must match at least one.
set -eu
language=$1
shift
tools=
packages=

plain() {
    case $1 in
        "" | *[!A-Za-z0-9.+:~_-]*)
            echo "manifest.sh: '$1' is no name or version" >&2
            exit 1
            ;;
    esac
}

add() { # list so far, name, version -> longer list
    plain "$2"
    plain "$3"
    printf '%s%s    "%s": "%s"' "$1" "${1:+,
}" "$2" "$3"
}

for entry in "$@"; do
    case $entry in
        *=*) tools=$(add "$tools" "${entry%%=*}" "${entry#*=}") ;;
        *)
            found=$(dpkg-query -W -f '${db:Status-Status} ${Package} ${Version}\n' "$entry" | sed -n 's/^installed //p' | sort)
            [ -n "$found" ] || {
                echo "manifest.sh: no installed package matches '$entry'" >&2
                exit 1
            }
            while read -r name version; do
                packages=$(add "$packages" "$name" "$version")
            done <<LIST
$found
LIST
            ;;
    esac
done

plain "$language"
mkdir -p /opt/workbench
cat >/opt/workbench/manifest.json <<JSON
{
  "language": "$language",
  "packages": {
$packages
  },
  "tools": {
$tools
  }
}
JSON
chmod 644 /opt/workbench/manifest.json
cat /opt/workbench/manifest.json
