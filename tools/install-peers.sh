#!/usr/bin/env bash
# Installs the programs that some rows of the bench are measured against, nginx, curl and Python with
# the C core of gRPC, and protoc, which the tests need for such a peer's messages, from Debian's
# packages. What is installed already is left as it is; nothing is started.
set -euo pipefail

fail() {
  printf 'install-peers: %s\n' "$1" >&2
  exit 1
}

# Servers are not on everyone's path.
PATH=$PATH:/usr/sbin:/usr/local/sbin

# Debian's own: a Python of the user's in front of it on the path has other packages.
python=/usr/bin/python3
[ -x "$python" ] || python=python3

missing=()
command -v nginx >/dev/null 2>&1 || missing+=(nginx-light)
command -v curl >/dev/null 2>&1 || missing+=(curl)
"$python" -c 'import grpc' >/dev/null 2>&1 || missing+=(python3-grpcio)
"$python" -c 'import google.protobuf' >/dev/null 2>&1 || missing+=(python3-protobuf)
command -v protoc >/dev/null 2>&1 || missing+=(protobuf-compiler)
if [ ${#missing[@]} -eq 0 ]; then
  printf 'install-peers: nginx, curl, python3-grpcio and protoc are installed\n'
  exit 0
fi

command -v apt-get >/dev/null 2>&1 ||
  fail "no apt-get here: install ${missing[*]} with your system's package manager"
[ "$(id -u)" -eq 0 ] || fail "run it as root, for instance: sudo $0"

# The package would start a server of its own on port 80; the bench starts one when it needs it.
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
  printf '#!/bin/sh\nexit 101\n' >"$policy"
  chmod +x "$policy"
  trap 'rm -f "$policy"' EXIT
fi
apt-get update -qq
# Another installation may be under way: wait for it for a while.
DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=120 install -y \
  --no-install-recommends "${missing[@]}"
