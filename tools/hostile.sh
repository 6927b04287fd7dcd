#!/usr/bin/env bash
# Starts a server on loopback with a heap of 512 MiB, attacks it in all ways that Ferry's tests know,
# one after another, and prints how a good client is served meanwhile. A developer's tool: it attacks
# nothing but the server that it starts.
#
#   hostile.sh [SECONDS [PART]]   seconds of each attack (10), and a part of the names of those to make
set -euo pipefail
cd "${BASH_SOURCE[0]%/*}/.."

seconds=${1:-10}
part=${2:-}
# What users start, built if need be.
./ferry --version
log=$(mktemp)
trap 'rm -f "$log"' EXIT
mvn -B -q -pl ferry-cli -am test -Dtest=HostileClientsTest -Dsurefire.failIfNoSpecifiedTests=false \
  -Dferry.thorough=true -Dferry.hostile.command="$PWD/ferry" -Dferry.hostile.seconds="$seconds" \
  -Dferry.hostile.quiet=90 -Dferry.hostile.only="$part" >"$log" 2>&1 || failed=yes
# Maven resets the colors of a terminal in front of the first line.
sed 's/\x1b\[[0-9;]*m//g' "$log" | grep -a -e '^| ' -e '^|---' -e '^[0-9]* MiB ' || true
if [ -n "${failed:-}" ]; then
  grep -a -A 20 -e '^\[ERROR\]' "$log" | head -n 40
  exit 1
fi
