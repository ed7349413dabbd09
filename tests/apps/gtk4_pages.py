"""The controls of the GTK 4 probe, page by page; each is registered with its kind and the label a person would give it."""
from gi.repository import Gdk, Gio, GLib, Gtk

import truth

H, V = Gtk.Orientation.HORIZONTAL, Gtk.Orientation.VERTICAL


def row(*widgets, spacing=6):
    box = Gtk.Box(orientation=H, spacing=spacing)
    for widget in widgets:
        box.append(widget)
    return box


def padded(widget, by=6):
    for side in ("top", "bottom", "start", "end"):
        widget.set_property("margin-" + side, by)
    return widget


def descendants(widget):
    found, child = [], widget.get_first_child()
    while child is not None:
        found.append(child)
        found.extend(descendants(child))
        child = child.get_next_sibling()
    return found


def menu_bar(p, application):
    for name, state in (("new", None), ("open", None), ("letter", None), ("budget", None), ("quit", None), ("other", None),
                        ("autosave", GLib.Variant("b", True)), ("fit", GLib.Variant("s", "page"))):
        if state is None:
            action = Gio.SimpleAction.new(name, None)
        else:
            action = Gio.SimpleAction.new_stateful(name, GLib.VariantType.new("s") if name == "fit" else None, state)
        application.add_action(action)
    stuck = Gio.SimpleAction.new("print", None)
    stuck.set_enabled(False)
    application.add_action(stuck)
    recent, checks, file, bar = Gio.Menu(), Gio.Menu(), Gio.Menu(), Gio.Menu()
    recent.append("letter.txt", "app.letter")
    recent.append("budget.ods", "app.budget")
    file.append("_New", "app.new")
    file.append("_Open…", "app.open")
    file.append_submenu("_Recent", recent)
    checks.append("_Autosave", "app.autosave")
    checks.append("_Fit page", "app.fit::page")
    checks.append("Fit _width", "app.fit::width")
    checks.append("_Print", "app.print")
    checks.append("_Quit", "app.quit")
    file.append_section(None, checks)
    bar.append_submenu("_File", file)
    for i, name in enumerate(("_Edit", "_View")):
        other = Gio.Menu()
        other.append(f"Other {i + 1}", "app.other")
        bar.append_submenu(name, other)
    return Gtk.PopoverMenuBar(menu_model=bar)


def menu_records(p):
    """Items of the menu bar and of the menus that are open (the toolkit builds them from a model)."""
    item, names = p.menubar.get_first_child(), iter(("File", "Edit", "View"))
    while item is not None:
        name = next(names)
        yield p.record("menu_" + name, "menu", name, item)
        item = item.get_next_sibling()
    for popover in p.opened:
        if p.popup == "menu":
            for widget in descendants(popover):
                if widget.get_css_name() == "modelbutton" and widget.get_native() is popover:
                    text = widget.get_property("text").replace("_", "")
                    kind = {"Autosave": "check-item", "Fit page": "radio-item", "Fit width": "radio-item"}.get(text, "menu-item")
                    yield p.record("item_" + text, "menu" if text == "Recent" else kind, text, widget,
                                   states=["checked"] if text in ("Autosave", "Fit page") else None,
                                   absent=["checked"] if text == "Fit width" else None)
        elif p.popup == "combo":
            for widget in descendants(popover):
                if widget.get_css_name() == "row":
                    text = next(w for w in descendants(widget) if isinstance(w, Gtk.Label)).get_text()
                    yield p.record("choice_" + text, "row", text, widget)


def icon_button(p, ident, label, icon, cls=Gtk.Button, **more):
    made = cls(icon_name=icon, has_frame=False, tooltip_text=label, valign=Gtk.Align.CENTER)
    return p.add(ident, "toggle" if cls is Gtk.ToggleButton else "button", label, made, **more)


TIGHT = b"""button.tight { min-width: 0; min-height: 0; padding: 0; margin: 0; border-width: 1px; }
button.tight image { -gtk-icon-size: 12px; }"""


