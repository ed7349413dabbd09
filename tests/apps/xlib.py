"""The few X calls the probes and the suite need, through ctypes: where a window is, and asking the window manager to move it.

All positions and sizes are device pixels on the X screen. Errors of X are ignored (a window may vanish at any time);
functions then return None or an empty list.
"""
import ctypes
import ctypes.util
import time
import zlib

_x = ctypes.CDLL(ctypes.util.find_library("X11") or "libX11.so.6")
_Window = ctypes.c_ulong
_Display = ctypes.c_void_p


class _Attributes(ctypes.Structure):
    """XWindowAttributes, as far as it is read; the tail is only room."""
    _fields_ = [("x", ctypes.c_int), ("y", ctypes.c_int), ("width", ctypes.c_int), ("height", ctypes.c_int),
                ("border", ctypes.c_int), ("depth", ctypes.c_int), ("visual", ctypes.c_void_p), ("root", _Window),
                ("cls", ctypes.c_int), ("bit_gravity", ctypes.c_int), ("win_gravity", ctypes.c_int),
                ("backing_store", ctypes.c_int), ("planes", ctypes.c_ulong), ("pixel", ctypes.c_ulong),
                ("save_under", ctypes.c_int), ("colormap", ctypes.c_ulong), ("map_installed", ctypes.c_int),
                ("map_state", ctypes.c_int), ("all_masks", ctypes.c_long), ("your_mask", ctypes.c_long),
                ("no_propagate", ctypes.c_long), ("override_redirect", ctypes.c_int), ("screen", ctypes.c_void_p)]


class _ClientMessage(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("serial", ctypes.c_ulong), ("send_event", ctypes.c_int), ("display", _Display),
                ("window", _Window), ("message_type", ctypes.c_ulong), ("format", ctypes.c_int),
                ("data", ctypes.c_long * 5), ("pad", ctypes.c_long * 24)]


class _Image(ctypes.Structure):
    """XImage, as far as it is read."""
    _fields_ = [("width", ctypes.c_int), ("height", ctypes.c_int), ("offset", ctypes.c_int), ("format", ctypes.c_int),
                ("data", ctypes.c_void_p), ("byte_order", ctypes.c_int), ("unit", ctypes.c_int), ("bit_order", ctypes.c_int),
                ("pad", ctypes.c_int), ("depth", ctypes.c_int), ("stride", ctypes.c_int), ("bits", ctypes.c_int)]


