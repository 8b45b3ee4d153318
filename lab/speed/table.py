"""Measures the settings of docs/PERFORMANCE.md, the floor and the tool by turns, and writes the page's tables."""
import argparse, statistics, sys

import measure, page

# What is to be reached. Times are said less true, in ms, at up to 500 streams; beyond, twice that.
CPU_FRAME, CPU_REQUEST = 2.0, 2.5  # times the floor's
TTFT_MEAN, TTFT_P99, ITL_P99 = 0.5, 2.0, 0.5
EXACT_STREAMS = 500
KIB_A_STREAM, QUIET_TTFT_MEAN = 16, 1.0
GROWTH = 1.25  # memory after a hundred times the requests: a heap's peak is never the same twice
FEW, MANY = 6_400, 640_000

def arguments():
    p = argparse.ArgumentParser(prog="table.sh", description=__doc__)
    numbers = lambda s: [int(n) for n in s.split(",")]
    p.add_argument("--runs", type=int, default=5, help="of each (5)")
    p.add_argument("--only", default="streams,short,quiet", help="parts to measure; the page keeps the others (streams,short,quiet)")
    p.add_argument("--streams", type=numbers, default=[100, 500, 700, 1000], help="(100,500,700,1000)")
    p.add_argument("--quiet-streams", type=int, default=10_000, help="(10000)")
    p.add_argument("--quiet-turns", type=int, default=2, help="requests a quiet stream (2)")
    p.add_argument("--requests", type=int, default=64_000, help="of short answers, for CPU (64000)")
    p.add_argument("--long", action="store_true", help=f"short answers once more, {MANY:,} of them, for memory: a minute or two")
    p.add_argument("--print", action="store_true", help="leave the page alone")
    p.add_argument("--page", required=True, help=argparse.SUPPRESS)
    p.add_argument("--tools", required=True, help=argparse.SUPPRESS)
    p.add_argument("--port", type=int, required=True, help=argparse.SUPPRESS)
    a = p.parse_args()
    a.only = a.only.split(",")
    if a.runs < 1 or not set(a.only) <= {"streams", "short", "quiet"}:
        p.error("--runs is at least 1, --only takes streams, short and quiet")
    return a

def by_turns(a, what, endpoint, n, requests, tokens):
    floors, tools = [], []
    for i in range(a.runs):
        print(f"{what}: {n} streams, {requests} requests, run {i + 1} of {a.runs}", file=sys.stderr)
        floors.append(measure.floor(endpoint, n, requests, tokens))
        tools.append(measure.tidemark(endpoint, n, requests, tokens))
    return floors, tools

def streams(a):
    settings = {}
    with measure.Endpoint(a.tools, a.port, "50ms", "10ms", 100) as endpoint:
        for n in a.streams:
            settings[n] = by_turns(a, "streams", endpoint, n, 4 * n, 100)
    found = []
    for n, (floors, tools) in settings.items():
        twice = 1 if n <= EXACT_STREAMS else 2
        mid = page.ratio(floors, tools, "cpu_frame_us")[0]
        if n >= EXACT_STREAMS:
            found.append((f"{n:,} streams: CPU a frame, of the floor's", f"{mid:.2f}", f"{CPU_FRAME:g}", mid <= CPU_FRAME))
        refused = n > EXACT_STREAMS and all(r["verdict"]["valid"] is False for r in tools)
        for name, field, limit in (("TTFT mean", "ttft_mean", TTFT_MEAN), ("TTFT p99", "ttft_p99", TTFT_P99), ("ITL p99", "itl_p99", ITL_P99)):
            far = statistics.median(abs(page.off(field)(r)) for r in tools)
            found.append((f"{n:,} streams: {name} off", f"{far:.2f} ms" + (", and says INVALID" if refused else ""),
                          f"{limit * twice:g} ms", far <= limit * twice or refused))
    return page.streams(settings), found

def short(a):
    settings = {}
    with measure.Endpoint(a.tools, a.port, "1ms", "0s", 8) as endpoint:
        for requests in sorted({FEW, a.requests}):
            settings[requests] = by_turns(a, "short answers", endpoint, 64, requests, 8)
        if a.long:
            print(f"short answers: {MANY} requests", file=sys.stderr)
            settings[MANY] = [], [measure.tidemark(endpoint, 64, MANY, 8, paired=False)]
    mid = page.ratio(*settings[a.requests], "cpu_request_us")[0]
    found = [("short answers: CPU a request, of the floor's", f"{mid:.2f}", f"{CPU_REQUEST:g}", mid <= CPU_REQUEST)]
    if a.long:
        for name, field in (("under load", "load_kib"), ("of the whole process", "peak_kib")):
            few, many = (page.middle(settings[n][1], lambda r: r[field]) for n in (FEW, MANY))
            if few and many:
                grown = many[0] / few[0]
                found.append((f"memory {name} after {MANY:,} requests, of that after {FEW:,}", f"{grown:.2f}", f"{GROWTH:g}", grown <= GROWTH))
    return page.short(settings), found

def before_the_level(a):
    """Connections that a run takes before its level starts: a run of one request on one stream takes one more."""
    with measure.Endpoint(a.tools, a.port, "1ms", "1ms", 5) as endpoint:
        return measure.tidemark(endpoint, 1, 1, 5)["connections"] - 1

def quiet(a):
    n, before = a.quiet_streams, before_the_level(a)
    with measure.Endpoint(a.tools, a.port, "8s", "10ms", 5) as endpoint:
        floors, tools = by_turns(a, "quiet streams", endpoint, n, a.quiet_turns * n, 5)
    for r in tools:
        r["connections"] -= before
    size = statistics.median(r["peak_kib"] / n for r in tools)
    far = statistics.median(abs(page.off("ttft_mean")(r)) for r in tools)
    seen = sorted({r["connections"] for r in tools})
    return page.quiet({n: (floors, tools)}), [
        (f"{n:,} quiet streams: memory of the whole process, a stream", f"{size:.1f} KiB", f"{KIB_A_STREAM} KiB", size <= KIB_A_STREAM),
        (f"{n:,} quiet streams: TTFT mean off", f"{far:.2f} ms", f"{QUIET_TTFT_MEAN:g} ms", far <= QUIET_TTFT_MEAN),
        (f"{n:,} quiet streams: connections that the endpoint saw", ", ".join(f"{s:,}" for s in seen), f"{n:,}", seen == [n]),
    ]

def main():
    a = arguments()
    missed = False
    parts = {"streams": streams, "short": short, "quiet": quiet}
    if not a.print:
        for part in ("machine", *parts):
            page.marked(open(a.page, encoding="utf-8").read(), part)  # found out before anything is measured
    show(a, "machine", page.machine(a.tools, a.runs))
    for part in parts:
        if part in a.only:
            rows, found = parts[part](a)
            missed = missed or not all(held for *_, held in found)
            show(a, part, rows + "\n\n" + page.bounds(found))
    return int(missed)

def show(a, part, content):
    print(f"\n{content}", flush=True)
    if not a.print:
        page.insert(a.page, part, content)

sys.exit(main())
