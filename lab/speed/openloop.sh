#!/usr/bin/env bash
# Does load leave when it is due? 2,000 requests a second for 10 s, answers of
# 8 tokens, from an endpoint that answers after 1 ms; the client has core 1 to
# itself. At p99 a request is dispatched within 0.2 ms of its moment, and its
# first byte is sent within 1 ms. Exit 1: it was not. Linux, two cores, Python 3.
#
#   bash lab/speed/openloop.sh        RATE, DURATION, PORT from the environment
set -euo pipefail
cd "$(dirname "$0")"
. ./tools.sh
port=${PORT:-9057}
build
ulimit -n "$(ulimit -Hn)"
endpoint "$port" --ttft 1ms --itl 0s --max-tokens 8
code=0
taskset -c 1 "$tmp/tidemark" run --url "http://127.0.0.1:$port/v1" --rate "${RATE:-2000}" --duration "${DURATION:-10s}" \
  --max-tokens 8 --out "$tmp/open" --format summary >/dev/null 2>"$tmp/err" || code=$?
[ -e "$tmp/open/report.json" ] || { echo "no report, exit $code:"; cat "$tmp/err"; exit 1; }
python3 ../verdict.py "$tmp/open" "$code"
python3 - "$tmp/open/report.json" <<'P'
import json, sys
level = json.load(open(sys.argv[1]))["levels"][0]
load, missed = level["load"], False
print(f"  due {load['due']}, unsent {load['unsent']}, ok {level['reliability']['ok']}, "
      f"in flight {load['achieved_concurrency']['mean']:.1f} on average")
for name, field, limit in (("dispatched - due", "dispatch_lag_ms", 0.2), ("sent - due", "send_lag_ms", 1.0)):
    d = level["latency"][field]
    held = d["p99"] < limit
    missed = missed or not held
    print(f"  {name:<16} ms: mean {d['mean']:.3f}  p50 {d['p50']:.3f}  p99 {d['p99']:.3f}  max {d['max']:.3f}"
          f"   p99 below {limit:g}: {'held' if held else 'MISSED'}")
sys.exit(missed)
P