def dense(p):
    css = Gtk.CssProvider()
    css.load_from_data(TIGHT)
    Gtk.StyleContext.add_provider_for_display(Gdk.Display.get_default(), css, 800)
    made = []
    for i, icon in enumerate(["go-up", "go-down", "go-first", "go-last", "go-next", "go-previous", "list-add", "list-remove",
                              "edit-find", "edit-clear", "view-refresh", "window-close"]):
        made.append(icon_button(p, f"tiny_{i}", f"Tiny {i}", icon + "-symbolic"))
        made[-1].add_css_class("tight")
    return row(*made, spacing=2)


def captioned(p, caption, widget):
    label = Gtk.Label(label=caption, use_underline=True, mnemonic_widget=widget)
    return label


def controls(p):
    page = padded(Gtk.Box(orientation=V, spacing=6))
    tools = [icon_button(p, f"tool_{n.lower()}", n, i + "-symbolic") for n, i in
             [("Cut", "edit-cut"), ("Copy", "edit-copy"), ("Paste", "edit-paste"), ("Undo", "edit-undo"), ("Redo", "edit-redo")]]
    tools[-1].set_sensitive(False)
    bold = icon_button(p, "tool_bold", "Bold", "format-text-bold-symbolic", Gtk.ToggleButton, states=["pressed|checked"])
    bold.set_active(True)
    page.append(row(*tools, bold, dense(p), spacing=2))

    p.first = p.add("apply", "button", "Apply", Gtk.Button(label="_Apply", use_underline=True))
    delete = p.add("delete", "button", "Delete", Gtk.Button(label="Delete", sensitive=False))
    wrap = p.add("wrap", "toggle", "Wrap", Gtk.ToggleButton(label="Wrap"), absent=["pressed", "checked"])
    link = p.add("link", "link", "Website", Gtk.LinkButton(uri="http://localhost/", label="Website"))
    p.more = p.add("more", "menu-button", "More", Gtk.MenuButton(label="More", popover=popover(p)))
    color = p.add("color", "color", None, Gtk.ColorButton(title="Pick a colour", tooltip_text="Ink"))
    page.append(row(p.first, p.add("cancel", "button", "Cancel", Gtk.Button(label="Cancel")), delete, wrap, link, p.more, color))

    save = p.add("autosave", "check", "Save automatically", Gtk.CheckButton(label="Save automatically", active=True),
                 states=["checked"])
    radio = p.add("radio_a", "radio", "Left", Gtk.CheckButton(label="Left", active=True), states=["checked"], roles=["radio button", "check box"])
    other = p.add("radio_b", "radio", "Right", Gtk.CheckButton(label="Right", group=radio), absent=["checked"], roles=["radio button", "check box"])
    wifi = p.add("wifi", "switch", "Wi-Fi", Gtk.Switch(active=True, valign=Gtk.Align.CENTER), states=["checked|pressed"])
    page.append(row(save, p.add("backup", "check", "Backup", Gtk.CheckButton(label="Backup"), absent=["checked"]),
                    p.add("off", "check", "Unavailable", Gtk.CheckButton(label="Unavailable", sensitive=False)),
                    radio, other, p.add("wifi_label", "label", "Wi-Fi", captioned(p, "_Wi-Fi", wifi)), wifi))

    name = p.add("name", "entry", "Name", Gtk.Entry(text="Ada", width_chars=10), value="Ada")
    password = Gtk.PasswordEntry(text=truth.SECRET, width_chars=10)
    p.add("password", "password", "Password", password)
    search = p.add("search", "search", "Search files", Gtk.SearchEntry(placeholder_text="Search files", width_chars=12))
    city = p.add("city", "entry", "City", Gtk.Entry(text="Paris", width_chars=8), value="Paris")
    page.append(row(captioned(p, "_Name:", name), name, captioned(p, "Password:", password), password, search,
                    Gtk.Label(label="City:"), city,
                    p.add("locked", "entry", "Locked", Gtk.Entry(text="locked", width_chars=6, sensitive=False))))

    p.combo = Gtk.DropDown.new_from_strings(["Small", "Medium", "Large"])
    p.combo.set_selected(1)
    p.add("size", "combo", "Size", p.combo, value="Medium", labels=["Medium"])
    edit = Gtk.ComboBoxText.new_with_entry()
    edit.append_text("Serif")
    edit.append_text("Sans")
    edit.get_child().set_text("Serif")
    p.add("font", "entry", None, edit.get_child(), value="Serif", alt=lambda w: [p.place(edit)[0]])
    arrow = next(w for w in descendants(edit) if isinstance(w, Gtk.ToggleButton))
    p.add("font_arrow", "arrow", None, arrow, alt=lambda w: [p.place(edit)[0]])
    spin = Gtk.SpinButton(adjustment=Gtk.Adjustment(value=5, lower=0, upper=100, step_increment=1))
    inside = [w for w in descendants(spin) if isinstance(w, (Gtk.Button, Gtk.Text))]
    p.add("copies", "spin", "Copies", spin, value="5", alt=lambda w: [p.place(inside[0])[0]])
    for i, button in enumerate(w for w in inside if isinstance(w, Gtk.Button)):
        p.add(f"copies_{i}", "spin-button", None, button)
    scale = Gtk.Scale(orientation=H, adjustment=Gtk.Adjustment(value=30, lower=0, upper=100, step_increment=1), draw_value=False)
    scale.set_size_request(120, -1)
    p.add("volume", "slider", "Volume", scale, value="30")
    progress = p.add("progress", "progress", None, Gtk.ProgressBar(fraction=0.4, valign=Gtk.Align.CENTER))
    page.append(row(captioned(p, "Size:", p.combo), p.combo, edit, captioned(p, "Copies:", spin), spin,
                    captioned(p, "Volume:", scale), scale, progress))

    p.expander = expander(p, "details", "Details", False, p.add("inner_hidden", "button", "Hidden inside", Gtk.Button(label="Hidden inside")))
    opened = expander(p, "advanced", "Advanced", True, p.add("inner", "button", "Shown inside", Gtk.Button(label="Shown inside")))
    selectable = p.add("selectable", "selectable", "Build 4711", Gtk.Label(label="Build 4711", selectable=True))
    image = p.add("image", "image", None, Gtk.Image(icon_name="dialog-information", pixel_size=32))
    page.append(row(p.expander, opened, p.add("plain", "label", "Just words", Gtk.Label(label="Just words")), selectable, image))

    text = Gtk.TextView(wrap_mode=Gtk.WrapMode.WORD)
    text.get_buffer().set_text("The quick brown fox\njumps over the lazy dog.")
    scrolled = Gtk.ScrolledWindow(child=text, has_frame=True)
    scrolled.set_size_request(300, 80)
    p.add("text", "text", None, text, value="The quick brown fox\njumps over the lazy dog.", alt=lambda w: [p.place(scrolled)[0]])
    overlay = Gtk.Overlay(child=p.add("covered", "button", "Covered", Gtk.Button(label="Covered", halign=Gtk.Align.CENTER, valign=Gtk.Align.CENTER), covered=True))
    overlay.add_overlay(p.add("cover", "button", "Cover", Gtk.Button(label="Cover")))
    overlay.set_size_request(140, 60)
    stack = Gtk.Stack()
    stack.add_named(p.add("front", "button", "Front page", Gtk.Button(label="Front page")), "front")
    stack.add_named(p.add("back", "button", "Back page", Gtk.Button(label="Back page")), "back")
    page.append(row(scrolled, overlay, stack))

    paned = Gtk.Paned(orientation=H, start_child=p.add("pane_left", "button", "Pane left", Gtk.Button(label="Pane left")),
                      end_child=p.add("pane_right", "button", "Pane right", Gtk.Button(label="Pane right")))
    page.append(p.add("paned", "pane", None, paned))
    page.append(p.add("status", "label", "3 files, 2 selected", Gtk.Label(label="3 files, 2 selected", xalign=0, vexpand=True, valign=Gtk.Align.END)))
    return page


