#!/usr/bin/python3
"""Programs without accessibility, operated end to end by marks that come from pixels alone.

    pixels_act.py [xcalc] [dialog] [tk] [canvas] [chromium] [--binary build/deskmark] [-v]

What came of it is read from the program: its file, its window's title, its exit; of xcalc, which tells nothing, the digits in its display.
"""
import base64
import json
import os
import subprocess
import sys
import tempfile
import time

import gi
gi.require_version("GdkPixbuf", "2.0")
from gi.repository import GdkPixbuf  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [HERE, os.path.join(ROOT, "tests", "apps")]

from act_programs import Hand, Program  # noqa: E402
from capture_suite import Suite, arguments, ended, parsed  # noqa: E402
from programs import calm  # noqa: E402

APPS = os.path.join(ROOT, "tests", "apps")
PYTHON = "/usr/bin/python3"
CHROMIUM = ["chromium", "--no-sandbox", "--no-first-run", "--password-store=basic", "--disable-gpu", "--disable-renderer-accessibility",
            "--user-data-dir=profile", "--window-size=680,680"]


class PixelSuite(Suite):
    flags, gaps_file = ("--approve", "all"), "act_gaps.txt"

    def verdict(self, what, hand, *more):
        faults = hand.faults + [f for f in more if f]
        sources = {e["source"] for e in hand.capture.get("elements", [])} if hand.capture else set()
        if "ax" in sources and what != "chromium":
            faults.append(f"marks from a tree: {sources}")
        self.check("pixels", what, faults)
        print(f"  {'ok' if not faults else 'FAILED'}  {what}" + "".join(f"\n      {f}" for f in faults[:4]), flush=True)


def until(read, good, seconds=6):
    """What `read` gives, once it is good or the time is up."""
    end = time.monotonic() + seconds
    while True:
        now = read()
        if good(now) or time.monotonic() > end:
            return now
        time.sleep(0.1)


def at(hand, spot):
    """The smallest mark over a place of the screen, as a reader of the picture points at one that bears a sign OCR cannot tell."""
    reply, _ = hand.look()
    (ox, oy), (sx, sy) = reply["origin"], reply["scale"]
    x, y = (spot[0] - ox) * sx, (spot[1] - oy) * sy
    over = [e for e in reply["elements"] if e["bounds"][0] <= x < e["bounds"][0] + e["bounds"][2] and e["bounds"][1] <= y < e["bounds"][1] + e["bounds"][3]]
    if not over:
        hand.faults.append(f"no mark at {spot}")
        return None
    return min(over, key=lambda e: e["bounds"][2] * e["bounds"][3])["index"]


def digits(suite, window):
    """The digits in the upper part of a window, read by Tesseract itself."""
    _, _, png = suite.server.call(action="capture", mode="vision", window_id=window)
    with tempfile.TemporaryDirectory() as folder:
        whole, part = os.path.join(folder, "whole.png"), os.path.join(folder, "part.png")
        with open(whole, "wb") as out:
            out.write(base64.b64decode(png or ""))
        picture = GdkPixbuf.Pixbuf.new_from_file(whole)
        w, h = picture.get_width(), picture.get_height() // 7
        picture.new_subpixbuf(0, 0, w, h).scale_simple(3 * w, 3 * h, GdkPixbuf.InterpType.BILINEAR).savev(part, "png", [], [])
        return subprocess.run(["tesseract", part, "-", "--psm", "6"], capture_output=True, text=True, timeout=60,
                              env={**os.environ, "OMP_THREAD_LIMIT": "1"}).stdout


