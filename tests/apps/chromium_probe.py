#!/usr/bin/python3
"""Chromium probe: serves pages (chromium_*.html) to a Chromium of its own and asks the page where its controls are.

Geometry: getBoundingClientRect times devicePixelRatio, plus where the page begins in the X window (it ends at the
window's lower frame edge). Only the page is judged (`region`), not the browser around it. Environment: PROBE_SCALE. See truth.py.
"""
import http.server
import json
import os
import queue
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time

import truth
import xlib

HERE = os.path.dirname(os.path.abspath(__file__))


class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def give(self, body, kind="text/plain"):
        self.send_response(200)
        self.send_header("Content-Type", kind + "; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        if self.path == "/next":
            self.give(self.server.orders.get().encode())
        elif self.path == "/secret":
            self.give(truth.SECRET.encode())
        elif self.path == "/spec":
            self.give(json.dumps(self.server.spec).encode(), "application/json")
        elif self.path == f"/{self.server.page}.js":
            self.give(open(os.path.join(HERE, self.server.page + ".js"), "rb").read(), "text/javascript")
        elif self.path == "/":
            self.give(open(os.path.join(HERE, self.server.page + ".html"), "rb").read(), "text/html")
        elif re.fullmatch(r"/chromium_\w+\.(html|js)", self.path) and os.path.exists(os.path.join(HERE, self.path[1:])):
            kind = "text/html" if self.path.endswith("html") else "text/javascript"
            self.give(open(os.path.join(HERE, self.path[1:]), "rb").read(), kind)
        else:
            self.give(b"")

    def do_POST(self):
        self.server.answers.put(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.give(b"")


class Probe(truth.Commands):
    """`page`.html and `page`.js are what it shows; the page finds `spec` at /spec and has a title that begins with `title`."""

    def __init__(self, accessible=True, page="chromium_page", title="Probe Chromium", spec=None):
        self.title = title
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.server.orders, self.server.answers = queue.Queue(), queue.Queue()
        self.server.page, self.server.spec = page, spec
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.x, self.home = xlib.Display(), tempfile.mkdtemp(prefix="deskmark-probe-")
        # Nothing of the browser's own may come over the page, or change by itself.
        settings = {"credentials_enable_service": False, "profile": {"password_manager_enabled": False},
                    "browser": {"hovercard": {"memory_usage_enabled": False}}}
        os.makedirs(os.path.join(self.home, "Default"))
        json.dump(settings, open(os.path.join(self.home, "Default", "Preferences"), "w"))
        scale = os.environ.get("PROBE_SCALE", "1")
        flags = ["--no-sandbox", "--no-first-run", "--no-default-browser-check", "--disable-gpu", "--password-store=basic",
                 "--disable-background-networking", "--disable-component-update", "--disable-sync", "--test-type",
                 "--disable-features=Translate,MediaRouter", f"--force-device-scale-factor={scale}", "--window-position=60,40",
                 "--window-size=900,700", f"--user-data-dir={self.home}"]
        if accessible:
            flags.append("--force-renderer-accessibility")
        address = f"http://127.0.0.1:{self.server.server_address[1]}/"
        self.browser = subprocess.Popen(["chromium", *flags, address], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def window(self):
        found = [w for w in self.x.clients() if self.x.title(w).startswith(self.title)]
        return found[-1] if found else 0

    def ask(self, *words):
        self.server.orders.put(" ".join(words))
        return self.server.answers.get(timeout=80)

    def page(self, reply):
        """[x, y, w, h] of the page on the screen: it fills the window's lower end."""
        rect = self.x.rect(self.window())
        if not rect:
            return None
        w, h = (round(v * reply["ratio"]) for v in reply["inner"])
        edge = (rect[2] - w) // 2  # the browser's own frame, alike left, right and below
        return [rect[0] + edge, rect[1] + rect[3] - edge - h, w, h]

    def do_truth(self):
        reply = self.ask("truth")
        region, ratio, records = self.page(reply), reply["ratio"], []
        for c in reply["controls"] if region else ():
            drawn, seen = (truth.device(c[k], ratio, region[:2]) if c[k] else None for k in ("rect", "visible"))
            more = {k: c[k] for k in ("states", "absent", "value", "parts", "labels")}
            more["alt"] = [truth.device(box, ratio, region[:2]) for box in c["alt"]]
            more["text"] = [truth.device(box, ratio, region[:2]) for box in c["text"]]
            modal = reply["popup"] == "dialog" and c["inside"] != "dialog"
            outside = reply["popup"] in ("popover", "webmenu") and not c["inside"]
            records.append(truth.control(
                c["id"], c["kind"], c["label"], drawn, seen, c["enabled"], blocked=modal, covered=c["hits"] == 0 and not modal,
                optional=c["optional"] or outside or 0 < c["hits"] < 25 or reply["popup"] == "combo", **more))
        texts = reply["texts"] if reply["popup"] is None and reply["top"] == 0 else ["Discard the changes?"] if reply["popup"] == "dialog" else []
        window = self.window()
        return {"ok": True, "toolkit": "chromium", "must": ["Small", "Medium", "Large"] if reply["popup"] == "combo" else [], "scale": ratio, "popup": reply["popup"], "partial": reply["popup"] == "combo",
                "secret": truth.SECRET, "region": region, "texts": texts,
                "window": {"id": window, "title": self.x.title(window) if window else "", "rect": self.x.rect(window) if window else None},
                "controls": records}

    def do_open_combo(self):
        reply = self.ask("open-combo")
        at = self.page(self.ask("truth"))
        scale = float(os.environ.get("PROBE_SCALE", "1"))
        self.x.click(at[0] + round(reply["click"][0] * scale), at[1] + round(reply["click"][1] * scale))

    def forward(self, line):
        reply = self.ask(*line.split())
        truth.answer(reply)

    def close(self):
        self.browser.terminate()
        try:
            self.browser.wait(4)
        except subprocess.TimeoutExpired:
            self.browser.kill()
            self.browser.wait(4)
        time.sleep(0.2)
        shutil.rmtree(self.home, ignore_errors=True)


def main():
    probe = Probe("--no-accessibility" not in sys.argv)
    try:
        for line in sys.stdin:
            word = line.split(" ")[0].strip()
            if word in ("truth", "open-combo", "quit"):
                if not probe.handle(line):
                    break
            elif word:
                probe.forward(line)
    finally:
        probe.close()


if __name__ == "__main__":
    main()
