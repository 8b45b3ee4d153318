"""Holds the records of a run against vLLM's own histogram of time to first token, of the same requests:

    histogram.py METRICS-BEFORE METRICS-AFTER ATTEMPTS.csv REPORT.json

The engine counts from where its HTTP server has read a request up to where that server takes the first token from the
scheduler; the client from the send to the arrival of that token's bytes. So the client's time holds the engine's: it is
longer by the reading of the request and the writing of the token, and never shorter. What is held against the engine
are the records of all requests, the preflight's too, since the engine counts all; the report's own mean, of the requests
of its window, stands beside. Exit 1: beyond the bound."""
import collections, csv, json, math, re, sys

TTFT, STEP = "vllm:time_to_first_token_seconds", "vllm:inter_token_latency_seconds"
# How much longer than the engine's the client's mean may be, in the engine's own mean time between tokens: its HTTP
# server shares a core with the scheduler, and reading the request, making text of the token, and writing it may each
# wait for a step.
MEAN_STEPS = 3
# The same for a single request, by which a percentile may lie above its bucket's end.
RANK_STEPS = 6

def histogram(path, name):
    """Cumulative counts by upper edge in ms, the sum in ms, and the count."""
    buckets, total, count = collections.Counter(), 0.0, 0
    for line in open(path):
        m = re.match(re.escape(name) + r"_(bucket|sum|count)\{(.*)\} (\S+)$", line)
        if not m:
            continue
        kind, labels, value = m.groups()
        if kind == "bucket":
            buckets[float(re.search(r'le="([^"]+)"', labels)[1]) * 1e3] += float(value)
        elif kind == "sum":
            total += float(value) * 1e3
        else:
            count += round(float(value))
    return buckets, total, count

def bucket(buckets, count, p):
    """The edges between which the nearest-rank percentile lies."""
    low, rank = 0.0, max(math.ceil(count * p / 100), 1)
    for edge in sorted(buckets):
        if buckets[edge] >= rank:
            return low, edge
        low = edge
    return low, math.inf

def during(before, after, name):
    """What a histogram took in between two readings of the metrics."""
    old, new = histogram(before, name), histogram(after, name)
    return {edge: new[0][edge] - old[0][edge] for edge in new[0]}, new[1] - old[1], new[2] - old[2]

def main(before, after, attempts, report):
    buckets, total, count = during(before, after, TTFT)
    _, steps, gaps = during(before, after, STEP)
    ours = sorted((float(r["first_output_ns"]) - float(r["sent_ns"])) / 1e6
                  for r in csv.DictReader(open(attempts)) if r["first_output_ns"])
    level = json.load(open(report))["levels"][0]
    if not count or not gaps or count != len(ours):
        print(f"  the engine counted {count} first tokens, the records have {len(ours)}: not the same requests")
        return 1
    step, engine, client = steps / gaps, total / count, sum(ours) / count
    off, most = client - engine, MEAN_STEPS * step
    bad = not 0 <= off <= most
    told = level["latency"]["ttft_ms"]
    print(f"concurrency {level['load']['concurrency']}: {count} requests; ms; {step:.2f} between the engine's tokens")
    print(f"  mean  engine {engine:8.2f}   records {client:8.2f}   off {off:+6.2f} (bound 0 to {most:+.2f})"
          f"   report {told['mean']:.2f} (the {told['n']} of its window)")
    for p in (50, 90, 99):
        low, high = bucket(buckets, count, p)
        value = ours[max(math.ceil(count * p / 100), 1) - 1]
        outside = not low <= value <= high + RANK_STEPS * step
        bad = bad or outside
        print(f"  p{p}   engine {low:g} to {high:g}   records {value:8.2f}{'   OUTSIDE' if outside else ''}")
    print("  BEYOND THE BOUND" if bad else "  within the bound")
    return int(bad)

sys.exit(main(*sys.argv[1:]))