def expander(p, ident, label, opened, child):
    made = Gtk.Expander(label=label, expanded=opened, child=child)

    def title(w):  # the arrow and the title are the control, the child is not
        top, own = p.place(w)[0], p.place(w.get_label_widget())[0]
        if not top or not own:
            return None
        scale = w.get_scale_factor()
        return (0, (own[1] - top[1]) / scale, top[2] / scale, own[3] / scale)

    def narrow(w):
        top, own = p.place(w)[0], p.place(w.get_label_widget())[0]
        return [[top[0], own[1], own[0] + own[2] - top[0], own[3]]] if top and own else None

    return p.add(ident, "expander", label, made, shrink=title, alt=narrow,
                 states=lambda w: ["expanded"] if w.get_expanded() else None,
                 absent=lambda w: ["expanded"] if not w.get_expanded() else None)


def popover(p):
    box = padded(Gtk.Box(orientation=V, spacing=6))
    box.append(p.add("pop_share", "button", "Share", Gtk.Button(label="Share")))
    box.append(p.add("pop_pin", "check", "Pin to top", Gtk.CheckButton(label="Pin to top")))
    box.append(p.add("pop_note", "entry", "Add a note", Gtk.Entry(placeholder_text="Add a note")))
    return Gtk.Popover(child=box)


