#!/usr/bin/env bash
# Installs the programs that tests and benches meet as peers, from Debian's packages: Python with
# the C core of gRPC, and protoc for its messages. What is installed already is left as it is;
# nothing is started.
set -euo pipefail

fail() {
  printf 'install-peers: %s\n' "$1" >&2
  exit 1
}

# Debian's own: a Python of the user's in front of it on the path has other packages.
python=/usr/bin/python3
[ -x "$python" ] || python=python3

missing=()
"$python" -c 'import grpc' >/dev/null 2>&1 || missing+=(python3-grpcio)
"$python" -c 'import google.protobuf' >/dev/null 2>&1 || missing+=(python3-protobuf)
command -v protoc >/dev/null 2>&1 || missing+=(protobuf-compiler)
if [ ${#missing[@]} -eq 0 ]; then
  printf 'install-peers: all are installed\n'
  exit 0
fi

command -v apt-get >/dev/null 2>&1 ||
  fail "no apt-get here: install ${missing[*]} with your system's package manager"
[ "$(id -u)" -eq 0 ] || fail "run it as root, for instance: sudo $0"

# Another installation may be under way: wait for it for a while.
apt-get update -qq
DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=120 install -y -qq \
  --no-install-recommends "${missing[@]}"
