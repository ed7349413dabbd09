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
    suite = re.findall(r"^(\d+) passed, (\d+) failed, (\d+) skipped$", text, re.M)
    node = [re.findall(rf"^(?:#|ℹ) {word} (\d+)$", text, re.M) for word in ("pass", "fail", "skipped")]
    if doctest:
        counted = [sum(int(row[i]) for row in doctest) for i in range(3)]
    elif ran:
        def told(word):
            return sum(int(n) for n in re.findall(rf"\b{word}=(\d+)", text))
        failed, skipped = told("failures") + told("errors"), told("skipped")
        counted = [sum(map(int, ran)) - failed - skipped, failed, skipped]
    elif suite:
        counted = [sum(int(row[i]) for row in suite) for i in range(3)]
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


def entries_of(log):
    with open(log, encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


def bare(name):
    """Without the project and its suites: what `meson test` takes as a name."""
    return name.split(" / ", 1)[-1]


def take_second_run(log, second):
    """Puts the second outcome of the tests that were run again into the log of the first."""
    again = {bare(entry["name"]): entry for entry in entries_of(second)}
    with_second = [again.get(bare(entry["name"]), entry) for entry in entries_of(log)]
    for entry in again.values():
        print(f"   failed the first time: {bare(entry['name'])}; the second time: {entry['result'].lower()}")
    with open(log, "w", encoding="utf-8") as file:
        file.writelines(json.dumps(entry) + "\n" for entry in with_second)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--names-of-failed", metavar="LOG")
    parser.add_argument("--second-run", nargs=2, metavar=("SECOND_LOG", "LOG"))
    parser.add_argument("--passed", type=int, default=0)
    parser.add_argument("--failed", type=int, default=0)
    parser.add_argument("logs", nargs="*")
    arguments = parser.parse_args()
    if arguments.names_of_failed:
        print("\n".join(bare(e["name"]) for e in entries_of(arguments.names_of_failed) if cases(e)[1]), end="")
        return 0
    if arguments.second_run:
        take_second_run(arguments.second_run[1], arguments.second_run[0])
        return 0
    total = [arguments.passed, arguments.failed, 0]
    for log in arguments.logs:
        try:
            entries = entries_of(log)
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
