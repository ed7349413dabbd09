#!/usr/bin/python3
"""GTK 4 oracle. See oracle.py."""
import ctypes
import sys

import gtk4_probe
import oracle
import oracle_gtk
from gi.repository import Gdk, Gio, GLib, GObject, Gtk

BUTTONS = {Gdk.EventType.BUTTON_PRESS: "press", Gdk.EventType.BUTTON_RELEASE: "release"}
MASKS = {"shift": Gdk.ModifierType.SHIFT_MASK, "ctrl": Gdk.ModifierType.CONTROL_MASK, "alt": Gdk.ModifierType.ALT_MASK, "super": Gdk.ModifierType.SUPER_MASK}
TICKS = {Gdk.ScrollDirection.UP: (0, -1), Gdk.ScrollDirection.DOWN: (0, 1), Gdk.ScrollDirection.LEFT: (-1, 0), Gdk.ScrollDirection.RIGHT: (1, 0)}

# Python cannot be handed a GdkEvent of GTK 4 (PyGObject): its fields are asked for in C.
GTK = ctypes.CDLL("libgtk-4.so.1")
for name in ("event_get_event_type", "event_get_modifier_state", "button_event_get_button", "scroll_event_get_direction", "key_event_get_keyval"):
    getattr(GTK, "gdk_" + name).argtypes = [ctypes.c_void_p]
for name in ("event_get_position", "scroll_event_get_deltas"):
    getattr(GTK, "gdk_" + name).argtypes = [ctypes.c_void_p] + [ctypes.POINTER(ctypes.c_double)] * 2
ON_EVENT = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)


def pair(ask, event):
    x, y = ctypes.c_double(), ctypes.c_double()
    ask(event, ctypes.byref(x), ctypes.byref(y))
    return x.value, y.value


