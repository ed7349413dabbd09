#!/usr/bin/python3
"""Captures real programs and compares what deskmark says of them with the truth.

    capture_suite.py [NAME…] [--only SCENARIO,…] [--scale 1,2] [--binary build/deskmark] [--here] [--keep DIR] [-v]

NAME: a probe (gtk3, gtk3-csd, gtk4, gtk4-csd, qt5, qt6, chromium, tk), `programs`, `faults`, or a program's name; default all.
`--here`: on the desktop it is started in, not one of its own. `--keep DIR`: leaves pictures, replies and truths there.
Each line of the tables counts faults; every count must be zero. The last line sums the checks; what known_gaps.txt names is skipped there.
"""
import argparse
import base64
import fnmatch
import json
import os
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [HERE, os.path.join(ROOT, "tests", "apps")]

import faults  # noqa: E402
import programs  # noqa: E402
import truth  # noqa: E402
import xlib  # noqa: E402
from desktop import Desktop  # noqa: E402
from judge import KINDS  # noqa: E402
from mcp_client import NoAnswer, Server  # noqa: E402
from scenarios import APPS, Run  # noqa: E402


def known_gaps(name):
    """(pattern of "where: what", what is missing): faults that are known, told apart from new ones. `--strict` counts them as failed."""
    with open(os.path.join(HERE, name), encoding="utf-8") as lines:
        return [tuple(part.strip() for part in line.split(" | ", 1)) for line in lines if line.strip() and not line.startswith("#")]


def covers(pattern, where, what, faults):
    """A gap that names a number ("*: digits <= 3") covers no more faults of one check than that."""
    pattern, _, most = pattern.partition(" <= ")
    return fnmatch.fnmatchcase(f"{where}: {what}", pattern) and (not most or len(faults) <= int(most))


class Suite:
    """What the suites share: a desktop, a server on it, and the count of what was checked."""
    flags, gaps_file, secrets = (), "known_gaps.txt", (truth.SECRET,)

    def __init__(self, options):
        self.binary, self.keep, self.verbose = os.path.abspath(options.binary), options.keep, options.verbose
        self.labels = not getattr(options, "no_labels", True)
        self.passed = self.failed = self.skipped = 0
        self.gaps = [] if options.strict else known_gaps(self.gaps_file)
        self.problems, self.known, self.again = [], {}, []
        self.desktop = Desktop(self.binary, options.size, options.here, options.display)
        os.environ.clear()
        os.environ.update(self.desktop.environment)
        self.x = xlib.Display(self.desktop.environment.get("DISPLAY"))
        self.log = open(os.path.join(options.keep or self.desktop.runtime or "/nonexistent", "server.log"), "wb") if options.keep or self.desktop.runtime else None
        self.server = None
        self.serve()

    def serve(self):
        """A fresh server; after one that died."""
        if self.server:
            self.server.close()
        self.server = Server(self.binary, self.desktop.environment, *self.flags, log=self.log)

    def check(self, where, what, faults):
        """One check: passes when the list of faults is empty."""
        gap = next((why for pattern, why in self.gaps if faults and covers(pattern, where, what, faults)), None)
        if gap:
            self.skipped += 1
            self.known.setdefault(gap, []).append(f"{where}: {what} ({len(faults)})")
        elif faults:
            self.failed += 1
            self.problems += [(where, what, str(fault)) for fault in faults]
        else:
            self.passed += 1
        return not faults

    def as_known(self, where, verdict, rest):
        """No fault but known ones."""
        found = {kind: wrong for kind, wrong in [*((k, verdict.faults[k]) for k in KINDS), *rest.items()] if wrong}
        return all(any(covers(pattern, where, kind, wrong) for pattern, _ in self.gaps) for kind, wrong in found.items())

    def leave(self, stem, picture, reply, truth_now=None):
        """Leaves the picture, the reply and the truth where the suite was asked to (`--keep DIR`)."""
        if not self.keep:
            return
        stem = os.path.join(self.keep, stem)
        if picture:
            open(stem + ".png", "wb").write(base64.b64decode(picture))
        for kind, value in (("reply", reply), ("truth", truth_now)):
            if value is not None:
                json.dump(value, open(f"{stem}.{kind}.json", "w"), indent=1, ensure_ascii=False)

    def probe(self, app, scale, names):
        columns = ["marks", "missed", "hidden", "dupl.", "mispl.", "role", "label", "state", "secret", "numb.", "tree", "overl.", "steady", "seconds"]
        print(f"\n{app}, scale {scale}\n{'':12}" + "".join(f"{c:>8}" for c in columns), flush=True)
        run = Run(self, app, scale)
        try:
            run.start()
            for name in names:
                where = f"{app}@{scale} {name}"
                try:
                    verdict, rest, reply, seconds = run.scenario(name)
                    if run.moved and not self.as_known(where, verdict, rest):
                        # A loaded machine makes programs late; only then there is a second look.
                        self.again.append(where)
                        verdict, rest, reply, seconds = run.scenario(name)
                except (RuntimeError, NoAnswer, KeyError, ValueError, OSError) as fault:
                    self.check(where, "runs", [f"{type(fault).__name__}: {fault}"])
                    print(f"{name:12}  failed: {str(fault)[:120]}", flush=True)
                    if isinstance(fault, (NoAnswer, OSError)):
                        self.serve()
                    continue
                counts = []
                for kind in KINDS:
                    self.check(where, kind, verdict.faults[kind])
                    counts.append(len(verdict.faults[kind]))
                for kind, wrong in rest.items():
                    self.check(where, kind, wrong)
                steady = "yes" if not rest["deterministic"] else "NO"
                print(f"{name:12}{verdict.marks:>8}" + "".join(f"{c or '.':>8}" for c in counts) + f"{steady:>8}{seconds:>8.2f}", flush=True)
        except (RuntimeError, OSError) as fault:
            self.check(f"{app}@{scale}", "starts", [fault])
            print("failed:", fault, flush=True)
        finally:
            run.stop()

    def leaks(self):
        """Files of the runtime directory (snapshots, logs) that hold what the password fields held, or what else must stay nowhere."""
        for folder, _, names in os.walk(self.desktop.runtime or "/nonexistent"):
            for name in names:
                path = os.path.join(folder, name)
                if os.path.isfile(path) and any(secret.encode() in open(path, "rb").read() for secret in self.secrets):
                    yield path

    def finish(self):
        clean = self.server.close()
        self.check("server", "ends cleanly when its input closes", [] if clean else ["it did not"])
        self.check("server", "leaves no password anywhere", list(self.leaks()))
        self.desktop.stop()
        if self.again:
            print("\nLooked at twice, since it changed meanwhile: " + ", ".join(self.again))
        if self.known:
            print(f"\nKnown gaps ({self.gaps_file}), not counted as failed:")
            for why, places in self.known.items():
                print(f"  {why}: {len(places)} checks, such as {places[0]}")
        if self.problems:
            print("\nFaults:")
            shown = {}
            for where, what, fault in self.problems:
                shown[what] = shown.get(what, 0) + 1
                if self.verbose or shown[what] <= 25:
                    print(f"  {where}: {what}: {fault}")
            for what, count in shown.items():
                if count > 25 and not self.verbose:
                    print(f"  … {count - 25} more of '{what}' (-v shows them)")


