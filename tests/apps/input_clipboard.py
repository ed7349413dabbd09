#!/usr/bin/python3
"""Somebody's clipboard, for the input suite: `own none|text|large|image` holds it (and PRIMARY, as text) until killed; `read` tells
what is in both, every target by length and checksum, as one JSON line."""
import json
import sys
import zlib

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("Gdk", "3.0")
from gi.repository import Gdk, GdkPixbuf, GLib, Gtk  # noqa: E402

clipboard, primary = (Gtk.Clipboard.get(getattr(Gdk, "SELECTION_" + name)) for name in ("CLIPBOARD", "PRIMARY"))


def content(board):
    known, targets = board.wait_for_targets()
    out = {}
    for target in targets if known else []:
        if target.name() in ("TIMESTAMP", "SAVE_TARGETS", "MULTIPLE", "TARGETS"):
            continue
        got = board.wait_for_contents(target)
        data = got.get_data() if got else None
        out[target.name()] = [got.get_data_type().name(), len(data), zlib.crc32(data)] if data else None
    return out


if sys.argv[1] == "read":
    print(json.dumps({"clipboard": content(clipboard), "primary": content(primary)}))
    sys.exit()
if sys.argv[2] == "none":
    for board in (clipboard, primary):
        board.set_text("", -1)
        board.clear()
else:
    primary.set_text("selected before", -1)
    if sys.argv[2] == "image":
        pixels = bytes((x * y + x) % 251 for y in range(96) for x in range(96 * 3))
        clipboard.set_image(GdkPixbuf.Pixbuf.new_from_bytes(GLib.Bytes.new(pixels), GdkPixbuf.Colorspace.RGB, False, 8, 96, 96, 96 * 3))
    else:
        clipboard.set_text("kept before äöü 漢字" * (15000 if sys.argv[2] == "large" else 1), -1)
Gdk.Display.get_default().sync()
print(json.dumps({"on": "ready"}), flush=True)
if sys.argv[2] != "none":
    Gtk.main()
