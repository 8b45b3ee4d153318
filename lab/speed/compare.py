"""Runs the client against the simulated endpoint and holds what it recorded, request by request, against what the
endpoint says it sent. Both sides are the same requests: the endpoint numbers its answers, the records have the numbers."""
import csv, io, json, resource, subprocess, sys, tempfile, urllib.request

tmp, port, streams = sys.argv[1], sys.argv[2], int(sys.argv[3])
tokens, turns = 100, 4
out = tempfile.mkdtemp(dir=tmp)
run = subprocess.run(
    ["taskset", "-c", "1", f"{tmp}/tidemark", "run", "--url", f"http://127.0.0.1:{port}/v1", "--concurrency", str(streams),
     "--requests", str(turns * streams), "--max-tokens", str(tokens), "--warmup", "0", "--out", out, "--format", "summary"],
    stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
use = resource.getrusage(resource.RUSAGE_CHILDREN)
level = json.load(open(f"{out}/report.json"))["levels"][0]
truth = json.load(urllib.request.urlopen(f"http://127.0.0.1:{port}/sim/truth"))
table = subprocess.run([f"{tmp}/tidemark", "report", out, "--format", "csv"], capture_output=True, text=True, check=True).stdout
sent = {f"sim-{r['number']}": r for r in truth["rows"]}
pairs = [(r, sent[r["request_id"]]) for r in csv.DictReader(io.StringIO(table))
         if r["phase"] == "measured" and r["outcome"] == "ok" and r["request_id"] in sent]

def rank(values, p):
    values = sorted(values)
    return values[max(-(-len(values) * p // 100), 1) - 1]

def line(name, ours, theirs):
    mean = lambda v: sum(v) / len(v)
    print(f"  {name:<5} mean {mean(ours):9.3f} / {mean(theirs):9.3f}   p50 {rank(ours, 50):9.3f} / {rank(theirs, 50):9.3f}"
          f"   p99 {rank(ours, 99):9.3f} / {rank(theirs, 99):9.3f}")

ok = level["reliability"]
frames = turns * streams * tokens
print(f"streams {streams}: exit {run.returncode}, ok {ok['ok']} of {ok['sent']}, {use.ru_maxrss // 1024} MB resident, "
      f"{(use.ru_utime + use.ru_stime) * 1e6 / frames:.1f} us of CPU a frame (the whole process, report included)")
print(f"  in flight {level['load']['achieved_concurrency']['mean']:.1f}, "
      f"uncertain {level['frames']['uncertain']} of {level['frames']['output']} frames")
print(f"  ms, client / endpoint, {len(pairs)} requests")
line("TTFT", [(float(r["first_output_ns"]) - float(r["sent_ns"])) / 1e6 for r, _ in pairs], [t["ttft_ms"] for _, t in pairs])
line("E2E", [(float(r["last_output_ns"]) - float(r["sent_ns"])) / 1e6 for r, _ in pairs], [t["e2e_ms"] for _, t in pairs])
mean, p50, p99 = map(float, subprocess.run([f"{tmp}/gaps", out], capture_output=True, text=True, check=True).stdout.split())
gap = truth["gap_ms"]  # of all streams since the reset: the preflight's 99 gaps too
print(f"  ITL   mean {mean:9.3f} / {gap['mean']:9.3f}   p50 {p50:9.3f} / {gap['p50']:9.3f}   p99 {p99:9.3f} / {gap['p99']:9.3f}")
