"""What of a person's session background input may not change: pointer, focus, active window, stacking, what is pressed."""
import ctypes
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "apps"))
import xlib  # noqa: E402

_x = ctypes.CDLL("libX11.so.6")
_Window, _Display = ctypes.c_ulong, ctypes.c_void_p
_x.XQueryPointer.argtypes = [_Display, _Window] + [ctypes.c_void_p] * 7
_x.XGetInputFocus.argtypes = [_Display, ctypes.c_void_p, ctypes.c_void_p]
_x.XQueryKeymap.argtypes = [_Display, ctypes.c_char_p]
_x.XGetWindowProperty.argtypes = [_Display, _Window, ctypes.c_ulong, ctypes.c_long, ctypes.c_long, ctypes.c_int, ctypes.c_ulong] + [ctypes.c_void_p] * 5
_x.XInternAtom.restype, _x.XInternAtom.argtypes = ctypes.c_ulong, [_Display, ctypes.c_char_p, ctypes.c_int]


class Sentinel:
    def __init__(self, display):
        self.d = xlib.Display(display)

    def windows(self, name):
        kind, form = ctypes.c_ulong(), ctypes.c_int()
        count, left, data = ctypes.c_ulong(), ctypes.c_ulong(), ctypes.c_void_p()
        _x.XGetWindowProperty(self.d._d, self.d.root, _x.XInternAtom(self.d._d, name, 0), 0, 1024, 0, 33, ctypes.byref(kind),
                              ctypes.byref(form), ctypes.byref(count), ctypes.byref(left), ctypes.byref(data))
        if not data.value:
            return []
        values = list((ctypes.c_ulong * count.value).from_address(data.value))
        xlib._x.XFree(data)
        return values

    def look(self):
        ints = [ctypes.c_int() for _ in range(4)]
        root, child, mask = _Window(), _Window(), ctypes.c_uint()
        _x.XQueryPointer(self.d._d, self.d.root, ctypes.byref(root), ctypes.byref(child), *[ctypes.byref(i) for i in ints], ctypes.byref(mask))
        focus, revert = _Window(), ctypes.c_int()
        _x.XGetInputFocus(self.d._d, ctypes.byref(focus), ctypes.byref(revert))
        keys = ctypes.create_string_buffer(32)
        _x.XQueryKeymap(self.d._d, keys)
        return {"pointer": (ints[0].value, ints[1].value), "buttons and modifiers": mask.value, "focus": focus.value,
                "keys": keys.raw.hex().strip("0"), "active": self.windows(b"_NET_ACTIVE_WINDOW"),
                "stacking": self.windows(b"_NET_CLIENT_LIST_STACKING")}

    def warp(self, x, y):
        xlib._x.XWarpPointer(self.d._d, 0, self.d.root, 0, 0, 0, 0, x, y)
        xlib._x.XSync(self.d._d, 0)