def arguments(doc, size):
    """What the suites are asked alike."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--only", default="")
    parser.add_argument("--binary", default=os.path.join(ROOT, "build", "deskmark"))
    parser.add_argument("--size", default=size)
    parser.add_argument("--display", help="number for the suite's own desktop, e.g. :51")
    parser.add_argument("--here", action="store_true")
    parser.add_argument("--keep", default="")
    parser.add_argument("--strict", action="store_true", help="known gaps count as failed")
    parser.add_argument("-v", "--verbose", action="store_true")
    return parser


def parsed(parser):
    """The options, the words of --only, and when it began."""
    options = parser.parse_args()
    if options.keep:
        os.makedirs(options.keep, exist_ok=True)
    return options, [word for word in options.only.split(",") if word], time.monotonic()


def ended(suite, start):
    print(f"\n{time.monotonic() - start:.0f} s\n{suite.passed} passed, {suite.failed} failed, {suite.skipped} skipped")
    sys.exit(1 if suite.failed else 0)


def main():
    parser = arguments(__doc__, "1920x1280")
    parser.add_argument("--scale", default="1,2")
    parser.add_argument("--no-labels", action="store_true", help="skip the number boxes (one more process per capture)")
    options, only, start = parsed(parser)
    suite = Suite(options)
    try:
        for app, scenarios in APPS.items():
            if options.names and app not in options.names:
                continue
            wanted = [name for name in scenarios if not only or name in only]
            for scale in (int(s) for s in options.scale.split(",")):
                if wanted and not (app == "tk" and scale != 1):
                    suite.probe(app, scale, wanted)
        chosen = [p for p in programs.PROGRAMS if not options.names or p in options.names or "programs" in options.names]
        if chosen and not only:
            programs.run(suite, chosen)
        if not only and (not options.names or "faults" in options.names):
            faults.Faults(suite).run()
    finally:
        suite.finish()
    ended(suite, start)


if __name__ == "__main__":
    main()
