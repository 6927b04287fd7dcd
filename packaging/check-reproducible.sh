#!/usr/bin/env bash
# Builds the packages of the current commit twice, in two fresh clones, and compares them.
set -euo pipefail

root=$(cd -P "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for build in first second; do
  git clone -q "$root" "$work/$build"
  "$work/$build/packaging/build.sh" >/dev/null
done
diff "$work/first/packaging/target/SHA256SUMS" "$work/second/packaging/target/SHA256SUMS"
cat "$work/first/packaging/target/SHA256SUMS"
