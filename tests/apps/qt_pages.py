"""The controls of the Qt probe, page by page, for Qt 5 and Qt 6 (qt_probe.py has put the version asked for under `PyQt`)."""
from PyQt.QtCore import QDate, QRect, QSize, Qt
from PyQt.QtGui import QIcon, QPainter, QPixmap
from PyQt.QtWidgets import (
    QAbstractItemView, QCheckBox, QComboBox, QDateEdit, QFileDialog, QFrame, QGridLayout, QHBoxLayout, QHeaderView, QLabel,
    QLineEdit, QListView, QListWidget, QListWidgetItem, QMessageBox, QProgressBar, QPushButton, QRadioButton, QScrollArea, QSlider,
    QSpinBox, QSplitter, QStackedWidget, QTableWidget, QTableWidgetItem, QTextEdit, QToolBar, QToolButton, QTreeWidget,
    QTreeWidgetItem, QVBoxLayout, QWidget)

import PyQt.QtGui
import PyQt.QtWidgets

import truth

QAction = getattr(PyQt.QtGui, "QAction", None) or PyQt.QtWidgets.QAction
QActionGroup = getattr(PyQt.QtGui, "QActionGroup", None) or PyQt.QtWidgets.QActionGroup
CHECKED, UNCHECKED = Qt.CheckState.Checked, Qt.CheckState.Unchecked


def row(*widgets):
    box = QHBoxLayout()
    box.setSpacing(6)
    for widget in widgets:
        box.addWidget(widget)
    box.addStretch(1)
    return box


def icon(number, size=16):
    """A small drawn icon; icon themes are not everywhere."""
    picture = QPixmap(size, size)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    colours = [Qt.GlobalColor.darkBlue, Qt.GlobalColor.darkRed, Qt.GlobalColor.darkGreen, Qt.GlobalColor.black]
    painter.setPen(colours[number % 4])
    painter.drawRect(2, 2, size - 5, size - 5)
    painter.drawLine(2, 2 + number % (size - 4), size - 3, size - 3 - number % (size - 4))
    painter.end()
    return QIcon(picture)


def menu_bar(p):
    bar = p.window.menuBar()
    bar.setNativeMenuBar(False)
    p.file = bar.addMenu("&File")
    p.file.addAction("&New")
    p.file.addAction("&Open…")
    p.recent = p.file.addMenu("&Recent")
    p.recent.addAction("letter.txt")
    p.recent.addAction("budget.ods")
    p.file.addSeparator()
    auto = p.file.addAction("&Autosave")
    auto.setCheckable(True)
    auto.setChecked(True)
    group = QActionGroup(p.file)
    for text in ("&Fit page", "Fit &width"):
        action = p.file.addAction(text)
        action.setCheckable(True)
        group.addAction(action)
        action.setChecked(text == "&Fit page")
    p.file.addAction("&Print").setEnabled(False)
    p.file.addAction("&Quit")
    bar.addMenu("&Edit").addAction("Other 1")
    bar.addMenu("&View").addAction("Other 2")


def menus(p):
    """The menu bar's entries and those of the menus that are open."""
    bar = p.window.menuBar()
    for action in bar.actions():
        yield p.record("menu_" + action.text(), "menu", action.text().replace("&", ""), bar, bar.actionGeometry(action))
    for menu in p.opened if p.popup == "menu" else ():
        for action in menu.actions():
            if not action.isSeparator():
                text, on = action.text().replace("&", ""), action.isChecked()
                kind = "menu" if action.menu() else "menu-item" if not action.isCheckable() else "check-item" if text == "Autosave" else "radio-item"
                yield p.record("item_" + text, kind, text, menu, menu.actionGeometry(action), enabled=action.isEnabled(),
                               states=["checked"] if on else None, absent=["checked"] if action.isCheckable() and not on else None)


def choices(p):
    """Rows of the combo box list that is open."""
    if p.popup == "combo":
        view = p.combo.view()
        for i in range(p.combo.count()):
            yield p.record(f"choice_{i}", "row", p.combo.itemText(i), view.viewport(), view.visualRect(p.combo.model().index(i, 0)))


