"""Programs that were not written for this suite: every visible control must have a mark, and nothing else."""
import json
import os
import signal
import subprocess
import tempfile
import time

import digits
import judge
from atspi_reader import Reader, controls, place

NOTE = "Dear reader,\nthis paragraph is what a document holds.\nIt ends here.\n"
# Name: (command, has an accessible tree, words the outline must have)
PROGRAMS = {
    "gtk3-widget-factory": (["gtk3-widget-factory"], True, []),
    "gtk3-demo": (["gtk3-demo"], True, []),
    "gtk4-widget-factory": (["gtk4-widget-factory"], True, []),
    "mousepad": (["mousepad", "--disable-server", "@note"], True, ["this paragraph is what a document holds."]),
    "gnome-calculator": (["gnome-calculator", "-e", "12+30"], True, ["12+30"]),
    "kcalc": (["kcalc"], True, ["0"]),
    "featherpad": (["featherpad", "--standalone", "@note"], True, ["this paragraph is what a document holds."]),
    "xcalc": (["xcalc"], False, []),
    "xterm": (["xterm", "-e", "sh", "-c", "echo hello terminal; exec sleep 600"], False, []),
}


def wait_window(x, before, seconds=20):
    """The new managed window and its pid's group, once it is there."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        new = [w for w in x.clients() if w not in before]
        if new:
            return new[-1]
        time.sleep(0.1)
    raise RuntimeError("no window appeared")


def calm(x, seconds=4):
    end, last = time.monotonic() + seconds, None
    while time.monotonic() < end:
        now = x.fingerprint()
        if now == last:
            return True
        last = now
        time.sleep(0.15)
    return False


def registered(reader, pid, seconds=12):
    """Bus names of the process, once one has a window with children."""
    end, names = time.monotonic() + seconds, []
    while time.monotonic() < end:
        names = reader.applications().get(pid, [])
        if names:
            return names
        time.sleep(0.2)
    return names


def changed_area(one, other):
    """[x, y, w, h] around all pixels in which two pictures (base64) differ, None: they are the same; raises when their sizes differ."""
    if one == other:
        return None
    a, b = digits.picture_of(one), digits.picture_of(other)
    if (a.get_width(), a.get_height()) != (b.get_width(), b.get_height()):
        raise ValueError("pictures of two sizes")
    stride, channels, left, right, rows = a.get_rowstride(), a.get_n_channels(), 1 << 30, -1, []
    first, second = a.get_pixels(), b.get_pixels()
    for y in range(a.get_height()):
        p, q = first[y * stride:y * stride + a.get_width() * channels], second[y * stride:y * stride + a.get_width() * channels]
        if p != q:
            rows.append(y)
            at = [i // channels for i in range(len(p)) if p[i] != q[i]]
            left, right = min(left, at[0]), max(right, at[-1])
    return [left, rows[0], right - left + 1, rows[-1] - rows[0] + 1] if rows else None


def is_caret(area, elements):
    """Nothing, or a thin upright line in the element that has the focus: a caret that blinks."""
    focused = [e["bounds"] for e in elements if "focused" in e.get("states", [])]
    return area is None or (area[2] <= 4 and area[3] <= 40 and any(judge.common(area, bounds) == area for bounds in focused))


def difference(server):
    """What differs between two captures of a screen on which nothing but a caret moves; [] when nothing does.

    The plain picture is taken before and after them: a screen that changed meanwhile says nothing, and is looked at again.
    """
    look = lambda mode: server.call(action="capture", mode=mode)  # noqa: E731
    for _ in range(6):
        (_, _, before), (one, _, drawn), (two, _, again), (_, _, after) = look("vision"), look("som"), look("som"), look("vision")
        if not one["complete"] or not is_caret(changed_area(before, after), one["elements"]):
            continue
        if one["elements"] != two["elements"]:
            return [f"elements differ: {[(a, b) for a, b in zip(one['elements'], two['elements']) if a != b][:1]}"]
        area = changed_area(drawn, again)
        return [] if is_caret(area, one["elements"]) else [f"pictures differ in {area}"]
    return ["the screen never stood still"]


def nowhere(marks, nodes, window):
    """Marks whose place no visible accessible object explains, or outside the window."""
    for mark in marks:
        at = mark["device"]
        if not judge.centre_in(at, window):
            yield f"{judge.show(mark)} is outside the window {window}"
        elif mark["source"] == "ax" and not any(n.seen and judge.centre_in(at, n.seen, 2) and n.parent is not None and n.parent.parent is not None
                                                for n in nodes):
            yield f"{judge.show(mark)}: nothing is there"


def judge_program(suite, name):
    argv, accessible, words = PROGRAMS[name]
    x, where = suite.x, name
    with tempfile.TemporaryDirectory() as home:
        note = os.path.join(home, "note.txt")
        open(note, "w").write(NOTE)
        before = x.clients()
        environment = dict(suite.desktop.environment, XDG_CONFIG_HOME=os.path.join(home, "config"))
        process = subprocess.Popen([note if word == "@note" else word for word in argv], env=environment, start_new_session=True,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            x.warp(*[v - 2 for v in x.screen()[2:]])  # no hover, no tooltip
            window = wait_window(x, before)
            x.activate(window)
            x.move(window, 40, 60)
            reader = Reader() if accessible else None
            names = registered(reader, process.pid) if accessible else []
            steady = calm(x)
            for _ in range(5):  # reading what no object names has a budget; the next capture goes on with it
                som, text, picture = suite.server.call(action="capture", mode="som")
                if not som.get("ok") or som["complete"]:
                    break
            ax, _, _ = suite.server.call(action="capture", mode="ax")
            seconds = suite.server.seconds
            if not som.get("ok"):
                raise RuntimeError(json.dumps(som)[:300])
            suite.leave(name, picture, som)
            rect = x.rect(window)
            suite.check(where, "window", [] if som["window_id"] == window else [f"{som['window_id']}, wanted {window}"])
            suite.check(where, "picture", [] if picture else ["none"])
            marks = [dict(e, device=judge.to_device(e["bounds"], som)) for e in som["elements"]]
            ghosts, wanted_controls, verdict = [], [], judge.Verdict()
            judge.numbers(som, verdict)
            wanted = 0
            if accessible:
                suite.check(where, "is on the bus", [] if names else ["it is not"])
                nodes, gtk4 = [], False
                for bus in names:
                    found, toolkit = reader.tree(bus)
                    gtk4 = toolkit.upper().startswith("GTK") and reader.version(bus) == 4
                    place(found, toolkit, gtk4, rect)
                    nodes += found
                    wanted_controls += controls(found, gtk4)
                truth = {"controls": wanted_controls, "partial": True, "secret": "\0", "texts": words}
                wanted = sum(c["mark"] == "yes" for c in wanted_controls)
                verdict = judge.judge(som, truth, "")
                ghosts = list(nowhere(marks, nodes, rect))
                judge.judge_tree(som, ax, truth, verdict)
            else:
                ghosts = [f"{judge.show(m)} is outside" for m in marks if not judge.centre_in(m["device"], rect)]
            for kind in ("missed", "duplicate", "misplaced", "numbers", "tree"):
                suite.check(where, kind, verdict.faults[kind])
            suite.check(where, "hidden", ghosts)
            suite.check(where, "complete", [] if som["complete"] else [json.dumps(som["warnings"])])
            if steady:  # a spinner never is
                suite.check(where, "deterministic", difference(suite.server))
            row = [len(marks), wanted] + [len(verdict.faults[k]) for k in ("missed", "duplicate", "misplaced", "numbers", "tree")] + [len(ghosts)]
            print(f"{name:22}" + "".join(f"{c:>8}" for c in row) + f"{seconds:>8.2f}", flush=True)
        finally:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait(5)
            end = time.monotonic() + 3
            while x.clients() != before and time.monotonic() < end:
                time.sleep(0.05)


def run(suite, names):
    columns = ["marks", "wanted", "missed", "dupl.", "mispl.", "numb.", "tree", "hidden", "seconds"]
    print(f"\nprograms\n{'':22}" + "".join(f"{c:>8}" for c in columns), flush=True)
    for name in names:
        try:
            judge_program(suite, name)
        except Exception as fault:  # one program that cannot be judged must not hide the others
            suite.check(name, "runs", [f"{type(fault).__name__}: {fault}"])
            print(f"{name:22}  failed: {str(fault)[:150]}", flush=True)
            if suite.server.process.poll() is not None:
                suite.serve()
