"""Runs a probe program of tests/apps and talks with it; run as a program, draws its truth over a picture of the screen.

    probe.py gtk3 [--out truth.png] [--scale 2] [COMMAND…]     (a command with arguments is one word in quotes)
"""
import json
import os
import select
import subprocess
import sys
import time

APPS = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "apps")
PYTHON = "/usr/bin/python3"  # the distribution's: it has the toolkits
PROBES = {
    "gtk3": ["gtk3_probe.py"], "gtk3-csd": ["gtk3_probe.py", "--csd"], "gtk4": ["gtk4_probe.py"],
    "gtk4-csd": ["gtk4_probe.py", "--csd"], "qt5": ["qt_probe.py", "5"], "qt6": ["qt_probe.py", "6"],
    "tk": ["tk_probe.py"], "chromium": ["chromium_probe.py"], "chromium-off": ["chromium_probe.py", "--no-accessibility"],
    "oracle-gtk3": ["oracle_gtk3.py"], "oracle-gtk4": ["oracle_gtk4.py"], "oracle-qt5": ["oracle_qt.py", "5"], "oracle-qt6": ["oracle_qt.py", "6"],
    "oracle-tk": ["oracle_tk.py"], "oracle-chromium": ["oracle_chromium.py"],
}


def scaled(environment, scale):
    """The environment that makes every toolkit draw at `scale`."""
    if scale != 1:
        environment = dict(environment, GDK_SCALE=str(scale), QT_SCALE_FACTOR=str(scale), PROBE_SCALE=str(scale))
    return environment


class Probe:
    def __init__(self, name, scale=1, environment=None, log=None):
        self.name = name
        argv = [PYTHON, os.path.join(APPS, PROBES[name][0])] + PROBES[name][1:]
        self.process = subprocess.Popen(
            argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log or subprocess.DEVNULL,
            env=scaled(dict(environment or os.environ), scale), start_new_session=True)
        self.pending = b""

    @property
    def pid(self):
        return self.process.pid

    def ask(self, command, seconds=20):
        """Sends one command and gives its answer; raises RuntimeError when it fails or does not come."""
        self.process.stdin.write(command.encode() + b"\n")
        self.process.stdin.flush()
        end = time.monotonic() + seconds
        while b"\n" not in self.pending:
            if not select.select([self.process.stdout], [], [], max(0, end - time.monotonic()))[0]:
                raise RuntimeError(f"probe {self.name}: no answer to {command!r} in {seconds} s")
            data = os.read(self.process.stdout.fileno(), 1 << 20)
            if not data:
                raise RuntimeError(f"probe {self.name}: ended at {command!r}")
            self.pending += data
        line, self.pending = self.pending.split(b"\n", 1)
        reply = json.loads(line)
        if not reply.get("ok"):
            raise RuntimeError(f"probe {self.name}: {reply.get('message')}")
        return reply

    def truth(self):
        return self.ask("truth")

    def settled(self, seconds=10, ready=None):
        """The truth once two readings in a row agree, the window is there, and `ready(truth)` holds."""
        end, last = time.monotonic() + seconds, None
        while time.monotonic() < end:
            now = self.truth()
            if now == last and now["window"]["rect"] and (ready is None or ready(now)):
                return now
            last = now
            time.sleep(0.08)
        if ready is not None and last is not None and not ready(last):
            raise RuntimeError(f"probe {self.name}: did not become ready")
        return last

    def close(self):
        if self.process.poll() is None:
            try:
                self.process.stdin.write(b"quit\n")
                self.process.stdin.close()
                self.process.wait(2)
            except (OSError, subprocess.TimeoutExpired):
                pass
        if self.process.poll() is None:
            os.killpg(self.process.pid, 9)
            self.process.wait(5)
        self.process.stdout.close()

    def __enter__(self):
        return self

    def __exit__(self, *why):
        self.close()


def draw(truth, path, marks=()):
    """Root window with the truth over it: green to be marked, amber either way, red not; blue: given mark rectangles."""
    import gi
    gi.require_version("Gdk", "3.0")
    gi.require_foreign("cairo")
    from gi.repository import Gdk
    import cairo
    root = Gdk.get_default_root_window()
    w, h = root.get_width(), root.get_height()
    picture = Gdk.pixbuf_get_from_window(root, 0, 0, w, h)
    surface = cairo.ImageSurface(cairo.Format.RGB24, picture.get_width(), picture.get_height())
    context = cairo.Context(surface)
    Gdk.cairo_set_source_pixbuf(context, picture, 0, 0)
    context.paint()
    context.set_line_width(1)
    boxes = [(t, (0.5, 0, 0.8)) for c in truth["controls"] for t in c.get("text", [])]
    colours = {"yes": (0, 0.6, 0), "maybe": (0.9, 0.6, 0), "no": (1, 0, 0)}
    for rect, colour in boxes + [(c["visible"], colours[c["mark"]]) for c in truth["controls"]] + [(m, (0, 0, 1)) for m in marks]:
        if rect:
            context.set_source_rgb(*colour)
            context.rectangle(rect[0] + 0.5, rect[1] + 0.5, rect[2] - 1, rect[3] - 1)
            context.stroke()
    surface.write_to_png(path)


def main():
    words, out, scale = sys.argv[1:], "truth.png", 1
    if "--out" in words:
        at = words.index("--out")
        out = words[at + 1]
        del words[at:at + 2]
    if "--scale" in words:
        at = words.index("--scale")
        scale = int(words[at + 1])
        del words[at:at + 2]
    with Probe(words[0], scale, log=sys.stderr) as probe:
        probe.settled()
        for command in words[1:]:
            probe.ask(command)
            probe.settled()
        truth = probe.settled()
        time.sleep(0.3)
        draw(truth, out)
        count = {m: sum(c["mark"] == m for c in truth["controls"]) for m in ("yes", "maybe", "no")}
        print(out, truth["window"], truth["scale"], count)
        if "-v" in os.environ.get("PROBE", ""):
            print(json.dumps(truth, indent=1))


if __name__ == "__main__":
    main()