def tool_bar(p):
    bar = QToolBar("Tools")
    bar.setIconSize(QSize(16, 16))
    bar.setMovable(False)
    p.window.addToolBar(bar)
    for i, text in enumerate(("Cut", "Copy", "Paste", "Undo", "Redo", "Bold")):
        action = bar.addAction(icon(i), text)
        action.setEnabled(text != "Redo")
        action.setCheckable(text == "Bold")
        action.setChecked(text == "Bold")
        p.add("tool_" + text.lower(), "toggle" if text == "Bold" else "button", text, bar.widgetForAction(action),
              states=["checked|pressed"] if text == "Bold" else None,
              roles=["toggle button", "check box", "push button"] if text == "Bold" else None)
    for i in range(12):
        tiny = QToolButton()
        tiny.setIcon(icon(i, 12))
        tiny.setIconSize(QSize(12, 12))
        tiny.setFixedSize(15, 15)
        tiny.setToolTip(f"Tiny {i}")
        bar.addWidget(p.add(f"tiny_{i}", "button", f"Tiny {i}", tiny))


def caption(text, buddy):
    label = QLabel(text)
    label.setBuddy(buddy)
    return label


def controls(p):
    page = QWidget()
    box = QVBoxLayout(page)
    p.first = p.add("apply", "button", "Apply", QPushButton("&Apply"))
    delete = p.add("delete", "button", "Delete", QPushButton("Delete"))
    delete.setEnabled(False)
    wrap = p.add("wrap", "toggle", "Wrap", QPushButton("Wrap"), absent=["pressed", "checked"], roles=["toggle button", "push button", "check box"])
    wrap.setCheckable(True)
    link = p.add("link", "link", "Website", QLabel('<a href="http://localhost/">Website</a>'), optional=True)
    p.more = p.add("more", "menu-button", "More", QPushButton("More"))
    p.popover = popover(p)
    box.addLayout(row(p.first, p.add("cancel", "button", "Cancel", QPushButton("Cancel")), delete, wrap, link, p.more))

    save = p.add("autosave", "check", "Save automatically", QCheckBox("Save automatically"), states=["checked"])
    save.setChecked(True)
    off = p.add("off", "check", "Unavailable", QCheckBox("Unavailable"))
    off.setEnabled(False)
    left = p.add("radio_a", "radio", "Left", QRadioButton("Left"), states=["checked"])
    left.setChecked(True)
    right = p.add("radio_b", "radio", "Right", QRadioButton("Right"), absent=["checked"])
    box.addLayout(row(save, p.add("backup", "check", "Backup", QCheckBox("Backup"), absent=["checked"]), off, left, right))

    name = p.add("name", "entry", "Name", QLineEdit("Ada"), value="Ada")
    password = p.add("password", "password", "Password", QLineEdit(truth.SECRET))
    password.setEchoMode(QLineEdit.EchoMode.Password)
    search = p.add("search", "search", "Search files", QLineEdit())
    search.setPlaceholderText("Search files")
    city = p.add("city", "entry", "City", QLineEdit("Paris"), value="Paris")
    locked = p.add("locked", "entry", "Locked", QLineEdit("locked"))
    locked.setEnabled(False)
    for entry in (name, password, search, city, locked):
        entry.setFixedWidth(110)
    box.addLayout(row(caption("&Name:", name), name, caption("Password:", password), password, search, QLabel("City:"), city, locked))

    p.combo = p.add("size", "combo", "Size", QComboBox(), value="Medium", labels=["Medium"])
    p.combo.addItems(["Small", "Medium", "Large"])
    p.combo.setCurrentIndex(1)
    edit = QComboBox()
    edit.setEditable(True)
    edit.addItems(["Serif", "Sans"])
    p.add("font", "entry", None, edit.lineEdit(), value="Serif", alt=lambda w: [p.place(edit)[0]], roles=["text", "entry", "combo box"])
    p.add("font_arrow", "arrow", None, edit)
    spin = p.add("copies", "spin", "Copies", QSpinBox(), value="5")
    spin.setRange(0, 100)
    spin.setValue(5)
    volume = p.add("volume", "slider", "Volume", QSlider(Qt.Orientation.Horizontal), value="30")
    volume.setRange(0, 100)
    volume.setValue(30)
    volume.setFixedWidth(120)
    progress = p.add("progress", "progress", None, QProgressBar())
    progress.setValue(40)
    progress.setFixedWidth(120)
    box.addLayout(row(caption("&Size:", p.combo), p.combo, edit, caption("&Copies:", spin), spin, caption("&Volume:", volume), volume, progress))

    date = p.add("due", "date", "Due", QDateEdit(QDate(2024, 5, 17)))
    selectable = p.add("selectable", "selectable", "Build 4711", QLabel("Build 4711"))
    selectable.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    image = p.add("image", "image", None, QLabel())
    image.setPixmap(icon(3, 32).pixmap(32, 32))
    box.addLayout(row(caption("&Due:", date), date, p.add("plain", "label", "Just words", QLabel("Just words")), selectable, image))

    text = p.add("text", "text", None, QTextEdit(), value="The quick brown fox\njumps over the lazy dog.")
    text.setPlainText("The quick brown fox\njumps over the lazy dog.")
    text.setFixedSize(300, 80)
    pile = QWidget()
    pile.setFixedSize(140, 60)
    covered = p.add("covered", "button", "Covered", QPushButton("Covered", pile), covered=True)
    covered.setGeometry(30, 15, 80, 30)
    p.add("cover", "button", "Cover", QPushButton("Cover", pile)).setGeometry(0, 0, 140, 60)
    stack = QStackedWidget()
    stack.addWidget(p.add("front", "button", "Front page", QPushButton("Front page")))
    stack.addWidget(p.add("back", "button", "Back page", QPushButton("Back page")))
    box.addLayout(row(text, pile, stack))

    paned = p.add("paned", "pane", None, QSplitter())
    paned.addWidget(p.add("pane_left", "button", "Pane left", QPushButton("Pane left")))
    paned.addWidget(p.add("pane_right", "button", "Pane right", QPushButton("Pane right")))
    box.addWidget(paned)
    box.addStretch(1)
    return page