def scroller(p, ident, child, height):
    made = Gtk.ScrolledWindow(child=child, has_frame=True, hexpand=True, overlay_scrolling=False)
    made.set_policy(Gtk.PolicyType.NEVER, Gtk.PolicyType.AUTOMATIC)
    made.set_size_request(-1, height)
    p.add(ident + "_bar", "scrollbar", None, made.get_vscrollbar())
    return made


def lists(p):
    page = padded(Gtk.Grid(row_spacing=6, column_spacing=6, column_homogeneous=True))
    page.attach(list_box(p), 0, 0, 1, 1)
    page.attach(list_view(p), 1, 0, 1, 1)
    page.attach(column_view(p), 0, 1, 1, 1)
    page.attach(flow(p), 1, 1, 1, 1)
    calendar = p.add("calendar", "calendar", None, Gtk.Calendar())
    for i, button in enumerate(w for w in descendants(calendar) if isinstance(w, Gtk.Button)):
        p.add(f"calendar_button_{i}", "button", None, button, optional=True)
    for i, day in enumerate(w for w in descendants(calendar) if w.get_css_name() == "label"):
        p.add(f"calendar_{i}", "day", None, day)
    page.attach(row(calendar), 0, 2, 2, 1)
    return page


def list_box(p):
    box = Gtk.ListBox()
    for i, name in enumerate(["Inbox", "Drafts", "Sent", "Archive", "Spam", "Trash", "Later", "Done"]):
        inner = row(Gtk.Label(label=name, hexpand=True, xalign=0))
        if i == 1:
            inner.append(p.add("row_button", "button", "Discard", Gtk.Button(label="Discard")))
        line = Gtk.ListBoxRow(child=inner)
        box.append(line)
        p.add(f"box_{i}", "row", name, line, states=lambda w: ["selected"] if w.is_selected() else None,
              absent=lambda w: None if w.is_selected() else ["selected"])
        if i == 2:
            box.select_row(line)
    return scroller(p, "box", box, 150)


def factory(column=0):
    made = Gtk.SignalListItemFactory()
    made.connect("setup", lambda f, item: item.set_child(Gtk.Label(xalign=0)))
    made.connect("bind", lambda f, item: item.get_child().set_text(item.get_item().get_string().split("|")[column]))
    return made


def shown_rows(p, view, prefix):
    """Rows of a list view that exist now: the toolkit recycles their widgets, so they are looked up each time."""
    for widget in descendants(view):
        if widget.get_css_name() == "row" and widget.get_mapped():
            text = next(w for w in descendants(widget) if isinstance(w, Gtk.Label)).get_text()
            chosen = bool(widget.get_state_flags() & Gtk.StateFlags.SELECTED)
            yield p.record(f"{prefix}_{text}", "row", text, widget, states=["selected"] if chosen else None,
                           absent=None if chosen else ["selected"])


def list_view(p):
    model = Gtk.SingleSelection(model=Gtk.StringList.new([f"Song {i}" for i in range(40)]))
    model.set_selected(1)
    view = Gtk.ListView(model=model, factory=factory())
    p.sources.append(lambda: shown_rows(p, view, "song"))
    return scroller(p, "songs", view, 150)


