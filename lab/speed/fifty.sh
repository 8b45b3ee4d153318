#!/usr/bin/env bash
# Fifty ordinary runs on a quiet machine, against the simulated endpoint on
# its own core, half of them closed loops, half open: fifty times valid.
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
fine=0
for i in $(seq "$runs"); do
  load=(--concurrency 1,8,32)
  [ $((i % 2)) = 0 ] && load=(--rate 20,100 --duration 4s)
  code=0
  taskset -c 1 "$tmp/tidemark" run --url "http://127.0.0.1:$port/v1" "${load[@]}" --max-tokens 20 --out "$tmp/$i" --format summary >/dev/null 2>"$tmp/$i.err" || code=$?
  if python3 - "$tmp/$i/report.json" "$code" <<'PY'
import json, sys
report, code = json.load(open(sys.argv[1])), int(sys.argv[2])
bad = [f"level {l['level']}: {c['id']} {c['status']} {c['found']}" for l in report["levels"] for c in l["validity"]["checks"]
       if c["severity"] == "invalid" and c["status"] in ("failed", "undecided")]
if code or bad or not report["verdict"]["valid"]:
    print("exit", code, *bad)
    sys.exit(1)
PY
  then fine=$((fine + 1)); else echo "run $i: ${load[*]}"; tail -2 "$tmp/$i.err"; fi
done
echo "$fine of $runs valid, no check failed or undecided"
[ "$fine" = "$runs" ]