def popover(p):
    made = QFrame(p.window, Qt.WindowType.Popup)
    made.setFrameShape(QFrame.Shape.Box)
    box = QVBoxLayout(made)
    box.addWidget(p.add("pop_share", "button", "Share", QPushButton("Share")))
    box.addWidget(p.add("pop_pin", "check", "Pin to top", QCheckBox("Pin to top")))
    note = p.add("pop_note", "entry", "Add a note", QLineEdit())
    note.setPlaceholderText("Add a note")
    box.addWidget(note)
    return made


def bars(p, ident, area):
    p.add(ident + "_bar", "scrollbar", None, area.verticalScrollBar())
    p.add(ident + "_hbar", "scrollbar", None, area.horizontalScrollBar())
    return area


def lists(p):
    page = QWidget()
    grid = QGridLayout(page)
    grid.addWidget(list_widget(p), 0, 0)
    grid.addWidget(tree(p), 0, 1)
    grid.addWidget(table(p), 1, 0)
    grid.addWidget(icons(p), 1, 1)
    grid.addWidget(plain_table(p), 2, 0)
    grid.addWidget(palette(p), 2, 1)
    grid.setRowStretch(3, 1)
    return page


def item_states(chosen, check=None):
    states = (["selected"] if chosen else []) + (["checked"] if check == CHECKED else [])
    absent = ([] if chosen else ["selected"]) + (["checked"] if check == UNCHECKED else [])
    return {"states": states, "absent": absent}


def list_widget(p):
    view = QListWidget()
    for i, name in enumerate(["Inbox", "Drafts", "Sent", "Archive", "Spam", "Trash", "Later", "Done", "More", "Most"]):
        item = QListWidgetItem(name, view)
        if i < 2:
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(CHECKED if i == 0 else UNCHECKED)
    view.setCurrentRow(2)
    view.setFixedHeight(150)

    def rows():
        for i in range(view.count()):
            item = view.item(i)
            yield p.record(f"box_{i}", "row", item.text(), view.viewport(), view.visualItemRect(item),
                           **item_states(item.isSelected(), item.checkState() if i < 2 else None))

    p.sources.append(rows)
    return bars(p, "box", view)


def headers(p, prefix, header, model, optional=False):
    for i in range(header.count()):
        rect = QRect(header.sectionViewportPosition(i), 0, header.sectionSize(i), header.height())
        if header.orientation() == Qt.Orientation.Vertical:
            rect = QRect(0, header.sectionViewportPosition(i), header.width(), header.sectionSize(i))
        label = str(model.headerData(i, header.orientation()))
        yield p.record(f"{prefix}_{i}", "header", label, header.viewport(), rect, optional=optional)


