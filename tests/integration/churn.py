#!/usr/bin/python3
"""Clicks on marks while the program inserts, removes and moves its buttons: the one that was meant, or none.

    churn.py [NAME…] [--clicks 1000] [--binary build/deskmark]      (NAME: gtk3, gtk4, qt6, chromium)
"""
import random
import sys
import threading
import time

from act_matrix import Bench

ORACLES = ["gtk3", "qt6", "chromium"]
REFUSALS = ("element_gone", "stale_element", "background_unavailable")


def storm(oracle, step, pause, stop):
    """Changes the row until told to stop."""
    while not stop.is_set():
        oracle.ask(f"churn {step[0]}")
        step[0] += 1
        stop.wait(next(pause))


def pauses(seed):
    chance = random.Random(seed)
    while True:
        yield chance.choice([0.0, 0.002, 0.005, 0.02, 0.05])


def run_one(suite, name, clicks):
    bench, chance, step = Bench(suite, name), random.Random(7), [0]
    wrong, right, refused, lost, pause = [], 0, {}, 0, pauses(3)
    start, waiting = time.monotonic(), set()
    try:
        for _ in range(12):
            bench.oracle.ask(f"churn {step[0]}")
            step[0] += 1
        for i in range(clicks):
            if i % 25 == 0:
                bench.oracle.reset()
            reply = bench.capture()
            jobs = [e for e in reply["elements"] if e["label"].startswith("Job ")]
            if not jobs:
                raise RuntimeError("no job has a mark")
            job, seen = chance.choice(jobs), len(bench.oracle.look()["events"])
            stop = threading.Event()
            thread = threading.Thread(target=storm, args=(bench.oracle, step, pause, stop))
            for _ in range(chance.randrange(3)):
                bench.oracle.ask(f"churn {step[0]}")
                step[0] += 1
            if i % 2:
                thread.start()
            answer, _, _ = suite.server.call(action="click", element=job["index"])
            stop.set()
            if i % 2:
                thread.join()
            got = bench.oracle.until(lambda now: answer.get("effect") == "refused" or any(e["event"] == "clicked" for e in now["events"][seen:]), 0.4)
            clicked = [e["target"] for e in got["events"][seen:] if e["event"] == "clicked"]
            for late in [label for label in clicked if label in waiting and label != job["label"]]:
                clicked.remove(late)  # of a trial before, on the one that was meant then
                waiting.discard(late)
            if clicked and clicked != [job["label"]]:
                wrong.append(f"asked for {job['label']}, clicked {clicked}: {answer.get('route')} {answer.get('effect')}")
            elif clicked:
                right += 1
            elif answer.get("effect") == "refused":
                refused[answer.get("code")] = refused.get(answer.get("code"), 0) + 1
                if answer.get("code") not in REFUSALS:
                    wrong.append(f"refused with {answer.get('code')}: {answer.get('message')}")
            else:
                lost += 1
                waiting.add(job["label"])
                if answer.get("effect") == "confirmed":
                    wrong.append(f"confirmed, but {job['label']} was not clicked: {answer.get('evidence')}")
    finally:
        bench.close()
    print(f"{name}: {clicks} clicks in {time.monotonic() - start:.0f} s while the row changed: {right} on the one meant, refused {refused}, without effect {lost}, wrong {len(wrong)}", flush=True)
    suite.check(f"{name} churn", f"{clicks} clicks, none on another", wrong)
    suite.check(f"{name} churn", "most land", [] if right * 2 > clicks else [f"{right} of {clicks}"])


def run(suite, names, clicks):
    print("\nchurn", flush=True)
    for name in ORACLES:
        if name in names:
            try:
                run_one(suite, name, clicks)
            except Exception as fault:
                suite.check(f"{name} churn", "runs", [f"{type(fault).__name__}: {fault}"])
                if suite.server.process.poll() is not None:
                    suite.serve()


if __name__ == "__main__":
    import act_suite
    sys.argv.insert(1, "churn")
    act_suite.main()