for _name, _result, _arguments in [
        ("XOpenDisplay", _Display, [ctypes.c_char_p]), ("XCloseDisplay", ctypes.c_int, [_Display]),
        ("XDefaultRootWindow", _Window, [_Display]), ("XInternAtom", ctypes.c_ulong, [_Display, ctypes.c_char_p, ctypes.c_int]),
        ("XSync", ctypes.c_int, [_Display, ctypes.c_int]), ("XFree", ctypes.c_int, [ctypes.c_void_p]),
        ("XGetWindowAttributes", ctypes.c_int, [_Display, _Window, ctypes.POINTER(_Attributes)]),
        ("XTranslateCoordinates", ctypes.c_int, [_Display, _Window, _Window, ctypes.c_int, ctypes.c_int,
                                                 ctypes.POINTER(ctypes.c_int), ctypes.POINTER(ctypes.c_int),
                                                 ctypes.POINTER(_Window)]),
        ("XQueryTree", ctypes.c_int, [_Display, _Window, ctypes.POINTER(_Window), ctypes.POINTER(_Window),
                                      ctypes.POINTER(ctypes.POINTER(_Window)), ctypes.POINTER(ctypes.c_uint)]),
        ("XSendEvent", ctypes.c_int, [_Display, _Window, ctypes.c_int, ctypes.c_long, ctypes.c_void_p]),
        ("XIconifyWindow", ctypes.c_int, [_Display, _Window, ctypes.c_int]),
        ("XMapRaised", ctypes.c_int, [_Display, _Window]), ("XUnmapWindow", ctypes.c_int, [_Display, _Window]),
        ("XDestroyWindow", ctypes.c_int, [_Display, _Window]),
        ("XWarpPointer", ctypes.c_int, [_Display, _Window, _Window] + [ctypes.c_int] * 2 + [ctypes.c_uint] * 2 + [ctypes.c_int] * 2),
        ("XGetImage", ctypes.POINTER(_Image), [_Display, _Window] + [ctypes.c_int] * 2 + [ctypes.c_uint] * 2 + [ctypes.c_ulong, ctypes.c_int]),
        ("XQueryPointer", ctypes.c_int, [_Display, _Window] + [ctypes.POINTER(_Window)] * 2 + [ctypes.POINTER(ctypes.c_int)] * 4 + [ctypes.POINTER(ctypes.c_uint)]),
        ("XQueryKeymap", ctypes.c_int, [_Display, ctypes.c_char * 32]), ("XGetInputFocus", ctypes.c_int, [_Display, ctypes.POINTER(_Window), ctypes.POINTER(ctypes.c_int)]),
        ("XSelectInput", ctypes.c_int, [_Display, _Window, ctypes.c_long]), ("XPending", ctypes.c_int, [_Display]),
        ("XNextEvent", ctypes.c_int, [_Display, ctypes.c_void_p]),
        ("XStringToKeysym", ctypes.c_ulong, [ctypes.c_char_p]), ("XKeysymToKeycode", ctypes.c_ubyte, [_Display, ctypes.c_ulong]),
        ("XStoreName", ctypes.c_int, [_Display, _Window, ctypes.c_char_p]),
        ("XCreateSimpleWindow", _Window, [_Display, _Window] + [ctypes.c_int] * 2 + [ctypes.c_uint] * 3 + [ctypes.c_ulong] * 2),
        ("XGetWindowProperty", ctypes.c_int, [_Display, _Window, ctypes.c_ulong, ctypes.c_long, ctypes.c_long, ctypes.c_int,
                                              ctypes.c_ulong, ctypes.POINTER(ctypes.c_ulong), ctypes.POINTER(ctypes.c_int),
                                              ctypes.POINTER(ctypes.c_ulong), ctypes.POINTER(ctypes.c_ulong),
                                              ctypes.POINTER(ctypes.c_void_p)])]:
    _function = getattr(_x, _name)
    _function.restype, _function.argtypes = _result, _arguments

_HANDLER = ctypes.CFUNCTYPE(ctypes.c_int, _Display, ctypes.c_void_p)
_ignore = _HANDLER(lambda display, event: 0)


