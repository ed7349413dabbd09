#!/usr/bin/python3
"""Tk target of the input suite: a pad, an entry, a menu and a list at fixed places; every event is a JSON line on stdout."""
import json
import sys
import tkinter


def tell(**what):
    print(json.dumps(what, ensure_ascii=False), flush=True)


window = tkinter.Tk(className="InputTk")
window.title(sys.argv[2] if len(sys.argv) > 2 else "Input Tk")
window.geometry(sys.argv[1] if len(sys.argv) > 1 else "420x300+20+40")
pad = tkinter.Canvas(window, background="#dde", takefocus=0)
pad.place(x=0, y=0, width=300, height=200)
value = tkinter.StringVar()
entry = tkinter.Entry(window, textvariable=value)
entry.place(x=0, y=220, width=300, height=40)
value.trace_add("write", lambda *_: tell(on="entry", text=value.get()))
button = tkinter.Menubutton(window, text="Menu", relief="raised")
menu = tkinter.Menu(button, tearoff=False)
button.config(menu=menu)
for name in ("One", "Two", "Three"):
    menu.add_command(label=name, command=lambda name=name: tell(on="menu", item=name))
button.place(x=310, y=0, width=100, height=40)
push = tkinter.Button(window, text="Push", command=lambda: tell(on="push"))
push.place(x=310, y=60, width=100, height=40)


def pointer(kind):
    return lambda e: tell(on="pad", event=kind, button=e.num if e.num != "??" else 0, x=e.x, y=e.y, state=int(e.state))


for kind, pattern in (("press", "<ButtonPress>"), ("release", "<ButtonRelease>"), ("motion", "<B1-Motion>"), ("double", "<Double-Button-1>")):
    pad.bind(pattern, pointer(kind), add="+")
window.bind("<Key>", lambda e: tell(on="key", keysym=e.keysym, state=int(e.state)))
entry.focus_set()
window.update()
tell(on="ready")
window.mainloop()
