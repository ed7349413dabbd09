"""An independent, simple reader of accessible trees: level by level, every node of one application, nothing remembered.

It is the second opinion on programs that cannot tell their own geometry. Rectangles are device pixels at scale 1.
"""
import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib  # noqa: E402

A, C = "org.a11y.atspi.Accessible", "org.a11y.atspi.Component"
SENSITIVE, SHOWING, VISIBLE, ENABLED, EDITABLE = 24, 25, 30, 8, 7
# AtspiRole numbers of what is certainly acted on by itself, and the judge's kind for it.
KINDS = {43: "button", 62: "toggle", 7: "check", 44: "radio", 51: "slider", 52: "spin", 11: "combo", 37: "tab", 88: "link", 79: "entry",
         40: "password", 130: "switch", 35: "menu-item", 33: "menu"}
WHOLE = {11, 52, 43, 62, 35, 33, 88}  # what is inside these is part of them
COMBO, SPIN, ICON = 11, 52, 26
MARGINS = {43, 62, 44, 7}    # GTK 3 reports the margin around these when the style sheet has one
PADDING = (18, 13)           # what GTK 4 pads around the content box that it reports, at most, across and down
POPUPS = {33, 41, 69}        # not clipped by what they hang from


class Node:
    def __init__(self, path, parent):
        self.path, self.parent, self.children = path, parent, []
        self.role, self.name, self.states, self.rect, self.seen = 0, "", set(), None, None


class Reader:
    def __init__(self, address=None):
        if address is None:
            session = Gio.bus_get_sync(Gio.BusType.SESSION)
            address = session.call_sync("org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress", None, None, 0, 3000, None).unpack()[0]
        self.bus = Gio.DBusConnection.new_for_address_sync(
            address, Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION, None, None)

    def many(self, calls, seconds=20):
        """Sends all (bus, path, interface, method, arguments) and gives the unpacked answers in order, None where one failed."""
        results, left, context = [None] * len(calls), [len(calls)], GLib.MainContext.default()

        def done(bus, result, index):
            try:
                results[index] = bus.call_finish(result).unpack()
            except GLib.Error:
                pass
            left[0] -= 1

        for i, (name, path, interface, method, arguments) in enumerate(calls):
            self.bus.call(name, path, interface, method, arguments, None, Gio.DBusCallFlags.NO_AUTO_START, int(seconds * 1000), None, done, i)
        while left[0] > 0:
            context.iteration(True)
        return results

    def applications(self):
        """{pid: [bus name]} of everything on the accessibility bus."""
        root = self.many([("org.a11y.atspi.Registry", "/org/a11y/atspi/accessible/root", A, "GetChildren", None)])[0]
        names = [name for name, _ in (root[0] if root else [])]
        pids = self.many([("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetConnectionUnixProcessID",
                           GLib.Variant("(s)", (name,))) for name in names])
        found = {}
        for name, pid in zip(names, pids):
            if pid:
                found.setdefault(pid[0], []).append(name)
        return found

    def tree(self, name, limit=6000):
        """All nodes of the application `name`, parents first; toolkit name with it."""
        get = "org.freedesktop.DBus.Properties"
        toolkit = self.many([(name, "/org/a11y/atspi/accessible/root", get, "Get",
                              GLib.Variant("(ss)", ("org.a11y.atspi.Application", "ToolkitName")))])[0]
        toolkit = toolkit[0] if toolkit else ""
        coordinates = GLib.Variant("(u)", (1 if toolkit.upper().startswith("GTK") and self.version(name) == 4 else 0,))
        nodes, level = [], [Node("/org/a11y/atspi/accessible/root", None)]
        while level and len(nodes) < limit:
            asked = []
            for node in level:
                asked += [(name, node.path, A, "GetChildren", None), (name, node.path, A, "GetRole", None),
                          (name, node.path, A, "GetState", None), (name, node.path, C, "GetExtents", coordinates),
                          (name, node.path, get, "Get", GLib.Variant("(ss)", (A, "Name")))]
            answers, below = self.many(asked), []
            for i, node in enumerate(level):
                children, role, state, extents, label = answers[5 * i:5 * i + 5]
                node.role = role[0] if role else 0
                bits = (state[0][0] | state[0][1] << 32) if state and len(state[0]) == 2 else 0
                node.states = {b for b in range(64) if bits >> b & 1}
                node.rect = list(extents[0]) if extents and extents[0][2] > 0 and extents[0][3] > 0 and abs(extents[0][0]) < 100000 else None
                node.name = label[0] if label else ""
                hidden = node.parent is not None and toolkit and self.hidden(node, toolkit, coordinates)
                for owner, path in children[0] if children and not hidden else ():
                    if owner == name and path != "/org/a11y/atspi/null":
                        child = Node(path, node)
                        node.children.append(child)
                        below.append(child)
                nodes.append(node)
            level = below
        return nodes, toolkit

    def version(self, name):
        got = self.many([(name, "/org/a11y/atspi/accessible/root", "org.freedesktop.DBus.Properties", "Get",
                          GLib.Variant("(ss)", ("org.a11y.atspi.Application", "Version")))])[0]
        return int(got[0].split(".")[0]) if got and got[0][:1].isdigit() else 0

    def hidden(self, node, toolkit, coordinates):
        """Nothing below it can be seen; GTK 4 says neither SHOWING nor VISIBLE of its widgets truthfully."""
        if coordinates.unpack()[0] == 1 or node.parent.parent is None:
            return False
        return SHOWING not in node.states or VISIBLE not in node.states


