#!/usr/bin/python3
"""Tk oracle: no accessible tree, everything goes by pixels, pointer and keys. See oracle.py."""
import sys
import tkinter
from tkinter import ttk

import oracle
import xlib

MASKS = {"shift": 1, "ctrl": 4, "alt": 8, "super": 64}
WHEEL = {4: (0, -1), 5: (0, 1), 6: (-1, 0), 7: (1, 0)}
TALL = ("text", "canvas")


class Oracle(oracle.Oracle):
    def __init__(self):
        super().__init__()
        self.x, self.window, self.counted, self.last = xlib.Display(own_errors=False), tkinter.Tk(className="OracleTk"), False, None
        self.window.title(oracle.TITLE + " Tk")
        self.window.geometry("980x720")
        self.colour = tkinter.StringVar(value="red")
        self.colour.trace_add("write", lambda *_: self.changed(self.colour.get()))
        self.row = ttk.Frame(self.window)
        self.row.pack(fill="x")
        self.status = ttk.Label(self.window, text="ready")
        self.status.pack(side="bottom", fill="x")
        for column in self.build(self.column):
            column.pack(side="left", fill="both", expand=True, padx=6, pady=6)
        self.menu_bar()
        for sequence, name in (("<ButtonPress>", "press"), ("<ButtonRelease>", "release"), ("<Motion>", "motion"), ("<KeyPress>", "key")):
            self.window.bind_all(sequence, lambda event, n=name: self.event(n, event))
        self.window.createfilehandler(sys.stdin, tkinter.READABLE, lambda *_: self.listen())
        self.widgets["press"].focus_force()
        self.poll()

    def listen(self):
        if not self.serve(self.window.destroy):
            self.window.deletefilehandler(sys.stdin)

    def column(self, lines):
        box = ttk.Frame(self.window)
        for line in lines:
            self.parent = ttk.Frame(box)
            for ident, kind, label in line:
                widget = getattr(self, "make_" + kind)(ident, label)
                widget.pack(side="left", padx=3, fill="both" if len(line) == 1 else None, expand=len(line) == 1)
            self.parent.pack(fill="both", pady=3, expand=line[0][1] in TALL)
        return box

    # Controls ---------------------------------------------------------------------------------------------------------

    def say(self, words):
        self.status.configure(text=words)

    def make_button(self, ident, label, parent=None):
        return self.add(ident, ttk.Button(parent or self.parent, text=label, command=lambda: self.clicked(ident)))

    def make_disabled(self, ident, label):
        button = self.make_button(ident, label)
        button.state(["disabled"])
        return button

    def make_poll(self, ident, label):
        return self.add(ident, ttk.Button(self.parent, text=label))

    def poll(self):
        """A program that looks every 40 ms whether a button is held."""
        held = self.widgets["poll"].instate(["pressed"])
        if held and not self.counted:
            self.clicked("poll")
        self.counted = held
        self.window.after(40, self.poll)

    def variable(self, ident, kind):
        made = kind(value=oracle.START[ident])
        made.trace_add("write", lambda *_: self.changed(ident))
        self.getters[ident], self.setters[ident] = made.get, made.set
        return made

    def make_check(self, ident, label):
        variable = self.variable(ident, tkinter.BooleanVar)
        self.widgets[ident] = ttk.Checkbutton(self.parent, text=label, variable=variable)
        return self.widgets[ident]

    make_toggle = make_switch = make_check  # Tk has neither

    def make_radio(self, ident, label):
        return self.add(ident, ttk.Radiobutton(self.parent, text=label, value=ident, variable=self.colour), lambda: self.colour.get() == ident,
                        lambda on: self.colour.set(ident) if on else None)

    def make_combo(self, ident, label):
        self.widgets[ident] = ttk.Combobox(self.parent, values=oracle.OPTIONS, width=10, state="readonly", textvariable=self.variable(ident, tkinter.StringVar))
        return self.widgets[ident]

    def make_spin(self, ident, label):
        self.widgets[ident] = ttk.Spinbox(self.parent, from_=0, to=100, width=6, textvariable=self.variable(ident, tkinter.DoubleVar))
        return self.widgets[ident]

    def make_slider(self, ident, label):
        self.widgets[ident] = ttk.Scale(self.parent, from_=0, to=100, variable=self.variable(ident, tkinter.DoubleVar))
        return self.widgets[ident]

    def make_entry(self, ident, label, **more):
        self.widgets[ident] = ttk.Entry(self.parent, width=16, textvariable=self.variable(ident, tkinter.StringVar), **more)
        self.widgets[ident].bind("<Return>", lambda _: self.log("activated", ident))
        return self.widgets[ident]

    def make_password(self, ident, label):
        return self.make_entry(ident, label, show="*")

    def make_text(self, ident, label):
        text = tkinter.Text(self.parent, height=5, width=30)
        text.bind("<<Modified>>", lambda _: (self.changed(ident), text.edit_modified(False)))
        return self.add(ident, text, lambda: text.get("1.0", "end-1c"), lambda v: (text.delete("1.0", "end"), text.insert("1.0", v)))

    def selection(self):
        text = self.widgets["notes"]
        return text.get("sel.first", "sel.last") if text.tag_ranges("sel") else ""

    def listbox(self, names, prefix):
        box = tkinter.Listbox(self.parent, height=5, exportselection=False)
        box.insert("end", *names)
        for i, name in enumerate(names):
            self.widgets[prefix + name] = (box, i)
        return box

    def make_list(self, ident, label):
        box = self.listbox(oracle.CITIES, "city_")
        box.selection_set(0)
        box.bind("<<ListboxSelect>>", lambda _: self.changed(ident))
        box.bind("<Double-Button-1>", lambda _: self.log("activated", "city_" + box.get("active")))

        def choose(value):
            box.selection_clear(0, "end")
            box.selection_set(oracle.CITIES.index(value))

        return self.add(ident, box, lambda: box.get(box.curselection()[0]) if box.curselection() else None, choose)

    def make_order(self, ident, label):
        box = self.listbox(oracle.ORDER, "order_")

        def drag(event):
            at, to = box.curselection(), box.nearest(event.y)
            if at and at[0] != to:
                name = box.get(at[0])
                box.delete(at[0])
                box.insert(to, name)
                box.selection_set(to)
                self.changed(ident)
            return "break"

        box.bind("<B1-Motion>", drag)
        return self.add(ident, box, lambda: list(box.get(0, "end")), lambda v: (box.delete(0, "end"), box.insert("end", *v)))

    def make_tabs(self, ident, label):
        book = ttk.Notebook(self.parent)
        for i, name in enumerate(oracle.TABS):
            book.add(ttk.Label(book, text=f"Page {i}"), text=name)
            self.widgets["tab_" + name] = (book, i)
        book.bind("<<NotebookTabChanged>>", lambda _: self.changed(ident))
        return self.add(ident, book, lambda: book.tab(book.select(), "text"), lambda v: book.select(oracle.TABS.index(v)))

    def make_area(self, ident, label):
        outer = ttk.Frame(self.parent)
        view, inner = tkinter.Canvas(outer, height=110), ttk.Frame(outer)
        bar = self.widgets["bar"] = ttk.Scrollbar(outer, command=view.yview)
        bar.pack(side="right", fill="y")
        view.pack(side="left", fill="both", expand=True)
        view.create_window(0, 0, window=inner, anchor="nw")
        view.configure(yscrollcommand=lambda *ends: (bar.set(*ends), self.changed(ident)))
        self.getters[ident], self.setters[ident] = lambda: round(view.canvasy(0)), lambda v: view.yview_moveto(v)
        for i in range(oracle.ITEMS):
            self.make_button(f"item_{i}", f"Item {i}", inner).pack(fill="x")
        for button, step in ((4, -1), (5, 1)):
            self.window.bind_class("TButton", f"<Button-{button}>", lambda _, s=step: view.yview_scroll(s, "units"))
        inner.bind("<Configure>", lambda _: view.configure(scrollregion=view.bbox("all")))
        self.widgets[ident] = view
        return outer

    def make_canvas(self, ident, label):
        canvas = tkinter.Canvas(self.parent, height=110, background="#e4f0d8", takefocus=True)
        self.context = self.menu(self.window, oracle.CONTEXT)
        canvas.bind("<ButtonPress>", lambda event: (canvas.focus_set(), self.context.tk_popup(event.x_root, event.y_root) if event.num == 3 else None))
        return self.add(ident, canvas)

    # Menus ------------------------------------------------------------------------------------------------------------

    def menu(self, parent, entries):
        menu = tkinter.Menu(parent, tearoff=False)
        for ident, label in entries:
            menu.add_command(label=label, command=lambda i=ident: self.clicked(i))
        return menu

    def menu_bar(self):
        entries, bar = dict(oracle.MENU), tkinter.Menu(self.window)
        self.file = self.menu(bar, [("open", entries["open"])])
        self.file.add_cascade(label=entries["recent"], menu=self.menu(self.file, [(i, entries[i]) for i in ("one", "two")]))
        self.file.add_command(label=entries["leave"], command=lambda: self.clicked("leave"))
        bar.add_cascade(label="File", menu=self.file)
        self.window.config(menu=bar)

    def close(self):
        if any(self.window.tk.eval(f"set tk::Priv({name})") for name in ("popup", "postedMb")):
            self.window.tk.call("tk::MenuUnpost", "")  # with the grab and the focus it took

    # Events -----------------------------------------------------------------------------------------------------------

    def ident(self, widget, x=0, y=0):
        for ident, known in self.widgets.items():
            if isinstance(known, tuple) and known[0] is widget and isinstance(widget, tkinter.Listbox) and widget.nearest(y) == known[1]:
                return ident
        while widget is not None and not isinstance(widget, str):
            for ident, known in self.widgets.items():
                if known is widget:
                    return ident
            widget = widget.master
        return None

    def event(self, name, event):
        more = {"modifiers": [m for m, mask in MASKS.items() if isinstance(event.state, int) and event.state & mask]}
        if name == "key":
            self.log("key", self.focus(), key=event.keysym, **more)
            return
        more.update(x=event.x_root, y=event.y_root)
        target = self.ident(event.widget, event.x, event.y)
        if name != "motion" and event.num in WHEEL:
            if name == "press":
                self.log("scroll", target, dx=WHEEL[event.num][0], dy=WHEEL[event.num][1], **more)
            return
        count = None
        if name == "press":  # Tk tells repeats by other bindings; counted here as Tk does
            double = self.last and self.last[0] == event.num and event.time - self.last[1] < 500 and abs(event.x_root - self.last[2]) < 5
            count = 2 if double else 1
            self.last = (event.num, event.time, event.x_root)
        self.log(name, target, button=event.num if name != "motion" else None, count=count, **more)

    def focus(self):
        try:
            return self.ident(self.window.focus_get())
        except KeyError:  # Tk's own list of a combo box, unknown to tkinter
            return None

    # The conversation -------------------------------------------------------------------------------------------------

    def rect(self, widget):
        inside = None
        if isinstance(widget, tuple):
            widget, item = widget
            if isinstance(widget, tkinter.Listbox):
                x, y, w, h = widget.bbox(item) or (0, 0, 0, 0)
                inside = (x, y, widget.winfo_width() - 2 * x, h)
            else:
                inside = self.tab(widget, item)
        if not widget.winfo_viewable():
            return None
        x, y, w, h = inside or (0, 0, widget.winfo_width(), widget.winfo_height())
        top = [self.window.winfo_rootx(), self.window.winfo_rooty(), self.window.winfo_width(), self.window.winfo_height()]
        outer = widget.master.master if isinstance(widget.master, ttk.Frame) and isinstance(widget.master.master, ttk.Frame) else None
        seen = oracle.truth.intersect([widget.winfo_rootx() + x, widget.winfo_rooty() + y, w, h], top)
        if outer is not None and seen:
            seen = oracle.truth.intersect(seen, [outer.winfo_rootx(), outer.winfo_rooty(), outer.winfo_width(), outer.winfo_height()])
        return seen

    def tab(self, book, item):
        """Columns of the tab's title that belong to it."""
        columns = [x for x in range(0, book.winfo_width(), 2) if book.tk.call(book, "identify", "tab", x, 10) == item]
        return (columns[0], 2, columns[-1] - columns[0], 16) if columns else None

    def do_where(self):
        """The menu bar is drawn by Tk above the window's inside."""
        found = super().do_where()
        x, y, _, h = self.x.rect(found["window"]["id"]) or (0, 0, 0, 0)
        found["controls"]["file"] = [x + 4, y + 2, 28, max(10, self.window.winfo_rooty() - y - 4)]
        return found

    def window_record(self):
        window = self.window.winfo_id()
        rect = [self.window.winfo_rootx(), self.window.winfo_rooty(), self.window.winfo_width(), self.window.winfo_height()]
        return {"id": next((w for w in self.x.clients() if self.x.title(w) == self.window.title()), window), "title": self.window.title(), "rect": rect}

    def later(self, call):
        self.window.after(60, call)

    def retitle(self, title):
        self.window.title(title)

    def rename(self, widget, label):
        widget.configure(text=label)

    def do_remove(self, ident):
        self.widgets.pop(ident).destroy()


if __name__ == "__main__":
    made = Oracle()
    made.window.mainloop()
