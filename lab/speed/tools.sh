# What the scripts here have in common; sourced in this directory.
tmp=$(mktemp -d)
started=()
cleanup() {
  for pid in "${started[@]}"; do kill "$pid" 2>/dev/null && wait "$pid" 2>/dev/null || true; done
  rm -rf "$tmp"
}
trap cleanup EXIT

# build TOOL…: tidemark, and more of what stands in this directory or beside it.
build() {
  (cd ../.. && CGO_ENABLED=0 go build -o "$tmp/tidemark" ./cmd/tidemark)
  for tool in "$@"; do
    case $tool in
      recorded) (cd .. && go build -o "$tmp/recorded" ./speed/recorded) ;;
      robber) gcc -O2 -o "$tmp/robber" ../robber/robber.c ;;
      *) gcc -O2 -o "$tmp/$tool" "$tool.c" ;;
    esac
  done
}

# endpoint PORT FLAGS…: the simulated endpoint on core 0, ended with the script.
endpoint() {
  if (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; then
    echo "something listens on port $1 already; set PORT to a free one"; exit 1
  fi
  taskset -c 0 "$tmp/tidemark" sim --addr "127.0.0.1:$1" "${@:2}" >"$tmp/sim.log" 2>&1 &
  started+=($!)
  for _ in $(seq 100); do (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null && return; sleep 0.1; done
  echo 'the simulated endpoint did not start:'; cat "$tmp/sim.log"; exit 1
}
