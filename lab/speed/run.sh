#!/usr/bin/env bash
# What the client costs and how exact it is: many streams of 100 tokens, 10 ms
# apart, first after 50 ms, from the simulated endpoint in its own process on
# one core, the client on the other; its report held against the endpoint's
# own truth. Linux, two cores, Python 3 for the table.
#
#   bash lab/speed/run.sh [streams …]        (500 1000)
set -euo pipefail
cd "$(dirname "$0")"
port=${PORT:-9027}
tmp=$(mktemp -d)
(cd ../.. && CGO_ENABLED=0 go build -o "$tmp/tidemark" ./cmd/tidemark)
(cd .. && go build -o "$tmp/gaps" ./gaps)
taskset -c 0 "$tmp/tidemark" sim --addr "127.0.0.1:$port" --ttft 50ms --itl 10ms --max-tokens 100 >"$tmp/sim.log" 2>&1 &
sim=$!
trap 'kill "$sim" 2>/dev/null || true; rm -rf "$tmp"' EXIT
for _ in $(seq 50); do (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null && break; sleep 0.1; done

for streams in "${@:-500 1000}"; do for n in $streams; do
  curl -sf -X DELETE "http://127.0.0.1:$port/sim/truth" >/dev/null
  python3 compare.py "$tmp" "$port" "$n"
done; done
