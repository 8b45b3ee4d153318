#!/usr/bin/env bash
# Fifty ordinary runs on a quiet machine, against the simulated endpoint on
# its own core: fifty times exit 0, no check of validity tripped. RUNS and PORT
# from the environment.
set -euo pipefail
cd "$(dirname "$0")"
. ./tools.sh
port=${PORT:-9037}
runs=${RUNS:-50}
build
endpoint "$port" --ttft 50ms --itl 5ms --max-tokens 20
fine=0
for i in $(seq "$runs"); do
  code=0
  taskset -c 1 "$tmp/tidemark" run --url "http://127.0.0.1:$port/v1" --max-tokens 20 --out "$tmp/$i" --format summary >/dev/null 2>"$tmp/$i.err" || code=$?
  if [ "$code" = 0 ]; then
    fine=$((fine + 1))
  elif [ -e "$tmp/$i/report.json" ]; then
    echo "run $i:"; python3 ../verdict.py "$tmp/$i" "$code"
  else
    echo "run $i: exit $code"; tail -3 "$tmp/$i.err"
  fi
done
echo "$fine of $runs exit 0"
[ "$fine" = "$runs" ]
