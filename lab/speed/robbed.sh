#!/usr/bin/env bash
# A client robbed of its core: 500 streams while a real-time loop takes core 1
# for 25 ms at a time. The report must say that its figures describe the
# client: INVALID, exit 3, and the check that found it, V1. As root, for the
# robber's priority; Linux, two cores, gcc, Python 3.
#
#   bash lab/speed/robbed.sh          STREAMS, BURST and REST (ms), PORT from the environment
set -euo pipefail
cd "$(dirname "$0")"
. ./tools.sh
port=${PORT:-9047}
streams=${STREAMS:-500}
build robber
endpoint "$port" --ttft 50ms --itl 10ms --max-tokens 100
taskset -c 1 chrt -f 10 "$tmp/robber" "${BURST:-25}" "${REST:-60}" 120 &
started+=($!)
code=0
taskset -c 1 "$tmp/tidemark" run --url "http://127.0.0.1:$port/v1" --concurrency "$streams" --requests $((4 * streams)) \
  --max-tokens 100 --warmup 0 --out "$tmp/robbed" --format summary >/dev/null 2>"$tmp/err" || code=$?
[ -e "$tmp/robbed/report.json" ] || { echo "no report, exit $code:"; cat "$tmp/err"; exit 1; }
found=$(python3 ../verdict.py "$tmp/robbed" "$code")
echo "$found"
if [ "$code" = 3 ] && grep -q '^ *V1\.[a-z]* (invalid)' <<<"$found"; then
  echo 'as it must be'
else
  echo 'NOT as it must be: exit 3 and a failed V1 were expected'; exit 1
fi
