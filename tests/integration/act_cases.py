"""What is done to every oracle, and by what its log shows that it was done. Data, and the few kinds of effect."""
from dataclasses import dataclass, field

ALL = ("mark", "coordinate")


@dataclass
class Case:
    name: str
    target: str                      # id of the control; the pointer goes to its centre, or to `at`
    effect: object                   # Effect
    request: dict = field(default_factory=dict)
    ends: tuple = ALL                # how the target is named
    at: tuple = (0.5, 0.5)           # of a coordinate: part of the rectangle (floats) or pixels from its corner (integers)
    to: tuple = ()                   # drag: (id, part of its rectangle)
    put: dict = field(default_factory=dict)    # what controls hold before
    spared: tuple = ()               # toolkits that have no such control
    cannot: dict = field(default_factory=dict)  # toolkits that give no way to do it: the code of the honest refusal
    also: tuple = ()                 # controls that change with it
    first: dict = field(default_factory=dict)  # an action before, not judged
    covered: bool = False            # also tried under a window that covers the target
    silent: bool = False             # nothing of the app's state changes: no evidence can be asked for


class Effect:
    """`seen(before, now, extra)` tells whether it happened; `extra` has the popups on the screen and what is shown."""

    def __init__(self, seen, changes=()):
        self.seen, self.changes = seen, changes


def state(ident, value):
    return Effect(lambda before, now, _: same(now["state"].get(ident), value), (ident,))


def same(found, wanted):
    return abs(found - wanted) < 0.51 if isinstance(wanted, float) and isinstance(found, (int, float)) else found == wanted


def moved(ident, more=lambda before, now: now != before):
    return Effect(lambda before, now, _: more(before["state"][ident], now["state"][ident]), (ident,))


def count(now, event, ident, **more):
    return sum(e["event"] == event and e["target"] == ident and all(e.get(k) == v for k, v in more.items()) for e in now["events"])


def presses(ident, button, times=1, modifiers=()):
    def seen(before, now, _):
        found = [e for e in now["events"] if e["event"] == "press" and e["target"] == ident]
        good = [e for e in found if e["button"] == button and set(e.get("modifiers", [])) == set(modifiers)]
        # GTK 3 tells a second press twice, as press and as double press.
        distinct = sum(e.get("count") in (None, 1, 2) for e in good) - sum(e.get("count") == 2 for e in good) * (now.get("toolkit") == "gtk3")
        # A context menu that opens with the press takes the release.
        return len(good) == len(found) and distinct == times and (button == 3 or count(now, "release", ident) == times)
    return Effect(seen)


def event(name, ident, times=1, **more):
    return Effect(lambda before, now, _: count(now, name, ident, **more) == times)


def focused(ident):
    return Effect(lambda before, now, _: now["focus"] == ident and ident != before["focus"] or count(now, "press", ident) == 1)


def opens(ident):
    return Effect(lambda before, now, extra: extra["popups"] > 0 or ident in extra["shown"]())


def scrolled(ident, axis, ticks):
    def seen(before, now, _):
        found = [e for e in now["events"] if e["event"] == "scroll" and e["target"] == ident]
        if now.get("toolkit") == "tk":  # turned aside with shift, as Tk knows it
            found = [{**e, "dx": e["dy"], "dy": 0} if "shift" in e.get("modifiers", []) else e for e in found]
        total = sum(e[axis] for e in found)
        # Pages are told pixels, not ticks.
        return total * ticks > 0 if now.get("toolkit") == "chromium" else abs(total - ticks) < 0.01
    return Effect(seen)


def dragged(ident):
    def seen(before, now, _):
        names = [e["event"] for e in now["events"] if e["target"] == ident and e["event"] in ("press", "motion", "release")]
        return "press" in names and names.count("release") == 1 and names[names.index("press"):].count("motion") >= 3
    return Effect(seen)


def both(*effects):
    return Effect(lambda *seen: all(e.seen(*seen) for e in effects), tuple(c for e in effects for c in e.changes))


