#!/usr/bin/python3
"""GTK target of the input suite (`input_gtk.py 3` or `4`): a pad, an entry, a menu and a button at fixed places; every
event is a JSON line on stdout."""
import json
import sys

import gi

VERSION = sys.argv[1]
gi.require_version("Gtk", VERSION + ".0")
gi.require_version("Gdk", VERSION + ".0")
from gi.repository import Gdk, GLib, Gio, Gtk  # noqa: E402


def tell(**what):
    print(json.dumps(what, ensure_ascii=False), flush=True)


def press(gesture, count, x, y):
    tell(on="pad", event="press", button=gesture.get_current_button(), count=count, x=int(x), y=int(y), state=state_of(gesture))


def state_of(gesture):
    if VERSION == "4":
        return int(gesture.get_current_event_state())
    event = gesture.get_last_event(None)
    return int(event.get_state()[1]) if event else 0


def build(app):
    window = Gtk.ApplicationWindow(application=app, title="Input GTK " + VERSION)
    window.set_decorated(VERSION == "3")
    fixed = Gtk.Fixed()
    pad = Gtk.DrawingArea()
    pad.set_size_request(300, 200)
    entry = Gtk.Entry()
    entry.set_size_request(300, 40)
    model = Gio.Menu()
    for name in ("One", "Two", "Three"):
        action = Gio.SimpleAction.new(name.lower(), None)
        action.connect("activate", lambda _a, _p, name=name: tell(on="menu", item=name))
        app.add_action(action)
        model.append(name, "app." + name.lower())
    menu = Gtk.MenuButton()
    menu.set_menu_model(model)
    menu.set_size_request(100, 40)
    if VERSION == "3":
        menu.set_use_popover(False)
    push = Gtk.Button(label="Push")
    push.set_size_request(100, 40)
    push.connect("clicked", lambda _b: tell(on="push"))
    for widget, x, y in ((pad, 0, 0), (entry, 0, 220), (menu, 310, 0), (push, 310, 60)):
        fixed.put(widget, x, y)
    entry.connect("changed", lambda e: tell(on="entry", text=e.get_text()))
    if VERSION == "3":
        pad.add_events(Gdk.EventMask.ALL_EVENTS_MASK)
        click, drag = Gtk.GestureMultiPress.new(pad), Gtk.GestureDrag.new(pad)
        pad.connect("scroll-event", lambda _w, e: tell(on="pad", event="scroll", direction=str(e.direction.value_nick)) or True)
        window.add(fixed)
    else:
        click, drag = Gtk.GestureClick(), Gtk.GestureDrag()
        wheel = Gtk.EventControllerScroll.new(Gtk.EventControllerScrollFlags.BOTH_AXES)
        wheel.connect("scroll", lambda _c, dx, dy: tell(on="pad", event="scroll", dx=dx, dy=dy) or True)
        for controller in (click, drag, wheel):
            pad.add_controller(controller)
        window.set_child(fixed)
    click.set_button(0)
    click.connect("pressed", press)
    click.connect("released", lambda g, n, x, y: tell(on="pad", event="release", count=n, x=int(x), y=int(y)))
    drag.connect("drag-update", lambda _g, x, y: tell(on="pad", event="motion", x=int(x), y=int(y)))
    drag.connect("drag-end", lambda _g, x, y: tell(on="pad", event="dragged", x=int(x), y=int(y)))
    build.kept = (click, drag)
    window.set_default_size(420, 300)
    if VERSION == "3":
        window.show_all()
    window.present()
    entry.grab_focus()
    GLib.timeout_add(500, lambda: tell(on="ready"))


app = Gtk.Application(application_id="test.input.gtk" + VERSION, flags=Gio.ApplicationFlags.NON_UNIQUE)
app.connect("activate", build)
app.run([])
