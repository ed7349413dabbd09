"""What is done with a probe's window before each capture, and the capturing and judging of all of it."""
import base64
import json
import os
import subprocess
import tempfile
import time

import digits
import judge
from probe import Probe

# Name: (commands to the probe, what is done to its window, pages). Popups are closed and windows put back after each.
SCENARIOS = {
    "controls": (["tab 0"], None), "lists": (["tab 1"], None), "scrolling": (["tab 2"], None),
    "scrolled": (["tab 2", "scroll 700", "scroll-inner 60"], None), "moved": (["tab 0"], "move"), "resized": (["tab 1"], "resize"),
    "maximised": (["tab 0"], "maximise"), "covered": (["tab 0"], "cover"), "off-screen": (["tab 0"], "edge"),
    "disabled": (["tab 0", "disable apply 1"], None), "menu": (["tab 0", "open-menu"], None),
    "submenu": (["tab 0", "open-submenu"], None), "popover": (["tab 0", "open-popover"], None), "combo": (["tab 0", "open-combo"], None),
    "dialog": (["tab 0", "open-dialog"], None), "chooser": (["tab 0", "open-chooser"], None), "links": (["links 10000"], None),
    # Pages of the kinds people use, and of the kinds of elements pages are made of (Chromium).
    "mail": (["page mail"], None), "mail-scrolled": (["scroll-list 150"], None), "shop": (["page shop"], None), "shop-scrolled": (["scroll 120"], None),
    "dashboard": (["page dashboard"], None), "kinds": (["page kinds"], None),
}
PAGES = ["mail", "mail-scrolled", "shop", "shop-scrolled", "dashboard", "kinds"]
WIDGETS = [name for name in SCENARIOS if name not in ("links", *PAGES)]
CHROMIUM = ["controls", "scrolled", "moved", "resized", "maximised", "covered", "off-screen", "disabled", "menu", "popover", "combo",
            "dialog", "links", *PAGES]
APPS = {
    "gtk3": WIDGETS, "gtk4": WIDGETS, "qt5": WIDGETS, "qt6": WIDGETS,
    "gtk3-csd": ["controls", "maximised", "menu", "dialog"], "gtk4-csd": ["controls", "moved", "maximised", "menu", "popover"],
    "chromium": CHROMIUM, "tk": ["controls"],
}