class Display:
    """One X connection. `own_errors`: install a handler that ignores X errors (not inside a toolkit's process)."""

    def __init__(self, name=None, own_errors=True):
        self._d = _x.XOpenDisplay(name.encode() if name else None)
        if not self._d:
            raise RuntimeError("no X display")
        if own_errors:
            _x.XSetErrorHandler(_ignore)
        self.root = _x.XDefaultRootWindow(self._d)

    def close(self):
        if self._d:
            _x.XCloseDisplay(self._d)
            self._d = None

    def atom(self, name):
        return _x.XInternAtom(self._d, name.encode(), 0)

    def sync(self):
        _x.XSync(self._d, 0)

    def attributes(self, window):
        found = _Attributes()
        return found if _x.XGetWindowAttributes(self._d, window, ctypes.byref(found)) else None

    def origin(self, window):
        """Top-left corner of the window's inside on the screen."""
        x, y, child = ctypes.c_int(), ctypes.c_int(), _Window()
        if not _x.XTranslateCoordinates(self._d, window, self.root, 0, 0, ctypes.byref(x), ctypes.byref(y), ctypes.byref(child)):
            return None
        return x.value, y.value

    def rect(self, window):
        """[x, y, w, h] of the window's inside on the screen."""
        size, at = self.attributes(window), self.origin(window)
        return [at[0], at[1], size.width, size.height] if size and at else None

    def screen(self):
        size = self.attributes(self.root)
        return [0, 0, size.width, size.height]

    def children(self, window):
        """Bottom to top."""
        root, parent, items, count = _Window(), _Window(), ctypes.POINTER(_Window)(), ctypes.c_uint()
        if not _x.XQueryTree(self._d, window, ctypes.byref(root), ctypes.byref(parent), ctypes.byref(items), ctypes.byref(count)):
            return []
        found = [items[i] for i in range(count.value)]
        if items:
            _x.XFree(items)
        return found

    def property(self, window, name):
        """A list of numbers (format 32), bytes (format 8), or None."""
        kind, form, count, rest, data = (ctypes.c_ulong(), ctypes.c_int(), ctypes.c_ulong(), ctypes.c_ulong(), ctypes.c_void_p())
        if _x.XGetWindowProperty(self._d, window, self.atom(name), 0, 4096, 0, 0, ctypes.byref(kind), ctypes.byref(form),
                                 ctypes.byref(count), ctypes.byref(rest), ctypes.byref(data)) or not data:
            return None
        if form.value == 32:
            found = list(ctypes.cast(data, ctypes.POINTER(ctypes.c_ulong))[:count.value])
        else:
            found = ctypes.string_at(data, count.value * form.value // 8)
        _x.XFree(data)
        return found

    def clients(self):
        """Managed windows, bottom to top (_NET_CLIENT_LIST_STACKING)."""
        return self.property(self.root, "_NET_CLIENT_LIST_STACKING") or []

    def popups(self):
        """Mapped override-redirect windows on the root, bottom to top."""
        found = []
        for window in self.children(self.root):
            is_ = self.attributes(window)
            if is_ and is_.map_state == 2 and is_.override_redirect and is_.width > 1 and is_.height > 1 and is_.x > -is_.width:
                found.append(window)
        return found

    def active(self):
        found = self.property(self.root, "_NET_ACTIVE_WINDOW")
        return found[0] if found else 0

    def title(self, window):
        found = self.property(window, "_NET_WM_NAME") or self.property(window, "WM_NAME") or b""
        return found.decode("utf-8", "replace") if isinstance(found, bytes) else ""

    def pid(self, window):
        found = self.property(window, "_NET_WM_PID")
        return found[0] if found else None

    def message(self, window, name, *data):
        """Sends an EWMH client message about `window` to the window manager."""
        event = _ClientMessage(type=33, send_event=1, display=self._d, window=window, message_type=self.atom(name), format=32)
        for i, value in enumerate(data):
            event.data[i] = value
        _x.XSendEvent(self._d, self.root, 0, (1 << 20) | (1 << 19), ctypes.byref(event))
        self.sync()

    def move(self, window, x, y):
        """Puts the top-left of the window's inside at x, y (static gravity)."""
        self.message(window, "_NET_MOVERESIZE_WINDOW", 10 | (1 << 8) | (1 << 9) | (1 << 12), x, y, 0, 0)

    def resize(self, window, w, h):
        self.message(window, "_NET_MOVERESIZE_WINDOW", 10 | (1 << 10) | (1 << 11) | (1 << 12), 0, 0, w, h)

    def maximise(self, window, on=True):
        self.message(window, "_NET_WM_STATE", int(on), self.atom("_NET_WM_STATE_MAXIMIZED_VERT"),
                     self.atom("_NET_WM_STATE_MAXIMIZED_HORZ"), 1, 0)

    def activate(self, window):
        self.message(window, "_NET_ACTIVE_WINDOW", 2, 0, 0, 0, 0)

    def minimise(self, window):
        _x.XIconifyWindow(self._d, window, 0)
        self.sync()

    def restore(self, window):
        _x.XMapRaised(self._d, window)
        self.sync()

    def cover(self, x, y, w, h, title="cover"):
        """A plain window of our own over others; give its id to destroy."""
        window = _x.XCreateSimpleWindow(self._d, self.root, x, y, w, h, 0, 0, 0x3050A0)
        _x.XStoreName(self._d, window, title.encode())
        _x.XMapRaised(self._d, window)
        self.sync()
        return window

    def put(self, window, rect, seconds=3):
        """Moves a managed window's inside there (window managers place new windows themselves); waits for it."""
        end = time.monotonic() + seconds
        while time.monotonic() < end and (window not in self.clients() or self.rect(window) != list(rect)):
            if window in self.clients():
                self.move(window, *rect[:2])
            time.sleep(0.03)

    def destroy(self, window):
        _x.XDestroyWindow(self._d, window)
        self.sync()

    def warp(self, x, y):
        """Moves the pointer, e.g. out of the way of hover effects."""
        _x.XWarpPointer(self._d, 0, self.root, 0, 0, 0, 0, x, y)
        self.sync()

    def pointer(self):
        """(x, y, held buttons and modifiers as a mask) of the user's pointer."""
        root, child, x, y, rx, ry, mask = _Window(), _Window(), ctypes.c_int(), ctypes.c_int(), ctypes.c_int(), ctypes.c_int(), ctypes.c_uint()
        _x.XQueryPointer(self._d, self.root, ctypes.byref(root), ctypes.byref(child), ctypes.byref(x), ctypes.byref(y), ctypes.byref(rx),
                         ctypes.byref(ry), ctypes.byref(mask))
        return x.value, y.value, mask.value

    def keys(self):
        """Codes of the keys that are down on the user's keyboard."""
        held = (ctypes.c_char * 32)()
        _x.XQueryKeymap(self._d, held)
        return [i for i in range(256) if held.raw[i // 8] >> (i % 8) & 1]

    def focus(self):
        window, revert = _Window(), ctypes.c_int()
        _x.XGetInputFocus(self._d, ctypes.byref(window), ctypes.byref(revert))
        return window.value

    def watch(self, window):
        """From now on `received` tells of keys, buttons and motion in this window."""
        _x.XSelectInput(self._d, window, 1 | 2 | 4 | 8 | (1 << 6))
        self.sync()

    def received(self):
        """Types of the events that came since: 2 key, 4 button, 6 motion (X11 protocol). Others are dropped."""
        self.sync()
        event, found = (ctypes.c_long * 24)(), []
        while _x.XPending(self._d):
            _x.XNextEvent(self._d, event)
            kind = ctypes.cast(event, ctypes.POINTER(ctypes.c_int))[0]
            if kind in (2, 3, 4, 5, 6):
                found.append(kind)
        return found

    def masters(self):
        """Names of the master input devices: two of the user's, and two more for each second pointer."""
        class Device(ctypes.Structure):
            _fields_ = [("id", ctypes.c_int), ("name", ctypes.c_char_p), ("use", ctypes.c_int), ("attachment", ctypes.c_int), ("enabled", ctypes.c_int),
                        ("count", ctypes.c_int), ("classes", ctypes.c_void_p)]

        xi = ctypes.CDLL(ctypes.util.find_library("Xi") or "libXi.so.6")
        xi.XIQueryDevice.restype, xi.XIQueryDevice.argtypes = ctypes.POINTER(Device), [_Display, ctypes.c_int, ctypes.POINTER(ctypes.c_int)]
        xi.XIFreeDeviceInfo.argtypes = [ctypes.POINTER(Device)]
        count = ctypes.c_int()
        devices = xi.XIQueryDevice(self._d, 0, ctypes.byref(count))
        found = [devices[i].name.decode("utf-8", "replace") for i in range(count.value) if devices[i].use in (1, 2)]
        xi.XIFreeDeviceInfo(devices)
        return found

    def fingerprint(self, rect=None):
        """A number that changes when the screen's pixels in [x, y, w, h] do."""
        whole = self.screen()
        if rect is None:
            x, y, w, h = whole
        else:
            x, y = max(0, rect[0]), max(0, rect[1])
            w, h = min(whole[2], rect[0] + rect[2]) - x, min(whole[3], rect[1] + rect[3]) - y
        if w <= 0 or h <= 0:
            return 0
        image = _x.XGetImage(self._d, self.root, x, y, w, h, 0xFFFFFFFF, 2)
        if not image:
            return 0
        found = zlib.crc32(ctypes.string_at(image.contents.data, image.contents.stride * image.contents.height))
        _x.XFree(image.contents.data)
        _x.XFree(image)
        return found

    def _test(self):
        test = ctypes.CDLL(ctypes.util.find_library("Xtst") or "libXtst.so.6")
        for name in ("XTestFakeButtonEvent", "XTestFakeKeyEvent"):
            getattr(test, name).argtypes = [_Display, ctypes.c_uint, ctypes.c_int, ctypes.c_ulong]
        return test

    def click(self, x, y, button=1):
        """A real click with the user's pointer (XTest), to open what only a person's click opens."""
        self.warp(x, y)
        for down in (1, 0):
            self._test().XTestFakeButtonEvent(self._d, button, down, 0)
            self.sync()

    def key(self, combo):
        """A real press of a key (XTest) by its keysym's name, with others held: "F10", "Alt_L+f"."""
        codes = [_x.XKeysymToKeycode(self._d, _x.XStringToKeysym(name.encode())) for name in combo.split("+")]
        for code, down in [(code, 1) for code in codes] + [(code, 0) for code in reversed(codes)]:
            self._test().XTestFakeKeyEvent(self._d, code, down, 0)
            self.sync()
