"""Work done in real programs by marks alone, in the background, and what came of it: read from the program, or from the disk."""
import json
import os
import signal
import subprocess
import tempfile
import time

from act_matrix import Bench, mark_of, point, to_picture
from programs import calm, wait_window

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class Hand:
    """Works in one program: finds marks by what a reader of the picture would say, and keeps what went wrong."""

    def __init__(self, suite, app, window=None):
        self.suite, self.app, self.window, self.faults, self.capture = suite, app, window, [], None

    def look(self, mode="som"):
        target = {"window_id": self.window} if self.window else {"app": self.app}
        reply, text, _ = self.suite.server.call(action="capture", mode=mode, **target)
        self.capture = reply
        return reply, text

    def find(self, *labels, role=None, seconds=6, soft=False):
        """The first mark whose label begins with one of `labels` (and has the role); None and a fault when there is none in time."""
        end = time.monotonic() + seconds
        while True:
            reply, _ = self.look()
            for label in labels:
                for element in reply.get("elements", []) if reply.get("ok") else []:
                    if (element["label"] == label or len(label) > 2 and element["label"].startswith(label)) and (role is None or element["role"] in role):
                        return element["index"]
            if time.monotonic() > end:
                if not soft:
                    seen = [f"{e['role']} {e['label']}" for e in reply.get("elements", [])][:40]
                    self.faults.append(f"no mark {labels}; there are {seen or json.dumps(reply)[:200]}")
                return None
            time.sleep(0.15)

    def do(self, *labels, role=None, action="click", soft=False, **request):
        """One action on a mark (found by label), or without one."""
        if labels:
            element = self.find(*labels, role=role, soft=soft)
            if element is None:
                return None
            request["element"] = element
        reply, _, _ = self.suite.server.call(action=action, **request)
        if not reply.get("ok"):
            self.faults.append(f"{action} {labels or request.get('keys', '')}: {reply.get('effect')} {reply.get('code')}: {reply.get('message', '')[:160]}")
        return reply

    def until(self, word, seconds=4):
        """Waits until the outline has the word."""
        end = time.monotonic() + seconds
        while True:
            reply, text = self.look("ax")
            if word in text or word in reply.get("tree", ""):
                return True
            if time.monotonic() > end:
                self.faults.append(f"{word!r} does not appear in {reply.get('tree', text)[:400]!r}")
                return False
            time.sleep(0.15)


