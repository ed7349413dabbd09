"""The controls of the GTK 3 probe, page by page; each is registered with its kind and the label a person would give it."""
from gi.repository import Gdk, GdkPixbuf, Gtk

import truth

H, V = Gtk.Orientation.HORIZONTAL, Gtk.Orientation.VERTICAL


def row(*widgets, spacing=6):
    box = Gtk.Box(orientation=H, spacing=spacing)
    for widget in widgets:
        box.pack_start(widget, False, False, 0)
    return box


def descendants(widget):
    found = []
    if isinstance(widget, Gtk.Container):
        widget.forall(lambda child: found.append(child))
    for child in list(found):
        found.extend(descendants(child))
    return found


def menu_bar(p):
    def item(menu, ident, label, cls=Gtk.MenuItem, kind="menu-item", **more):
        made = cls(label=label, use_underline=True)
        menu.append(made)
        return p.add(ident, kind, label.replace("_", ""), made, **more)

    bar, file = Gtk.MenuBar(), Gtk.Menu()
    for ident, label in (("menu_file", "_File"), ("menu_edit", "_Edit"), ("menu_view", "_View")):
        item(bar, ident, label, kind="menu")
    bar.get_children()[0].set_submenu(file)
    for i in (1, 2):
        other = Gtk.Menu()
        item(other, f"other_{i}", f"Other {i}")
        bar.get_children()[i].set_submenu(other)
    item(file, "file_new", "_New")
    item(file, "file_open", "_Open…")
    p.recent = item(file, "file_recent", "_Recent", kind="menu")
    recent = Gtk.Menu()
    item(recent, "recent_a", "letter.txt")
    item(recent, "recent_b", "budget.ods")
    p.recent.set_submenu(recent)
    file.append(Gtk.SeparatorMenuItem())
    item(file, "file_autosave", "_Autosave", Gtk.CheckMenuItem, "check-item", states=["checked"]).set_active(True)
    first = item(file, "file_fit", "_Fit page", Gtk.RadioMenuItem, "radio-item", states=["checked"])
    second = item(file, "file_wide", "Fit _width", Gtk.RadioMenuItem, "radio-item", absent=["checked"])
    second.join_group(first)
    first.set_active(True)
    item(file, "file_print", "_Print").set_sensitive(False)
    item(file, "file_quit", "_Quit")
    return bar


def icon_button(p, ident, label, icon, cls=Gtk.Button, size=16, **more):
    image = Gtk.Image.new_from_icon_name(icon, Gtk.IconSize.MENU)
    image.set_pixel_size(size)
    made = cls(image=image, relief=Gtk.ReliefStyle.NONE, tooltip_text=label)
    return p.add(ident, "toggle" if cls is Gtk.ToggleButton else "button", label, made, **more)


TIGHT = b"button.tight { min-width: 0; min-height: 0; padding: 0; margin: 0; border-width: 1px; }"


def dense(p):
    css = Gtk.CssProvider()
    css.load_from_data(TIGHT)
    made = []
    for i, icon in enumerate(["go-up", "go-down", "go-first", "go-last", "go-next", "go-previous", "list-add", "list-remove",
                              "edit-find", "edit-clear", "view-refresh", "window-close"]):
        button = icon_button(p, f"tiny_{i}", f"Tiny {i}", icon + "-symbolic", size=12)
        button.get_accessible().set_name(f"Tiny {i}")  # else it is named after its icon
        button.get_style_context().add_class("tight")
        button.get_style_context().add_provider(css, 800)
        made.append(button)
    box = row(*made, spacing=2)
    box.set_valign(Gtk.Align.CENTER)
    return box