def tree(p):
    view = QTreeWidget()
    view.setHeaderLabels(["File", "Extent"])
    view.setSortingEnabled(True)
    view.sortByColumn(0, Qt.SortOrder.AscendingOrder)
    for name in ("Documents", "Music", "Pictures"):
        parent = QTreeWidgetItem(view, [name, "folder"])
        for i in (1, 2):
            QTreeWidgetItem(parent, [f"{name} {i}", f"{i * 10} kB"])
    view.topLevelItem(1).setCheckState(0, CHECKED)
    view.topLevelItem(0).setExpanded(True)
    view.setCurrentItem(view.topLevelItem(0).child(1))
    view.setFixedHeight(150)

    def rows():
        def visit(item):
            rect = QRect()
            for column in range(view.columnCount()):
                rect = rect.united(view.visualRect(view.indexFromItem(item, column)))
            wide = p.place(view.viewport(), QRect(0, rect.y(), view.viewport().width(), rect.height()))[0]
            if not rect.isEmpty():
                yield p.record("tree_" + item.text(0), "row", item.text(0), view.viewport(), rect, alt=[wide] if wide else None,
                               **item_states(item.isSelected(), item.checkState(0) if item.text(0) == "Music" else None))
            if item.isExpanded():
                for i in range(item.childCount()):
                    yield from visit(item.child(i))
        for i in range(view.topLevelItemCount()):
            yield from visit(view.topLevelItem(i))

    p.sources.append(rows)
    # Qt's tree says the same of a header that sorts and of one that does not: Component is its only interface, it has no action and
    # no state beside those of anything that is shown. Either answer is right.
    p.sources.append(lambda: headers(p, "tree_head", view.header(), view.model(), True))
    return bars(p, "tree", view)


def filled(view, names, flags):
    """Cells of a tick, a name, an amount in each row; `flags`: what can be done to them beside being selected."""
    plain = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
    for i, name in enumerate(names):
        for c, text in enumerate(["", name, f"{i + 1} pc"]):
            item = QTableWidgetItem(text)
            item.setFlags(plain | flags[c])
            if c == 0:
                item.setCheckState(CHECKED if i % 2 == 0 else UNCHECKED)
            view.setItem(i, c, item)
    view.setHorizontalHeaderLabels(["Buy", "Item", "Amount"])
    view.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)


def tick(i, c):
    """States of the cell, if it is a tick."""
    on = c == 0 and i % 2 == 0
    return {"states": ["checked"] if on else None, "absent": ["checked"] if c == 0 and not on else None}


def table(p):
    """A spreadsheet: numbered rows, cells that are selected and edited one by one."""
    names = ["Milk", "Bread", "Eggs", "Butter", "Jam", "Tea", "Rice", "Salt"]
    view = QTableWidget(len(names), 3)
    edit = Qt.ItemFlag.ItemIsEditable
    filled(view, names, [Qt.ItemFlag.ItemIsUserCheckable, edit, edit])
    view.setFixedHeight(150)

    def cells():
        for i in range(view.rowCount()):
            for c in range(3):
                yield p.record(f"cell_{i}_{c}", "cell-edit" if c else "cell-check", view.item(i, c).text() or None, view.viewport(),
                               view.visualItemRect(view.item(i, c)), **tick(i, c))

    p.sources.append(cells)
    p.sources.append(lambda: headers(p, "table_head", view.horizontalHeader(), view.model(), True))
    p.sources.append(lambda: headers(p, "table_side", view.verticalHeader(), view.model(), True))
    corner = view.findChild(QToolButton) or next(w for w in view.children() if w.inherits("QTableCornerButton"))
    p.add("table_corner", "button", None, corner, optional=True)
    return bars(p, "table", view)


def plain_table(p):
    """A list with columns: whole rows are selected, and the tick of each."""
    names = ["Ink", "Paper", "Tape", "Glue"]
    view = QTableWidget(len(names), 3)
    none = Qt.ItemFlag.ItemIsEnabled
    filled(view, names, [Qt.ItemFlag.ItemIsUserCheckable, none, none])
    view.verticalHeader().hide()
    view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    view.setFixedHeight(100)

    def cells():
        for i in range(view.rowCount()):
            rects = [view.visualItemRect(view.item(i, c)) for c in range(3)]
            yield p.record(f"plain_{i}", "row", names[i], view.viewport(), rects[0].united(rects[2]))
            yield p.record(f"plain_{i}_tick", "cell-check", None, view.viewport(), rects[0], **tick(i, 0))

    p.sources.append(cells)
    p.sources.append(lambda: headers(p, "plain_head", view.horizontalHeader(), view.model(), True))
    return bars(p, "plain", view)


