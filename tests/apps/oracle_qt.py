#!/usr/bin/python3
"""Qt oracle (`oracle_qt.py 6` or `5`). See oracle.py."""
import sys

import oracle
import qt_probe
import xlib
from qt_probe import QtCore, QtGui, QtWidgets

Qt = QtCore.Qt
Kind = getattr(QtCore.QEvent, "Type", QtCore.QEvent)
NAMES = {Kind.MouseButtonPress: "press", Kind.MouseButtonDblClick: "press", Kind.MouseButtonRelease: "release", Kind.MouseMove: "motion",
         Kind.Wheel: "scroll", Kind.KeyPress: "key"}
Button, Modifier = getattr(Qt, "MouseButton", Qt), getattr(Qt, "KeyboardModifier", Qt)
BUTTONS = {Button.LeftButton: 1, Button.MiddleButton: 2, Button.RightButton: 3}
MODIFIERS = {"shift": Modifier.ShiftModifier, "ctrl": Modifier.ControlModifier, "alt": Modifier.AltModifier, "super": Modifier.MetaModifier}
TALL = ("text", "order", "canvas")


class Area(QtWidgets.QWidget):
    """A drawing area that takes the focus."""

    def __init__(self, colour):
        super().__init__()
        self.colour = QtGui.QColor(*colour)
        self.setMinimumHeight(110)
        self.setFocusPolicy(getattr(Qt, "FocusPolicy", Qt).StrongFocus)

    def paintEvent(self, _):
        QtGui.QPainter(self).fillRect(self.rect(), self.colour)


