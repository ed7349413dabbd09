"""Text typed in several scripts, under several keyboard layouts, into several programs: exactly, or refused before the first key."""
import os
import subprocess
import tempfile
import time

from act_matrix import Bench, mark_of
from programs import calm, wait_window

TEXTS = {"Latin": "Grüße, naïve Žluťoučký kůň! {[@€]}~\\|^`'\"", "Cyrillic": "Съешь же ещё этих мягких булок", "CJK": "漢字かなカナ 한국어 中文", "emoji": "🙂🚀👩‍👩‍👧🇯🇵",
         "RTL": "שלום עולם مرحبا", "lines": "first\n\tsecond  <x>\nthird"}
MIXED = "aZ1yx-; Ünï Жук 漢 🙂 שלום /?\\"
LAYOUTS = {"us": [], "de": [], "ru": [], "fr": []}
PROGRAMS = ["gtk3", "gtk4", "qt6", "tk", "chromium"]


class Layout:
    """The keyboard layout of the display; `us` again at the end."""

    def __init__(self, suite, name):
        self.environment, self.name = suite.desktop.environment, name

    def set(self, name):
        subprocess.run(["setxkbmap", name], env=self.environment, timeout=10, check=True)
        time.sleep(0.3)  # programs read the new map when they are told

    def __enter__(self):
        if self.name != "us":
            self.set(self.name)

    def __exit__(self, *why):
        if self.name != "us":
            self.set("us")


def typed(suite, bench, where, ident, text, delivery):
    bench.oracle.reset()
    rect = bench.oracle.rect(ident)
    capture = bench.capture()
    mark = mark_of(capture, rect)
    request = {"delivery_mode": delivery}
    if mark is None:  # a window read from pixels: click, then type where the caret is
        centre = [round((rect[i] + rect[2 + i] / 2 - capture["origin"][i]) * capture["scale"][i]) for i in (0, 1)]
        suite.server.call(action="click", coordinate=centre, **request)
    else:
        request["element"] = mark
    reply, _, _ = suite.server.call(action="type", text=text, **request)
    refused = reply.get("effect") == "refused"
    now = bench.oracle.until(lambda now: now["state"][ident] == text, 0.2 if refused else 1.5)
    got = now["state"][ident]
    faults = []
    if refused and got:
        faults.append(f"refused ({reply.get('code')}) after {got!r} was typed")
    elif refused and reply.get("code") not in ("untypable_text",):
        faults.append(f"refused: {reply.get('code')}: {reply.get('message', '')[:120]}")
    elif not refused and got != text:
        faults.append(f"{got!r} instead of {text!r} ({reply.get('effect')}, {reply.get('route')})")
    elsewhere = [i for i in ("name", "code", "notes") if i != ident and now["state"][i]]
    if elsewhere:
        faults.append(f"text in {elsewhere}")
    suite.check(where, "typed", faults)
    if faults or suite.verbose:
        print(f"  {where}: {'; '.join(faults) or reply.get('code') or reply.get('route')}", flush=True)
    return not faults


def into_oracles(suite, names):
    for name in (n for n in PROGRAMS if n in names):
        bench, good, total = Bench(suite, name), 0, 0
        try:
            for layout in LAYOUTS if suite.full else ("us", "de", "ru"):
                with Layout(suite, layout):
                    for delivery in ("background", "foreground"):
                        texts = TEXTS if suite.full or layout == "us" and delivery == "background" else {"mixed": MIXED}
                        for script, text in texts.items():
                            if name == "chromium":
                                text = text.replace("\t", " ")  # in a page Tab leaves the field
                            total += 1
                            good += typed(suite, bench, f"typing {name} {layout} {delivery} {script}", "notes", text, delivery)
        finally:
            bench.close()
        print(f"typing {name}: {good} of {total} exact or refused before the first key", flush=True)


def into_terminal(suite):
    """A terminal has no tree: it takes keys as a whole; what came is read from a file."""
    x = suite.x
    for layout in ("us", "ru") if not suite.full else LAYOUTS:
        for delivery in ("background", "foreground"):
            where, text = f"typing xterm {layout} {delivery}", "ls -l 'Ünï Жук' | grep \"x\" > /dev/null 漢字\n" + "0123456789" * (100 if suite.full else 20) + "\n"
            with tempfile.TemporaryDirectory() as home, Layout(suite, layout):
                path, before = os.path.join(home, "typed"), x.clients()
                process = subprocess.Popen(["xterm", "-u8", "-geometry", "80x20+40+60", "-e", "sh", "-c", f"cat > {path}"], env=dict(suite.desktop.environment, LC_ALL="C.UTF-8"),
                                           start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                try:
                    window = wait_window(x, before)
                    calm(x)
                    suite.sentinel.rest()
                    suite.server.call(action="capture", window_id=window)
                    user = suite.sentinel.state()
                    reply, _, _ = suite.server.call(action="type", text=text, delivery_mode=delivery)
                    end, got = time.monotonic() + 5, ""
                    while time.monotonic() < end and got != text and reply.get("ok"):
                        got = open(path, encoding="utf-8").read() if os.path.exists(path) else ""
                        time.sleep(0.05)
                    faults = [] if got == text or (not got and reply.get("code") == "untypable_text") else [f"{got[:60]!r} ({reply.get('effect')} {reply.get('code')} {reply.get('message', '')[:100]})"]
                    faults += suite.sentinel.differences(user, delivery == "background")
                    suite.check(where, "typed", faults)
                    print(f"{where}: {'; '.join(faults) or 'exact'} {reply.get('route')}", flush=True)
                finally:
                    process.kill()
                    process.wait(5)


def long_text(suite):
    """10,000 characters, and a layout that changes in mid-session."""
    bench, text = Bench(suite, "gtk3"), "".join(chr(97 + i % 26) + (" " if i % 9 else "\n") for i in range(5000))
    try:
        for delivery in ("background", "foreground") if suite.full else ("background",):
            start = time.monotonic()
            typed(suite, bench, f"typing gtk3 10,000 characters {delivery}", "notes", text, delivery)
            print(f"typing 10,000 characters, {delivery}: {time.monotonic() - start:.1f} s", flush=True)
    finally:
        bench.close()


def run(suite, names):
    print("\ntyping", flush=True)
    for part, arguments in ((into_oracles, (names,)), (into_terminal, ()), (long_text, ())):
        try:
            part(suite, *arguments)
        except Exception as fault:
            suite.check("typing", f"{part.__name__} runs", [f"{type(fault).__name__}: {fault}"])
            if suite.server.process.poll() is not None:
                suite.serve()
