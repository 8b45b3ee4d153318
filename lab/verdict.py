"""Prints what a run's report says of its own measuring side: a line a level, and the checks that failed.

    verdict.py RUN-DIRECTORY EXIT-CODE
"""
import json, sys

report = json.load(open(f"{sys.argv[1]}/report.json"))
print(f"exit {sys.argv[2]}; the run is", {True: "valid", False: "INVALID", None: "not judged"}[report["verdict"]["valid"]])
for level in report["levels"]:
    load = level["load"]
    name = f"concurrency {load['concurrency']}" if load["kind"] == "closed" else f"rate {load['rate_per_s']:g}/s"
    print(f"  {name}:", {True: "valid", False: "INVALID", None: "not judged"}[level["validity"]["valid"]])
    for c in level["validity"]["checks"]:
        if c["status"] == "failed":
            print(f"    {c['id']} ({c['severity']}): {c['says']}")
