#!/bin/sh
# Precompiles each list of includes in headers/ into /opt/workbench/pch, with the flags of the
# language folder's compile command, and notes which files it draws in.
set -eu
flags="-std=c++17 -w -fdiagnostics-color=never"
mkdir -p /opt/workbench/pch
cp "$1"/*.h /opt/workbench/pch
printf '%s\n' "$flags" >/opt/workbench/pch/flags
for header in /opt/workbench/pch/*.h; do
    # shellcheck disable=SC2086  # a list of flags
    g++ $flags -M -MF "$header.files" "$header"
    # shellcheck disable=SC2086
    g++ $flags -x c++-header -o "$header.gch" "$header"
done
chmod 644 /opt/workbench/pch/*
