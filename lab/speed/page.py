"""How rows become tables, and tables get into a page between its marks."""
import os, platform, re, statistics, subprocess, time

def middle(rows, of):
    """The median over rows, and the least and the most; None where a row has none."""
    values = [of(r) for r in rows]
    if any(v is None for v in values):
        return None
    return statistics.median(values), min(values), max(values)

def number(m, form):
    """A median, and its spread where there is one."""
    if m is None:
        return "–"
    mid, low, high = (re.sub(r"^[+-](0\.0*)$", r"\1", form.format(v)) for v in m)  # nothing has no sign
    return mid if low == high else f"{mid} ({low} to {high})"

def off(field):
    return lambda r: r[field] and r[field][0] - r[field][1]

def times(rows, field):
    """What was said, what was true, and by how much they differ."""
    if middle(rows, off(field)) is None:
        return "–", "–"
    said, true = (statistics.median(r[field][side] for r in rows) for side in (0, 1))
    return f"{said:.2f} / {true:.2f}", number(middle(rows, off(field)), "{:+.2f}")

def verdict(rows):
    if rows[0]["verdict"] is None:
        return "–"
    said = []
    for r in rows:
        v = r["verdict"]
        word = {True: "valid", False: "INVALID: " + ", ".join(v["failed"]), None: "no verdict"}[v["valid"]]
        said.append(word + (" (short)" if v["short"] else ""))
    if len(set(said)) == 1:
        return said[0]
    return "; ".join(f"{said.count(w)} of {len(said)} {w}" for w in sorted(set(said)))

def table(head, rows, words=(1, -1)):
    """Columns of words stand to the left, those of numbers to the right."""
    left = {i % len(head) for i in words}
    lines = ["| " + " | ".join(head) + " |", "|" + "|".join("---" if i in left else "--:" for i in range(len(head))) + "|"]
    return "\n".join(lines + ["| " + " | ".join(r) + " |" for r in rows])

def ratio(floors, tools, field):
    """Of pairs that ran one after the other."""
    return middle(list(zip(floors, tools)), lambda p: p[1][field] / p[0][field])

def mib(field):
    return lambda r: r[field] and r[field] / 1024

def under_load(name, runs):
    return "–" if name == "floor" else number(middle(runs, mib("load_kib")), "{:.0f}")

def streams(settings):
    """settings: streams → (rows of the floor, rows of the tool)."""
    head = ["streams", "client", "CPU µs a frame", "of the floor's", "TTFT mean, said / true", "off", "TTFT p99", "off",
            "ITL p99", "off", "MiB", "uncertain frames", "verdict"]
    rows = []
    for n, (floors, tools) in settings.items():
        for name, runs in (("floor", floors), ("tidemark", tools)):
            share = number(ratio(floors, tools, "cpu_frame_us"), "{:.2f}") if name != "floor" else "1"
            unsure = number(middle(runs, lambda r: r["uncertain"]), "{:.2f} %")
            rows.append([f"{n:,}", name, number(middle(runs, lambda r: r["cpu_frame_us"]), "{:.1f}"), share,
                         *times(runs, "ttft_mean"), *times(runs, "ttft_p99"), *times(runs, "itl_p99"),
                         number(middle(runs, mib("peak_kib")), "{:.0f}"), unsure, verdict(runs)])
    return table(head, rows)

def short(settings):
    """settings: requests → the same."""
    head = ["requests", "client", "CPU µs a request", "of the floor's", "requests/s", "MiB under load", "MiB, the whole process", "verdict"]
    rows = []
    for n, (floors, tools) in settings.items():
        for name, runs in (("floor", floors), ("tidemark", tools)):
            if not runs:
                continue
            share = "1" if name == "floor" else number(ratio(floors, tools, "cpu_request_us"), "{:.2f}") if floors else "–"
            rows.append([f"{n:,}", name, number(middle(runs, lambda r: r["cpu_request_us"]), "{:.1f}"), share,
                         number(middle(runs, lambda r: r["rate"]), "{:,.0f}"), under_load(name, runs),
                         number(middle(runs, mib("peak_kib")), "{:.0f}"), verdict(runs)])
    return table(head, rows)

def quiet(settings):
    """settings: streams → the same; connections are without those of the preflight."""
    head = ["streams", "client", "MiB under load", "MiB", "KiB a stream", "TTFT mean, said / true", "off", "TTFT p99", "off",
            "connections seen", "CPU s", "verdict"]
    rows = []
    for n, (floors, tools) in settings.items():
        for name, runs in (("floor", floors), ("tidemark", tools)):
            rows.append([f"{n:,}", name, under_load(name, runs), number(middle(runs, mib("peak_kib")), "{:.0f}"),
                         number(middle(runs, lambda r: r["peak_kib"] / n), "{:.1f}"), *times(runs, "ttft_mean"), *times(runs, "ttft_p99"),
                         number(middle(runs, lambda r: r["connections"]), "{:,.0f}"),
                         number(middle(runs, lambda r: r["cpu_s"]), "{:.1f}"), verdict(runs)])
    return table(head, rows)

def bounds(found):
    """found: (what, the number, the limit as words, held)."""
    rows = [[what, value, limit, "held" if held else "**missed**"] for what, value, limit, held in found]
    return table(["bound", "found", "limit", ""], rows, words=(0, -1))

def machine(tools, runs):
    """Where it was measured, and what."""
    def first(command):
        try:
            return subprocess.run(command, capture_output=True, text=True).stdout.splitlines()[0]
        except (OSError, IndexError):
            return "–"
    cpu = next((l.split(":", 1)[1].strip() for l in open("/proc/cpuinfo") if l.startswith("model name")), platform.machine())
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    files = os.sysconf("SC_OPEN_MAX")
    return "\n".join(f"- {line}" for line in (
        f"{cpu}, {os.cpu_count()} cores, {memory:.0f} GiB; {platform.system()} {platform.release()}; {files:,} open files a process",
        f"{first([tools + '/tidemark', 'version'])}; the floor by {first(['gcc', '--version'])}, -O2",
        f"{time.strftime('%Y-%m-%d', time.gmtime())}; {runs} {'run' if runs == 1 else 'runs'} of each; "
        f"load average before {os.environ.get('LOAD_BEFORE', '–')}"))

def marked(text, name):
    """What of a page stands between the marks of a name, marks included; exactly one place has them."""
    first, last = marks(name)
    found = re.findall(re.escape(first) + ".*?" + re.escape(last), text, re.S)
    if len(found) != 1:
        raise SystemExit(f"the page has not exactly one pair of marks {first} … {last}")
    return found[0]

def marks(name):
    return f"<!-- {name}: written by lab/speed/table.sh -->", f"<!-- end of {name} -->"

def insert(path, name, content):
    """Puts content between the page's marks of a name."""
    with open(path, encoding="utf-8") as f:
        text = f.read()
    first, last = marks(name)
    with open(path, "w", encoding="utf-8") as f:
        f.write(text.replace(marked(text, name), f"{first}\n\n{content}\n\n{last}"))
