#!/usr/bin/python3
"""GTK 4 probe: a window full of controls that tells where it drew them. `--csd`: with a header bar; `--dark`: dark theme.

Geometry: compute_bounds (the border box, what is drawn) relative to the native, moved by the surface transform, times the
scale factor, plus the X origin of the surface; a popover is a native of its own. See truth.py for the conversation.
"""
import sys

import gi
gi.require_version("Gtk", "4.0")
gi.require_version("Gdk", "4.0")
gi.require_version("GdkX11", "4.0")
from gi.repository import GdkX11, Gio, GLib, Gtk  # noqa: E402,F401

import gtk4_pages as pages  # noqa: E402
import truth  # noqa: E402
import xlib  # noqa: E402


class Probe(truth.Commands):
    def __init__(self, application, csd):
        self.x = xlib.Display(own_errors=False)
        self.entries, self.sources = [], []
        self.popup = None   # None, "menu", "popover", "combo", "dialog", "chooser"
        self.dialog = None
        self.opened = []    # popovers that are open
        self.window = Gtk.ApplicationWindow(application=application, title="Probe GTK 4", default_width=860, default_height=640)
        if csd:
            bar = Gtk.HeaderBar()
            new = Gtk.Button(icon_name="document-new-symbolic", tooltip_text="New document")
            bar.pack_start(new)
            self.add("header_new", "button", "New document", new)
            self.window.set_titlebar(bar)
            self.sources.append(lambda: self.window_buttons(bar))
        box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
        self.menubar = pages.menu_bar(self, application)
        self.book = Gtk.Notebook(vexpand=True)
        box.append(self.menubar)
        box.append(self.book)
        for make, title in ((pages.controls, "Controls"), (pages.lists, "Lists"), (pages.scroll, "Scroll")):
            self.book.append_page(make(self), Gtk.Label(label=title))
        self.sources += [self.tabs, lambda: pages.menu_records(self)]
        self.window.set_child(box)
        self.window.present()
        self.first.grab_focus()

    def add(self, ident, kind, label, widget, **more):
        self.entries.append((ident, kind, label, widget, more))
        return widget

    # Geometry ---------------------------------------------------------------------------------------------------------

    def place(self, widget, rect=None):
        """(drawn, visible) in device pixels of the widget's border box or a rectangle in it; (None, None) undrawn."""
        native = widget.get_native()
        if not widget.get_mapped() or native is None or native.get_surface() is None:
            return None, None
        surface = native.get_surface()
        origin, scale, (dx, dy) = self.x.origin(surface.get_xid()), widget.get_scale_factor(), native.get_surface_transform()
        if origin is None:
            return None, None

        def bounds(which):
            ok, box = which.compute_bounds(native)
            return (box.origin.x + dx, box.origin.y + dy, box.size.width, box.size.height) if ok else None

        at = bounds(widget)
        if at and rect:
            at = (at[0] + rect[0], at[1] + rect[1], rect[2], rect[3])
        if not at or at[2] <= 0 or at[3] <= 0:
            return None, None
        drawn = truth.device(at, scale, origin)
        seen, outer = drawn, widget.get_parent()
        while outer is not None and outer is not native and seen:
            if outer.get_overflow() == Gtk.Overflow.HIDDEN:
                box = bounds(outer)
                seen = truth.intersect(seen, truth.device(box, scale, origin)) if box else None
            outer = outer.get_parent()
        box = bounds(native)
        return drawn, truth.intersect(seen, truth.device(box, scale, origin)) if box else None

    def words(self, widget):
        """Visible rectangles of the text drawn in the widget's labels."""
        found = []
        for inner in [widget] + pages.descendants(widget):
            if isinstance(inner, Gtk.Label) and inner.get_mapped() and inner.get_text() and inner.get_native() is widget.get_native():
                (x, y), box = inner.get_layout_offsets(), inner.get_layout().get_pixel_extents()[0]
                found.append(self.place(inner, (x + box.x, y + box.y, box.width, box.height))[1])
        return [rect for rect in found if rect]

    # Records ----------------------------------------------------------------------------------------------------------

    def record(self, ident, kind, label, widget, **more):
        more = {k: v(widget) if callable(v) else v for k, v in more.items()}
        drawn, seen = self.place(widget, more.pop("shrink", None))
        more.setdefault("text", self.words(widget) if kind not in ("expander", "calendar") else [])
        enabled = more.pop("enabled", widget.is_sensitive())
        native, blocked = widget.get_native(), False
        if self.popup == "menu" and native not in self.opened:
            if widget.get_parent() is self.menubar:
                more["optional"] = True
            else:
                blocked = True
        elif self.popup in ("popover", "combo") and native not in self.opened and seen:
            over = [self.place(popover)[0] for popover in self.opened]
            more["covered"] = more.get("covered") or any(truth.intersect(seen, o) == seen for o in over)
            more["optional"] = True  # outside a popover a click only closes it
        elif self.popup in ("dialog", "chooser"):
            blocked = native is not self.dialog
        return truth.control(ident, kind, label, drawn, seen, enabled, blocked=blocked, **more)

    def tabs(self):
        for i in range(self.book.get_n_pages()):
            label = self.book.get_tab_label(self.book.get_nth_page(i))
            current = self.book.get_current_page() == i
            yield self.record(f"tab_{i}", "tab", label.get_text(), label.get_parent(), alt=[self.place(label)[0]],
                              states=["selected"] if current else None, absent=None if current else ["selected"])

    def window_buttons(self, bar):
        for i, widget in enumerate(pages.descendants(bar)):
            if isinstance(widget, Gtk.Button) and widget.get_ancestor(Gtk.WindowControls):
                yield self.record(f"window_button_{i}", "button", None, widget)

    def do_truth(self):
        records = [self.record(*entry[:4], **entry[4]) for entry in self.entries]
        for source in self.sources:
            records.extend(source())
        if self.dialog:
            records.extend(pages.dialog_items(self))
        surface = self.window.get_surface()
        rect = self.x.rect(surface.get_xid()) if surface else None
        if rect:  # without the shadow or frame that the program draws itself
            inner = self.place(self.window)[0]
            rect = truth.intersect(rect, inner) if inner else None
        return {"ok": True, "toolkit": "gtk4", "scale": self.window.get_scale_factor(), "popup": self.popup,
                "partial": self.popup == "chooser", "secret": truth.SECRET, "texts": pages.texts(self),
                "window": {"id": surface.get_xid() if surface else 0, "title": self.window.get_title(), "rect": rect},
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

    def do_open_menu(self):
        first = self.menubar.get_first_child()
        menu = next(w for w in pages.descendants(first) if isinstance(w, Gtk.PopoverMenu))
        menu.popup()
        self.opened, self.popup = [menu], "menu"

    def do_open_submenu(self):
        self.do_open_menu()
        for widget in pages.descendants(self.opened[0]):
            if widget.get_css_name() == "modelbutton" and widget.get_property("text").replace("_", "") == "Recent":
                inner = widget.get_property("popover")
                inner.popup()
                self.opened.append(inner)

    def do_open_popover(self):
        self.more.popup()
        self.opened, self.popup = [self.more.get_popover()], "popover"

    def do_open_combo(self):
        inside = pages.descendants(self.combo)
        next(w for w in inside if isinstance(w, Gtk.ToggleButton)).set_active(True)
        self.opened, self.popup = [next(w for w in inside if isinstance(w, Gtk.Popover))], "combo"

    def do_open_dialog(self):
        self.dialog, self.popup = pages.question(self), "dialog"

    def do_open_chooser(self):
        self.dialog, self.popup = pages.chooser(self), "chooser"

    def do_close(self):
        for popover in reversed(self.opened):
            popover.popdown()
        if self.dialog:
            self.dialog.destroy()
        self.popup, self.dialog, self.opened = None, None, []


def main():
    application = Gtk.Application(application_id="org.example.ProbeGtk4", flags=Gio.ApplicationFlags.NON_UNIQUE)

    def start(app):
        settings = Gtk.Settings.get_default()
        settings.set_property("gtk-enable-animations", False)
        settings.set_property("gtk-cursor-blink", False)
        settings.set_property("gtk-application-prefer-dark-theme", "--dark" in sys.argv)
        probe = Probe(app, "--csd" in sys.argv)

        def listen(source, condition):
            line = sys.stdin.readline()
            if line and probe.handle(line):
                return True
            app.quit()
            return False

        GLib.io_add_watch(sys.stdin, GLib.PRIORITY_DEFAULT, GLib.IO_IN | GLib.IO_HUP, listen)

    application.connect("activate", start)
    application.run([])


if __name__ == "__main__":
    main()
