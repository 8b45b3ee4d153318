"""One client against the simulated endpoint: what it used, what it says, and what the endpoint says of the same requests.

The endpoint has core 0, the client core 1. Directory TOOLS holds what table.sh built: tidemark, floor, meter, recorded."""
import contextlib, csv, http.client, io, json, os, subprocess, tempfile, time

MODEL = "sim"

class Endpoint:
    """The simulated endpoint, in a process of its own on core 0."""

    def __init__(self, tools, port, ttft, itl, tokens):
        self.tools, self.port, self.dials = tools, port, 0
        self.pace = ["--ttft", ttft, "--itl", itl, "--max-tokens", str(tokens), "--model", MODEL]

    def __enter__(self):
        with contextlib.suppress(OSError):
            self.ask("GET")
            raise SystemExit(f"something listens on port {self.port} already; set PORT to a free one")
        self.dials = 0
        self.process = subprocess.Popen(
            ["taskset", "-c", "0", f"{self.tools}/tidemark", "sim", "--addr", f"127.0.0.1:{self.port}", *self.pace],
            stdout=subprocess.DEVNULL)
        for _ in range(100):
            try:
                self.ask("GET")
                return self
            except OSError:
                time.sleep(0.1)
        self.__exit__()
        raise SystemExit("the simulated endpoint did not start")

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()

    def ask(self, method):
        """Each question takes a connection, which is left out of the endpoint's count."""
        c = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        c.connect()
        self.dials += 1
        c.request(method, "/sim/truth", headers={"Connection": "close"})
        body = c.getresponse().read()
        c.close()
        if method == "GET":
            truth = json.loads(body)
            truth["connections"] -= self.dials
            return truth

    def during(self, client):
        """What a client found, and the endpoint's truth of it."""
        before = self.ask("GET")["connections"]
        self.ask("DELETE")
        found = client()
        truth = self.ask("GET")
        truth["connections"] -= before
        return found, truth

def metered(tools, command):
    """Runs a command on core 1; what it used (of the whole process, its start included), its exit code and its output."""
    with tempfile.NamedTemporaryFile(suffix=".json") as use:
        run = subprocess.run([f"{tools}/meter", use.name, "taskset", "-c", "1", *command], capture_output=True, text=True)
        return json.load(open(use.name)), run

def floor(endpoint, streams, requests, tokens):
    """The floor's row."""
    def client():
        use, run = metered(endpoint.tools, [f"{endpoint.tools}/floor", *map(str, (streams, requests, tokens, endpoint.port)), MODEL])
        if run.returncode:
            raise SystemExit(f"the floor failed: {run.stderr}")
        return use, json.loads(run.stdout)
    (use, said), truth = endpoint.during(client)
    if said["frames"] != requests * tokens:
        raise SystemExit(f"the floor saw {said['frames']} frames of {requests * tokens}")
    return row(use, requests, tokens, truth, said=said, true=truth, rate=requests / said["wall_s"], uncertain=100 * said["merged"] / said["frames"],
               verdict=None)

def tidemark(endpoint, streams, requests, tokens, paired=True):
    """The tool's row. Unless paired is false its times are of exactly the requests that the endpoint's are of: answers
    have numbers, and the records have them."""
    with tempfile.TemporaryDirectory() as out:
        def client():
            return metered(endpoint.tools, [
                f"{endpoint.tools}/tidemark", "run", "--url", f"http://127.0.0.1:{endpoint.port}/v1", "--model", MODEL,
                "--concurrency", str(streams), "--requests", str(requests), "--max-tokens", str(tokens), "--warmup", "0",
                "--out", out, "--force", "--format", "summary"])
        (use, run), truth = endpoint.during(client)
        if not os.path.exists(f"{out}/report.json"):
            raise SystemExit(f"no report, exit {run.returncode}: {run.stderr}")
        level = json.load(open(f"{out}/report.json"))["levels"][0]
        kept = json.loads(subprocess.run([f"{endpoint.tools}/recorded", out], capture_output=True, text=True, check=True).stdout)
        if level["reliability"]["ok"] != requests:
            raise SystemExit(f"{level['reliability']['ok']} of {requests} requests ended ok: {level['reliability']['outcomes']}")
        said, true = {"itl_ms": kept["itl_ms"]}, {"gap_ms": truth["gap_ms"]}
        if paired:
            said["ttft_ms"], true["ttft_ms"] = pairs(endpoint, out, truth, requests)
    return row(use, requests, tokens, truth, said=said, true=true, rate=level["throughput"]["requests_per_s"],
               uncertain=100 * level["frames"]["uncertain"] / max(level["frames"]["output"], 1),
               verdict=verdict(level), load_kib=kept["rss_kib"] or None)  # over before it was sampled

def verdict(level):
    failed = [c["id"] for c in level["validity"]["checks"] if c["status"] == "failed" and c["severity"] == "invalid"]
    return {"valid": level["validity"]["valid"], "failed": failed, "short": level["short"]}

def pairs(endpoint, out, truth, requests):
    """Time to first token, of the same requests on both sides."""
    table = subprocess.run([f"{endpoint.tools}/tidemark", "report", out, "--format", "csv"], capture_output=True, text=True, check=True)
    sent = {f"sim-{r['number']}": r["ttft_ms"] for r in truth["rows"]}
    ours, theirs = [], []
    for r in csv.DictReader(io.StringIO(table.stdout)):
        if r["phase"] == "measured" and r["request_id"] in sent:
            ours.append((int(r["first_output_ns"]) - int(r["sent_ns"])) / 1e6)
            theirs.append(sent[r["request_id"]])
    if len(ours) != requests:
        raise SystemExit(f"{len(ours)} of {requests} requests are known to both sides")
    return spread(ours), spread(theirs)

def spread(values):
    values = sorted(values)
    return {"mean": sum(values) / len(values), "p99": values[-(-len(values) * 99 // 100) - 1]}

def row(use, requests, tokens, truth, said, true, **more):
    """Times are pairs, said and true, in ms; None where they were not compared."""
    def both(ours, theirs, figure):
        return (said[ours][figure], true[theirs][figure]) if said.get(ours) and true.get(theirs) else None
    return {
        "cpu_s": use["cpu_s"],
        "cpu_frame_us": use["cpu_s"] * 1e6 / (requests * tokens), "cpu_request_us": use["cpu_s"] * 1e6 / requests,
        "peak_kib": use["peak_kib"], "connections": truth["connections"],
        "ttft_mean": both("ttft_ms", "ttft_ms", "mean"), "ttft_p99": both("ttft_ms", "ttft_ms", "p99"),
        "itl_p99": both("itl_ms", "gap_ms", "p99"), **more,
    }
