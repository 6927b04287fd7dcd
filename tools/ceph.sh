#!/usr/bin/env bash
# Runs a small Ceph for tests: a monitor, three OSDs, and two S3 gateways over the same objects. It
# listens on 127.0.0.1 only, and all its files are in one folder.
#
#   ceph.sh start DIR                starts it; makes it first if the folder is empty or missing
#   ceph.sh stop DIR                 kills its processes; "start" then goes on with what it holds
#   ceph.sh run DIR                  "start", then "stop" at the end of the input, or on a signal
#   ceph.sh gateway N DIR            starts gateway 1 or 2 again
#   ceph.sh osd N DIR                starts OSD 0, 1 or 2 again
#   ceph.sh kill-gateway N DIR       kills it (SIGKILL)
#   ceph.sh kill-osd N DIR
#
# DIR/s3 has the addresses of the gateways, one a line. DIR/log has what the processes say. The
# credentials are those below, the region is us-east-1. install-ceph.sh installs what it needs.
set -euo pipefail

access_key=FERRYTESTACCESSKEY01
secret_key=FerryTestSecretKey0000000000000000000001

fail() {
  printf 'ceph: %s\n' "$1" >&2
  exit 1
}

usage() {
  fail "usage: ceph.sh start|stop|run DIR, or gateway|osd|kill-gateway|kill-osd N DIR"
}

command=${1:-}
case $command in
  start | stop | run) [ $# -eq 2 ] || usage ;;
  gateway | kill-gateway | osd | kill-osd)
    [ $# -eq 3 ] || usage
    number=$2
    ;;
  *) usage ;;
esac
directory=$(realpath -m "${!#}")
conf=$directory/ceph.conf
# Include the directories of servers, which are not on the PATH of every user.
PATH=$PATH:/usr/sbin:/usr/local/sbin

# Returns a port that is free, and not one that outgoing connections are given.
free_port() {
  local port
  while true; do
    port=$((20000 + RANDOM % 10000))
    (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || break
  done
  printf '%s' "$port"
}

# Calls a command until it succeeds, for 60 s.
await() {
  local what=$1
  shift
  for _ in $(seq 600); do
    if "$@" >/dev/null 2>&1; then
      return 0 # without 0 it fails in a trap
    fi
    sleep 0.1
  done
  fail "$what takes more than 60 s; see $directory/log"
}

# Whether a process runs, and is not another one that was given its number later.
is_alive() {
  local pid=$directory/$1.pid
  [ -f "$pid" ] && grep -qsF "$directory" "/proc/$(<"$pid")/cmdline"
}

# Starts a daemon that this script does not wait for. It holds no file or pipe of the caller.
daemon() {
  local name=$1
  shift
  if is_alive "$name"; then
    fail "$name is running"
  fi
  (
    for descriptor in /proc/"$BASHPID"/fd/*; do
      descriptor=${descriptor##*/}
      case $descriptor in
        0 | 1 | 2 | 255 | '*') ;;
        *) eval "exec $descriptor>&-" ;;
      esac
    done
    exec "$@" -f -c "$conf"
  ) >>"$directory/log/$name.out" 2>&1 </dev/null &
  printf '%s\n' "$!" >"$directory/$name.pid"
  # Do not report its end.
  disown
}

kill_daemon() {
  if is_alive "$1"; then
    kill -KILL "$(<"$directory/$1.pid")" 2>/dev/null || true
    await "the end of $1" is_dead "$1"
  fi
  rm -f "$directory/$1.pid"
}

is_dead() {
  ! is_alive "$1"
}

write_conf() {
  cat >"$conf" <<CONF
[global]
fsid = $1
mon_host = v2:127.0.0.1:$2
public_network = 127.0.0.0/8
ms_bind_msgr1 = false
auth_cluster_required = none
auth_service_required = none
auth_client_required = none
# Gateways ask for encryption, which needs authentication.
ms_mon_client_mode = crc
keyring = $directory/keyring
run_dir = $directory
admin_socket =
pid_file =
log_file = $directory/log/\$name.log
mon_cluster_log_file = $directory/log/cluster.log
crash_dir = $directory/log
ms_async_op_threads = 1
# Two of three copies: one OSD may be killed, and the rest serves reads and writes.
osd_pool_default_size = 2
osd_pool_default_min_size = 1
osd_pool_default_pg_num = 8
osd_pool_default_pg_autoscale_mode = off
osd_crush_chooseleaf_type = 0
mon_max_pg_per_osd = 1000
# The disk of a developer may be nearly full.
mon_data_avail_crit = 1
mon_osd_full_ratio = .97
mon_osd_backfillfull_ratio = .96
mon_osd_nearfull_ratio = .95
# Short waits: for a vote among one monitor, and for OSDs that do not answer.
paxos_propose_interval = 0.05
paxos_min_wait = 0.02
osd_heartbeat_interval = 1
osd_heartbeat_grace = 5
mon_osd_min_down_reporters = 1
mon_osd_adjust_heartbeat_grace = false
[mon]
mon_data = $directory/mon
[osd]
osd_data = $directory/osd.\$id
osd_objectstore = bluestore
osd_memory_target = 402653184
osd_op_num_shards = 2
osd_op_num_threads_per_shard = 1
bluestore_block_path =
# Sparse files.
bluestore_block_size = 21474836480
bluestore_cache_autotune = false
bluestore_cache_size = 67108864
[client]
rgw_data = $directory
rgw_thread_pool_size = 64
rgw_num_rados_handles = 1
rgw_override_bucket_index_max_shards = 1
rgw_dynamic_resharding = false
# Free the space of deleted and replaced objects after seconds, not hours.
rgw_gc_obj_min_wait = 10
rgw_gc_processor_period = 10
rgw_gc_processor_max_time = 10
CONF
}