class Oracle(QtCore.QObject, oracle.Oracle):
    place = qt_probe.Probe.place

    def __init__(self):
        QtCore.QObject.__init__(self)
        oracle.Oracle.__init__(self)
        self.x, self.window, self.counted = xlib.Display(own_errors=False), QtWidgets.QMainWindow(), False
        self.window.setWindowTitle(oracle.TITLE + " Qt " + qt_probe.VERSION)
        centre = QtWidgets.QWidget()
        outer, both, self.row = QtWidgets.QVBoxLayout(centre), QtWidgets.QHBoxLayout(), QtWidgets.QHBoxLayout()
        self.row.setAlignment(getattr(Qt, "AlignmentFlag", Qt).AlignLeft)
        outer.addLayout(self.row)
        outer.addLayout(both, 1)
        for column in self.build(self.column):
            both.addLayout(column, 1)
        self.window.setCentralWidget(centre)
        self.menu_bar()
        self.status = QtWidgets.QLabel("ready")
        self.window.statusBar().addWidget(self.status)
        self.window.resize(980, 720)
        self.window.show()
        self.widgets["press"].setFocus()
        self.timer = QtCore.QTimer(self)
        self.timer.timeout.connect(self.poll)
        self.timer.start(40)

    def column(self, lines):
        box = QtWidgets.QVBoxLayout()
        for line in lines:
            row = QtWidgets.QHBoxLayout()
            for ident, kind, label in line:
                row.addWidget(getattr(self, "make_" + kind)(ident, label))
            if len(line) > 1:
                row.addStretch(1)
            box.addLayout(row, int(line[0][1] in TALL))
        return box

    # Controls ---------------------------------------------------------------------------------------------------------

    def named(self, widget, label):
        widget.setAccessibleName(label)
        return widget

    def say(self, words):
        self.status.setText(words)

    def make_button(self, ident, label):
        button = self.add(ident, QtWidgets.QPushButton(label))
        button.clicked.connect(lambda *_: self.clicked(ident))
        return button

    def make_disabled(self, ident, label):
        button = self.make_button(ident, label)
        button.setEnabled(False)
        return button

    def make_poll(self, ident, label):
        return self.add(ident, QtWidgets.QPushButton(label))

    def poll(self):
        """A program that looks every 40 ms whether a button is held."""
        held = self.widgets["poll"].isDown()
        if held and not self.counted:
            self.clicked("poll")
        self.counted = held

    def two_state(self, ident, widget):
        widget.toggled.connect(lambda *_: self.changed(ident))
        return self.add(ident, widget, widget.isChecked, widget.setChecked)

    def make_check(self, ident, label):
        return self.two_state(ident, QtWidgets.QCheckBox(label))

    def make_toggle(self, ident, label):
        button = QtWidgets.QPushButton(label)
        button.setCheckable(True)
        return self.two_state(ident, button)

    make_switch = make_toggle  # Qt has no switch

    def make_radio(self, ident, label):
        return self.two_state(ident, QtWidgets.QRadioButton(label))

    def make_combo(self, ident, label):
        combo = self.named(QtWidgets.QComboBox(), label)
        combo.addItems(oracle.OPTIONS)
        combo.setCurrentIndex(1)
        combo.currentIndexChanged.connect(lambda *_: self.changed(ident))
        return self.add(ident, combo, combo.currentText, lambda v: combo.setCurrentIndex(oracle.OPTIONS.index(v)))

    def number(self, ident, widget, label):
        self.named(widget, label).setRange(0, 100)
        widget.setValue(int(oracle.START[ident]))
        widget.valueChanged.connect(lambda *_: self.changed(ident))
        return self.add(ident, widget, lambda: float(widget.value()), lambda v: widget.setValue(int(v)))

    def make_spin(self, ident, label):
        return self.number(ident, QtWidgets.QSpinBox(), label)

    def make_slider(self, ident, label):
        return self.number(ident, QtWidgets.QSlider(getattr(Qt, "Orientation", Qt).Horizontal), label)

    def make_entry(self, ident, label):
        entry = self.named(QtWidgets.QLineEdit(), label)
        entry.textChanged.connect(lambda *_: self.changed(ident))
        entry.returnPressed.connect(lambda: self.log("activated", ident))
        return self.add(ident, entry, entry.text, entry.setText)

    def make_password(self, ident, label):
        entry = self.make_entry(ident, label)
        entry.setEchoMode(getattr(QtWidgets.QLineEdit, "EchoMode", QtWidgets.QLineEdit).Password)
        return entry

    def make_text(self, ident, label):
        text = self.named(QtWidgets.QPlainTextEdit(), label)
        text.textChanged.connect(lambda: self.changed(ident))
        return self.add(ident, text, text.toPlainText, text.setPlainText)

    def selection(self):
        return self.widgets["notes"].textCursor().selectedText()

    def items(self, ident, label, names, prefix):
        made = self.named(QtWidgets.QListWidget(), label)
        made.addItems(names)
        made.setMaximumHeight(120)
        for i, name in enumerate(names):
            self.widgets[prefix + name] = (made, i)
        return made

    def make_list(self, ident, label):
        made = self.items(ident, label, oracle.CITIES, "city_")
        made.setCurrentRow(0)
        made.currentRowChanged.connect(lambda *_: self.changed(ident))
        made.itemActivated.connect(lambda item: self.log("activated", "city_" + item.text()))
        return self.add(ident, made, lambda: made.currentItem().text() if made.currentItem() else None, lambda v: made.setCurrentRow(oracle.CITIES.index(v)))

    def make_order(self, ident, label):
        made = self.items(ident, label, oracle.ORDER, "order_")
        made.setDragDropMode(getattr(QtWidgets.QAbstractItemView, "DragDropMode", QtWidgets.QAbstractItemView).InternalMove)
        return self.add(ident, made, lambda: [made.item(i).text() for i in range(made.count())], lambda v: (made.clear(), made.addItems(v)))

    def make_tabs(self, ident, label):
        book = QtWidgets.QTabWidget()
        for i, name in enumerate(oracle.TABS):
            book.addTab(QtWidgets.QLabel(f"Page {i}"), name)
            self.widgets["tab_" + name] = (book.tabBar(), i)
        book.currentChanged.connect(lambda *_: self.changed(ident))
        return self.add(ident, book, lambda: book.tabText(book.currentIndex()), lambda v: book.setCurrentIndex(oracle.TABS.index(v)))

    def make_area(self, ident, label):
        outer, inner = QtWidgets.QScrollArea(), QtWidgets.QWidget()
        box = QtWidgets.QVBoxLayout(inner)
        for i in range(oracle.ITEMS):
            box.addWidget(self.make_button(f"item_{i}", f"Item {i}"))
        outer.setWidget(inner)
        outer.setFixedHeight(120)
        bar = self.widgets["bar"] = outer.verticalScrollBar()
        bar.valueChanged.connect(lambda *_: self.changed(ident))
        return self.add(ident, outer, lambda: float(bar.value()), lambda v: bar.setValue(int(v)))

    def make_canvas(self, ident, label):
        area = self.named(Area((228, 240, 216)), label)
        area.setContextMenuPolicy(getattr(Qt, "ContextMenuPolicy", Qt).CustomContextMenu)
        self.context = self.menu(QtWidgets.QMenu(self.window), oracle.CONTEXT)
        area.customContextMenuRequested.connect(lambda at: self.context.popup(area.mapToGlobal(at)))
        return self.add(ident, area)

    # Menus ------------------------------------------------------------------------------------------------------------

    def menu(self, menu, entries):
        for ident, label in entries:
            action = menu.addAction(label)
            action.triggered.connect(lambda *_, i=ident: self.clicked(i))
            self.widgets[ident] = (menu, action)
        return menu

    def menu_bar(self):
        entries, bar = dict(oracle.MENU), self.window.menuBar()
        self.file = bar.addMenu("File")
        self.widgets["file"] = (bar, self.file.menuAction())
        self.menu(self.file, [("open", entries["open"])])
        recent = self.file.addMenu(entries["recent"])
        self.widgets["recent"] = (self.file, recent.menuAction())
        self.menu(recent, [(i, entries[i]) for i in ("one", "two")])
        self.menu(self.file, [("leave", entries["leave"])])
        self.submenu = recent

    def close(self):
        for menu in (self.submenu, self.file, self.context):
            menu.close()
        self.widgets["size"].hidePopup()

    # Events -----------------------------------------------------------------------------------------------------------

    def ident(self, widget):
        while widget is not None:
            for ident, known in self.widgets.items():
                if known is widget:
                    return ident
            widget = widget.parentWidget()
        return None

    def eventFilter(self, receiver, event):
        name = NAMES.get(event.type())
        if not name or not isinstance(receiver, QtWidgets.QWidget):
            return False
        more = {"modifiers": [m for m, mask in MODIFIERS.items() if event.modifiers() & mask]}
        if name == "key":
            if receiver is self.window.focusWidget():
                self.log("key", self.ident(receiver), key=QtGui.QKeySequence(event.key()).toString().encode("utf-8", "replace").decode(), **more)
            return False
        at, ratio = (event.globalPosition() if hasattr(event, "globalPosition") else event.globalPos()), self.window.devicePixelRatioF()
        more.update(x=round(at.x() * ratio), y=round(at.y() * ratio))
        target = self.target(receiver, event)
        key = (name, event.timestamp(), more["x"], more["y"])
        if key == getattr(self, "seen", None):
            return False  # the same event on its way to a parent
        self.seen = key
        if name == "scroll":
            self.log(name, target, dx=-event.angleDelta().x() / 120, dy=-event.angleDelta().y() / 120, **more)
        elif name == "motion":
            self.log(name, target, **more)
        else:
            self.log(name, target, button=BUTTONS.get(event.button()), count=2 if event.type() == Kind.MouseButtonDblClick else 1 if name == "press" else None, **more)
        return False

    def target(self, receiver, event):
        for ident, known in self.widgets.items():  # items of lists and tab bars
            if isinstance(known, tuple) and isinstance(known[1], int) and (receiver is known[0] or receiver.parentWidget() is known[0]):
                at = event.position().toPoint() if hasattr(event, "position") else event.pos()
                if self.part(*known).contains(at):
                    return ident
        return self.ident(receiver)

    def focus(self):
        return self.ident(self.window.focusWidget())

    # The conversation -------------------------------------------------------------------------------------------------

    def part(self, widget, item):
        if isinstance(widget, QtWidgets.QTabBar):
            return widget.tabRect(item)
        if isinstance(widget, QtWidgets.QListWidget):
            return widget.visualItemRect(widget.item(item))
        return widget.actionGeometry(item)

    def rect(self, widget):
        if isinstance(widget, tuple):
            view = widget[0].viewport() if isinstance(widget[0], QtWidgets.QListWidget) else widget[0]
            return self.place(view, self.part(*widget))[1]
        return self.place(widget)[1]

    def window_record(self):
        return {"id": int(self.window.winId()), "title": self.window.windowTitle(), "rect": self.x.rect(int(self.window.winId()))}

    def later(self, call):
        QtCore.QTimer.singleShot(60, call)

    def retitle(self, title):
        self.window.setWindowTitle(title)

    def rename(self, widget, label):
        widget.setText(label)

    def do_remove(self, ident):
        widget = self.widgets.pop(ident)
        widget.setParent(None)
        widget.deleteLater()

    def do_swap(self, one, two):
        one, two = self.widgets[one], self.widgets[two]
        rows = self.window.centralWidget().findChildren(QtWidgets.QHBoxLayout)
        row = next(r for r in rows if r.indexOf(one) >= 0)
        places = row.indexOf(one), row.indexOf(two)
        row.removeWidget(one)
        row.insertWidget(places[1], one)
        row.removeWidget(two)
        row.insertWidget(places[0], two)

    def insert_job(self, label, place):
        self.row.insertWidget(place, self.make_button(label, label))

    def remove_job(self, label):
        self.do_remove(label)

    def move_job(self, label, place):
        self.row.removeWidget(self.widgets[label])
        self.row.insertWidget(place, self.widgets[label])


def main():
    application = QtWidgets.QApplication(sys.argv[:1])
    for effect in ("UI_AnimateMenu", "UI_FadeMenu", "UI_AnimateCombo", "UI_AnimateTooltip"):
        application.setEffectEnabled(getattr(getattr(Qt, "UIEffect", Qt), effect), False)
    made = Oracle()
    application.installEventFilter(made)
    notifier = QtCore.QSocketNotifier(sys.stdin.fileno(), getattr(QtCore.QSocketNotifier, "Type", QtCore.QSocketNotifier).Read)
    notifier.activated.connect(lambda *_: made.serve(application.quit))
    sys.exit(application.exec() if qt_probe.VERSION == "6" else application.exec_())


if __name__ == "__main__":
    main()
