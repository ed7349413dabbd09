#!/usr/bin/python3
"""A small Tk form, without accessibility: form_tk.py FILE writes what was entered as JSON when it is sent."""
import json
import sys
import tkinter
from tkinter import ttk

window = tkinter.Tk(className="FormTk")
window.title("Order")
window.geometry("420x260")
frame = ttk.Frame(window, padding=16)
frame.pack(fill="both", expand=True)
name, city, gift, size = tkinter.StringVar(), tkinter.StringVar(), tkinter.IntVar(), tkinter.StringVar(value="Small")
for row, (caption, variable) in enumerate((("Name:", name), ("City:", city))):
    ttk.Label(frame, text=caption).grid(row=row, column=0, sticky="w", pady=6)
    ttk.Entry(frame, textvariable=variable, width=28).grid(row=row, column=1, sticky="w", padx=10, pady=6)
ttk.Checkbutton(frame, text="Wrap as a gift", variable=gift).grid(row=2, column=1, sticky="w", padx=10, pady=6)
sizes = ttk.Frame(frame)
sizes.grid(row=3, column=1, sticky="w", padx=10, pady=6)
for text in ("Small", "Large"):
    ttk.Radiobutton(sizes, text=text, value=text, variable=size).pack(side="left", padx=(0, 24))


def send():
    with open(sys.argv[1], "w", encoding="utf-8") as out:
        json.dump({"name": name.get(), "city": city.get(), "gift": bool(gift.get()), "size": size.get()}, out)


buttons = ttk.Frame(frame)
buttons.grid(row=4, column=1, sticky="e", pady=14)
ttk.Button(buttons, text="Cancel", command=window.destroy).pack(side="left", padx=8)
ttk.Button(buttons, text="Send", command=send).pack(side="left")
window.mainloop()
