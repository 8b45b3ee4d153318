#!/usr/bin/env bash
# A witness we did not write: tcpdump captures a run on loopback, and the
# report is held against the times of its packets. Then once more with the
# client robbed of its CPU in bursts: the report must say that it is INVALID.
# As root, on two cores, with tcpdump, gcc and Python 3.
set -euo pipefail
cd "$(dirname "$0")"
port=${PORT:-9017}
tmp=$(mktemp -d)
(cd ../.. && CGO_ENABLED=0 go build -o "$tmp/tidemark" ./cmd/tidemark)
(cd .. && go build -o "$tmp/witness" ./witness)
gcc -O2 -o "$tmp/robber" ../robber/robber.c

taskset -c 0 "$tmp/tidemark" sim --addr "127.0.0.1:$port" --ttft 50ms --itl 10ms >"$tmp/sim.log" 2>&1 &
sim=$!
trap 'kill "$sim" 2>/dev/null || true; rm -rf "$tmp"' EXIT
for _ in $(seq 50); do (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null && break; sleep 0.1; done

# captured NAME COMMAND…: runs the command while tcpdump listens.
captured() {
  taskset -c 0 tcpdump -i lo -s 0 -B 65536 --time-stamp-precision=nano -U -w "$tmp/$1.pcap" "tcp port $port" 2>"$tmp/$1.tcpdump" &
  local dump=$!
  sleep 1
  "${@:2}"
  sleep 1
  kill -INT "$dump"; wait "$dump" || true
  grep -E 'captured|dropped by kernel' "$tmp/$1.tcpdump"
}
ladder() { taskset -c 1 "$tmp/tidemark" run --url "http://127.0.0.1:$port/v1" --concurrency 1,8,32,100 --requests 200 --max-tokens 50 --out "$tmp/$1" --format summary; }

echo '== a quiet machine'
captured quiet ladder quiet
"$tmp/witness" -pcap "$tmp/quiet.pcap" -run "$tmp/quiet" -port "$port"

echo '== robbed of its CPU: bursts of 25 ms, 60 ms apart'
robbed() {
  taskset -c 1 chrt -f 10 "$tmp/robber" 25 60 120 & local robber=$!
  taskset -c 1 "$tmp/tidemark" run --url "http://127.0.0.1:$port/v1" --concurrency 20 --requests 200 --max-tokens 50 --out "$tmp/robbed" --format summary || code=$?
  kill "$robber"
}
code=0
captured robbed robbed
"$tmp/witness" -pcap "$tmp/robbed.pcap" -run "$tmp/robbed" -port "$port" -strict=false
python3 ../verdict.py "$tmp/robbed" "$code"
[ "$code" = 3 ] || { echo 'the report does not say that it is INVALID'; exit 1; }
