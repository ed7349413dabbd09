"""What goes wrong: malformed requests, programs that stop, die or are not there; coded answers in bounded time."""
import json
import os
import signal
import threading
import time

from mcp_client import NoAnswer, Server
from probe import Probe

# Arguments that must be answered with invalid_request, and a word that the message must hold.
MALFORMED = [
    ({}, "action"), ({"action": None}, "action"), ({"action": 7}, "action"), ({"action": "captur"}, "capture"),
    ({"action": "capture", "mode": "picture"}, "mode"), ({"action": "capture", "mode": 3}, "mode"), ({"action": "capture", "app": 5}, "app"),
    ({"action": "capture", "pid": "12"}, "pid"), ({"action": "capture", "window_id": 1.5}, "window_id"), ({"action": "capture", "pid": -4}, "pid"),
    ({"action": "capture", "colour": "red"}, "colour"), ({"action": "capture", "app": ["x"]}, "app"), ({"action": "capture", "mode": {}}, "mode"),
    ({"action": "capture", "app": "screen", "mode": "ax"}, "screen"),
    ({"action": "click", "element": -1}, "element"), ({"action": "click", "element": "one"}, "element"), ({"action": "click"}, "element"),
    ({"action": "click", "coordinate": [1]}, "coordinate"), ({"action": "click", "coordinate": "1,2"}, "coordinate"),
    ({"action": "click", "coordinate": [1, 2, 3]}, "coordinate"), ({"action": "click", "element": 1, "button": "fourth"}, "button"),
    ({"action": "click", "element": 1, "modifiers": ["hyper"]}, "modifiers"), ({"action": "click", "element": 1, "modifiers": "ctrl"}, "modifiers"),
    ({"action": "scroll", "amount": 51}, "amount"), ({"action": "scroll", "direction": "sideways"}, "direction"),
    ({"action": "type"}, "text"), ({"action": "type", "text": "a\u0000b"}, "text"), ({"action": "type", "text": "x" * 100001}, "text"),
    ({"action": "key"}, "keys"), ({"action": "set_value", "element": 1}, "value"), ({"action": "wait", "seconds": 31}, "seconds"),
    ({"action": "wait", "seconds": -1}, "seconds"), ({"action": "wait", "seconds": "soon"}, "seconds"), ({"action": "focus_app"}, "app"),
    ({"action": "click", "element": 1, "delivery_mode": "sideground"}, "delivery_mode"),
]


