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
# Ctrl-C ends all workers, those on other machines by SIGHUP; what they measured is merged.
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
  local ended=
  trap 'ended=early' INT TERM
  # The terminal passes the end of ssh on to the worker.
  # shellcheck disable=SC2029 # The words are quoted here, for the shell there.
  ssh -n -tt -o BatchMode=yes "$host" "$(printf '%q ' "${command[@]}")" || true
  # It then writes its report and deletes its folder on the server.
  [ -z "$ended" ] || sleep 2
  ssh -n -o BatchMode=yes "$host" "tar -C $remote -cf - worker-$number" | tar -C "$out" -xf -
  ssh -n -o BatchMode=yes "$host" "rm -r $remote/worker-$number"
  # Fails while another worker of this machine has results there, or has removed it.
  ssh -n -o BatchMode=yes "$host" "rmdir $remote 2>/dev/null" || true
}

pids=()
stopping=
# Sends a signal to all workers, each of which then deletes its folder on the server.
stop() {
  stopping=1
  for pid in "${pids[@]}"; do
    kill -s "$1" -- "-$pid" 2>/dev/null || true
  done
}
trap 'stop INT' INT
trap 'stop TERM' TERM
# Each worker gets a process group. Without, it would ignore SIGINT.
set -m
for ((number = 1; number <= workers; number++)); do
  run "$number" "$@" >"$out/worker-$number.log" 2>&1 &
  pids+=($!)
done
set +m
printf 'workers: %s start at %s; their output is in %s/worker-*.log\n' "$workers" "$start" "$out" >&2
for ((number = 1; number <= workers; number++)); do
  while true; do
    stopping=
    code=0
    wait "${pids[number - 1]}" || code=$?
    # A signal ends the wait, not the worker.
    [ -n "$stopping" ] || break
  done
  [ "$code" = 0 ] || printf 'workers: worker %s: exit code %s: %s\n' "$number" "$code" \
    "$(tail -n 1 "$out/worker-$number.log")" >&2
done
exec "$merging" load merge "$out"
