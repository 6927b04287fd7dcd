#!/usr/bin/env bash
# Installs Debian packages of Ceph and its S3 gateway, which tests start by ceph.sh. Does not change
# installed programs, and starts no service.
set -euo pipefail

fail() {
  printf 'install-ceph: %s\n' "$1" >&2
  exit 1
}

# Tests of two JVMs may call this at the same time.
if command -v flock >/dev/null 2>&1; then
  exec 9<"$0"
  flock 9
fi

missing=()
command -v ceph-mon >/dev/null 2>&1 || missing+=(ceph-mon)
command -v ceph-osd >/dev/null 2>&1 || missing+=(ceph-osd)
command -v radosgw >/dev/null 2>&1 || missing+=(radosgw)
command -v ceph >/dev/null 2>&1 || missing+=(ceph-common)
if [ ${#missing[@]} -eq 0 ]; then
  printf 'install-ceph: Ceph and its S3 gateway are installed\n'
  exit 0
fi

command -v apt-get >/dev/null 2>&1 ||
  fail "no apt-get here: install ${missing[*]} with your system's package manager"
[ "$(id -u)" -eq 0 ] || fail "run it as root, for instance: sudo $0"

# Prevent the packages from starting services.
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
  printf '#!/bin/sh\nexit 101\n' >"$policy"
  chmod +x "$policy"
  trap 'rm -f "$policy"' EXIT
fi
apt-get update -qq
# Wait up to 120 s for another running installation.
DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=120 install -y \
  --no-install-recommends "${missing[@]}"