def controls(p):
    page = Gtk.Box(orientation=V, spacing=6, border_width=6)
    tools = [icon_button(p, f"tool_{n.lower()}", n, i + "-symbolic") for n, i in
             [("Cut", "edit-cut"), ("Copy", "edit-copy"), ("Paste", "edit-paste"), ("Undo", "edit-undo"), ("Redo", "edit-redo")]]
    tools[-1].set_sensitive(False)
    bold = icon_button(p, "tool_bold", "Bold", "format-text-bold-symbolic", Gtk.ToggleButton, states=["pressed|checked"])
    bold.set_active(True)
    page.add(row(*tools, bold, dense(p), spacing=2))

    p.first = p.add("apply", "button", "Apply", Gtk.Button(label="_Apply", use_underline=True))
    delete = p.add("delete", "button", "Delete", Gtk.Button(label="Delete", sensitive=False))
    wrap = p.add("wrap", "toggle", "Wrap", Gtk.ToggleButton(label="Wrap"), absent=["pressed", "checked"])
    link = p.add("link", "link", "Website", Gtk.LinkButton(uri="http://localhost/", label="Website"))
    more = Gtk.MenuButton(label="More")
    p.popover = popover(p, more)
    more.set_popover(p.popover)
    p.add("more", "menu-button", "More", more)
    color = Gtk.ColorButton(title="Pick a colour", tooltip_text="Ink", rgba=Gdk.RGBA(0.8, 0.1, 0.2, 1))
    p.add("color", "color", None, color)
    page.add(row(p.first, p.add("cancel", "button", "Cancel", Gtk.Button(label="Cancel")), delete, wrap, link, more, color))

    save = p.add("autosave", "check", "Save automatically", Gtk.CheckButton(label="Save automatically", active=True),
                 states=["checked"])
    radio = p.add("radio_a", "radio", "Left", Gtk.RadioButton(label="Left"), states=["checked"])
    other = p.add("radio_b", "radio", "Right", Gtk.RadioButton(label="Right", group=radio), absent=["checked"])
    wifi, label = Gtk.Switch(active=True), Gtk.Label(label="_Wi-Fi", use_underline=True)
    label.set_mnemonic_widget(wifi)
    p.add("wifi", "switch", "Wi-Fi", wifi, states=["checked|pressed"])
    p.add("wifi_label", "label", "Wi-Fi", label)
    page.add(row(save, p.add("backup", "check", "Backup", Gtk.CheckButton(label="Backup"), absent=["checked"]),
                 p.add("off", "check", "Unavailable", Gtk.CheckButton(label="Unavailable", sensitive=False)),
                 radio, other, label, wifi))

    name, caption = Gtk.Entry(text="Ada", width_chars=10), Gtk.Label(label="_Name:", use_underline=True)
    caption.set_mnemonic_widget(name)
    p.add("name", "entry", "Name", name, value="Ada")
    password = Gtk.Entry(visibility=False, text=truth.SECRET, width_chars=10, input_purpose=Gtk.InputPurpose.PASSWORD)
    secret = Gtk.Label(label="Password:")
    secret.set_mnemonic_widget(password)
    p.add("password", "password", "Password", password)
    search = p.add("search", "search", "Search files", Gtk.SearchEntry(placeholder_text="Search files", width_chars=12), labels=["Search"])
    city = p.add("city", "entry", "City", Gtk.Entry(text="Paris", width_chars=8), value="Paris")
    page.add(row(caption, name, secret, password, search, Gtk.Label(label="City:"), city,
                 p.add("locked", "entry", "Locked", Gtk.Entry(text="locked", width_chars=6, sensitive=False))))

    p.combo = Gtk.ComboBoxText()
    for text in ("Small", "Medium", "Large"):
        p.combo.append_text(text)
    p.combo.set_active(1)
    caption = Gtk.Label(label="Size:")
    caption.set_mnemonic_widget(p.combo)
    p.add("size", "combo", "Size", p.combo, value="Medium", labels=["Medium"])
    edit = Gtk.ComboBoxText.new_with_entry()
    for text in ("Serif", "Sans"):
        edit.append_text(text)
    edit.get_child().set_text("Serif")
    edit.get_child().set_width_chars(8)
    p.add("font", "entry", None, edit.get_child(), value="Serif", alt=lambda w: [p.place(edit)[0]])
    p.add("font_arrow", "arrow", None, edit, optional=True)
    spin = Gtk.SpinButton(adjustment=Gtk.Adjustment(value=5, lower=0, upper=100, step_increment=1))
    copies = Gtk.Label(label="Copies:")
    copies.set_mnemonic_widget(spin)
    p.add("copies", "spin", "Copies", spin, value="5")
    scale = Gtk.Scale(orientation=H, adjustment=Gtk.Adjustment(value=30, lower=0, upper=100, step_increment=1), draw_value=False)
    scale.set_size_request(120, -1)
    volume = Gtk.Label(label="Volume:")
    volume.set_mnemonic_widget(scale)
    p.add("volume", "slider", "Volume", scale, value="30")
    progress = p.add("progress", "progress", None, Gtk.ProgressBar(fraction=0.4, valign=Gtk.Align.CENTER))
    page.add(row(caption, p.combo, edit, copies, spin, volume, scale, progress))

    p.expander = expander(p, "details", "Details", False, p.add("inner_hidden", "button", "Hidden inside", Gtk.Button(label="Hidden inside")))
    opened = expander(p, "advanced", "Advanced", True, p.add("inner", "button", "Shown inside", Gtk.Button(label="Shown inside")))
    selectable = p.add("selectable", "selectable", "Build 4711", Gtk.Label(label="Build 4711", selectable=True))
    image = p.add("image", "image", None, Gtk.Image.new_from_icon_name("dialog-information", Gtk.IconSize.DND))
    page.add(row(p.expander, opened, p.add("plain", "label", "Just words", Gtk.Label(label="Just words")), selectable, image))

    text = Gtk.TextView(wrap_mode=Gtk.WrapMode.WORD)
    text.get_buffer().set_text("The quick brown fox\njumps over the lazy dog.")
    scrolled = Gtk.ScrolledWindow(shadow_type=Gtk.ShadowType.IN)
    scrolled.add(text)
    scrolled.set_size_request(300, 80)
    p.add("text", "text", None, text, value="The quick brown fox\njumps over the lazy dog.", alt=lambda w: [p.place(scrolled)[0]])
    overlay = Gtk.Overlay()
    overlay.add(p.add("covered", "button", "Covered", Gtk.Button(label="Covered", halign=Gtk.Align.CENTER, valign=Gtk.Align.CENTER), covered=True))
    overlay.add_overlay(p.add("cover", "button", "Cover", Gtk.Button(label="Cover")))
    overlay.set_size_request(140, 60)
    stack = Gtk.Stack()
    stack.add_named(p.add("front", "button", "Front page", Gtk.Button(label="Front page")), "front")
    stack.add_named(p.add("back", "button", "Back page", Gtk.Button(label="Back page")), "back")
    page.add(row(scrolled, overlay, stack))

    paned = Gtk.Paned(orientation=H)
    paned.add1(p.add("pane_left", "button", "Pane left", Gtk.Button(label="Pane left")))
    paned.add2(p.add("pane_right", "button", "Pane right", Gtk.Button(label="Pane right")))
    p.add("paned", "pane", None, paned)
    page.add(paned)
    status = Gtk.Label(label="3 files, 2 selected", xalign=0)
    page.pack_end(p.add("status", "label", "3 files, 2 selected", status), False, False, 0)
    return page


