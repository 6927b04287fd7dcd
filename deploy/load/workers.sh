#!/usr/bin/env bash
# Starts workers of ferry load with a common start, and merges their results.
#
#   deploy/load/workers.sh N OUT OPTION...
#
# N workers share the load that the OPTIONs describe, and leave their results in the folder OUT.
# They run on this machine, or by ssh in turn on those that HOSTS names:
#
#   deploy/load/workers.sh 4 run --rate 2000/s --for 10s --mix stat:1,call:3
#   HOSTS="load1 load2" deploy/load/workers.sh 4 run --server files:7070 --rate 100/s
#
#   FERRY      the program, on each of the machines (default: ferry of this work tree, or ferry)
#   START_IN   seconds until the start, in which all workers have to be ready (default: 20)
#
# A variable FERRY_TOKEN does not pass ssh: put a token file on each machine, for --token-file.
# The exit code is that of ferry load merge: 1 if a worker is missing or ended early.
set -euo pipefail

fail() {
  printf 'workers: %s\n' "$1" >&2
  exit 2
}

[ $# -ge 3 ] || fail "give the number of workers, the folder for results, and options of ferry load"
[[ $1 =~ ^([2-9]|[1-9][0-9]{1,3})$ ]] ||
  fail "'$1' is no number of workers; give 2 to 9999, and run one by ferry load itself"
workers=$1
out=$2
shift 2
read -r -a hosts <<<"${HOSTS:-}"
ferry=${FERRY:-}
here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
if [ -z "$ferry" ]; then
  ferry=ferry
  [ ${#hosts[@]} -gt 0 ] || [ ! -x "$here/ferry" ] || ferry=$here/ferry
fi
merging=$ferry
[ ! -x "$here/ferry" ] || merging=${FERRY:-$here/ferry}
mkdir -p "$out"
if [ -e "$out/worker-1" ]; then
  fail "$out has the results of another run; name another folder"
fi

start=$(date -u -d "+${START_IN:-20} seconds" +%Y-%m-%dT%H:%M:%SZ)
remote=ferry-load-${start//:/}-$$

# Runs a worker, here or on its machine.
run() {
  local number=$1
  shift
  local folder=$out host=
  if [ ${#hosts[@]} -gt 0 ]; then
    host=${hosts[(number - 1) % ${#hosts[@]}]}
    folder=$remote
  fi
  local command=("$ferry" load "$@" --workers "$workers" --worker "$number")
  command+=(--start-at "$start" --out "$folder")
  if [ -z "$host" ]; then
    exec "${command[@]}" </dev/null
  fi
  # shellcheck disable=SC2029 # The words are quoted here, for the shell there.
  ssh -n -o BatchMode=yes "$host" "$(printf '%q ' "${command[@]}")" || true
  ssh -n -o BatchMode=yes "$host" "tar -C $remote -cf - worker-$number" | tar -C "$out" -xf -
  ssh -n -o BatchMode=yes "$host" "rm -r $remote/worker-$number"
  # Fails while another worker of this machine has results there, or has removed it.
  ssh -n -o BatchMode=yes "$host" "rmdir $remote 2>/dev/null" || true
}

pids=()
# Ctrl-C goes to the workers, too, and each of them deletes its folder on the server.
trap ':' INT
trap 'kill "${pids[@]}" 2>/dev/null || true' TERM
for ((number = 1; number <= workers; number++)); do
  run "$number" "$@" >"$out/worker-$number.log" 2>&1 &
  pids+=($!)
done
printf 'workers: %s start at %s; their output is in %s/worker-*.log\n' "$workers" "$start" "$out" >&2
for ((number = 1; number <= workers; number++)); do
  code=0
  wait "${pids[number - 1]}" || code=$?
  [ "$code" = 0 ] || printf 'workers: worker %s: exit code %s: %s\n' "$number" "$code" \
    "$(tail -n 1 "$out/worker-$number.log")" >&2
done
exec "$merging" load merge "$out"
