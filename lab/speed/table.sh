#!/usr/bin/env bash
# What the client costs and how exact it is, beside a floor in C that decodes
# nothing, against the simulated endpoint's own truth: the tables of
# docs/PERFORMANCE.md. Linux, two quiet cores, gcc, Go, Python 3. Exit 1: a
# bound was missed.
#
#   bash lab/speed/table.sh                             everything; some twelve minutes
#   bash lab/speed/table.sh --long                      and 640,000 short answers
#   bash lab/speed/table.sh --runs 1 --only streams --streams 500 --print
#   bash lab/speed/table.sh --help
set -euo pipefail
cd "$(dirname "$0")"
. ./tools.sh
build floor meter recorded
ulimit -n "$(ulimit -Hn)"
LOAD_BEFORE=$(cut -d' ' -f1 /proc/loadavg) python3 -B table.py --tools "$tmp" --port "${PORT:-9027}" --page ../../docs/PERFORMANCE.md "$@"