class Faults:
    def __init__(self, suite):
        self.suite, self.x = suite, suite.x

    @property
    def server(self):
        return self.suite.server

    def check(self, what, faults):
        ok = self.suite.check("faults", what, [f for f in faults if f])
        print(f"  {'ok' if ok else 'FAILED'}  {what}", flush=True)

    def probe(self, name):
        probe = Probe(name, 1, self.suite.desktop.environment)
        probe.settled(30)
        return probe

    def malformed(self):
        for arguments, word in MALFORMED:
            reply, text, picture = self.server.call(_seconds=10, **arguments)
            wrong = []
            if reply.get("ok") or reply.get("code") != "invalid_request" or not reply["isError"]:
                wrong.append(f"answered {json.dumps(reply)[:200]}")
            elif word not in reply.get("message", ""):
                wrong.append(f"message does not name {word}: {reply['message']}")
            shown = json.dumps(arguments)
            self.check(f"refused: {shown[:70]}", wrong)
        for raw, code in ((b"{not json}\n", -32700), (b"[1,2]\n", -32600), (b'{"jsonrpc":"2.0","id":901,"method":"no/such"}\n', -32601),
                          (b'{"jsonrpc":"2.0","id":902,"method":"tools/call","params":{"name":"nothing","arguments":{}}}\n', -32602),
                          (b'{"jsonrpc":"2.0","id":903,"method":"tools/call","params":7}\n', -32602), (b"\xff\xfe\n", -32700)):
            self.server.write(raw)
            try:
                answer = self.server.line(5)
                got = (answer.get("error") or {}).get("code")
                self.check(f"answered {code}: {raw[:50]!r}", [] if got == code else [json.dumps(answer)[:200]])
            except NoAnswer as fault:
                self.check(f"answered {code}: {raw[:50]!r}", [fault])
        reply, _, _ = self.server.call(action="list_windows")
        self.check("alive after all of it", [] if reply.get("ok") else [json.dumps(reply)[:200]])
        reply, _, _ = self.server.call(action="capture", mode=None, pid=0, window_id=0, element=0, app=None)
        self.check("zero-filled and null properties are absent", [] if reply.get("ok") or reply.get("code") == "app_not_found" else [json.dumps(reply)[:200]])

    def code(self, what, wanted, seconds=5, **arguments):
        reply, _, _ = self.server.call(**arguments)
        wrong = [] if reply.get("code") == wanted and not reply["ok"] else [f"wanted {wanted}: {json.dumps(reply)[:300]}"]
        if self.server.seconds > seconds:
            wrong.append(f"took {self.server.seconds:.1f} s")
        self.check(what, wrong)
        return reply

    def targets(self):
        one, two = self.probe("gtk3"), self.probe("gtk4")
        try:
            self.code("app that is not there", "app_not_found", action="capture", app="no-such-program")
            self.code("window that is not there", "window_gone", action="capture", window_id=0x7FFFFF1)
            self.code("desktop where none is", "app_not_found", action="capture", app="desktop")
            reply = self.code("two programs match", "ambiguous_target", action="capture", app="Probe")
            text = json.dumps(reply)
            self.check("candidates are named", [f"{t} is not: {text[:200]}" for t in ("GTK 3", "GTK 4") if t not in text])
            for title, probe in (("Probe GTK 3", one), ("Probe GTK 4", two)):
                reply, _, _ = self.server.call(action="capture", mode="ax", app=title)
                self.check(f"app by title: {title}", [] if reply.get("window_title") == title else [json.dumps(reply)[:200]])
                reply, _, _ = self.server.call(action="capture", mode="ax", pid=probe.pid)
                self.check(f"by pid: {title}", [] if reply.get("window_title") == title else [json.dumps(reply)[:200]])
            reply, _, picture = self.server.call(action="capture", app="screen")
            screen = self.x.screen()
            self.check("screen: a picture, no elements", [] if picture and reply["elements"] == [] else [json.dumps(reply)[:200]])
            self.check("screen: its size and scale", [] if abs(reply["width"] / reply["scale"][0] - screen[2]) < 1 else [reply["width"]])
            reply, _, _ = self.server.call(action="list_windows")
            windows = [w for w in reply["windows"] if w["title"].startswith("Probe")]
            self.check("list_windows: both, with pid and distinct depth", [
                None if {w["pid"] for w in windows} == {one.pid, two.pid} else f"pids {[w['pid'] for w in windows]}",
                None if len({w["z_index"] for w in reply["windows"]}) == len(reply["windows"]) else "z_index repeats",
                None if [w["z_index"] for w in reply["windows"]] == sorted((w["z_index"] for w in reply["windows"]), reverse=True) else "not frontmost first"])
            reply, _, _ = self.server.call(action="list_apps")
            pids = {a["pid"]: a for a in reply["apps"]}
            self.check("list_apps: both, accessible", [None if pids.get(p.pid, {}).get("accessible") else f"{p.name}: {pids.get(p.pid)}" for p in (one, two)])
            self.minimised(one)
            self.stopped(one, two)
        finally:
            one.close()
            two.close()

    def minimised(self, probe):
        window = probe.truth()["window"]["id"]
        self.x.minimise(window)
        end = time.monotonic() + 3
        while self.x.attributes(window).map_state == 2 and time.monotonic() < end:
            time.sleep(0.05)
        for mode in ("som", "vision"):
            self.code(f"minimised: {mode}", "window_minimized", action="capture", mode=mode, window_id=window)
        reply, _, _ = self.server.call(action="capture", mode="ax", window_id=window)
        self.check("minimised: ax works", [None if reply.get("ok") and "Apply" in reply.get("tree", "") else json.dumps(reply)[:300]])
        self.x.restore(window)
        self.x.activate(window)
        probe.settled()

    def stopped(self, one, two):
        window = one.truth()["window"]["id"]
        os.kill(one.pid, signal.SIGSTOP)
        try:
            for kind in ("first", "second"):
                reply, _, _ = self.server.call(action="capture", window_id=window)
                text = json.dumps(reply.get("warnings", [])) + reply.get("message", "")
                self.check(f"stopped program, {kind} look: bounded, and said so", [
                    None if self.server.seconds < 2.5 else f"took {self.server.seconds:.1f} s",
                    None if not reply.get("ok") or reply.get("complete") is False else "complete: true",
                    None if "robe" in text or "gtk3" in text or str(one.pid) in text else f"not named: {text[:200]}"])
            reply, _, _ = self.server.call(action="capture", app="Probe GTK 4")
            self.check("another program meanwhile", [
                None if reply.get("ok") and reply["complete"] and len(reply["elements"]) > 20 else json.dumps(reply)[:300],
                None if self.server.seconds < 1.5 else f"took {self.server.seconds:.1f} s"])
            reply, _, _ = self.server.call(action="list_apps")
            self.check("list_apps meanwhile", [None if reply.get("ok") and self.server.seconds < 2.5 else f"{self.server.seconds:.1f} s"])
        finally:
            os.kill(one.pid, signal.SIGCONT)
        one.settled()
        end = time.monotonic() + 8
        while time.monotonic() < end:
            reply, _, _ = self.server.call(action="capture", window_id=window)
            if reply.get("ok") and reply["complete"] and len(reply["elements"]) > 20:
                break
            time.sleep(0.2)
        self.check("complete again once it goes on", [None if reply.get("ok") and reply["complete"] and len(reply["elements"]) > 20 else json.dumps(reply)[:300]])

    def vanishing(self):
        """A window that goes away while it is being captured."""
        codes, wrong = {}, []

        def judge(reply):
            key = "ok" if reply.get("ok") else reply.get("code")
            codes[key] = codes.get(key, 0) + 1
            if key not in ("ok", "window_gone", "window_minimized", "app_not_found", "timeout"):
                wrong.append(json.dumps(reply)[:200])
            if self.server.seconds > 3:
                wrong.append(f"took {self.server.seconds:.1f} s")

        for i in range(30):
            window = self.x.cover(100, 100, 500, 400, "vanishing")
            time.sleep(0.05)
            display = self.x
            timer = threading.Timer(i * 0.002, lambda: display.destroy(window))
            timer.start()
            judge(self.server.call(action="capture", window_id=window)[0])
            timer.join()
        for i in range(5):
            probe = self.probe("gtk3")
            window = probe.truth()["window"]["id"]
            timer = threading.Timer(0.004 + i * 0.012, lambda: os.kill(probe.pid, signal.SIGKILL))
            timer.start()
            judge(self.server.call(action="capture", window_id=window)[0])
            timer.join()
            probe.close()
        self.check(f"windows that vanish during a capture: {codes}", wrong)

    def waiting(self):
        start = time.monotonic()
        reply, _, _ = self.server.call(action="wait", seconds=0.3)
        self.check("wait waits", [None if reply.get("ok") and 0.28 < time.monotonic() - start < 1.5 else json.dumps(reply)[:200]])
        reply, _, _ = self.server.call(action="click", element=1)
        self.check("an action answers, ok or refused with a code", [None if reply.get("ok") or reply.get("code") else json.dumps(reply)[:200]])
        start = time.monotonic()
        self.server.write(json.dumps({"jsonrpc": "2.0", "id": 7001, "method": "tools/call", "params": {
            "name": "computer_use", "arguments": {"action": "wait", "seconds": 20}}}).encode() + b"\n")
        self.server.notify("notifications/cancelled", {"requestId": 7001})
        reply, _, _ = self.server.call(action="list_windows", _seconds=5)
        cancelled = [a for a in self.server.stray if a.get("id") == 7001]
        self.check("a cancelled request gets no answer and delays nothing", [
            None if time.monotonic() - start < 2 else "it delayed the next", f"answered {cancelled}" if cancelled else None])
        for how in ("end of input", "SIGTERM"):
            other = Server(self.suite.binary, self.suite.desktop.environment)
            other.call(action="list_windows")
            start = time.monotonic()
            if how == "SIGTERM":
                other.process.send_signal(signal.SIGTERM)
                try:
                    other.process.wait(3)
                except Exception:
                    pass
                clean = other.process.poll() is not None
                other.close()
            else:
                clean = other.close()
            self.check(f"ends at {how}", [None if clean and time.monotonic() - start < 3 else "it does not"])

    def switched_off(self):
        """A Chromium without its flag: named as switched off, with the remedy."""
        environment = dict(self.suite.desktop.environment)
        environment.pop("ACCESSIBILITY_ENABLED", None)
        probe = Probe("chromium-off", 1, environment)
        try:
            window = probe.settled(30)["window"]["id"]
            reply, _, _ = self.server.call(action="capture", window_id=window)
            text = json.dumps(reply.get("warnings", []))
            self.check("Chromium without its flag is said to be switched off", [
                None if reply.get("ok") and "accessibility_switched_off" in text and "force-renderer-accessibility" in text else text[:300]])
        finally:
            probe.close()

    def run(self):
        print("\nfaults", flush=True)
        for part in (self.malformed, self.targets, self.vanishing, self.waiting, self.switched_off):
            try:
                part()
            except Exception as fault:
                self.check(f"{part.__name__} runs", [f"{type(fault).__name__}: {fault}"])
                if self.server.process.poll() is not None or isinstance(fault, NoAnswer):
                    self.suite.serve()