def expander(p, ident, label, opened, child):
    made = Gtk.Expander(label=label, expanded=opened)
    made.add(child)

    def title(w):  # the arrow and the title are the control, the child is not
        at, head = w.get_allocation(), w.get_label_widget().get_allocation()
        return (0, head.y - at.y, at.width, head.height)

    def narrow(w):
        at, head = w.get_allocation(), w.get_label_widget().get_allocation()
        return [p.place(w, (0, head.y - at.y, head.x - at.x + head.width, head.height))[0]]

    return p.add(ident, "expander", label, made, shrink=title, alt=narrow,
                 states=lambda w: ["expanded"] if w.get_expanded() else None,
                 absent=lambda w: ["expanded"] if not w.get_expanded() else None)


def popover(p, button):
    made = Gtk.Popover(relative_to=button)
    box = Gtk.Box(orientation=V, spacing=6, border_width=10)
    box.add(p.add("pop_share", "button", "Share", Gtk.Button(label="Share")))
    box.add(p.add("pop_pin", "check", "Pin to top", Gtk.CheckButton(label="Pin to top")))
    box.add(p.add("pop_note", "entry", "Add a note", Gtk.Entry(placeholder_text="Add a note")))
    box.show_all()
    made.add(box)
    return made


def lists(p):
    page = Gtk.Grid(row_spacing=6, column_spacing=6, border_width=6, column_homogeneous=True)
    page.attach(list_box(p), 0, 0, 1, 1)
    page.attach(tree(p), 1, 0, 1, 1)
    page.attach(table(p), 0, 1, 1, 1)
    page.attach(icons(p), 1, 1, 1, 1)
    calendar = p.add("calendar", "calendar", None, Gtk.Calendar())
    page.attach(row(calendar), 0, 2, 2, 1)
    return page