def column_view(p):
    names = ["Milk", "Bread", "Eggs", "Butter", "Jam", "Tea", "Rice", "Salt"]
    model = Gtk.SingleSelection(model=Gtk.StringList.new([f"{n}|{i + 1} pc" for i, n in enumerate(names)]))
    view = Gtk.ColumnView(model=model)
    for i, title in enumerate(("Item", "Amount")):
        column = Gtk.ColumnViewColumn(title=title, factory=factory(i), expand=i == 0)
        if i == 0:
            column.set_sorter(Gtk.CustomSorter.new(None))
        view.append_column(column)
    p.sources.append(lambda: shown_rows(p, view, "table"))

    def headers():
        for i, widget in enumerate(w for w in descendants(view) if w.get_css_name() == "button" and w.get_mapped()):
            label = next((w for w in descendants(widget) if isinstance(w, Gtk.Label)), None)
            yield p.record(f"table_head_{i}", "header" if i == 0 else "label", label.get_text() if label else None, widget)  # the first sorts

    p.sources.append(headers)
    return scroller(p, "table", view, 150)


def flow(p):
    box = Gtk.FlowBox(selection_mode=Gtk.SelectionMode.SINGLE, valign=Gtk.Align.START, max_children_per_line=4)
    for icon, name in [("folder", "Home"), ("user-trash", "Bin"), ("computer", "Computer"), ("folder", "Shared"),
                       ("folder", "Public"), ("folder", "Templates"), ("folder", "Videos"), ("folder", "Downloads")]:
        inner = Gtk.Box(orientation=V)
        inner.append(Gtk.Image(icon_name=icon, pixel_size=32))
        inner.append(Gtk.Label(label=name))
        child = Gtk.FlowBoxChild(child=inner)
        box.append(child)
        p.add("flow_" + name, "icon", name, child)
    return scroller(p, "flow", box, 150)


def scroll(p):
    page = padded(row(spacing=6))
    box = Gtk.Box(orientation=V, spacing=4)
    for i in range(60):
        box.append(p.add(f"item_{i}", "button", f"Item {i}", Gtk.Button(label=f"Item {i}")))
    p.scrolled = scroller(p, "scrolled", box, 300)
    inner = Gtk.Box(orientation=V)
    for i in range(20):
        inner.append(p.add(f"option_{i}", "check", f"Option {i}", Gtk.CheckButton(label=f"Option {i}")))
    p.inner = scroller(p, "inner", inner, 150)
    outer = Gtk.Box(orientation=V, spacing=6)
    outer.append(p.inner)
    for i in range(30):
        outer.append(p.add(f"below_{i}", "button", f"Below {i}", Gtk.Button(label=f"Below {i}")))
    page.append(p.scrolled)
    page.append(scroller(p, "nested", outer, 300))
    return page


def question(p):
    dialog = Gtk.MessageDialog(transient_for=p.window, modal=True, message_type=Gtk.MessageType.QUESTION,
                               text="Discard the changes?", secondary_text="They cannot be brought back.")
    dialog.add_button("Keep", 1)
    dialog.add_button("Discard now", 2)
    dialog.present()
    return dialog


def chooser(p):
    dialog = Gtk.FileChooserDialog(title="Open a file", transient_for=p.window, modal=True, action=Gtk.FileChooserAction.OPEN)
    dialog.add_button("Give up", 1)
    dialog.add_button("Take it", 2)
    dialog.present()
    return dialog


def dialog_items(p):
    for i, widget in enumerate(descendants(p.dialog)):
        if isinstance(widget, Gtk.Button) and widget.get_label() in ("Keep", "Discard now", "Give up", "Take it"):
            yield p.record(f"dialog_{i}", "button", widget.get_label(), widget)
        elif isinstance(widget, Gtk.Label) and widget.get_selectable():
            yield p.record(f"dialog_text_{i}", "selectable", widget.get_text(), widget, optional=True)
        elif isinstance(widget, Gtk.Button) and widget.get_ancestor(Gtk.WindowControls):
            yield p.record(f"dialog_close_{i}", "button", None, widget)


def texts(p):
    """What the readable outline must contain now."""
    if p.popup == "dialog":
        return ["Discard the changes?", "They cannot be brought back."]
    if p.popup:
        return []
    return [["Just words", "3 files, 2 selected", "Build 4711", "quick brown fox"], [], []][p.book.get_current_page()]