def xcalc(suite):
    with Program(suite, "xcalc") as program:
        hand = Hand(suite, "xcalc", program.window)
        # Its keys are windows of their own: five in a row, eleven rows.
        keys = sorted((r for r in map(suite.x.rect, suite.x.children(suite.x.children(program.window)[0])) if r[2] < 60), key=lambda r: (r[1], r[0]))
        for row, column in ((7, 1), (9, 4), (8, 2), (10, 4)):  # 7 + 5 =
            x, y, w, h = keys[5 * row + column]
            element = at(hand, (x + w // 2, y + h // 2))
            if element:
                hand.do(element=element)
        suite.x.warp(0, 0)
        shown = until(lambda: digits(suite, program.window), lambda text: "12" in text)
        suite.verdict("xcalc", hand, None if "12" in shown else f"the display shows {shown!r}")


def dialog(suite):
    menu = "dialog --menu 'Packages come from:' 16 50 6 1 Berlin 2 London 3 Madrid 4 Tokyo 2> @note"
    with Program(suite, "xterm", "-fa", "DejaVu Sans Mono", "-fs", "11", "-geometry", "64x20", "-e", "sh", "-c", menu, note="") as program:
        hand = Hand(suite, "xterm", program.window)
        hand.do("3 Madrid", "Madrid")
        # The letters of OK are coloured one by one: it is known by its place, left of Cancel.
        reply, _ = hand.look()
        cancel = next((e["bounds"] for e in reply["elements"] if "ancel" in e["label"] or "ancel" in e.get("value", "")), None)
        row = [e for e in reply["elements"] if cancel and e["bounds"][2] < 120 and abs(e["bounds"][1] + e["bounds"][3] / 2 - cancel[1] - cancel[3] / 2) < 14]
        if row:
            hand.do(element=min(row, key=lambda e: e["bounds"][0])["index"])
        else:
            hand.faults.append("no mark in the row of Cancel")
        chosen = until(lambda: open(program.note, encoding="utf-8").read(), bool)
        suite.verdict("dialog", hand, None if chosen == "3" else f"chosen: {chosen!r}")


def tk(suite):
    with Program(suite, PYTHON, os.path.join(APPS, "form_tk.py"), "@note", note="") as program:
        hand = Hand(suite, "form_tk", program.window)
        for field, text in (("Name", "Ada Lovelace"), ("City", "London")):
            hand.do(field, role=("entry",))
            hand.do(action="type", text=text)
        hand.do("Wrap as a gift")
        hand.do("Large")
        hand.do("Send")
        sent = until(lambda: open(program.note, encoding="utf-8").read(), bool)
        wanted = {"name": "Ada Lovelace", "city": "London", "gift": True, "size": "Large"}
        suite.verdict("tk", hand, None if sent and json.loads(sent) == wanted else f"sent: {sent!r}")


def page(suite, name, window_title):
    """A Chromium with one page, without a tree."""
    command = [*CHROMIUM, "--app=file://" + os.path.join(APPS, name)]
    program = Program(suite, *command)
    until(lambda: suite.x.title(program.window), lambda title: window_title in title, 20)
    calm(suite.x)
    return program


def canvas(suite):
    with page(suite, "canvas_page.html", "canvas") as program:
        hand = Hand(suite, "chromium", program.window)
        for label in ("Start", "Level three", "Reset"):
            hand.do(label)
        title = until(lambda: suite.x.title(program.window), lambda t: "Reset" in t)
        suite.verdict("canvas", hand, None if "canvas Start, Level three, Reset" in title else f"title: {title!r}")


def chromium(suite):
    with page(suite, "pixels_page.html", "Account") as program:
        hand = Hand(suite, "chromium", program.window)
        hand.do("Email address", role=("entry",), action="type", text="ada@example.org")
        hand.do("Remember me")
        hand.do("Sign up")
        title = until(lambda: suite.x.title(program.window), lambda t: t.startswith("sent"))
        suite.verdict("chromium", hand, None if "sent ada@example.org news yes" in title else f"title: {title!r}")


PARTS = {"xcalc": xcalc, "dialog": dialog, "tk": tk, "canvas": canvas, "chromium": chromium}


def main():
    parser = arguments(__doc__, "1200x900")
    options, _, start = parsed(parser)
    suite = PixelSuite(options)
    try:
        for name, part in PARTS.items():
            if not options.names or name in options.names:
                try:
                    part(suite)
                except (RuntimeError, OSError, subprocess.SubprocessError) as fault:
                    suite.check("pixels", name, [f"{type(fault).__name__}: {fault}"])
                    print(f"  FAILED  {name}: {fault}", flush=True)
    finally:
        suite.finish()
    return ended(suite, start)


if __name__ == "__main__":
    sys.exit(main())
