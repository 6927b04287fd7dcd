#!/usr/bin/env bash
# Installs Debian packages of the programs that some rows of the bench compare Ferry with: nginx,
# curl, rsync, rclone, and Python with the C core of gRPC. Also installs what tests need: HAProxy as a
# second proxy beside nginx, litmus and rclone as clients of WebDAV, wrk and h2load (nghttp2-client) as
# load testers, protoc for messages of the C core, and a locale that is not English. Does not change
# installed programs, and starts no service.
set -euo pipefail

fail() {
  printf 'install-peers: %s\n' "$1" >&2
  exit 1
}

# Include the directories of servers, which are not on the PATH of every user.
PATH=$PATH:/usr/sbin:/usr/local/sbin

# Prefer Debian's Python: another Python on the PATH does not have Debian's packages.
python=/usr/bin/python3
[ -x "$python" ] || python=python3

missing=()
command -v nginx >/dev/null 2>&1 || missing+=(nginx-light)
command -v haproxy >/dev/null 2>&1 || missing+=(haproxy)
command -v curl >/dev/null 2>&1 || missing+=(curl)
command -v litmus >/dev/null 2>&1 || missing+=(litmus)
command -v wrk >/dev/null 2>&1 || missing+=(wrk)
command -v h2load >/dev/null 2>&1 || missing+=(nghttp2-client)
command -v rsync >/dev/null 2>&1 || missing+=(rsync)
command -v rclone >/dev/null 2>&1 || missing+=(rclone)
"$python" -c 'import grpc' >/dev/null 2>&1 || missing+=(python3-grpcio)
"$python" -c 'import google.protobuf' >/dev/null 2>&1 || missing+=(python3-protobuf)
command -v protoc >/dev/null 2>&1 || missing+=(protobuf-compiler)
# The texts of the system in German.
{ [ -e /usr/share/i18n/locales/de_DE ] && [ -e /usr/share/locale/de/LC_MESSAGES/libc.mo ]; } ||
  missing+=(locales libc-l10n)
if [ ${#missing[@]} -eq 0 ]; then
  printf 'install-peers: nginx, haproxy, curl, litmus, wrk, h2load, rsync, rclone, python3-grpcio, protoc and locales are installed\n'
  exit 0
fi

command -v apt-get >/dev/null 2>&1 ||
  fail "no apt-get here: install ${missing[*]} with your system's package manager"
[ "$(id -u)" -eq 0 ] || fail "run it as root, for instance: sudo $0"

# Prevent nginx and HAProxy from starting as services. The bench and the tests start their own.
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
