#!/usr/bin/env bash
# Runs the image of image.sh by runc, as root of this machine: a server with a read-only root, in
# the network of this machine, to which a file is put and from which it is got. Needs umoci, skopeo,
# runc, python3, and the package's jar with a JDK here.
set -euo pipefail

here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=${here%/*}
work=$(mktemp -d)
name=ferry-$$
cleanup() {
  runc kill "$name" KILL 2>/dev/null || true
  wait
  runc delete --force "$name" 2>/dev/null || true
  rm -rf "$work"
}
trap cleanup EXIT

skopeo copy --quiet "oci-archive:$here/target/ferry-image.tar:ferry" "oci:$work/image:ferry"
umoci unpack --image "$work/image:ferry" "$work/bundle"
mkdir -m 777 "$work/srv"
python3 - "$work" <<'PYTHON'
import json
import sys

work = sys.argv[1]
path = work + "/bundle/config.json"
with open(path) as file:
    config = json.load(file)
config["process"]["terminal"] = False
config["root"]["readonly"] = True
config["linux"]["namespaces"] = [
    space for space in config["linux"]["namespaces"] if space["type"] != "network"
]
config["mounts"] = [m for m in config["mounts"] if m["destination"] not in ("/srv", "/tmp")]
config["mounts"] += [
    {"destination": "/tmp", "type": "tmpfs", "source": "tmpfs", "options": ["nosuid", "mode=1777"]},
    {"destination": "/srv", "type": "bind", "source": work + "/srv", "options": ["bind", "rw"]},
]
config["process"]["args"] += ["--grpc-port", "17070", "--http-port", "17080"]
with open(path, "w") as file:
    json.dump(config, file)
PYTHON
runc run --bundle "$work/bundle" "$name" >"$work/server.log" 2>&1 &
head -c 5000000 /dev/urandom >"$work/file"
client=("$root/ferry")
"${client[@]}" put "$work/file" file --server 127.0.0.1:17070 --retry-for 60s || {
  cat "$work/server.log" >&2
  exit 1
}
"${client[@]}" get file "$work/copy" --server 127.0.0.1:17080 --carrier http
cmp "$work/file" "$work/copy"
runc kill "$name" TERM
echo "try-image: served with a read-only root, as user $(stat -c %u "$work/srv/file")"