class Run:
    """One probe at one scale on the suite's desktop, with an MCP server that has it in view."""

    def __init__(self, suite, app, scale):
        self.suite, self.app, self.scale, self.x = suite, app, scale, suite.x
        self.probe = Probe(app, scale, suite.desktop.environment)
        self.home = None
        self.cover = 0
        self.moved = False  # the program was still changing while it was looked at: what was found says nothing

    def start(self):
        self.probe.settled(30)
        self.x.warp(*[v - 2 for v in self.x.screen()[2:]])
        self.window = self.probe.truth()["window"]["id"]
        self.x.activate(self.window)
        self.x.move(self.window, 40, 60)
        self.calm(self.probe.settled())

    def calm(self, truth, seconds=4):
        """Waits until the screen stands still, so that a capture and the truth speak of the same thing."""
        end, last = time.monotonic() + seconds, None
        while time.monotonic() < end:
            now = self.x.fingerprint()
            if now == last:
                return
            last = now
            time.sleep(0.12)

    def arrange(self, what):
        truth = self.probe.settled()
        self.window, rect = truth["window"]["id"], truth["window"]["rect"]
        if what == "move":
            self.x.move(self.window, 173, 91)
        elif what == "resize":
            self.x.resize(self.window, round(rect[2] * 0.75), round(rect[3] * 0.8))
        elif what == "maximise":
            self.x.maximise(self.window)
        elif what == "edge":
            self.x.move(self.window, self.x.screen()[2] - rect[2] // 2, self.x.screen()[3] - rect[3] // 2)
        elif what == "cover":
            self.cover = self.x.cover(rect[0] + rect[2] // 4, rect[1] + 40, rect[2] // 2, rect[3] // 2)
        if what and what != "cover" and not self.changed(truth):
            raise RuntimeError(f"the window manager did not {what} the window")

    def changed(self, before, seconds=5):
        """Waits until the window is elsewhere or of another size."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.probe.truth()["window"]["rect"] != before["window"]["rect"]:
                return True
            time.sleep(0.05)
        return False

    def undo(self, what, truth):
        if self.cover:
            self.x.destroy(self.cover)
            self.cover = 0
        if truth["popup"]:
            self.probe.ask("close")
        if what == "maximise":
            self.x.maximise(self.window, False)
        elif what == "resize":
            self.x.resize(self.window, *self.size)
        if what in ("move", "edge", "resize", "maximise"):
            before = self.probe.settled()
            self.x.move(self.window, 40, 60)
            self.changed(before, 1)
        self.x.activate(self.window)

    def scenario(self, name):
        commands, what = SCENARIOS[name]
        self.size = self.probe.settled()["window"]["rect"][2:]
        if self.app in ("chromium", "tk"):
            commands = [c for c in commands if not c.startswith("tab")]
        self.arrange(what)
        for command in commands:
            self.probe.ask(command, 90)
        # A window that opens is on the bus and on the screen a little later than the toolkit says.
        truth = self.probe.settled()
        self.calm(truth)
        truth = self.probe.settled()
        try:
            result = self.capture(name, truth, what)
            self.moved = self.probe.truth() != truth
            return result
        finally:
            self.undo(what, truth)
            if name == "disabled":
                self.probe.ask("disable apply 0")
            if name in ("scrolled", "shop-scrolled"):
                self.probe.ask("scroll 0")

    def capture(self, name, truth, what):
        """Captures in every mode, judges, and counts the checks."""
        ask = {"window_id": truth["window"]["id"]} if what == "cover" else {}
        server = self.suite.server
        som, text, picture = server.call(action="capture", mode="som", **ask)
        if not som.get("ok"):
            raise RuntimeError(f"capture failed: {json.dumps(som)[:300]}")
        self.suite.leave(f"{self.app}-{self.scale}-{name}", picture, som, truth)
        threshold = 0.8 if self.app.startswith("gtk4") else 0.9
        everything = json.dumps(som, ensure_ascii=False) + text
        verdict = judge.judge(som, truth, everything, threshold)
        again, _, same = server.call(action="capture", mode="som", **ask)
        steady = self.plain(som, truth) == self.plain(again, truth) and picture == same
        ax, ax_text, ax_picture = server.call(action="capture", mode="ax", **ask)
        judge.judge_tree(som, ax, truth, verdict)
        boxes, rest = self.boxes(truth, name), {}
        if boxes is not None:
            judge.judge_labels(boxes, self.own, truth, verdict)
            if name == "controls":
                rest["digits"] = self.digits(boxes)
        rest |= {
            "complete": [] if som["complete"] and ax.get("complete") else [f"not complete: {som['warnings']}"],
            "deterministic": [] if steady else [self.difference(som, again, picture, same)],
            "modes": [] if picture and not ax_picture and ax.get("ok") else ["som has no picture or ax has one"],
            "app": [] if som["window_id"] in (truth["window"]["id"],) or truth["popup"] in ("dialog", "chooser") or self.app == "tk"
            else [f"window {som['window_id']}, wanted {truth['window']['id']}"],
        }
        return verdict, rest, som, server.seconds

    @staticmethod
    def plain(reply, truth):
        """What must be the same twice. Chromium changes names of its own controls that are not drawn (a tab tells the memory it takes)."""
        reply = {k: v for k, v in reply.items() if k not in ("timing", "snapshot", "screenshot_path", "summary")}
        region = truth.get("region")
        if region:
            outside = [not judge.centre_in(judge.to_device(e["bounds"], reply), region) for e in reply["elements"]]
            reply["elements"] = [{**e, "label": None} if out else e for e, out in zip(reply["elements"], outside)]
        return reply

    def difference(self, one, other, picture, same):
        for a, b in zip(one["elements"], other["elements"]):
            if a != b:
                return f"{a} then {b}"
        if len(one["elements"]) != len(other["elements"]):
            return f"{len(one['elements'])} then {len(other['elements'])} elements"
        keys = [k for k in one if one[k] != other.get(k) and k not in ("timing", "snapshot", "screenshot_path")]
        return f"differs: {keys or 'picture'}" + ("" if picture == same else ", picture bytes")

    def boxes(self, truth, name):
        """Where the numbers were drawn, told by the command line (another process, so the capture is a cold one too)."""
        self.own = None
        if not self.suite.labels:
            return None
        with tempfile.TemporaryDirectory() as home:
            path = os.path.join(home, "labels.json")
            argv = [self.suite.binary, "capture", "--mode", "som", "--json", "--max-image-dimension", "1568", "--labels-json", path, "--out", os.path.join(home, "som.png")]
            if SCENARIOS[name][1] == "cover":
                argv += ["--window-id", str(truth["window"]["id"])]
            run = subprocess.run(argv, env=self.suite.desktop.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
            if not os.path.exists(path):
                return None
            self.own = json.loads(run.stdout)
            self.drawn = base64.b64encode(open(os.path.join(home, "som.png"), "rb").read()).decode()
            return json.load(open(path))

    def digits(self, boxes):
        """The numbers read back from the picture; a list of faults when fewer than 99 % are right."""
        placed = [b for b in boxes if b["box"][2] > 0]
        read = digits.read_back(self.drawn, placed)
        wrong = [f"#{b['index']} is read as '{read[b['index']]}'" for b in placed if read[b["index"]] != str(b["index"])]
        print(f"{'':12}  {len(placed) - len(wrong)} of {len(placed)} numbers read back", flush=True)
        return wrong if len(wrong) > 0.01 * len(placed) else []

    def stop(self):
        if self.cover:
            self.x.destroy(self.cover)
        self.probe.close()
