#!/usr/bin/python3
"""GTK 3 oracle. See oracle.py."""
import sys

import gtk3_probe
import oracle
import oracle_gtk
from gi.repository import Atk, Gdk, GLib, Gtk

BUTTONS = {Gdk.EventType.BUTTON_PRESS: ("press", 1), Gdk.EventType._2BUTTON_PRESS: ("press", 2), Gdk.EventType._3BUTTON_PRESS: ("press", 3),
           Gdk.EventType.BUTTON_RELEASE: ("release", None)}
OTHERS = (Gdk.EventType.SCROLL, Gdk.EventType.KEY_PRESS, Gdk.EventType.MOTION_NOTIFY)
MASKS = {"shift": Gdk.ModifierType.SHIFT_MASK, "ctrl": Gdk.ModifierType.CONTROL_MASK, "alt": Gdk.ModifierType.MOD1_MASK, "super": Gdk.ModifierType.MOD4_MASK}
TICKS = {Gdk.ScrollDirection.UP: (0, -1), Gdk.ScrollDirection.DOWN: (0, 1), Gdk.ScrollDirection.LEFT: (-1, 0), Gdk.ScrollDirection.RIGHT: (1, 0)}


class Oracle(oracle_gtk.Oracle):
    place = gtk3_probe.Probe.place

    def __init__(self):
        super().__init__(Gtk.Window(title=oracle.TITLE + " GTK 3", default_width=980, default_height=720), Oracle.menu_bar)
        self.window.connect("destroy", Gtk.main_quit)
        self.window.show_all()
        self.widgets["press"].grab_focus()
        Gdk.Event.handler_set(self.event)

    def fill(self, outer, child):
        outer.add(child)

    def line(self, box, child, wide, tall):
        vertical = box.get_orientation() == Gtk.Orientation.VERTICAL
        box.pack_start(child, tall if vertical else wide, True, 0)

    def named(self, widget, label):
        widget.get_accessible().set_name(label)
        return widget

    def drawn(self, ident, label, colour, **more):
        area = self.named(self.add(ident, Gtk.DrawingArea(**more)), label)
        area.connect("draw", lambda _, context: (context.set_source_rgb(*colour), context.paint()))
        area.add_events(Gdk.EventMask.ALL_EVENTS_MASK & ~Gdk.EventMask.POINTER_MOTION_HINT_MASK)
        return area

    def make_poll(self, ident, label):
        area = self.drawn(ident, label, (0.7, 0.8, 0.9), width_request=60, height_request=26)
        area.get_accessible().set_role(Atk.Role.PUSH_BUTTON)
        area.connect("button-press-event", lambda *_: setattr(self, "held", True))
        area.connect("button-release-event", lambda *_: setattr(self, "held", False))
        return area

    def make_radio(self, ident, label):
        made = Gtk.RadioButton.new_with_label_from_widget(self.group, label)
        self.group = self.group or made
        return self.two_state(ident, made)

    def make_combo(self, ident, label):
        combo = Gtk.ComboBoxText()
        for option in oracle.OPTIONS:
            combo.append_text(option)
        combo.set_active(1)
        combo.connect("changed", lambda *_: self.changed(ident))
        return self.add(ident, combo, combo.get_active_text, lambda v: combo.set_active(oracle.OPTIONS.index(v)))

    def make_order(self, ident, label):
        store = Gtk.ListStore(str)
        view = self.named(Gtk.TreeView(model=store, headers_visible=False, reorderable=True), label)
        view.append_column(Gtk.TreeViewColumn("Order", Gtk.CellRendererText(), text=0))

        def fill(values):
            store.clear()
            for value in values:
                store.append([value])

        fill(oracle.ORDER)
        for i, name in enumerate(oracle.ORDER):
            self.widgets["order_" + name] = (view, i)
        return self.add(ident, view, lambda: [row[0] for row in store if row[0]], fill)

    def make_canvas(self, ident, label):
        area = self.drawn(ident, label, (0.9, 0.95, 0.85), can_focus=True, height_request=110)
        self.context = self.menu(oracle.CONTEXT)

        def pressed(_, event):
            area.grab_focus()
            if event.button == 3:
                self.context.popup_at_pointer(event)

        area.connect("button-press-event", pressed)
        return area

    # Menus ------------------------------------------------------------------------------------------------------------

    def menu(self, entries):
        menu = Gtk.Menu()
        for ident, label in entries:
            item = self.add(ident, Gtk.MenuItem(label=label))
            item.connect("activate", lambda _, i=ident: self.clicked(i))
            menu.append(item)
        menu.show_all()
        return menu

    def menu_bar(self):
        self.bar, top = Gtk.MenuBar(), self.add("file", Gtk.MenuItem(label="File"))
        entries = dict(oracle.MENU)
        top.set_submenu(self.menu([(i, entries[i]) for i in ("open", "recent", "leave")]))
        self.widgets["recent"].set_submenu(self.menu([(i, entries[i]) for i in ("one", "two")]))
        self.bar.append(top)
        return self.bar

    def close(self):
        self.context.popdown()
        self.bar.deactivate()
        self.widgets["size"].popdown()

    # Events -----------------------------------------------------------------------------------------------------------

    def event(self, event, *_):
        kind = event.get_event_type()
        if kind in BUTTONS or kind in OTHERS:
            target, state = self.ident(Gtk.get_event_widget(event)), event.get_state()[1]
            more = {"modifiers": [name for name, mask in MASKS.items() if state & mask]}
            if kind == Gdk.EventType.KEY_PRESS:
                self.log("key", self.focus(), key=Gdk.keyval_name(event.get_keyval()[1]), **more)
            else:
                more.update(zip(("x", "y"), (round(v) for v in event.get_root_coords()[1:])))
                if kind in BUTTONS:
                    name, count = BUTTONS[kind]
                    self.log(name, target, button=event.get_button()[1], count=count, **more)
                elif kind == Gdk.EventType.SCROLL:
                    smooth, dx, dy = event.get_scroll_deltas()
                    if not smooth:
                        dx, dy = TICKS[event.get_scroll_direction()[1]]
                    self.log("scroll", target, dx=dx, dy=dy, **more)
                else:
                    self.log("motion", target, **more)
        Gtk.main_do_event(event)

    # The conversation -------------------------------------------------------------------------------------------------

    def rect(self, widget):
        if isinstance(widget, tuple):
            view, row = widget
            area = view.get_cell_area(Gtk.TreePath.new_from_indices([row]), view.get_column(0))
            x, y = view.convert_bin_window_to_widget_coords(area.x, area.y)
            return self.place(view, (x, y, area.width, area.height))[1]
        return self.place(widget)[1]

    def window_record(self):
        window = self.window.get_window().get_xid()
        return {"id": window, "title": self.window.get_title(), "rect": self.x.rect(window)}

    def drop(self, widget):
        widget.destroy()

    def place_in(self, row, widget):
        return row.get_children().index(widget)

    def reorder(self, row, widget, place):
        row.reorder_child(widget, place)


if __name__ == "__main__":
    made = Oracle()
    GLib.io_add_watch(sys.stdin, GLib.IO_IN | GLib.IO_HUP, lambda *_: made.serve(Gtk.main_quit))
    Gtk.main()
