"""Compares one capture with the truth of a probe and says what is wrong with it, by kind of fault."""
import json
import re

# Words the contract allows for a kind of control (our canonical names of AT-SPI roles).
ROLES = {
    "button": {"push button", "push button menu"}, "toggle": {"toggle button", "push button"}, "check": {"check box"},
    "radio": {"radio button"}, "switch": {"switch", "toggle button", "check box"}, "entry": {"text", "entry"},
    "password": {"password text"}, "search": {"text", "entry"}, "text": {"text", "entry", "document text"},
    "combo": {"combo box", "push button", "toggle button"}, "spin": {"spin button", "text", "entry"},
    "spin-button": {"push button"}, "slider": {"slider"}, "link": {"link", "push button"},
    "menu": {"menu", "menu item"}, "menu-item": {"menu item"}, "check-item": {"check menu item", "menu item"},
    "radio-item": {"radio menu item", "menu item", "check menu item"},
    "menu-button": {"toggle button", "push button", "push button menu", "menu"}, "expander": {"toggle button", "push button"},
    "tab": {"page tab"}, "row": {"row", "list item", "table cell", "table row", "tree item", "menu item", "icon", "option"},
    "icon": {"icon", "list item", "table cell"}, "cell-check": {"check box", "table cell"}, "cell-edit": {"table cell", "text", "entry"},
    "header": {"column header", "row header", "table column header", "table row header", "push button"},
    "color": {"push button", "color chooser", "push button menu"}, "selectable": {"label", "text", "static", "paragraph"},
    "date": {"date editor", "spin button", "text", "entry"},
}
BY_PIXELS = 0.5  # IoU of a right rectangle for a mark found in the pixels, where there is no tree (targets)
KINDS = ("missed", "hidden", "duplicate", "misplaced", "role", "label", "state", "secret", "numbers", "tree", "overlap")


def area(r):
    return max(0, r[2]) * max(0, r[3])


def common(a, b):
    x, y = max(a[0], b[0]), max(a[1], b[1])
    r, t = min(a[0] + a[2], b[0] + b[2]), min(a[1] + a[3], b[1] + b[3])
    return [x, y, r - x, t - y] if r > x and t > y else None


def iou(a, b):
    shared = common(a, b)
    return area(shared) / (area(a) + area(b) - area(shared)) if shared else 0.0


def centre_in(a, b, slack=0):
    x, y = a[0] + a[2] / 2, a[1] + a[3] / 2
    return b[0] - slack <= x <= b[0] + b[2] + slack and b[1] - slack <= y <= b[1] + b[3] + slack


def edges_apart(a, b):
    """Largest distance between corresponding edges."""
    return max(abs(a[0] - b[0]), abs(a[1] - b[1]), abs(a[0] + a[2] - b[0] - b[2]), abs(a[1] + a[3] - b[1] - b[3]))


def normal(text):
    text = re.sub(r"\s+", " ", text or "").strip().casefold()
    return text.replace("…", "").replace("...", "").rstrip(":").strip()


def to_device(bounds, reply):
    """A rectangle of the picture in device pixels, exact (floats)."""
    (ox, oy), (sx, sy) = reply["origin"], reply["scale"]
    return [ox + bounds[0] / sx, oy + bounds[1] / sy, bounds[2] / sx, bounds[3] / sy]


def fits(mark, control):
    """The rectangle is right by what the toolkit is known to leave out (`padding`) or to count in (`margin`) of what it draws."""
    if control.get("padding"):
        return padded(mark, control["visible"], control["padding"])
    return bool(control.get("margin")) and within_margin(mark, control["visible"], control["margin"])


def padded(mark, content, most):
    """`mark` holds `content`, with no more than `most` (across, down) on any side."""
    sides = [content[0] - mark[0], mark[0] + mark[2] - content[0] - content[2], content[1] - mark[1], mark[1] + mark[3] - content[1] - content[3]]
    return all(-1.5 <= side <= limit for side, limit in zip(sides, (most[0], most[0], most[1], most[1])))


def within_margin(mark, rect, most):
    """`mark` is `rect` less a margin of up to `most` that is the same on two opposite sides."""
    left, right = mark[0] - rect[0], rect[0] + rect[2] - mark[0] - mark[2]
    top, bottom = mark[1] - rect[1], rect[1] + rect[3] - mark[1] - mark[3]
    even = lambda a, b: -1.5 <= a <= most and -1.5 <= b <= most and abs(a - b) <= max(1.5, max(a, b) / 3)  # noqa: E731
    return even(left, right) and even(top, bottom) and min(max(left, right), max(top, bottom)) <= 1.5


class Verdict:
    """Faults found in one capture, by kind; each a sentence."""

    def __init__(self):
        self.faults = {kind: [] for kind in KINDS}
        self.marks = self.wanted = 0

    def add(self, kind, sentence):
        self.faults[kind].append(sentence)


def show(mark):
    return f'#{mark["index"]} {mark["role"]} "{mark["label"]}" at {[round(v) for v in mark["device"]]}'


