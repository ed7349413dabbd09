"""What every oracle shares: which controls it has, what it writes down, and the conversation with whoever asks.

An oracle is a small program that logs every event it receives and every change of its controls. It reads commands from
standard input as a probe does (truth.py): `where` answers with the window and the rectangle of every control in device
pixels; `look` with the state of every control and all events since `reset`; `reset` puts everything back.

An event: {"event": press|release|motion|scroll|key|clicked|changed|activated, "target": id, and what applies of button
(1 left, 2 middle, 3 right), count, modifiers, x, y (device pixels on the screen), dx, dy (wheel ticks), key, value}.
A state: a number of clicks, on or off, the chosen label, a number, a text, an order.
"""
import sys

import truth

OPTIONS = ["Small", "Medium", "Large", "Huge"]
CITIES = ["Oslo", "Rome", "Paris", "Cairo"]
ORDER = ["One", "Two", "Three", "Four"]
TABS = ["First", "Second", "Third"]
JOBS = 6  # buttons in the row that churns
# Lines of the left column: (id, kind, label). The right column has the lists, tabs, scrolled area and canvas.
LINES = [
    [("press", "button", "Press"), ("second", "button", "Second"), ("off", "disabled", "Off"), ("poll", "poll", "Poll")],
    [("check", "check", "Agree"), ("toggle", "toggle", "Bold"), ("switch", "switch", "Wireless")],
    [("red", "radio", "Red"), ("blue", "radio", "Blue")],
    [("size", "combo", "Size"), ("copies", "spin", "Copies")],
    [("volume", "slider", "Volume")],
    [("name", "entry", "Name"), ("code", "password", "Code")],
    [("notes", "text", "Notes")],
]
RIGHT = [("cities", "list", "Cities"), ("order", "order", "Order"), ("tabs", "tabs", "Pages"), ("area", "area", "Items"), ("canvas", "canvas", "Canvas")]
MENU = [("open", "Open"), ("recent", "Recent"), ("one", "Report one"), ("two", "Report two"), ("leave", "Leave")]  # one and two below Recent
CONTEXT = [("cut", "Cut"), ("paste", "Paste")]
ITEMS = 30  # buttons in the scrolled area
START = {"check": False, "toggle": False, "switch": False, "red": True, "blue": False, "size": "Medium", "copies": 5.0, "volume": 20.0,
         "name": "", "code": "", "notes": "", "cities": "Oslo", "order": ORDER, "tabs": "First", "area": 0.0}
TITLE = "Oracle"


def spec():
    """Everything above for a program that is not written in Python."""
    return {"lines": LINES, "right": RIGHT, "menu": MENU, "context": CONTEXT, "options": OPTIONS, "cities": CITIES, "order": ORDER,
            "tabs": TABS, "items": ITEMS, "start": START, "jobs": JOBS}


class Oracle(truth.Commands):
    """Subclasses build the widgets and call `add` for each; `rect(widget)` is theirs."""

    def __init__(self):
        self.events, self.clicks, self.widgets, self.getters, self.setters = [], {}, {}, {}, {}
        self.quiet = False
        self.jobs = []  # labels in the row that churns, as shown
        self.hired = 0

    def add(self, ident, widget, get=None, put=None):
        """`get()` tells the state, `put(value)` sets it; a control without them counts its clicks."""
        self.widgets[ident] = widget
        if get:
            self.getters[ident], self.setters[ident] = get, put
        return widget

    def build(self, make):
        """Calls make_<kind>(id, label) for every control of a column."""
        return make(LINES), make([[entry] for entry in RIGHT])

    def log(self, event, target, **more):
        if not self.quiet:
            self.events.append({"event": event, "target": target, **{k: v for k, v in more.items() if v not in (None, [])}})

    def clicked(self, target):
        if not self.quiet:
            self.clicks[target] = self.clicks.get(target, 0) + 1
            self.say(f"{target} {self.clicks[target]}")
        self.log("clicked", target)

    def say(self, words):
        """Shows what happened last in the status line, as programs do."""

    def changed(self, target):
        self.log("changed", target, value=self.getters[target]())

    def state(self):
        return {**{ident: get() for ident, get in self.getters.items()}, **self.clicks}

    def focus(self):
        """Id of the control with the keyboard focus, or None."""

    def do_look(self):
        return {"ok": True, "state": self.state(), "events": self.events, "focus": self.focus()}

    def do_where(self):
        found = {ident: self.rect(widget) for ident, widget in self.widgets.items()}
        return {"ok": True, "window": self.window_record(), "controls": {ident: rect for ident, rect in found.items() if rect}}

    def do_reset(self):
        self.quiet = True
        self.close()
        for ident, value in START.items():
            if ident in self.setters and self.getters[ident]() != value:
                self.setters[ident](value)
        self.later(self.fresh)

    def fresh(self):
        """After the toolkit has worked off what `reset` caused."""
        self.quiet = False
        self.say("ready")
        self.events.clear()
        self.clicks.clear()

    def do_selection(self):
        return {"ok": True, "text": self.selection()}

    def do_put(self, ident, *words):
        """Sets a control from inside, unlogged: what a case starts from."""
        self.quiet = True
        self.setters[ident](" ".join(words))
        self.quiet = False

    def do_forget(self):
        self.events.clear()

    def do_title(self, *words):
        self.retitle(" ".join(words))

    def do_rename(self, ident, *words):
        self.rename(self.widgets[ident], " ".join(words))

    def do_churn(self, step):
        """One change of the row of jobs: its buttons are inserted, removed and moved by turns."""
        step = int(step)
        kind, place = step % 3, (step * 7) % max(1, len(self.jobs))
        if kind == 0 or len(self.jobs) < 3:
            self.hired += 1
            label = "Job " + "".join(chr(97 + self.hired // 26 ** i % 26) for i in range(3))  # letters: numbers in a name may change
            self.jobs.insert(place, label)
            self.insert_job(label, place)
        elif kind == 1 and len(self.jobs) >= JOBS:
            self.remove_job(self.jobs.pop(place))
        else:
            label = self.jobs.pop(place)
            self.jobs.insert((place * 3 + 1) % (len(self.jobs) + 1), label)
            self.move_job(label, self.jobs.index(label))
        return {"ok": True, "jobs": self.jobs}

    def serve(self, ended):
        """Reads one line of standard input, ready to be read; calls `ended` at the end."""
        line = sys.stdin.readline()
        if line and self.handle(line):
            return True
        ended()
        return False