def scroller(child, height):
    made = Gtk.ScrolledWindow(shadow_type=Gtk.ShadowType.IN, hexpand=True)
    made.set_policy(Gtk.PolicyType.NEVER, Gtk.PolicyType.AUTOMATIC)
    made.set_overlay_scrolling(False)
    made.set_size_request(-1, height)
    made.add(child)
    return made


def list_box(p):
    box = Gtk.ListBox()
    for i, name in enumerate(["Inbox", "Drafts", "Sent", "Archive", "Spam", "Trash", "Later", "Done"]):
        line = Gtk.ListBoxRow()
        inner = row(Gtk.Label(label=name))
        if i == 1:
            inner.pack_end(p.add("row_button", "button", "Discard", Gtk.Button(label="Discard")), False, False, 0)
        line.add(inner)
        box.add(line)
        p.add(f"box_{i}", "row", name, line, states=["selected"] if i == 2 else None, absent=["selected"] if i != 2 else None)
    box.select_row(box.get_row_at_index(2))
    outer = scroller(box, 150)
    p.add("box_bar", "scrollbar", None, outer.get_vscrollbar())
    return outer


def view_rows(p, view, prefix, path_label):
    """Records of the rows of a tree view, as drawn: over all columns, below the headers."""
    top = view.convert_bin_window_to_widget_coords(0, 0)[1]
    model, selection = view.get_model(), view.get_selection()
    at = view.get_allocation()
    clip = p.place(view, (0, top, at.width, at.height - top))[1]
    found = []

    def visit(it):
        while it:
            path = model.get_path(it)
            areas = [view.get_background_area(path, column) for column in view.get_columns()]
            left = min(a.x for a in areas)
            right = max(a.x + a.width for a in areas)
            rect = (left, areas[0].y + top, right - left, areas[0].height)
            drawn, seen = p.place(view, rect)
            chosen = selection.iter_is_selected(it)
            found.append(truth.control(
                f"{prefix}_{path}", "row", path_label(model, it), drawn, truth.intersect(seen, clip), True,
                blocked=p.blocked(view), states=["selected"] if chosen else None, absent=None if chosen else ["selected"]))
            if view.row_expanded(path):
                visit(model.iter_children(it))
            it = model.iter_next(it)

    if view.get_mapped():
        visit(model.get_iter_first())
    return found


def headers(p, view, prefix):
    for i, column in enumerate(view.get_columns()):
        button = column.get_button()
        yield p.record(f"{prefix}_head_{i}", "header" if column.get_clickable() else "label", column.get_title(), button)