class Program:
    """A program in a home of its own, ended with everything it started."""

    def __init__(self, suite, *argv, note=None):
        self.suite, self.home = suite, tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.note = os.path.join(self.home.name, "note.txt")
        if note is not None:
            with open(self.note, "w", encoding="utf-8") as out:
                out.write(note)
        private = {f"XDG_{kind}_HOME": os.path.join(self.home.name, kind.lower()) for kind in ("CONFIG", "DATA", "CACHE", "STATE")}
        before = suite.x.clients()
        self.process = subprocess.Popen([word.replace("@note", self.note) for word in argv], env=dict(suite.desktop.environment, **private),
                                        cwd=self.home.name, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            self.window = wait_window(suite.x, before)
            suite.x.move(self.window, 60, 60)
            calm(suite.x)
        except RuntimeError:
            self.close()
            raise

    def text(self, wanted, seconds=4):
        """What the file holds, once it is as wanted or the time is up."""
        end = time.monotonic() + seconds
        while True:
            with open(self.note, encoding="utf-8") as file:
                now = file.read()
            if now == wanted or time.monotonic() > end:
                return now
            time.sleep(0.1)

    def close(self):
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(5)
        self.home.cleanup()

    def __enter__(self):
        return self

    def __exit__(self, *why):
        self.close()


def verdict(suite, what, hand, *more):
    faults = hand.faults + [f for f in more if f]
    suite.check("programs", what, faults)
    print(f"  {'ok' if not faults else 'FAILED'}  {what}" + "".join(f"\n      {f}" for f in faults[:4]), flush=True)


def kcalc(suite):
    with Program(suite, "kcalc") as program:
        hand = Hand(suite, "kcalc", program.window)
        for key in "12+30=":
            hand.do(key)
        hand.until("42")
        verdict(suite, "kcalc: 12 + 30 by marks", hand)


def gnome_calculator(suite):
    with Program(suite, "gnome-calculator", "-m", "basic") as program:
        hand = Hand(suite, "gnome-calculator", program.window)
        for key in "12+30=":
            hand.do(key)
        hand.until("42")
        verdict(suite, "gnome-calculator: 12 + 30 by marks", hand)


def replaced(program, hand, extra=None):
    wanted = "The red fox\nand the red hen\nby the sea\n"
    now = program.text(wanted)
    return None if now.rstrip("\n") == wanted.rstrip("\n") else f"the file holds {now!r}"


NOTE = "The blue fox\nand the blue hen\n"


def mousepad(suite):
    with Program(suite, "mousepad", "--disable-server", note=NOTE) as program:
        hand = Hand(suite, "mousepad")
        hand.do("File")
        hand.do("Open")
        hand.find("Cancel")
        hand.do(action="key", keys="ctrl+l")
        field = hand.find("Location", role=("text", "entry", "combo box"), seconds=3, soft=True)
        hand.do(action="type", text=program.note, **({"element": field} if field else {}))
        hand.do("Open", role=("push button",))
        hand.until("blue hen")
        verdict(suite, "mousepad: a file chooser opens a file", hand)
        hand.faults.clear()
        area = hand.find("", role=("text",))
        hand.do(action="click", element=area)
        hand.do(action="key", keys="ctrl+End")
        hand.do(action="type", text="by the sea\n")
        hand.do("Search")
        hand.do("Find and Replace")
        for label, text in (("Search for", "blue"), ("Replace with", "red")):
            hand.do(label, role=("text", "entry", "combo box"), action="set_value", value=text)
        hand.do("Replace All", "Replace all", role=("check box", "push button"), soft=True)
        hand.do("Replace", role=("push button",))
        hand.do("Replace", role=("push button",), soft=True)  # the next one, where it goes one by one
        hand.do("Close", role=("push button",), soft=True)
        hand.find("File", seconds=3)
        hand.do(action="key", keys="ctrl+s")
        verdict(suite, "mousepad: edit, find and replace, save", hand, replaced(program, hand))


def featherpad(suite):
    with Program(suite, "featherpad", "--standalone", "@note", note=NOTE) as program:
        hand = Hand(suite, "featherpad", program.window)
        area = hand.find("", role=("text",))
        hand.do(action="click", element=area)
        hand.do(action="key", keys="ctrl+End")
        hand.do(action="type", text="by the sea\n")
        hand.do("Replace", role=("push button",))
        for label, text in (("To be replaced", "blue"), ("Replacing text", "red")):
            hand.do(label, role=("text", "entry"), action="type", text=text)
        hand.do("Replace all", "Replace All", role=("push button",))
        hand.do(action="key", keys="ctrl+s")
        verdict(suite, "featherpad: edit, find and replace, save", hand, replaced(program, hand))


def gnome_text_editor(suite):
    with Program(suite, "gnome-text-editor", "--standalone", "@note", note="GTK 4 ") as program:
        hand = Hand(suite, "gnome-text-editor", program.window)
        area = hand.find("", role=("text",))
        hand.do(action="type", element=area, text="wörld ✓")
        hand.do(action="key", keys="ctrl+s")
        now = program.text("never", 1.5)
        verdict(suite, "gnome-text-editor: edit and save", hand, None if now.rstrip("\n") in ("GTK 4 wörld ✓", "wörld ✓GTK 4 ") else f"the file holds {now!r}")


def menus(suite):
    """Menu, submenu and context menu of each oracle, by marks."""
    for name in ("gtk3", "gtk4", "qt6", "chromium"):
        bench = Bench(suite, name)
        try:
            hand = Hand(suite, name, bench.window)
            for path, ident in ((("File", "Recent", "Report one"), "one"), (("File", "Open"), "open")):
                bench.oracle.reset()
                for label in path:
                    hand.do(label)
                state = bench.oracle.until(lambda now: now["state"].get(ident), 1)["state"]
                wrong = [i for i in ("open", "one", "two", "leave") if state.get(i) and i != ident]
                verdict(suite, f"{name}: menu {' > '.join(path)}", hand, None if state.get(ident) == 1 else f"chosen {state.get(ident, 0)} times", wrong and f"chosen too: {wrong}")
                hand.faults.clear()
            bench.oracle.reset()
            capture, _ = hand.look()
            hand.do(action="right_click", coordinate=to_picture(point(bench.oracle.rect("canvas"), (0.5, 0.5)), capture))
            hand.do("Paste")
            state = bench.oracle.until(lambda now: now["state"].get("paste"), 1)["state"]
            verdict(suite, f"{name}: context menu", hand, None if state.get("paste") == 1 else f"chosen {state.get('paste', 0)} times")
        finally:
            bench.close()
            suite.sentinel.rest()


def form(suite):
    """examples/form.mjs fills in every kind of input of a page."""
    folder = os.path.join(ROOT, "examples")
    if not os.path.isdir(os.path.join(folder, "node_modules")):
        subprocess.run(["npm", "ci", "--no-audit", "--no-fund"], cwd=folder, check=True, timeout=120, stdout=subprocess.DEVNULL)
    ran = subprocess.run(["node", "form.mjs", "--binary", suite.binary], cwd=folder, env=suite.desktop.environment, timeout=120, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    faults = [] if ran.returncode == 0 else ran.stdout.splitlines()
    suite.check("programs", "Chromium: a form with every kind of input", faults)
    print(f"  {'ok' if not faults else 'FAILED'}  Chromium: a form with every kind of input\n" + "".join(f"      {line}\n" for line in faults), flush=True)


ALL = {f.__name__: f for f in (kcalc, gnome_calculator, mousepad, featherpad, gnome_text_editor, menus, form)}


def run(suite, only):
    print("\nprograms", flush=True)
    for name, part in ALL.items():
        if only and not any(word in name for word in only):
            continue
        start = time.monotonic()
        try:
            part(suite)
        except Exception as fault:  # one that cannot run must not hide the others
            suite.check("programs", f"{name} runs", [f"{type(fault).__name__}: {fault}"])
            print(f"  FAILED  {name}: {type(fault).__name__}: {fault}", flush=True)
            if suite.server.process.poll() is not None:
                suite.serve()
        print(f"      {name}: {time.monotonic() - start:.0f} s", flush=True)
