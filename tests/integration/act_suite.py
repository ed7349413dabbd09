#!/usr/bin/python3
"""Acts on oracle programs over MCP and compares each reply with what the program's own log shows.

    act_suite.py [NAME…] [--only WORD,…] [--delivery bg,covered,fg] [--table FILE] [--binary build/deskmark] [--full] [-v]

NAME: an oracle (gtk3, gtk4, qt5, qt6, tk, chromium) or a part (matrix, identity, errors, churn, typing, programs); default all but qt5. `--table FILE`
writes docs/acting-matrix.md; what FILE.json holds of other oracles is kept. `--full`: 1,000 clicks of churn per program instead of 30, foreground everywhere, every layout of the typing matrix.
Known gaps (act_gaps.txt) are told apart from new faults; `--strict` counts them as failed.
"""
import os
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [HERE, os.path.join(ROOT, "tests", "apps")]

import act_cases  # noqa: E402
import act_identity  # noqa: E402
import act_matrix  # noqa: E402
import act_programs  # noqa: E402
import churn  # noqa: E402
import typing_matrix  # noqa: E402
from capture_suite import Suite, arguments, covers, ended, parsed  # noqa: E402
from oracle_client import ORACLES  # noqa: E402
from sentinel import Sentinel  # noqa: E402

PARTS = ["matrix", "identity", "churn", "typing", "programs"]


class ActSuite(Suite):
    flags, gaps_file = ("--approve", "all"), "act_gaps.txt"
    secrets = (*act_cases.SECRETS, *typing_matrix.TEXTS.values(), act_cases.FOX)

    def __init__(self, options):
        super().__init__(options)
        self.full, self.masters = options.full, self.x.masters()
        self.sentinel = Sentinel(self.x)

    def as_gap(self, where, what, faults):
        return any(covers(pattern, where, what, faults) for pattern, _ in self.gaps)

    def tell(self, where, verdict):
        """One line per action with -v, and per fault anyway."""
        if verdict.faults or self.verbose:
            print(f"  {where}: {verdict.cell} {verdict.code} {verdict.route} {verdict.effect} {'; '.join(map(str, verdict.faults))[:230]}", flush=True)


    def left_behind(self):
        """After the server has ended: no device of its own, no key or button down."""
        clean = self.server.close()
        self.check("server", "ends cleanly", [] if clean else ["it did not"])
        end = time.monotonic() + 3
        while self.x.masters() != self.masters and time.monotonic() < end:
            time.sleep(0.05)
        self.check("server", "leaves no master device", [] if self.x.masters() == self.masters else [self.x.masters()])
        self.check("server", "leaves no key down", self.x.keys())
        self.check("server", "leaves no button down", [] if not self.x.pointer()[2] & 0x1F00 else [self.x.pointer()])
        self.serve()


def main():
    parser = arguments(__doc__, "1500x900")
    parser.add_argument("--delivery", default="", help="bg,covered,fg; default: fg in two oracles, with --full in all")
    parser.add_argument("--table", default="")
    parser.add_argument("--clicks", type=int, default=0, help="of churn, per program")
    parser.add_argument("--full", action="store_true")
    options, only, start = parsed(parser)
    # Qt 5 behaves as Qt 6 does: only when it is named, and in the full run.
    names = [n for n in ORACLES if n in options.names] or [n for n in ORACLES if n != "qt5" or options.full]
    parts = [p for p in PARTS if p in options.names] or (PARTS if not options.names else ["matrix"])
    suite = ActSuite(options)
    try:
        if "matrix" in parts:
            # Tk has no tree: each mark waits for what the pixels show. Three minutes, when it is named and in the full run.
            shown = names if options.names or options.full else [n for n in names if n != "tk"]
            results = act_matrix.run(suite, shown, [d for d in options.delivery.split(",") if d], only)
            counts = act_matrix.rate(suite, results)
            print(counts)
            if options.table:
                act_matrix.table(options.table, results)
        if "identity" in parts:
            act_identity.run(suite, names)
        if "churn" in parts:
            churn.run(suite, names, options.clicks or (1000 if options.full else 30))
        if "typing" in parts:
            typing_matrix.run(suite, names)
        if "programs" in parts:
            act_programs.run(suite, only)
        suite.left_behind()
    finally:
        suite.finish()
    ended(suite, start)


if __name__ == "__main__":
    main()