def tree(p):
    store = Gtk.TreeStore(str, str)
    for name in ("Documents", "Music", "Pictures"):
        parent = store.append(None, [name, "folder"])
        for i in (1, 2):
            store.append(parent, [f"{name} {i}", f"{i * 10} kB"])
    view = Gtk.TreeView(model=store)
    for i, title in enumerate(("File", "Extent")):
        column = Gtk.TreeViewColumn(title, Gtk.CellRendererText(), text=i)
        column.set_sort_column_id(i)
        view.append_column(column)
    view.expand_row(Gtk.TreePath("0"), True)
    view.get_selection().select_path("0:1")
    outer = scroller(view, 150)
    p.add("tree_bar", "scrollbar", None, outer.get_vscrollbar())
    p.sources.append(lambda: view_rows(p, view, "tree", lambda m, it: m[it][0]))
    p.sources.append(lambda: headers(p, view, "tree"))
    return outer


def table(p):
    store = Gtk.ListStore(bool, str, str)
    for i, name in enumerate(["Milk", "Bread", "Eggs", "Butter", "Jam", "Tea", "Rice", "Salt"]):
        store.append([i % 2 == 0, name, f"{i + 1} pc"])
    view = Gtk.TreeView(model=store)
    toggle, text = Gtk.CellRendererToggle(activatable=True), Gtk.CellRendererText(editable=True)
    view.append_column(Gtk.TreeViewColumn("Buy", toggle, active=0))
    view.append_column(Gtk.TreeViewColumn("Item", text, text=1))
    view.append_column(Gtk.TreeViewColumn("Amount", Gtk.CellRendererText(), text=2))
    outer = scroller(view, 150)
    p.add("table_bar", "scrollbar", None, outer.get_vscrollbar())

    def cells():
        if not view.get_mapped():
            return
        top, at = view.convert_bin_window_to_widget_coords(0, 0)[1], view.get_allocation()
        clip = p.place(view, (0, top, at.width, at.height - top))[1]
        for i, values in enumerate(store):
            for c, kind in ((0, "cell-check"), (1, "cell-edit")):
                area = view.get_background_area(Gtk.TreePath(str(i)), view.get_column(c))
                drawn, seen = p.place(view, (area.x, area.y + top, area.width, area.height))
                inner = view.get_cell_area(Gtk.TreePath(str(i)), view.get_column(c))
                alt = p.place(view, (inner.x, inner.y + top, inner.width, inner.height))[0]
                on = c == 0 and values[0]
                yield truth.control(f"cell_{i}_{c}", kind, values[1] if c else None, drawn, truth.intersect(seen, clip), True,
                                    # GTK 3's tree says the same of every text cell, whether it can be edited or not: same states (no
                                    # EDITABLE), interfaces (no EditableText) and actions (all have `Edit`). Either answer is right.
                                    optional=kind == "cell-edit", alt=[alt], blocked=p.blocked(view), states=["checked"] if on else None,
                                    absent=["checked"] if c == 0 and not on else None)

    p.sources.append(lambda: view_rows(p, view, "table", lambda m, it: m[it][1]))
    p.sources.append(cells)
    p.sources.append(lambda: headers(p, view, "table"))
    return outer


def icons(p):
    store = Gtk.ListStore(GdkPixbuf.Pixbuf, str)
    theme = Gtk.IconTheme.get_default()
    for icon, name in [("folder", "Home"), ("user-trash", "Bin"), ("computer", "Computer"), ("folder", "Shared"),
                       ("folder", "Public"), ("folder", "Templates"), ("folder", "Videos"), ("folder", "Downloads")]:
        try:
            picture = theme.load_icon(icon, 32, 0)
        except Exception:  # no such icon in this theme
            picture = GdkPixbuf.Pixbuf.new(GdkPixbuf.Colorspace.RGB, False, 8, 32, 32)
            picture.fill(0x8080A0FF)
        store.append([picture, name])
    view = Gtk.IconView(model=store, pixbuf_column=0, text_column=1, item_width=70, margin=2, spacing=0, row_spacing=2)
    outer = scroller(view, 150)
    p.add("icons_bar", "scrollbar", None, outer.get_vscrollbar())

    def items():
        for i, values in enumerate(store):
            path = Gtk.TreePath(str(i))
            ok, rect = view.get_cell_rect(path, None)
            if ok and view.get_mapped():
                clip = p.place(view)[1]
                drawn, seen = p.place(view, (rect.x, rect.y, rect.width, rect.height))
                pad = view.get_item_padding()  # the highlight is drawn around the padding, the content lies inside it
                inner = p.place(view, (rect.x + pad, rect.y + pad, rect.width - 2 * pad, rect.height - 2 * pad))[0]
                yield truth.control(f"icon_{i}", "icon", values[1], drawn, truth.intersect(seen, clip), True, alt=[inner],
                                    blocked=p.blocked(view))

    p.sources.append(items)
    return outer