def told(control):
    return f'{control["kind"]} {control["id"]} "{control["label"]}" at {control["visible"] or control["rect"]}'


def places(control):
    """Rectangles that are right for the control, clipped as it is."""
    found = [control["visible"]]
    for rect in control.get("alt", []):
        if rect:
            found.append(common(rect, control["visible"]) or control["visible"])
            found.append(rect)
    return found


def pair(marks, controls):
    """One mark per control, best fit first: {mark index in list: control}."""
    candidates = []
    for m, mark in enumerate(marks):
        for c, control in enumerate(controls):
            if not control["visible"] or control["mark"] == "no":
                continue
            score = 1.0 if fits(mark["device"], control) else max(iou(mark["device"], rect) for rect in places(control))
            inside = centre_in(mark["device"], control["visible"]) and area(mark["device"]) < 4 * area(control["visible"])
            if score < 0.25 and not inside:
                continue
            if mark["role"] in ROLES.get(control["kind"], ()):
                score += 0.35
            if control["label"] and normal(control["label"]) == normal(mark["label"]):
                score += 0.3
            if control["mark"] == "maybe":
                score -= 0.1
            candidates.append((score, m, c))
    matched, used = {}, set()
    for score, m, c in sorted(candidates, key=lambda each: -each[0]):
        if m not in matched and c not in used:
            matched[m] = controls[c]
            used.add(c)
    return matched


def label_right(control, mark):
    wanted = [normal(text) for text in [control["label"]] + control.get("labels", []) if text]
    got = normal(mark["label"])
    if not wanted:
        return True
    if control["kind"] in ("row", "icon", "cell-edit"):
        return any(got == each or got.startswith(each) or each in got for each in wanted)
    return got in wanted


def value_right(wanted, got):
    if got is None:
        return False
    try:
        return abs(float(got.replace(",", ".").rstrip("%")) - float(wanted)) < 1e-6
    except ValueError:
        return normal(got)[:20] == normal(wanted)[:20]


def state_faults(control, mark):
    states = set(mark.get("states", []))
    for words in control.get("states", []):
        if not states & set(words.split("|")):
            yield f"{words} is not said"
    for word in control.get("absent", []):
        if word in states:
            yield f"{word} is wrong"


def judge(reply, truth, everything="", threshold=0.9):
    """Compares. `everything`: all text of the reply, searched for the secret. `threshold`: IoU of a right rectangle."""
    verdict = Verdict()
    marks = [dict(e, device=to_device(e["bounds"], reply)) for e in reply["elements"]]
    controls, region = truth["controls"], truth.get("region")
    verdict.marks, verdict.wanted = len(marks), sum(c["mark"] == "yes" for c in controls)
    numbers(reply, verdict)
    if region:  # only marks of the page are judged; popups of it may hang over
        marks = [m for m in marks if centre_in(m["device"], region)]
    matched = pair(marks, controls)
    found = {id(control) for control in matched.values()}
    for control in controls:
        if control["mark"] == "yes" and id(control) not in found:
            verdict.add("missed", told(control))
    slack = 1.01 + 1 / min(reply["scale"])
    buttons = {id(c): c["buttons"] for c in matched.values() if c.get("buttons")}
    for m, mark in enumerate(marks):
        control = matched.get(m)
        if control is None and is_stepper(mark, matched, buttons):
            continue
        if control is None:
            unexplained(mark, controls, matched, truth, verdict)
            continue
        right = places(control)
        best = max(right, key=lambda rect: iou(mark["device"], rect))
        if not any(centre_in(mark["device"], rect) for rect in right):
            verdict.add("misplaced", f"{show(mark)}: centre outside {told(control)}")
        elif control["mark"] == "yes" and iou(mark["device"], best) < (threshold if mark["source"] == "ax" else BY_PIXELS) and edges_apart(mark["device"], best) > slack and not fits(mark["device"], control):
            verdict.add("misplaced", f"{show(mark)}: IoU {iou(mark['device'], best):.2f} with {told(control)}")
        if control["mark"] != "yes":
            continue
        roles = set(control.get("roles", [])) or ROLES.get(control["kind"], set())
        if mark["role"] not in roles:
            verdict.add("role", f"{show(mark)} for {told(control)}")
        if not label_right(control, mark):
            verdict.add("label", f"{show(mark)} for {told(control)}")
        for sentence in state_faults(control, mark):
            verdict.add("state", f"{show(mark)}: {sentence}")
        if control.get("value") is not None and not value_right(control["value"], mark.get("value")):
            verdict.add("state", f"{show(mark)}: value {mark.get('value')!r}, is {control['value']!r}")
    labels = {normal(m["label"]) for m in marks} | {normal(e["label"]) for e in reply["elements"]}
    for word in truth.get("must", []):
        if normal(word) not in labels:
            verdict.add("missed", f'nothing labelled "{word}"')
    if truth["secret"] in everything:
        at = everything.index(truth["secret"])
        verdict.add("secret", f"password text in the reply: …{everything[max(0, at - 60):at]}<secret>")
    return verdict