class Oracle(oracle_gtk.Oracle):
    place = gtk4_probe.Probe.place

    def __init__(self, application):
        self.application = application
        super().__init__(Gtk.ApplicationWindow(application=application, title=oracle.TITLE + " GTK 4", default_width=980, default_height=720), Oracle.menu_bar)
        watch = Gtk.EventControllerLegacy(propagation_phase=Gtk.PropagationPhase.CAPTURE)
        self.last = 0, 0
        self.on_event = ON_EVENT(lambda controller, event, data: self.event(event))
        GTK.g_signal_connect_data(ctypes.c_void_p(hash(watch)), b"event", self.on_event, None, None, 0)
        self.window.add_controller(watch)
        self.window.present()
        self.widgets["press"].grab_focus()

    def fill(self, outer, child):
        outer.set_child(child)

    def line(self, box, child, wide, tall):
        child.set_hexpand(wide)
        child.set_vexpand(tall)
        box.append(child)

    def named(self, widget, label):
        widget.update_property([Gtk.AccessibleProperty.LABEL], [label])
        return widget

    def drawn(self, ident, label, colour, **more):
        area = self.named(self.add(ident, Gtk.DrawingArea(**more)), label)
        area.set_draw_func(lambda _, context, *__: (context.set_source_rgb(*colour), context.paint()))
        return area

    def gesture(self, widget, pressed, released=lambda *_: None):
        clicks = Gtk.GestureClick(button=0)
        clicks.connect("pressed", pressed)
        clicks.connect("released", released)
        widget.add_controller(clicks)

    def make_poll(self, ident, label):
        area = self.drawn(ident, label, (0.7, 0.8, 0.9), width_request=60, height_request=26, accessible_role=Gtk.AccessibleRole.BUTTON)
        self.gesture(area, lambda *_: setattr(self, "held", True), lambda *_: setattr(self, "held", False))
        return area

    def make_radio(self, ident, label):
        made = Gtk.CheckButton(label=label)
        if self.group:
            made.set_group(self.group)
        self.group = self.group or made
        return self.two_state(ident, made)

    def make_combo(self, ident, label):
        combo = Gtk.DropDown.new_from_strings(oracle.OPTIONS)
        combo.set_selected(1)
        combo.connect("notify::selected", lambda *_: self.changed(ident))
        return self.add(ident, combo, lambda: oracle.OPTIONS[combo.get_selected()], lambda v: combo.set_selected(oracle.OPTIONS.index(v)))

    def make_order(self, ident, label):
        box, names = self.named(Gtk.ListBox(selection_mode=Gtk.SelectionMode.NONE), label), []

        def fill(values):
            names[:] = values
            while box.get_row_at_index(0):
                box.remove(box.get_row_at_index(0))
            for i, name in enumerate(names):
                box.insert(Gtk.Label(label=name, xalign=0), -1)
                row = self.widgets["order_" + name] = box.get_row_at_index(i)
                source, target = Gtk.DragSource(actions=Gdk.DragAction.MOVE), Gtk.DropTarget.new(GObject.TYPE_STRING, Gdk.DragAction.MOVE)
                source.connect("prepare", lambda *_, n=name: Gdk.ContentProvider.new_for_value(n))
                target.connect("drop", lambda _, dropped, *__, n=name: move(dropped, n))
                row.add_controller(source)
                row.add_controller(target)

        def move(dropped, before):
            names.remove(dropped)
            names.insert(names.index(before), dropped)
            fill(list(names))
            self.changed(ident)
            return True

        fill(oracle.ORDER)
        return self.add(ident, box, lambda: list(names), fill)

    def make_canvas(self, ident, label):
        area = self.drawn(ident, label, (0.9, 0.95, 0.85), focusable=True, content_height=110)
        self.context = Gtk.PopoverMenu.new_from_model(self.menu(oracle.CONTEXT))
        self.context.set_parent(area)

        def pressed(gesture, _, x, y):
            area.grab_focus()
            if gesture.get_current_button() == 3:
                place = Gdk.Rectangle()
                place.x, place.y, place.width, place.height = int(x), int(y), 1, 1
                self.context.set_pointing_to(place)
                self.context.popup()

        self.gesture(area, pressed)
        return area

    # Menus ------------------------------------------------------------------------------------------------------------

    def menu(self, entries):
        menu = Gio.Menu()
        for ident, label in entries:
            action = Gio.SimpleAction.new(ident, None)
            action.connect("activate", lambda *_, i=ident: self.clicked(i))
            self.application.add_action(action)
            menu.append(label, "app." + ident)
        return menu

    def menu_bar(self):
        entries, bar = dict(oracle.MENU), Gio.Menu()
        file = self.menu([("open", entries["open"])])
        file.append_submenu(entries["recent"], self.menu([(i, entries[i]) for i in ("one", "two")]))
        file.append_section(None, self.menu([("leave", entries["leave"])]))
        bar.append_submenu("File", file)
        self.bar = Gtk.PopoverMenuBar(menu_model=bar)
        self.widgets["file"] = self.bar.get_first_child()
        return self.bar

    def popovers(self, widget):
        child = widget.get_first_child()
        while child:
            if isinstance(child, Gtk.Popover):
                yield child
            yield from self.popovers(child)
            child = child.get_next_sibling()

    def close(self):
        for popover in [self.context, *self.popovers(self.bar), *self.popovers(self.widgets["size"])]:
            popover.popdown()

    # Events -----------------------------------------------------------------------------------------------------------

    def event(self, event):
        kind, state = GTK.gdk_event_get_event_type(event), GTK.gdk_event_get_modifier_state(event)
        more = {"modifiers": [name for name, mask in MASKS.items() if state & mask]}
        if kind == Gdk.EventType.KEY_PRESS:
            self.log("key", self.focus(), key=Gdk.keyval_name(GTK.gdk_key_event_get_keyval(event)), **more)
        elif kind in BUTTONS or kind in (Gdk.EventType.SCROLL, Gdk.EventType.MOTION_NOTIFY):
            x, y = pair(GTK.gdk_event_get_position, event)
            if x != x:  # a turn of the wheel has no place of its own
                x, y = self.last
            self.last = x, y
            (dx, dy), origin, scale = self.window.get_surface_transform(), self.x.origin(self.window.get_surface().get_xid()), self.window.get_scale_factor()
            target = self.ident(self.window.pick(x - dx, y - dy, Gtk.PickFlags.DEFAULT))
            more.update(x=round(origin[0] + x * scale), y=round(origin[1] + y * scale))
            if kind in BUTTONS:
                self.log(BUTTONS[kind], target, button=GTK.gdk_button_event_get_button(event), **more)
            elif kind == Gdk.EventType.SCROLL:
                direction = GTK.gdk_scroll_event_get_direction(event)
                dx, dy = pair(GTK.gdk_scroll_event_get_deltas, event) if direction == Gdk.ScrollDirection.SMOOTH else TICKS[direction]
                self.log("scroll", target, dx=dx, dy=dy, **more)
            else:
                self.log("motion", target, **more)
        return 0

    # The conversation -------------------------------------------------------------------------------------------------

    def rect(self, widget):
        return self.place(widget)[1]

    def window_record(self):
        window = self.window.get_surface().get_xid()
        return {"id": window, "title": self.window.get_title(), "rect": self.x.rect(window)}

    def drop(self, widget):
        widget.get_parent().remove(widget)

    def place_in(self, row, widget):
        at = 0
        while (widget := widget.get_prev_sibling()) is not None:
            at += 1
        return at

    def reorder(self, row, widget, place):
        others, child = [], row.get_first_child()
        while child:
            if child is not widget:
                others.append(child)
            child = child.get_next_sibling()
        row.reorder_child_after(widget, others[place - 1] if place else None)


def main():
    application = Gtk.Application(application_id="org.example.OracleGtk4", flags=Gio.ApplicationFlags.NON_UNIQUE)

    def start(app):
        Gtk.Settings.get_default().set_property("gtk-enable-animations", False)
        made = Oracle(app)
        GLib.io_add_watch(sys.stdin, GLib.PRIORITY_DEFAULT, GLib.IO_IN | GLib.IO_HUP, lambda *_: made.serve(app.quit))

    application.connect("activate", start)
    application.run([])


if __name__ == "__main__":
    main()