def scroll(p):
    page = row(spacing=6)
    page.set_border_width(6)
    box = Gtk.Box(orientation=V, spacing=4)
    for i in range(60):
        box.add(p.add(f"item_{i}", "button", f"Item {i}", Gtk.Button(label=f"Item {i}")))
    p.scrolled = scroller(box, 300)
    inner = Gtk.Box(orientation=V)
    for i in range(20):
        inner.add(p.add(f"option_{i}", "check", f"Option {i}", Gtk.CheckButton(label=f"Option {i}")))
    p.inner = scroller(inner, 150)
    outer = Gtk.Box(orientation=V, spacing=6)
    outer.add(p.inner)
    for i in range(30):
        outer.add(p.add(f"below_{i}", "button", f"Below {i}", Gtk.Button(label=f"Below {i}")))
    nested = scroller(outer, 300)
    for name, area in (("scrolled", p.scrolled), ("inner", p.inner), ("nested", nested)):
        p.add(name + "_bar", "scrollbar", None, area.get_vscrollbar())
    page.pack_start(p.scrolled, True, True, 0)
    page.pack_start(nested, True, True, 0)
    return page


def popup_items(p):
    """Items of the menu that a combo box opened; those of the menu bar are registered already."""
    if p.popup != "combo":
        return
    for top in Gtk.Window.list_toplevels():
        if top.get_mapped() and top.get_window_type() == Gtk.WindowType.POPUP:
            for item in descendants(top):
                if isinstance(item, Gtk.MenuItem):
                    view = item.get_child()
                    model, path = view.get_model(), view.get_displayed_row()
                    text = model[path][0] if model and path else None
                    yield p.record(f"choice_{text}", "menu-item", text, item)


def question(p):
    dialog = Gtk.MessageDialog(transient_for=p.window, modal=True, message_type=Gtk.MessageType.QUESTION,
                               text="Discard the changes?", secondary_text="They cannot be brought back.")
    dialog.add_button("Keep", 1)
    dialog.add_button("Discard now", 2)
    dialog.show_all()
    return dialog


def chooser(p):
    dialog = Gtk.FileChooserDialog(title="Open a file", transient_for=p.window, modal=True, action=Gtk.FileChooserAction.OPEN)
    dialog.add_button("Give up", 1)
    dialog.add_button("Take it", 2)
    dialog.show_all()
    return dialog


def dialog_items(p):
    for i, button in enumerate(descendants(p.dialog.get_action_area() if hasattr(p.dialog, "get_action_area") else p.dialog)):
        if isinstance(button, Gtk.Button):
            yield p.record(f"dialog_{i}", "button", (button.get_label() or "").replace("_", ""), button)
    for i, label in enumerate(descendants(p.dialog)):
        if isinstance(label, Gtk.Label) and label.get_selectable():
            yield p.record(f"dialog_text_{i}", "selectable", label.get_text(), label, optional=True)


def texts(p):
    """What the readable outline must contain now."""
    if p.popup == "dialog":
        return ["Discard the changes?", "They cannot be brought back."]
    if p.popup:
        return []
    return [["Just words", "3 files, 2 selected", "Build 4711", "quick brown fox"], [], []][p.book.get_current_page()]