def palette(p):
    """Cells of one size and no headers, each chosen by itself."""
    view = QTableWidget(3, 6)
    view.horizontalHeader().hide()
    view.verticalHeader().hide()
    for c in range(6):
        view.setColumnWidth(c, 30)
        for r in range(3):
            view.setItem(r, c, QTableWidgetItem(chr(0x41 + r * 6 + c)))
    view.setFixedHeight(100)

    def cells():
        for r in range(3):
            for c in range(6):
                yield p.record(f"letter_{r}_{c}", "cell-edit", view.item(r, c).text(), view.viewport(), view.visualItemRect(view.item(r, c)))

    p.sources.append(cells)
    return bars(p, "palette", view)


def icons(p):
    view = QListWidget()
    view.setViewMode(QListView.ViewMode.IconMode)
    view.setIconSize(QSize(32, 32))
    view.setGridSize(QSize(90, 60))
    view.setMovement(QListView.Movement.Static)
    view.setFixedHeight(150)
    for i, name in enumerate(["Home", "Bin", "Computer", "Shared", "Public", "Templates", "Videos", "Downloads", "Music", "Photos"]):
        QListWidgetItem(icon(i, 32), name, view)

    def items():
        for i in range(view.count()):
            yield p.record(f"icon_{i}", "icon", view.item(i).text(), view.viewport(), view.visualItemRect(view.item(i)))

    p.sources.append(items)
    return bars(p, "icons", view)


def area(p, ident, content, height=None):
    made = QScrollArea()
    made.setWidget(content)
    made.setWidgetResizable(True)
    if height:
        made.setFixedHeight(height)
    return bars(p, ident, made)


def column(*widgets):
    holder = QWidget()
    box = QVBoxLayout(holder)
    for widget in widgets:
        box.addWidget(widget)
    return holder


def scroll(p):
    page = QWidget()
    box = QHBoxLayout(page)
    items = [p.add(f"item_{i}", "button", f"Item {i}", QPushButton(f"Item {i}")) for i in range(60)]
    p.scrolled = area(p, "scrolled", column(*items))
    options = [p.add(f"option_{i}", "check", f"Option {i}", QCheckBox(f"Option {i}")) for i in range(20)]
    p.inner = area(p, "inner", column(*options), 150)
    below = [p.add(f"below_{i}", "button", f"Below {i}", QPushButton(f"Below {i}")) for i in range(30)]
    box.addWidget(p.scrolled)
    box.addWidget(area(p, "nested", column(p.inner, *below)))
    return page


def question(p):
    box = QMessageBox(p.window)
    box.setWindowTitle("Question")
    box.setText("Discard the changes?")
    box.setInformativeText("They cannot be brought back.")
    box.addButton("Keep", QMessageBox.ButtonRole.RejectRole)
    box.addButton("Discard now", QMessageBox.ButtonRole.AcceptRole)
    box.setModal(True)
    box.show()
    return box


def chooser(p):
    dialog = QFileDialog(p.window, "Open a file")
    dialog.setOption(QFileDialog.Option.DontUseNativeDialog, True)
    dialog.setModal(True)
    dialog.show()
    return dialog


def dialog_items(p):
    for i, button in enumerate(p.dialog.findChildren(QPushButton)):
        yield p.record(f"dialog_{i}", "button", button.text().replace("&", ""), button)
    for i, label in enumerate(p.dialog.findChildren(QLabel)):
        if label.textInteractionFlags() & Qt.TextInteractionFlag.TextSelectableByMouse:
            yield p.record(f"dialog_text_{i}", "selectable", label.text(), label, optional=True)


def texts(p):
    """What the readable outline must contain now."""
    if p.popup == "dialog":
        return ["Discard the changes?", "They cannot be brought back."]
    if p.popup:
        return []
    return ["3 files, 2 selected"] + [["Just words", "Build 4711", "quick brown fox"], [], []][p.book.currentIndex()]