make_monitor() {
  local fsid port
  fsid=$(cat /proc/sys/kernel/random/uuid)
  port=$(free_port)
  mkdir -p "$directory/mon"
  write_conf "$fsid" "$port"
  printf 'http://127.0.0.1:%s\n' "$(free_port)" "$(free_port)" >"$directory/s3"
  ceph-authtool --create-keyring "$directory/keyring" --gen-key -n mon. --cap mon 'allow *' \
    >/dev/null
  monmaptool --create --fsid "$fsid" --addv a "[v2:127.0.0.1:$port]" "$directory/monmap" >/dev/null
  ceph-mon -c "$conf" --mkfs -i a --monmap "$directory/monmap" --keyring "$directory/keyring"
}

# Makes the files of the OSDs, and tells the monitor of them.
make_osds() {
  local makers=() id uuid
  for id in 0 1 2; do
    mkdir -p "$directory/osd.$id"
    uuid=$(cat /proc/sys/kernel/random/uuid)
    printf 'osd new %s %s\n' "$uuid" "$id" >>"$directory/commands"
    ceph-osd -c "$conf" -i "$id" --mkfs --osd-uuid "$uuid" >"$directory/log/mkfs.$id.out" 2>&1 &
    makers+=($!)
  done
  for maker in "${makers[@]}"; do
    wait "$maker" || fail "ceph-osd --mkfs failed; see $directory/log"
  done
  monitor <"$directory/commands" >/dev/null
}

monitor() {
  timeout 30 ceph -c "$conf" --connect-timeout 5 "$@" 2>>"$directory/log/monitor.out"
}

osds_are_up() {
  monitor osd stat | grep -q '3 up'
}

start_osd() {
  daemon "osd.$1" ceph-osd -i "$1"
}

gateway_address() {
  sed -n "$1p" "$directory/s3"
}

start_gateway() {
  daemon "gateway.$1" radosgw -n "client.gateway$1" \
    --rgw-frontends "beast endpoint=$(gateway_address "$1" | cut -c 8-)"
}

gateway_answers() {
  local address
  address=$(gateway_address "$1")
  (exec 3<>"/dev/tcp/127.0.0.1/${address##*:}") 2>/dev/null
}

start() {
  local made=
  for program in ceph ceph-mon ceph-osd radosgw; do
    command -v "$program" >/dev/null 2>&1 || fail "'$program' not found: run tools/install-ceph.sh"
  done
  mkdir -p "$directory/log"
  if [ ! -f "$directory/made" ]; then
    [ ! -e "$conf" ] || fail "$directory has an unfinished Ceph: delete it"
    made=now
    make_monitor
  fi
  daemon mon ceph-mon -i a
  await "the monitor's start" monitor mon stat
  if [ -n "$made" ]; then
    make_osds
  fi
  for id in 0 1 2; do
    start_osd "$id"
  done
  await "the OSDs' start" osds_are_up
  if [ -n "$made" ]; then
    timeout 60 radosgw-admin -c "$conf" user create --uid=ferry --display-name=Ferry \
      --access-key="$access_key" --secret-key="$secret_key" >"$directory/log/user.out" 2>&1 ||
      fail "no user was made; see $directory/log/user.out"
    touch "$directory/made"
  fi
  for n in 1 2; do
    start_gateway "$n"
  done
  for n in 1 2; do
    await "the start of gateway $n" gateway_answers "$n"
  done
}

# The monitor is the last one. All of them are made to survive this.
stop() {
  for name in gateway.1 gateway.2 osd.0 osd.1 osd.2 mon; do
    kill_daemon "$name"
  done
}

case $command in
  start) start ;;
  stop) stop ;;
  run)
    trap stop EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM HUP
    start
    printf 'running\n'
    while read -r _; do :; done
    ;;
  gateway)
    start_gateway "$number"
    await "the start of gateway $number" gateway_answers "$number"
    ;;
  osd)
    start_osd "$number"
    await "the OSDs' start" osds_are_up
    ;;
  kill-gateway) kill_daemon "gateway.$number" ;;
  kill-osd) kill_daemon "osd.$number" ;;
esac
