#!/usr/bin/python3
"""GTK 3 probe: a window full of controls that tells where it drew them. `--csd`: with a header bar; `--dark`: dark theme.

Geometry: allocation without the CSS margin, translated to the toplevel, times the scale factor, plus the X origin of the
toplevel's own window. See truth.py for the conversation.
"""
import sys

import gi
gi.require_version("Gtk", "3.0")
gi.require_version("Gdk", "3.0")
gi.require_version("GdkX11", "3.0")
from gi.repository import Gdk, GdkX11, GLib, Gtk  # noqa: E402,F401

import gtk3_pages as pages  # noqa: E402
import truth  # noqa: E402
import xlib  # noqa: E402


class Probe(truth.Commands):
    def __init__(self, csd):
        self.x = xlib.Display(own_errors=False)
        self.entries = []   # (ident, kind, label, widget, options)
        self.sources = []   # functions that give more records: rows, tabs, …
        self.popup = None   # what is open besides the window: None, "menu", "popover", "combo", "dialog", "chooser"
        self.dialog = None
        self.window = Gtk.Window(title="Probe GTK 3", default_width=860, default_height=640)
        if csd:
            bar = Gtk.HeaderBar(title="Probe GTK 3", show_close_button=True)
            new = Gtk.Button.new_from_icon_name("document-new-symbolic", Gtk.IconSize.BUTTON)
            new.set_tooltip_text("New document")
            bar.pack_start(new)
            self.add("header_new", "button", "New document", new, labels=["New"])
            self.window.set_titlebar(bar)
            self.sources.append(lambda: self.window_buttons(bar))
        box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
        self.menubar = pages.menu_bar(self)
        self.book = Gtk.Notebook()
        box.pack_start(self.menubar, False, False, 0)
        box.pack_start(self.book, True, True, 0)
        self.add_all(pages.controls(self), "Controls")
        self.add_all(pages.lists(self), "Lists")
        self.add_all(pages.scroll(self), "Scroll")
        self.sources.append(self.tabs)
        self.window.add(box)
        self.window.connect("destroy", Gtk.main_quit)
        self.window.show_all()
        self.first.grab_focus()

    def add(self, ident, kind, label, widget, **more):
        self.entries.append((ident, kind, label, widget, more))
        return widget

    def add_all(self, page, title):
        self.book.append_page(page, Gtk.Label(label=title))

    # Geometry ---------------------------------------------------------------------------------------------------------

    def place(self, widget, rect=None):
        """(drawn, visible) of the widget, or of a logical rectangle inside it, in device pixels; (None, None) undrawn."""
        top = widget.get_toplevel()
        if not widget.get_mapped() or not top.is_toplevel():
            return None, None
        origin, scale = self.x.origin(top.get_window().get_xid()), top.get_scale_factor()
        if rect is None:
            at, margin = widget.get_allocation(), widget.get_style_context().get_margin(widget.get_state_flags())
            rect = (margin.left, margin.top, at.width - margin.left - margin.right, at.height - margin.top - margin.bottom)
        x, y = widget.translate_coordinates(top, 0, 0)
        drawn = truth.device((x + rect[0], y + rect[1], rect[2], rect[3]), scale, origin)
        seen, outer = drawn, widget
        while outer is not None and seen:
            # Translating a parent of an own window to the toplevel gives the parent's corner, so every step is exact.
            at, (px, py) = outer.get_allocation(), outer.translate_coordinates(top, 0, 0)
            if outer is not top and not isinstance(outer, Gtk.Popover):
                seen = truth.intersect(seen, truth.device((px, py, at.width, at.height), scale, origin))
            elif outer is top:
                seen = truth.intersect(seen, truth.device((0, 0, at.width, at.height), scale, origin))
            outer = None if isinstance(outer, Gtk.Popover) else outer.get_parent()
        return drawn, seen

    def words(self, widget):
        """Visible rectangles of the text drawn in the widget's labels."""
        found = []
        for inner in [widget] + pages.descendants(widget):
            if isinstance(inner, Gtk.Label) and inner.get_mapped() and inner.get_text():
                at, (x, y), box = inner.get_allocation(), inner.get_layout_offsets(), inner.get_layout().get_pixel_extents()[0]
                found.append(self.place(inner, (x - at.x + box.x, y - at.y + box.y, box.width, box.height))[1])
        return [rect for rect in found if rect]

    def inside_popover(self, widget):
        return widget.get_ancestor(Gtk.Popover) is not None

    def blocked(self, widget):
        """Behind an open menu or modal dialog."""
        top = widget.get_toplevel()
        if self.popup in ("menu", "combo"):
            return top.get_window_type() != Gtk.WindowType.POPUP if isinstance(top, Gtk.Window) else True
        if self.popup in ("dialog", "chooser"):
            return top is not self.dialog
        return False

    # Records ----------------------------------------------------------------------------------------------------------

    def record(self, ident, kind, label, widget, rect=None, **more):
        more = {k: v(widget) if callable(v) else v for k, v in more.items()}
        drawn, seen = self.place(widget, rect)
        if "shrink" in more and drawn:  # the part of the widget that is the control
            drawn, seen = self.place(widget, more.pop("shrink"))
        more.setdefault("text", self.words(widget) if kind != "expander" else [])
        enabled = more.pop("enabled", widget.is_sensitive())
        if self.popup == "popover" and seen and not self.inside_popover(widget):
            over = self.place(self.popover)[0]
            common = truth.intersect(seen, over)
            more["covered"] = more.get("covered") or common == seen
            more["optional"] = True  # outside a popover a click only closes it
        if isinstance(widget.get_parent(), Gtk.MenuBar) and self.popup == "menu":
            more["optional"] = True  # it switches menus while one is open
            return truth.control(ident, kind, label, drawn, seen, enabled, **more)
        return truth.control(ident, kind, label, drawn, seen, enabled, blocked=self.blocked(widget), **more)

    def tabs(self):
        for i in range(self.book.get_n_pages()):
            page = self.book.get_nth_page(i)
            label = self.book.get_tab_label(page)
            at, book = label.get_allocation(), self.book.get_allocation()
            top = page.get_allocation().y - book.y
            x, y = label.translate_coordinates(self.book, 0, 0)
            whole = self.place(self.book, (x - 12, 0, at.width + 24, top))[0]
            current = self.book.get_current_page() == i
            yield self.record(f"tab_{i}", "tab", label.get_text(), label, alt=[whole] if whole else None,
                              states=["selected"] if current else None, absent=None if current else ["selected"])

    def window_buttons(self, bar):
        for i, button in enumerate(pages.descendants(bar)):
            if isinstance(button, Gtk.Button) and button.get_style_context().has_class("titlebutton"):
                # Flat: nothing is drawn where its border ends and the margin around it begins.
                at = button.get_allocation()
                yield self.record(f"window_button_{i}", "button", None, button, alt=[self.place(button, (0, 0, at.width, at.height))[0]])

    def do_truth(self):
        records = [self.record(*entry[:4], **entry[4]) for entry in self.entries]
        for source in self.sources:
            records.extend(source())
        if self.popup in ("menu", "combo"):
            records.extend(pages.popup_items(self))
        if self.popup in ("dialog", "chooser"):
            records.extend(pages.dialog_items(self))
        top = self.dialog or self.window
        return {"ok": True, "toolkit": "gtk3", "scale": top.get_scale_factor(), "popup": self.popup,
                "partial": self.popup == "chooser", "secret": truth.SECRET, "texts": pages.texts(self),
                "window": {"id": self.window.get_window().get_xid(), "title": self.window.get_title(),
                           "rect": self.x.rect(self.window.get_window().get_xid())},
                "controls": records}

    # What can be asked for --------------------------------------------------------------------------------------------

    def do_tab(self, number):
        self.book.set_current_page(int(number))

    def do_scroll(self, pixels):
        self.scrolled.get_vadjustment().set_value(int(pixels))

    def do_scroll_inner(self, pixels):
        self.inner.get_vadjustment().set_value(int(pixels))

    def do_disable(self, ident, on="1"):
        for entry in self.entries:
            if entry[0] == ident:
                entry[3].set_sensitive(on != "1")

    def do_expand(self, on="1"):
        self.expander.set_expanded(on == "1")

    def do_open_menu(self, submenu="0"):
        item = self.menubar.get_children()[0]
        self.menubar.select_item(item)
        item.activate() if not item.get_submenu().get_mapped() else None
        self.popup = "menu"
        if submenu == "1":
            recent = self.recent
            item.get_submenu().select_item(recent)
            recent.activate()

    def do_open_submenu(self):
        self.do_open_menu("1")

    def do_open_popover(self):
        self.popover.popup()
        self.popup = "popover"

    def do_open_combo(self):
        self.combo.popup()
        self.popup = "combo"

    def do_open_dialog(self):
        self.dialog = pages.question(self)
        self.popup = "dialog"

    def do_open_chooser(self):
        self.dialog = pages.chooser(self)
        self.popup = "chooser"

    def do_close(self):
        if self.popup == "menu":
            self.menubar.cancel()
        elif self.popup == "combo":
            self.combo.popdown()
        elif self.popup == "popover":
            self.popover.popdown()
        elif self.dialog:
            self.dialog.destroy()
        self.popup = self.dialog = None

    # ------------------------------------------------------------------------------------------------------------------

    def listen(self, source, condition):
        line = sys.stdin.readline()
        if line and self.handle(line):
            return True
        Gtk.main_quit()
        return False


def main():
    settings = Gtk.Settings.get_default()
    settings.set_property("gtk-enable-animations", False)
    settings.set_property("gtk-cursor-blink", False)
    settings.set_property("gtk-application-prefer-dark-theme", "--dark" in sys.argv)
    probe = Probe("--csd" in sys.argv)
    GLib.io_add_watch(sys.stdin, GLib.PRIORITY_DEFAULT, GLib.IO_IN | GLib.IO_HUP, probe.listen)
    Gtk.main()


if __name__ == "__main__":
    main()
