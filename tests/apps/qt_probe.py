#!/usr/bin/python3
"""Qt probe: `qt_probe.py 5` or `6`: a window full of controls that tells where it drew them. `--dark`: dark palette.

Geometry: mapTo(window) times the device pixel ratio, plus the X origin of the window. See truth.py for the conversation.
"""
import sys

import truth
import xlib

VERSION = "6" if "6" in sys.argv[1:2] else "5"
if VERSION == "6":
    from PyQt6 import QtCore, QtGui, QtWidgets
    sys.modules["PyQt"] = sys.modules["PyQt6"]
else:
    from PyQt5 import QtCore, QtGui, QtWidgets
    sys.modules["PyQt"] = sys.modules["PyQt5"]
sys.modules["PyQt.QtCore"], sys.modules["PyQt.QtGui"], sys.modules["PyQt.QtWidgets"] = QtCore, QtGui, QtWidgets

import qt_pages as pages  # noqa: E402


class Probe(truth.Commands):
    def __init__(self):
        self.x = xlib.Display(own_errors=False)
        self.entries, self.sources = [], []
        self.popup = None   # None, "menu", "popover", "combo", "dialog", "chooser"
        self.dialog = None
        self.opened = []    # popup windows that are open
        self.window = QtWidgets.QMainWindow()
        self.window.setWindowTitle("Probe Qt " + VERSION)
        pages.menu_bar(self)
        pages.tool_bar(self)
        self.book = QtWidgets.QTabWidget()
        self.window.setCentralWidget(self.book)
        for make, title in ((pages.controls, "Controls"), (pages.lists, "Lists"), (pages.scroll, "Scroll")):
            self.book.addTab(make(self), title)
        self.window.statusBar().addWidget(self.add("status", "label", "3 files, 2 selected", QtWidgets.QLabel("3 files, 2 selected")))
        self.sources += [self.tabs, lambda: pages.menus(self), lambda: pages.choices(self)]
        self.window.resize(860, 640)
        self.window.show()
        self.first.setFocus()

    def add(self, ident, kind, label, widget, **more):
        self.entries.append((ident, kind, label, widget, more))
        return widget

    # Geometry ---------------------------------------------------------------------------------------------------------

    def place(self, widget, rect=None):
        """(drawn, visible) in device pixels of the widget or of a QRect inside it; (None, None) undrawn."""
        top = widget.window()
        if not widget.isVisible() or not top.isVisible():
            return None, None
        origin, ratio = self.x.origin(int(top.winId())), top.devicePixelRatioF()
        if origin is None:
            return None, None

        def bounds(which, part):
            at = which.mapTo(top, QtCore.QPoint(0, 0))
            return truth.device((at.x() + part.x(), at.y() + part.y(), part.width(), part.height()), ratio, origin)

        drawn = seen = bounds(widget, rect if rect is not None else widget.rect())
        outer = widget
        while outer is not None and seen:
            seen = truth.intersect(seen, bounds(outer, outer.rect()))
            outer = None if outer is top else outer.parentWidget()
        return drawn, seen

    # Records ----------------------------------------------------------------------------------------------------------

    def record(self, ident, kind, label, widget, rect=None, **more):
        more = {k: v(widget) if callable(v) else v for k, v in more.items()}
        drawn, seen = self.place(widget, rect if rect is not None else more.pop("shrink", None))
        for cls, part in ((QtWidgets.QCheckBox, "SE_CheckBoxClickRect"), (QtWidgets.QRadioButton, "SE_RadioButtonClickRect")):
            if isinstance(widget, cls):  # what is drawn may be narrower than the widget; both are right
                option, style = QtWidgets.QStyleOptionButton(), widget.style()
                widget.initStyleOption(option)
                inner = style.subElementRect(getattr(getattr(QtWidgets.QStyle, "SubElement", QtWidgets.QStyle), part), option, widget)
                more["alt"] = [at for at in [self.place(widget, inner)[0]] if at]
        enabled = more.pop("enabled", widget.isEnabled())
        top, blocked = widget.window(), False
        if self.popup == "menu" and top not in self.opened:
            if kind == "menu":
                more["optional"] = True
            else:
                blocked = True
        elif self.popup in ("popover", "combo") and top not in self.opened and seen:
            over = [self.place(window)[0] for window in self.opened]
            more["covered"] = more.get("covered") or any(truth.intersect(seen, o) == seen for o in over)
            more["optional"] = True  # outside a popup a click only closes it
        elif self.popup in ("dialog", "chooser"):
            blocked = top is not self.dialog
        return truth.control(ident, kind, label, drawn, seen, enabled, blocked=blocked, **more)

    def tabs(self):
        bar = self.book.tabBar()
        for i in range(bar.count()):
            current = bar.currentIndex() == i
            yield self.record(f"tab_{i}", "tab", bar.tabText(i), bar, bar.tabRect(i), states=["selected"] if current else None,
                              absent=None if current else ["selected"])

    def do_truth(self):
        records = [self.record(*entry[:4], **entry[4]) for entry in self.entries]
        for source in self.sources:
            records.extend(source())
        if self.dialog:
            records.extend(pages.dialog_items(self))
        return {"ok": True, "toolkit": "qt" + VERSION, "scale": self.window.devicePixelRatioF(), "popup": self.popup,
                "partial": self.popup == "chooser", "secret": truth.SECRET, "texts": pages.texts(self),
                "window": {"id": int(self.window.winId()), "title": self.window.windowTitle(),
                           "rect": self.x.rect(int(self.window.winId()))},
                "controls": records}

    # What can be asked for --------------------------------------------------------------------------------------------

    def do_tab(self, number):
        self.book.setCurrentIndex(int(number))

    def do_scroll(self, pixels):
        self.scrolled.verticalScrollBar().setValue(int(pixels))

    def do_scroll_inner(self, pixels):
        self.inner.verticalScrollBar().setValue(int(pixels))

    def do_disable(self, ident, on="1"):
        for entry in self.entries:
            if entry[0] == ident:
                entry[3].setEnabled(on != "1")

    def do_open_menu(self):
        bar, action = self.window.menuBar(), self.file.menuAction()
        bar.setActiveAction(action)
        if not self.file.isVisible():
            self.file.popup(bar.mapToGlobal(bar.actionGeometry(action).bottomLeft()))
        self.opened, self.popup = [self.file], "menu"

    def do_open_submenu(self):
        self.do_open_menu()
        self.file.setActiveAction(self.recent.menuAction())
        if not self.recent.isVisible():
            self.recent.popup(self.file.mapToGlobal(self.file.actionGeometry(self.recent.menuAction()).topRight()))
        self.opened.append(self.recent)

    def do_open_popover(self):
        self.popover.move(self.more.mapToGlobal(self.more.rect().bottomLeft()))
        self.popover.show()
        self.opened, self.popup = [self.popover], "popover"

    def do_open_combo(self):
        self.combo.showPopup()
        self.opened, self.popup = [self.combo.view().window()], "combo"

    def do_open_dialog(self):
        self.dialog, self.popup = pages.question(self), "dialog"

    def do_open_chooser(self):
        self.dialog, self.popup = pages.chooser(self), "chooser"

    def do_close(self):
        if self.popup == "combo":
            self.combo.hidePopup()
        for window in reversed(self.opened):
            window.close()
        if self.dialog:
            self.dialog.close()
        self.popup, self.dialog, self.opened = None, None, []


def main():
    application = QtWidgets.QApplication(sys.argv[:1])
    application.setCursorFlashTime(0)
    for effect in ("UI_AnimateMenu", "UI_FadeMenu", "UI_AnimateCombo", "UI_AnimateTooltip"):
        application.setEffectEnabled(getattr(getattr(QtCore.Qt, "UIEffect", QtCore.Qt), effect), False)
    if "--dark" in sys.argv:
        palette, role = QtGui.QPalette(QtGui.QColor(45, 45, 48)), getattr(QtGui.QPalette, "ColorRole", QtGui.QPalette)
        palette.setColor(role.Base, QtGui.QColor(30, 30, 32))
        application.setPalette(palette)
    probe = Probe()
    kind = getattr(QtCore.QSocketNotifier, "Type", QtCore.QSocketNotifier)
    notifier = QtCore.QSocketNotifier(sys.stdin.fileno(), kind.Read)

    def listen(*_):
        line = sys.stdin.readline()
        if not line or not probe.handle(line):
            application.quit()

    notifier.activated.connect(listen)
    sys.exit(application.exec() if VERSION == "6" else application.exec_())


if __name__ == "__main__":
    main()
