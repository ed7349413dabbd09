#!/usr/bin/env python3
"""Counts test cases in the logs of `meson test` and prints one line: N passed, N failed[, N skipped].

    count_tests.py [--passed N] [--failed N] TESTLOG.json…

A test program's own closing line is believed where there is one (doctest, Python's unittest, Node's test runner); another counts as one
case. A program that failed without naming a failed case counts as one failed case.
"""
import argparse
import json
import re
import sys


def cases(entry):
    """(passed, failed, skipped) of one test program."""
    text = entry.get("stdout", "") + "\n" + entry.get("stderr", "")
    result = entry["result"]
    counted = None
    doctest = re.findall(r"\[doctest\] test cases:\s*\d+\s*\|\s*(\d+) passed\s*\|\s*(\d+) failed\s*\|\s*(\d+) skipped", text)
    ran = re.findall(r"^Ran (\d+) tests? in ", text, re.M)
    node = [re.findall(rf"^(?:#|ℹ) {word} (\d+)$", text, re.M) for word in ("pass", "fail", "skipped")]
    if doctest:
        counted = [sum(int(row[i]) for row in doctest) for i in range(3)]
    elif ran:
        def told(word):
            return sum(int(n) for n in re.findall(rf"\b{word}=(\d+)", text))
        failed, skipped = told("failures") + told("errors"), told("skipped")
        counted = [sum(map(int, ran)) - failed - skipped, failed, skipped]
    elif node[0]:
        counted = [sum(map(int, numbers)) for numbers in node]
    good = result in ("OK", "EXPECTEDFAIL")
    if result == "SKIP":
        return (0, 0, 1)
    if counted is None:
        return (1, 0, 0) if good else (0, 1, 0)
    if not good and counted[1] == 0:
        counted[1] = 1
    return tuple(counted)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--passed", type=int, default=0)
    parser.add_argument("--failed", type=int, default=0)
    parser.add_argument("logs", nargs="*")
    arguments = parser.parse_args()
    total = [arguments.passed, arguments.failed, 0]
    for log in arguments.logs:
        try:
            with open(log, encoding="utf-8") as file:
                entries = [json.loads(line) for line in file if line.strip()]
        except OSError:
            continue  # the step that should have written it is counted as failed by the caller
        for entry in entries:
            counted = cases(entry)
            total = [a + b for a, b in zip(total, counted)]
            if counted[1]:
                print(f"   failed: {entry['name']} ({entry['result'].lower()}), {counted[1]} of {sum(counted)}")
    print(f"{total[0]} passed, {total[1]} failed" + (f", {total[2]} skipped" if total[2] else ""))
    return 1 if total[1] or not total[0] else 0


sys.exit(main())
