#!/usr/bin/env bash
# Fifty ordinary runs on a quiet machine, against the simulated endpoint on
# its own core: fifty times exit 0.
set -euo pipefail
cd "$(dirname "$0")"
port=${PORT:-9037}
runs=${RUNS:-50}
tmp=$(mktemp -d)
(cd ../.. && CGO_ENABLED=0 go build -o "$tmp/tidemark" ./cmd/tidemark)
taskset -c 0 "$tmp/tidemark" sim --addr "127.0.0.1:$port" --ttft 50ms --itl 5ms --max-tokens 20 >"$tmp/sim.log" 2>&1 &
sim=$!
trap 'kill "$sim" 2>/dev/null || true; rm -rf "$tmp"' EXIT
for _ in $(seq 50); do (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null && break; sleep 0.1; done
fine=0 warned=0
for i in $(seq "$runs"); do
  code=0
  taskset -c 1 "$tmp/tidemark" run --url "http://127.0.0.1:$port/v1" --max-tokens 20 --out "$tmp/$i" --format summary >/dev/null 2>"$tmp/$i.err" || code=$?
  [ "$code" = 0 ] && fine=$((fine + 1)) || { echo "run $i: exit $code"; tail -3 "$tmp/$i.err"; }
  grep -q uncertain_arrivals "$tmp/$i/report.json" && { warned=$((warned + 1)); echo "run $i: uncertain arrivals"; } || true
done
echo "$fine of $runs exit 0, $warned warned of uncertain arrivals"
[ "$fine" = "$runs" ]
