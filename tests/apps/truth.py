"""What every probe shares: the record of one control, and the conversation with whoever asks for the truth.

A probe is a small program full of controls. It reads commands from standard input, one per line (a word, then arguments),
and answers each with one line of JSON on standard output. `truth` answers with every control: what it is, where it is
DRAWN on the screen in device pixels by the toolkit's own geometry, which part of that is visible, and whether a person
could act on it. Nothing here or in a probe reads the accessibility tree: that is what the truth is there to judge.
"""
import json
import sys

# Kinds that a person can act on. Everything else (label, progress, image, pane…) must never be marked.
INTERACTIVE = {
    "button", "toggle", "check", "radio", "switch", "entry", "password", "search", "text", "combo", "spin", "spin-button",
    "slider", "link", "menu", "menu-item", "check-item", "radio-item", "menu-button", "expander", "tab", "row", "icon", "cell",
    "cell-check", "cell-edit", "header", "color", "date", "selectable",
}
# Kinds on which opinions differ: neither missing nor marking them is an error.
OPTIONAL = {"scrollbar", "calendar", "day", "handle", "arrow", "titlebar"}
SECRET = "hunter2-s3cr3t"  # what the password fields hold; must appear nowhere in a reply


def intersect(a, b):
    """Common part of two [x, y, w, h], or None."""
    if not a or not b:
        return None
    x, y = max(a[0], b[0]), max(a[1], b[1])
    r, t = min(a[0] + a[2], b[0] + b[2]), min(a[1] + a[3], b[1] + b[3])
    return [x, y, r - x, t - y] if r > x and t > y else None


def device(rect, scale, origin=(0, 0)):
    """A logical [x, y, w, h] (floats allowed) in device pixels, moved by `origin` (device pixels)."""
    x, y, w, h = rect
    left, top = round(x * scale), round(y * scale)
    return [origin[0] + left, origin[1] + top, round((x + w) * scale) - left, round((y + h) * scale) - top]


def control(ident, kind, label, rect, visible, enabled=True, **more):
    """One record. `rect`: drawn, device pixels, None when not drawn at all; `visible`: what clipping leaves of it, or None.

    more: text (rectangles of its drawn text), states (words that must be there), absent (words that must not), value, labels (other right labels), alt (other
    right rectangles), covered (hidden under something in the same window), optional, parts (marks of its own inside are right too), roles (instead of the kind's).
    `mark`: "yes", "no" or "maybe"; `why` says which rule made it "no" or "maybe".
    """
    record = {"id": ident, "kind": kind, "label": label, "rect": rect, "visible": visible, "enabled": bool(enabled)}
    record.update({k: v for k, v in more.items() if v not in (None, False, [])})
    mark, why = "yes", ""
    if kind in OPTIONAL or more.get("optional"):
        mark, why = "maybe", "optional"
    if kind not in INTERACTIVE and kind not in OPTIONAL:
        mark, why = "no", "nothing to act on"
    if mark != "no":
        if not visible:
            mark, why = "no", "not visible"
        elif not enabled:
            mark, why = "no", "disabled"
        elif more.get("covered"):
            mark, why = "no", "covered"
        elif more.get("blocked"):
            mark, why = "no", "behind a menu or modal dialog"
        elif rect and rect != visible and sliver(rect, visible):
            mark, why = "maybe", "only a sliver is visible"
    record.update(mark=mark, why=why)
    return record


def sliver(rect, visible):
    """So little of it shows that either answer is right."""
    return visible[2] < 5 or visible[3] < 5 or visible[2] * visible[3] * 4 < rect[2] * rect[3]


def answer(reply):
    sys.stdout.write(json.dumps(reply, ensure_ascii=False) + "\n")
    sys.stdout.flush()


class Commands:
    """Turns lines into calls of `do_<word>` methods (dashes become underscores). Subclasses are the probes."""

    def handle(self, line):
        """Answers one line; False when the probe should end."""
        words = line.split()
        if not words:
            return True
        if words[0] == "quit":
            answer({"ok": True})
            return False
        method = getattr(self, "do_" + words[0].replace("-", "_"), None)
        if method is None:
            answer({"ok": False, "message": "unknown command " + words[0], "commands": sorted(
                name[3:].replace("_", "-") for name in dir(self) if name.startswith("do_"))})
            return True
        try:
            reply = method(*words[1:])
        except Exception as fault:  # the asker must get a line whatever happens here
            answer({"ok": False, "message": f"{words[0]}: {type(fault).__name__}: {fault}"})
            return True
        answer(reply if isinstance(reply, dict) else {"ok": True})
        return True