def overlap(a, b):
    x, y = max(a[0], b[0]), max(a[1], b[1])
    r, t = min(a[0] + a[2], b[0] + b[2]), min(a[1] + a[3], b[1] + b[3])
    return [x, y, r - x, t - y] if r > x and t > y else None


def place(nodes, toolkit, gtk4, window):
    """Fills `seen`: the part of each node that its ancestors and the window `window` ([x, y, w, h]) leave visible."""
    dx = dy = 0
    if gtk4:  # coordinates of the surface's content; a frame the program draws itself is around it
        top = next((n for n in nodes if n.rect and n.parent is not None and n.parent.parent is None), None)
        if top:
            dx, dy = window[0] + (window[2] - top.rect[2]) // 2, window[1] + (window[3] - top.rect[3]) // 2
    for node in nodes:
        if not node.rect:
            continue
        node.rect = [node.rect[0] + dx, node.rect[1] + dy, node.rect[2], node.rect[3]]
        shown = gtk4 or (SHOWING in node.states and VISIBLE in node.states)
        seen, outer = (overlap(node.rect, window) if shown else None), node.parent
        while outer is not None and seen and outer.parent is not None:
            if outer.rect and outer.role not in POPUPS:
                # GTK 4 gives content boxes: a child may reach a little beyond its parent's.
                seen = overlap(seen, [outer.rect[0] - 12, outer.rect[1] - 12, outer.rect[2] + 24, outer.rect[3] + 24] if gtk4 else outer.rect)
            outer = outer.parent
        node.seen = seen


def below(node):
    for child in node.children:
        yield child
        yield from below(child)


def enabled(node, gtk4):
    """GTK 4 says of a child that it is sensitive while what it is in is not."""
    while node is not None and node.parent is not None:
        if not {SENSITIVE, ENABLED} & node.states:
            return False
        node = node.parent if gtk4 else None
    return True


def holder(node):
    """The control `node` is a part of, or None; the entry of a combo box is a control itself."""
    outer = node.parent
    while outer is not None:
        if outer.role in WHOLE and outer.parent is not None and outer.seen is not None:
            return None if outer.role == COMBO and EDITABLE in node.states else outer
        outer = outer.parent
    return None


def beside(whole, part):
    """What is left of `whole` on the wider side of `part`."""
    left, right = part[0] - whole[0], whole[0] + whole[2] - part[0] - part[2]
    return [part[0] + part[2], whole[1], right, whole[3]] if right >= left else [whole[0], whole[1], left, whole[3]]


def controls(nodes, gtk4=False):
    """Records in the manner of truth.control for what certainly has to have a mark."""
    found = []
    for node in nodes:
        text = node.role in (61, 79) and EDITABLE in node.states
        icon = node.role == ICON and node.parent is not None and node.parent.role in (61, 79)
        if not (node.role in KINDS or text or icon) or holder(node) or not node.seen or not enabled(node, gtk4):
            continue
        small = node.seen[2] < 6 or node.seen[3] < 6 or node.seen[2] * node.seen[3] * 4 < node.rect[2] * node.rect[3]
        name = node.name if node.name and not node.name.startswith("Gtk") else None
        kind = "icon" if icon else "text" if text else KINDS[node.role]
        record = {"id": node.path.rsplit("/", 1)[-1], "kind": kind, "label": name, "rect": node.rect, "visible": node.seen, "enabled": True,
                  "mark": "maybe" if small or icon else "yes", "why": "", "padding": PADDING if gtk4 else None}
        if icon:  # whether it can be pressed is in its actions, which are not asked for
            record["roles"] = ["icon"]
        entry = next((n for n in below(node) if EDITABLE in n.states and n.seen), None) if node.role == COMBO else None
        if entry:  # the entry has a mark of its own, and so has the arrow beside it
            pad = 9 if gtk4 else 0
            record["visible"] = record["rect"] = beside(node.seen, [entry.seen[0] - pad, entry.seen[1], entry.seen[2] + 2 * pad, entry.seen[3]])
        if node.role == SPIN:  # its text, and two buttons which not every toolkit has objects for
            record["buttons"] = 2
            if gtk4:  # no object tells where the text ends: the buttons are about as wide as high
                x, y, w, h = node.seen
                record["alt"] = [[x, y, max(1, w - 2 * round(1.1 * h)), h]]
        if node.role in MARGINS:
            record["margin"] = 16
        found.append(record)
    return found
