#!/bin/sh
# Makes debian:trixie-slim from Debian packages, for machines that reach no container registry.
# The work is done beside the Dockerfiles, where an installed wheel has it too.
exec sh "$(dirname "$0")/../images/base/debian-trixie-slim.sh" "$@"
