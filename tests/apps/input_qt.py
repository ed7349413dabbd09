#!/usr/bin/python3
"""Qt target of the input suite (`input_qt.py 5` or `6`): a pad, an entry, a menu and a button at fixed places; every event
is a JSON line on stdout."""
import json
import sys

if sys.argv[1] == "6":
    from PyQt6 import QtCore, QtWidgets
else:
    from PyQt5 import QtCore, QtWidgets


def tell(**what):
    print(json.dumps(what, ensure_ascii=False), flush=True)


def number(flags):
    return flags.value if hasattr(flags, "value") else int(flags)


class Pad(QtWidgets.QFrame):
    def event_of(self, kind, e):
        at = e.position() if hasattr(e, "position") else e.localPos()
        tell(on="pad", event=kind, button=number(e.button()), x=int(at.x()), y=int(at.y()), state=number(e.modifiers()))

    def mousePressEvent(self, e):
        self.event_of("press", e)

    def mouseReleaseEvent(self, e):
        self.event_of("release", e)

    def mouseDoubleClickEvent(self, e):
        self.event_of("press", e)
        self.event_of("double", e)

    def mouseMoveEvent(self, e):
        self.event_of("motion", e)

    def wheelEvent(self, e):
        tell(on="pad", event="scroll", dx=e.angleDelta().x(), dy=e.angleDelta().y())


app = QtWidgets.QApplication(["InputQt"])
app.focusWindowChanged.connect(lambda w: tell(on="focus", window=w is not None))
window = QtWidgets.QWidget()
window.setWindowTitle("Input Qt " + sys.argv[1])
window.resize(420, 300)
pad, entry, button, push = Pad(window), QtWidgets.QLineEdit(window), QtWidgets.QPushButton("Menu", window), QtWidgets.QPushButton("Push", window)
pad.setGeometry(0, 0, 300, 200)
entry.setGeometry(0, 220, 300, 40)
button.setGeometry(310, 0, 100, 40)
push.setGeometry(310, 60, 100, 40)
menu = QtWidgets.QMenu(window)
for name in ("One", "Two", "Three"):
    menu.addAction(name).triggered.connect(lambda _c, name=name: tell(on="menu", item=name))
button.setMenu(menu)
menu.aboutToShow.connect(lambda: tell(on="menu", event="opens"))
menu.aboutToHide.connect(lambda: tell(on="menu", event="closes"))
push.clicked.connect(lambda: tell(on="push"))
entry.textChanged.connect(lambda text: tell(on="entry", text=text))
entry.setFocus()
window.show()
QtCore.QTimer.singleShot(400, lambda: tell(on="ready"))
getattr(app, "exec", None)() if sys.argv[1] == "6" else app.exec_()
