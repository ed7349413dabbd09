"""An oracle (tests/apps/oracle*.py) as the acting suites see it: where its controls are, what they hold, what it received."""
import os
import sys
import time

from probe import Probe

sys.path.insert(1, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "apps"))
ORACLES = ["gtk3", "gtk4", "qt5", "qt6", "tk", "chromium"]


class Oracle(Probe):
    def __init__(self, name, environment=None):
        super().__init__("oracle-" + name, 1, environment, log=open(os.environ["ORACLE_LOG"], "ab") if "ORACLE_LOG" in os.environ else None)
        self.toolkit = name

    def look(self):
        """{"state": …, "events": […], "focus": id}."""
        return self.ask("look")

    def where(self):
        return self.ask("where")

    def rect(self, ident):
        """[x, y, w, h] in device pixels, or None when it is not shown."""
        return self.where()["controls"].get(ident)

    @property
    def window(self):
        return self.where()["window"]["id"]

    def ready(self, seconds=30):
        """Waits until the window is there and its controls stand still."""
        end, last = time.monotonic() + seconds, None
        while time.monotonic() < end:
            now = self.where()
            if now == last and now["window"]["rect"] and "press" in now["controls"]:
                return now
            last = now
            time.sleep(0.1)
        raise RuntimeError(f"oracle {self.toolkit} does not show its window")

    def reset(self, **put):
        """Everything as at the start, but `put`, and the log empty."""
        self.ask("reset")
        end = time.monotonic() + 3
        time.sleep(0.07)
        while self.look()["events"] and time.monotonic() < end:
            time.sleep(0.02)
        for ident, value in put.items():
            self.ask(f"put {ident} {value}")
        if put:
            time.sleep(0.1)  # a toolkit may tell of it late
            self.ask("forget")
        return self.look()

    def until(self, seen, seconds):
        """Looks until `seen(look)` or the time is up; the last look."""
        end = time.monotonic() + seconds
        while True:
            now = self.look()
            if seen(now) or time.monotonic() > end:
                return now
            time.sleep(0.025)
