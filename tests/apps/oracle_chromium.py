#!/usr/bin/python3
"""Chromium oracle: serves oracle_page.html to a Chromium of its own and passes commands on to it. See oracle.py."""
import sys

import chromium_probe
import oracle
import truth


class Oracle(oracle.Oracle):
    def __init__(self):
        super().__init__()
        self.probe = chromium_probe.Probe(page="oracle_page", title=oracle.TITLE + " Chromium", spec=oracle.spec())

    def ask(self, *words):
        reply = self.probe.ask(*words)
        if not reply["ok"]:
            raise RuntimeError(reply["message"])
        return reply

    def do_where(self):
        reply, window = self.ask("where"), self.probe.window()
        self.at = self.probe.page(reply) if window else None
        controls = {i: truth.device(box, reply["ratio"], self.at[:2]) for i, box in reply["controls"].items()} if window else {}
        return {"ok": True, "controls": controls,
                "window": {"id": window, "title": self.probe.x.title(window) if window else "", "rect": self.probe.x.rect(window) if window else None}}

    def do_look(self):
        reply = self.ask("look")
        for event in reply["events"]:
            if event.pop("page", None):
                event["x"], event["y"] = event["x"] + self.at[0], event["y"] + self.at[1]
        return reply

    def do_selection(self):
        return self.ask("selection")

    def insert_job(self, label, place):
        self.ask("job", "insert", str(place), label)

    def move_job(self, label, place):
        self.ask("job", "move", str(place), label)

    def remove_job(self, label):
        self.ask("job", "remove", "0", label)


for word in ("reset", "put", "forget", "title", "rename", "remove", "swap"):  # the page obeys these
    setattr(Oracle, "do_" + word, lambda self, *rest, word=word: self.ask(word, *rest))

if __name__ == "__main__":
    made = Oracle()
    try:
        while made.serve(lambda: None):
            pass
    finally:
        made.probe.close()
