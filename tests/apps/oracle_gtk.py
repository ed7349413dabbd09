"""What the GTK 3 and the GTK 4 oracle have in common: the controls that both versions make alike. Import it after the version is chosen."""
from gi.repository import GLib, Gtk

import oracle
import xlib

WIDE = ("slider", "text", "list", "order", "tabs", "area", "canvas")
TALL = ("text", "order", "canvas")


class Oracle(oracle.Oracle):
    """A subclass says what differs: `fill(outer, child)`, `line(box, child, wide, tall)`, `named(widget, label)`, drawing, menus and events."""

    def __init__(self, window, menu_bar):
        super().__init__()
        self.x, self.window, self.group = xlib.Display(own_errors=False), window, None
        self.held = self.counted = False
        outer, both = Gtk.Box(orientation=Gtk.Orientation.VERTICAL), Gtk.Box(spacing=12, homogeneous=True)
        self.jobs_box = Gtk.Box(spacing=4)
        self.line(outer, menu_bar(self), False, False)
        self.line(outer, self.jobs_box, False, False)
        for column in self.build(self.column):
            self.line(both, column, True, True)
        self.line(outer, both, True, True)
        self.status = Gtk.Label(label="ready", xalign=0)
        self.line(outer, self.status, False, False)
        self.fill(self.window, outer)
        GLib.timeout_add(40, self.poll)

    def column(self, lines):
        box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=6)
        for line in lines:
            row = Gtk.Box(spacing=8)
            for ident, kind, label in line:
                self.line(row, getattr(self, "make_" + kind)(ident, label), kind in WIDE, kind in TALL)
            self.line(box, row, False, line[0][1] in TALL)
        return box

    def poll(self):
        """A program that looks every 40 ms whether a button is held."""
        if self.held and not self.counted:
            self.clicked("poll")
        self.counted = self.held
        return True

    def say(self, words):
        self.status.set_label(words)

    def make_button(self, ident, label):
        button = self.add(ident, Gtk.Button(label=label))
        button.connect("clicked", lambda *_: self.clicked(ident))
        return button

    def make_disabled(self, ident, label):
        button = self.make_button(ident, label)
        button.set_sensitive(False)
        return button

    def two_state(self, ident, widget, signal="toggled"):
        widget.connect(signal, lambda *_: self.changed(ident))
        return self.add(ident, widget, widget.get_active, widget.set_active)

    def make_check(self, ident, label):
        return self.two_state(ident, Gtk.CheckButton(label=label))

    def make_toggle(self, ident, label):
        return self.two_state(ident, Gtk.ToggleButton(label=label))

    def make_switch(self, ident, label):
        return self.two_state(ident, self.named(Gtk.Switch(), label), "notify::active")

    def number(self, ident, widget):
        widget.connect("value-changed", lambda *_: self.changed(ident))
        return self.add(ident, widget, widget.get_value, widget.set_value)

    def make_spin(self, ident, label):
        spin = self.named(Gtk.SpinButton.new_with_range(0, 100, 1), label)
        spin.set_value(5)
        return self.number(ident, spin)

    def make_slider(self, ident, label):
        scale = self.named(Gtk.Scale.new_with_range(Gtk.Orientation.HORIZONTAL, 0, 100, 1), label)
        scale.set_value(20)
        return self.number(ident, scale)

    def make_entry(self, ident, label):
        entry = self.named(Gtk.Entry(width_chars=14), label)
        entry.connect("changed", lambda *_: self.changed(ident))
        entry.connect("activate", lambda *_: self.log("activated", ident))
        return self.add(ident, entry, entry.get_text, entry.set_text)

    def make_password(self, ident, label):
        entry = self.make_entry(ident, label)
        entry.set_visibility(False)
        return entry

    def make_text(self, ident, label):
        text, outer = self.named(Gtk.TextView(), label), Gtk.ScrolledWindow(min_content_height=110)
        self.fill(outer, text)
        buffer = text.get_buffer()
        buffer.connect("changed", lambda *_: self.changed(ident))
        self.add(ident, text, lambda: buffer.get_text(*buffer.get_bounds(), True), buffer.set_text)
        return outer

    def selection(self):
        """The text selected in the text view."""
        bounds = self.widgets["notes"].get_buffer().get_selection_bounds()
        return self.widgets["notes"].get_buffer().get_text(*bounds, True) if bounds else ""

    def make_list(self, ident, label):
        box = self.named(Gtk.ListBox(activate_on_single_click=False), label)
        for i, city in enumerate(oracle.CITIES):
            box.insert(Gtk.Label(label=city, xalign=0), -1)
            self.widgets["city_" + city] = box.get_row_at_index(i)
        box.select_row(box.get_row_at_index(0))
        box.connect("row-selected", lambda *_: self.changed(ident))
        box.connect("row-activated", lambda _, row: self.log("activated", "city_" + oracle.CITIES[row.get_index()]))
        return self.add(ident, box, lambda: oracle.CITIES[box.get_selected_row().get_index()] if box.get_selected_row() else None,
                        lambda v: box.select_row(box.get_row_at_index(oracle.CITIES.index(v))))

    def make_tabs(self, ident, label):
        book = Gtk.Notebook()
        for i, name in enumerate(oracle.TABS):
            title = Gtk.Label(label=name)
            self.widgets["tab_" + name] = title
            book.append_page(Gtk.Label(label=f"Page {i}", height_request=24), title)
        book.connect("switch-page", lambda *_: GLib.idle_add(lambda: self.changed(ident)))
        return self.add(ident, book, lambda: oracle.TABS[book.get_current_page()], lambda v: book.set_current_page(oracle.TABS.index(v)))

    def make_area(self, ident, label):
        outer, box = Gtk.ScrolledWindow(min_content_height=110, overlay_scrolling=False), Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
        for i in range(oracle.ITEMS):
            self.line(box, self.make_button(f"item_{i}", f"Item {i}"), True, False)
        self.fill(outer, box)
        value = outer.get_vadjustment()
        self.widgets["bar"] = outer.get_vscrollbar()
        value.connect("value-changed", lambda *_: self.changed(ident))
        return self.add(ident, outer, value.get_value, value.set_value)

    def ident(self, widget):
        """Id of the control that the widget is or lies in."""
        while widget is not None:
            for ident, known in self.widgets.items():
                if known is widget:
                    return ident
            widget = widget.get_parent()
        return None

    def focus(self):
        return self.ident(self.window.get_focus())

    def later(self, call):
        GLib.timeout_add(60, lambda: call() or False)

    def retitle(self, title):
        self.window.set_title(title)

    def rename(self, widget, label):
        widget.set_label(label)

    def do_remove(self, ident):
        self.drop(self.widgets.pop(ident))

    def do_swap(self, one, two):
        row = self.widgets[one].get_parent()
        places = [self.place_in(row, self.widgets[i]) for i in (one, two)]
        self.reorder(row, self.widgets[one], places[1])
        self.reorder(row, self.widgets[two], places[0])

    def insert_job(self, label, place):
        button = self.make_button(label, label)
        self.line(self.jobs_box, button, False, False)
        self.reorder(self.jobs_box, button, place)
        button.show()

    def remove_job(self, label):
        self.do_remove(label)

    def move_job(self, label, place):
        self.reorder(self.jobs_box, self.widgets[label], place)