NO_TREE = ("tk",)
NO_CANVAS_MARK = ("coordinate",)  # a drawing area is no control: not every toolkit's has a mark
FOX = "The quick brown fox"
CASES = [
    Case("click button", "press", state("press", 1), covered=True),
    Case("click polled button", "poll", state("poll", 1)),
    Case("click check box", "check", state("check", True), covered=True),
    Case("click toggle button", "toggle", state("toggle", True)),
    Case("click switch", "switch", state("switch", True)),
    Case("click radio button", "blue", state("blue", True), also=("red",)),
    Case("click list row", "city_Paris", state("cities", "Paris"), covered=True),
    Case("click tab", "tab_Second", state("tabs", "Second")),
    Case("click entry", "name", focused("name"), silent=True),
    Case("click combo box", "size", opens("none"), silent=True),
    Case("click menu", "file", opens("open"), silent=True),
    Case("click area", "canvas", presses("canvas", 1), ends=NO_CANVAS_MARK, covered=True, silent=True),
    Case("double click area", "canvas", presses("canvas", 1, 2), {"action": "double_click"}, ends=NO_CANVAS_MARK, silent=True),
    Case("double click list row", "city_Rome", both(event("activated", "city_Rome"), state("cities", "Rome")), {"action": "double_click"}),
    Case("right click button", "press", presses("press", 3), {"action": "right_click"}, silent=True),
    Case("right click area", "canvas", both(presses("canvas", 3), opens("cut")), {"action": "right_click"}, ends=NO_CANVAS_MARK, covered=True, silent=True),
    Case("middle click button", "press", presses("press", 2), {"action": "middle_click"}, silent=True),
    Case("ctrl click area", "canvas", presses("canvas", 1, modifiers=["ctrl"]), {"modifiers": ["ctrl"]}, ends=NO_CANVAS_MARK, silent=True),
    Case("shift click button", "press", both(presses("press", 1, modifiers=["shift"]), state("press", 1)), {"modifiers": ["shift"]}),
    Case("ctrl+shift right click area", "canvas", presses("canvas", 3, modifiers=["ctrl", "shift"]), {"modifiers": ["ctrl", "shift"], "button": "right"}, ends=NO_CANVAS_MARK, silent=True),
    Case("drag on area", "canvas", dragged("canvas"), {"action": "drag"}, ends=("coordinate",), at=(0.2, 0.3), to=("canvas", (0.8, 0.7)), silent=True),
    Case("drag slider", "volume", moved("volume", lambda a, b: 40 < b < 95), {"action": "drag"}, ends=("coordinate",), at=(0.215, 0.5), to=("volume", (0.7, 0.5))),
    Case("drag row to reorder", "order_One", moved("order", lambda a, b: sorted(a) == sorted(b) and b[0] != "One"), {"action": "drag"}, to=("order_Four", (0.5, 0.5))),
    Case("drag over text to select", "notes", Effect(lambda before, now, extra: FOX[:9] in extra["selection"]() + "-" or len(extra["selection"]()) > 8), {"action": "drag"},
         ends=("coordinate",), at=(6, 11), to=("notes", (150, 11)), put={"notes": FOX}, silent=True),
    Case("scroll area down", "canvas", scrolled("canvas", "dy", 3), {"action": "scroll"}, ends=NO_CANVAS_MARK, silent=True),
    Case("scroll area left", "canvas", scrolled("canvas", "dx", -2), {"action": "scroll", "direction": "left", "amount": 2}, ends=NO_CANVAS_MARK, silent=True),
    Case("scroll list down over a mark", "item_1", moved("area", lambda a, b: b > a), {"action": "scroll", "amount": 2}),
    Case("type into entry", "name", state("name", "Hello wörld"), {"action": "type", "text": "Hello wörld"}, ends=("mark",), covered=True),
    Case("type into password", "code", state("code", "pa55-wört"), {"action": "type", "text": "pa55-wört"}, ends=("mark",)),
    Case("type lines into text", "notes", state("notes", "one\ntwo <3>"), {"action": "type", "text": "one\ntwo <3>"}, ends=("mark",)),
    Case("type after a click", "name", state("name", "абв 漢字 🙂"), {"action": "type", "text": "абв 漢字 🙂"}, ends=("mark",), first={"action": "click"}),
    Case("key in entry", "name", event("activated", "name"), {"action": "key", "keys": "Return"}, ends=("mark",), silent=True, covered=True),
    Case("key in area", "canvas", event("key", "canvas", key="F2"), {"action": "key", "keys": "F2"}, ends=NO_CANVAS_MARK, first={"action": "click"}, silent=True),
    Case("set combo box", "size", state("size", "Huge"), {"action": "set_value", "value": "Huge"}, ends=("mark",), covered=True),
    Case("set list", "city_Oslo", state("cities", "Cairo"), {"action": "set_value", "value": "Cairo"}, ends=("mark",)),
    Case("set tab list", "tab_First", state("tabs", "Third"), {"action": "set_value", "value": "Third"}, ends=("mark",)),
    Case("set slider", "volume", state("volume", 70.0), {"action": "set_value", "value": "70"}, ends=("mark",), covered=True),
    Case("set spin button", "copies", state("copies", 42.0), {"action": "set_value", "value": "42"}, ends=("mark",)),
    Case("set scroll bar", "bar", moved("area", lambda a, b: b > a), {"action": "set_value", "value": "60"}, ends=("mark",), spared=("chromium",), cannot={"gtk4": "not_settable"}),
    Case("set check box", "check", state("check", True), {"action": "set_value", "value": "on"}, ends=("mark",), covered=True),
    Case("set switch", "switch", state("switch", True), {"action": "set_value", "value": "true"}, ends=("mark",)),
    Case("set toggle button", "toggle", state("toggle", True), {"action": "set_value", "value": "on"}, ends=("mark",), cannot={"gtk4": "not_settable"}),
    Case("set radio button", "blue", state("blue", True), {"action": "set_value", "value": "on"}, ends=("mark",), also=("red",)),
    Case("set entry", "name", state("name", "Zoë"), {"action": "set_value", "value": "Zoë"}, ends=("mark",), put={"name": "old"}, covered=True),
    Case("set password", "code", state("code", "s3t-pässword"), {"action": "set_value", "value": "s3t-pässword"}, ends=("mark",)),
    Case("set text", "notes", state("notes", "a\nb"), {"action": "set_value", "value": "a\nb"}, ends=("mark",), put={"notes": FOX}),
]
SECRETS = ("pa55-wört", "s3t-pässword")
