#!/usr/bin/python3
"""Tk probe: a window without any accessibility that tells where it drew its controls (winfo, device pixels).

What a capture can know of it, it has to read from the pixels. See truth.py for the conversation.
"""
import sys
import tkinter
from tkinter import ttk

import truth


class Probe(truth.Commands):
    def __init__(self):
        self.window = tkinter.Tk(className="ProbeTk")
        self.window.title("Probe Tk")
        self.window.geometry("620x420")
        self.entries, self.popup = [], None
        frame = ttk.Frame(self.window, padding=8)
        frame.pack(fill="both", expand=True)
        self.menu = tkinter.Menu(self.window, tearoff=False)
        for name in ("New", "Open…", "Quit"):
            self.menu.add_command(label=name)
        bar = tkinter.Menu(self.window)
        bar.add_cascade(label="File", menu=self.menu)
        self.window.config(menu=bar)
        line = self.row(frame)
        self.add("apply", "button", "Apply", ttk.Button(line, text="Apply"))
        self.add("cancel", "button", "Cancel", ttk.Button(line, text="Cancel"))
        self.add("delete", "button", "Delete", ttk.Button(line, text="Delete", state="disabled"))
        self.add("classic", "button", "Classic", tkinter.Button(line, text="Classic"))
        line = self.row(frame)
        self.checked, self.side = tkinter.IntVar(value=1), tkinter.StringVar(value="a")
        self.add("save", "check", "Save automatically", ttk.Checkbutton(line, text="Save automatically", variable=self.checked))
        self.add("left", "radio", "Left", ttk.Radiobutton(line, text="Left", value="a", variable=self.side))
        self.add("right", "radio", "Right", ttk.Radiobutton(line, text="Right", value="b", variable=self.side))
        line = self.row(frame)
        self.add("caption", "label", "Name:", ttk.Label(line, text="Name:"))
        name = self.add("name", "entry", "Name", ttk.Entry(line, width=12), value="Ada")
        name.insert(0, "Ada")
        password = self.add("password", "password", "Password", ttk.Entry(line, width=12, show="*"))
        password.insert(0, truth.SECRET)
        size = self.add("size", "combo", "Size", ttk.Combobox(line, values=["Small", "Medium", "Large"], width=8))
        size.set("Medium")
        self.add("copies", "spin", "Copies", ttk.Spinbox(line, from_=0, to=100, width=5)).set(5)
        line = self.row(frame)
        self.add("volume", "slider", "Volume", ttk.Scale(line, from_=0, to=100, value=30, length=140))
        self.add("progress", "progress", None, ttk.Progressbar(line, value=40, length=140))
        self.add("words", "label", "Just words", ttk.Label(line, text="Just words"))
        text = self.add("text", "text", None, tkinter.Text(frame, height=5, width=40, insertofftime=0))
        text.insert("1.0", "The quick brown fox\njumps over the lazy dog.")
        text.pack(fill="x", pady=4)
        self.list = tkinter.Listbox(frame, height=5)
        for item in ("Inbox", "Drafts", "Sent", "Archive", "Spam", "Trash", "Later"):
            self.list.insert("end", item)
        self.list.selection_set(2)
        self.list.pack(fill="x")
        self.window.createfilehandler(sys.stdin, tkinter.READABLE, self.listen)

    def row(self, parent):
        line = ttk.Frame(parent)
        line.pack(fill="x", pady=3)
        return line

    def add(self, ident, kind, label, widget, **more):
        if isinstance(widget.master, ttk.Frame) and kind != "text":
            widget.pack(side="left", padx=3)
        self.entries.append((ident, kind, label, widget, more))
        return widget

    def rect(self, w):
        return [w.winfo_rootx(), w.winfo_rooty(), w.winfo_width(), w.winfo_height()] if w.winfo_viewable() else None

    def do_truth(self):
        self.window.update_idletasks()
        inside, records = self.rect(self.window), []
        for ident, kind, label, widget, more in self.entries:
            drawn = self.rect(widget)
            enabled = "disabled" not in str(widget.cget("state")) if "state" in widget.keys() else True
            records.append(truth.control(ident, kind, label, drawn, truth.intersect(drawn, inside), enabled, **more))
        at = self.rect(self.list)
        for i in range(self.list.size()):
            box = self.list.bbox(i)
            drawn = [at[0], at[1] + box[1], at[2], box[3]] if box and at else None
            records.append(truth.control(f"list_{i}", "row", self.list.get(i), drawn, truth.intersect(drawn, at), True))
        return {"ok": True, "toolkit": "tk", "scale": 1, "popup": self.popup, "partial": True, "secret": truth.SECRET, "texts": [],
                "window": {"id": int(self.window.wm_frame(), 16), "title": self.window.title(), "rect": inside},
                "controls": records}

    def do_open_menu(self):
        self.window.tk.call("tk_popup", self.menu, self.window.winfo_rootx(), self.window.winfo_rooty())
        self.popup = "menu"

    def do_close(self):
        self.menu.unpost()
        self.popup = None

    def listen(self, *_):
        line = sys.stdin.readline()
        if not line or not self.handle(line):
            self.window.deletefilehandler(sys.stdin)
            self.window.destroy()


if __name__ == "__main__":
    Probe().window.mainloop()