def is_stepper(mark, matched, buttons):
    """One of the buttons that a spin button has, as many as it has."""
    for control in matched.values():
        if buttons.get(id(control)) and mark["role"] == "push button" and centre_in(mark["device"], control["rect"], 4):
            buttons[id(control)] -= 1
            return True
    return False


def unexplained(mark, controls, matched, truth, verdict):
    """A mark that belongs to no control that may have one."""
    if any(c.get("parts") and c["visible"] and centre_in(mark["device"], c["visible"]) for c in controls):
        return
    taken = [c for c in matched.values() if max(iou(mark["device"], r) for r in places(c)) > 0.4
             or (c["kind"] not in ("row",) and centre_in(mark["device"], c["visible"]))]
    refused = [c for c in controls if c["mark"] == "no" and c["rect"] and (
        iou(mark["device"], c["visible"] or c["rect"]) > 0.4 or centre_in(mark["device"], c["visible"] or c["rect"]))]
    refused.sort(key=lambda c: -iou(mark["device"], c["visible"] or c["rect"]))
    if taken:
        verdict.add("duplicate", f"{show(mark)} beside the mark of {told(taken[0])}")
    elif truth.get("partial"):
        return
    elif refused:
        verdict.add("hidden", f"{show(mark)}: {refused[0]['why']}: {told(refused[0])}")
    else:
        rows = [c for c in matched.values() if centre_in(mark["device"], c["visible"])]
        verdict.add("duplicate" if rows else "hidden", f"{show(mark)}: " + (f"within {told(rows[0])}" if rows else "nothing is there"))


def numbers(reply, verdict):
    """Numbers run 1..N, rectangles lie in the picture, counts agree."""
    elements = reply["elements"]
    if [e["index"] for e in elements] != list(range(1, len(elements) + 1)):
        verdict.add("numbers", "indices are not 1..N")
    for e in elements:
        x, y, w, h = e["bounds"]
        if w <= 0 or h <= 0 or x < 0 or y < 0 or x + w > reply["width"] or y + h > reply["height"]:
            verdict.add("numbers", f"#{e['index']} {e['bounds']} is not within {reply['width']}x{reply['height']}")
    if reply["total_elements"] != len(elements) + reply["omitted"] or reply["truncated"] != (reply["omitted"] > 0):
        verdict.add("numbers", f"total {reply['total_elements']}, listed {len(elements)}, omitted {reply['omitted']}")


def judge_tree(som, ax, truth, verdict):
    """The readable outline: same marks as the picture, all of them in the text, and the words that are no mark."""
    region = truth.get("region")  # names of what is around it may change by themselves
    pick = lambda e: (e["index"], e["role"], e["label"] if not region or centre_in(to_device(e["bounds"], som), region) else "", e["bounds"])  # noqa: E731
    if [pick(e) for e in som["elements"]] != [pick(e) for e in ax["elements"]]:
        verdict.add("tree", f"ax has other marks than som ({len(ax['elements'])} and {len(som['elements'])})")
    tree = ax.get("tree", "")
    for e in ax["elements"]:
        if not re.search(rf"#{e['index']}\b", tree):
            verdict.add("tree", f"#{e['index']} is not in the outline")
            break
    flat = normal(tree.replace("\\n", " "))
    for words in truth["texts"]:
        if normal(words) not in flat:
            verdict.add("tree", f'"{words}" is not in the outline')
    if truth["secret"] in json.dumps(ax):
        verdict.add("secret", "password text in the ax reply")


def judge_labels(boxes, reply, truth, verdict):
    """Number labels: none over another, none over the text of a control that has a mark."""
    placed = [(b["index"], b["box"]) for b in boxes if b["box"][2] > 0]
    if {b["index"] for b in boxes} != {e["index"] for e in reply["elements"]}:
        verdict.add("overlap", "the boxes are not those of the elements")
    left_off = len(boxes) - len(placed)
    if left_off and "labels_left_off" not in {w["code"] for w in reply["warnings"]}:
        verdict.add("overlap", f"{left_off} numbers were left off and nothing says so")
    for i, (first, one) in enumerate(placed):
        for second, other in placed[i + 1:]:
            if common(one, other):
                verdict.add("overlap", f"labels #{first} {one} and #{second} {other} overlap")
        x, y, w, h = one
        if x < 0 or y < 0 or x + w > reply["width"] or y + h > reply["height"]:
            verdict.add("overlap", f"label #{first} {one} leaves the picture")
    texts = [(c, t) for c in truth["controls"] if c["mark"] == "yes" for t in c.get("text", [])]
    for number, box in placed:
        at = to_device(box, reply)
        for control, text in texts:
            shared = common(at, text)
            if shared and shared[2] * reply["scale"][0] > 1.5 and shared[3] * reply["scale"][1] > 1.5:
                verdict.add("overlap", f"label #{number} {box} covers {shared[2]:.0f}x{shared[3]:.0f} px of the text of {told(control)}")
