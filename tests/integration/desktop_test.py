"""Headless desktops end to end: the command is run as a user runs it, what it leaves is looked for as a user would.

Usage: desktop_test.py PATH_OF_DESKMARK   (each case has a home of its own for its desktops, so that it sees no other)
"""
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

DESKMARK = os.path.abspath(sys.argv.pop(1))
PARTS = ["display", "bus", "accessibility", "registry", "windows"]


def poll(what, seconds, condition):
    """Waits until condition() is true and returns it; fails naming `what` otherwise."""
    end = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise AssertionError(f"not within {seconds} s: {what}")
        time.sleep(0.02)


def alive(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


class DesktopTest(unittest.TestCase):
    def setUp(self):
        self.runtime = tempfile.mkdtemp(prefix="dm-")
        self.environment = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "XAUTHORITY", "WAYLAND_DISPLAY",
            "DBUS_SESSION_BUS_ADDRESS", "DESKMARK_DESKTOP", "XDG_RUNTIME_DIR")}
        self.environment["DESKMARK_HOME"] = self.runtime + "/home"

    def tearDown(self):
        self.run_command("stop", "--all")
        self.assertEqual(os.listdir(self.runtime), [], "files left behind")
        os.rmdir(self.runtime)

    def run_command(self, *words, environment=None, cwd=None):
        return subprocess.run([DESKMARK, "desktop", *words], env=environment or self.environment, capture_output=True,
                              text=True, timeout=90, cwd=cwd, stdin=subprocess.DEVNULL)

    def ask(self, *words, code=0, **options):
        done = self.run_command(words[0], "--json", *words[1:], **options)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return json.loads(done.stdout)

    def start(self, *words):
        return self.ask("start", *words)

    def status(self, display):
        found = [d for d in self.ask("status")["desktops"] if d["display"] == display]
        self.assertEqual(len(found), 1)
        return found[0]

    def inside(self, desktop):
        return {**self.environment, **desktop["env"]}

    def part(self, desktop, name):
        return next(p for p in desktop["parts"] if p["name"] == name)

    def members(self, desktop):
        """Processes that belong to the desktop, found by what they were started with."""
        marker = f"DESKMARK_DESKTOP_MEMBER={desktop['id']}".encode()
        found = []
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{pid}/environ", "rb") as file:
                    if marker in file.read().split(b"\0") and alive(pid):
                        found.append(int(pid))
            except OSError:
                pass
        return found

    def assert_nothing_left(self, desktop):
        number = desktop["display"][1:]
        poll("processes gone", 5, lambda: not self.members(desktop))
        self.assertFalse(alive(desktop["pid"]))
        self.assertFalse(os.path.exists(f"/tmp/.X{number}-lock"))
        self.assertFalse(os.path.exists(f"/tmp/.X11-unix/X{number}"))
        self.assertFalse(os.path.exists(desktop["env"]["DESKMARK_DESKTOP"]))

    def serves(self, desktop):
        """The display has an EWMH window manager, the accessibility bus answers and says it is on."""
        environment = self.inside(desktop)
        window_manager = subprocess.run(["xprop", "-root", "_NET_SUPPORTING_WM_CHECK", "AT_SPI_BUS"], env=environment,
                                        capture_output=True, text=True)
        if "window id" not in window_manager.stdout or "unix:" not in window_manager.stdout:
            return False
        status = subprocess.run(
            ["dbus-send", "--session", "--print-reply", "--dest=org.a11y.Bus", "/org/a11y/bus",
             "org.freedesktop.DBus.Properties.Get", "string:org.a11y.Status", "string:IsEnabled"],
            env=environment, capture_output=True, text=True)
        return "boolean true" in status.stdout

    # --- start, env, status, stop ---------------------------------------------------------------------------------

    def test_start_status_stop(self):
        desktop = self.start("--size", "800x600")
        self.assertEqual([p["name"] for p in desktop["parts"]], PARTS)
        self.assertEqual({p["state"] for p in desktop["parts"]}, {"running"})
        self.assertTrue(self.serves(desktop))
        self.assertEqual(self.status(desktop["display"])["state"], "running")
        size = subprocess.run(["xwininfo", "-root"], env=self.inside(desktop), capture_output=True, text=True).stdout
        self.assertIn("Width: 800", size)
        self.assertIn("Height: 600", size)
        mode = os.stat(desktop["env"]["DESKMARK_DESKTOP"]).st_mode & 0o777
        self.assertEqual(mode, 0o700)
        self.assertEqual(os.stat(desktop["env"]["DESKMARK_DESKTOP"] + "/state.json").st_mode & 0o777, 0o600)
        self.assertEqual(self.ask("stop")["stopped"], [desktop["display"]])
        self.assert_nothing_left(desktop)
        self.assertEqual(self.run_command("status").returncode, 3)

    def test_printed_environment_can_be_evaluated(self):
        script = f'eval "$({DESKMARK} desktop start 2>/dev/null)" && xprop -root _NET_SUPPORTING_WM_CHECK && ' \
                 f'echo "$DISPLAY" && {DESKMARK} desktop env'
        done = subprocess.run(["sh", "-euc", script], env={**self.environment, "WAYLAND_DISPLAY": "wayland-7"},
                              capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("window id", done.stdout)
        evaluated = subprocess.run(["sh", "-euc", done.stdout[done.stdout.index("unset"):] + "\nenv"],
                                   env={**self.environment, "WAYLAND_DISPLAY": "wayland-7"}, capture_output=True, text=True)
        self.assertNotIn("wayland-7", evaluated.stdout)
        self.assertIn("GTK_A11Y=atspi", evaluated.stdout)

    def test_environment_survives_a_path_that_needs_quoting(self):
        odd = os.path.join(self.runtime, "it's $HOME; a&b")
        os.mkdir(odd, 0o700)
        environment = {**self.environment, "DESKMARK_HOME": odd + "/home"}
        script = f'eval "$({DESKMARK} desktop start)"; dbus-send --session --print-reply --dest=org.a11y.Bus ' \
                 f'/org/a11y/bus org.a11y.Bus.GetAddress; xprop -root AT_SPI_BUS; {DESKMARK} desktop stop'
        done = subprocess.run(["sh", "-euc", script], env=environment, capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("unix:", done.stdout)
        self.assertEqual(os.listdir(odd), [])
        os.rmdir(odd)

    def test_home_is_where_the_runtime_directory_says(self):
        environment = {k: v for k, v in self.environment.items() if k != "DESKMARK_HOME"}
        environment["XDG_RUNTIME_DIR"] = self.runtime
        desktop = self.ask("start", environment=environment)
        inside = {**environment, **desktop["env"]}  # XDG_RUNTIME_DIR is the desktop's now
        self.assertTrue(desktop["env"]["DESKMARK_DESKTOP"].startswith(self.runtime + "/deskmark/"))
        self.ask("stop", environment=inside)
        self.assert_nothing_left(desktop)

    def test_only_the_cookie_opens_the_display(self):
        desktop = self.start()
        stranger = {**self.inside(desktop), "XAUTHORITY": "/dev/null"}
        done = subprocess.run(["xprop", "-root"], env=stranger, capture_output=True, text=True)
        self.assertNotEqual(done.returncode, 0)

    def test_screen_reader_is_not_announced(self):
        desktop = self.start()
        done = subprocess.run(
            ["dbus-send", "--session", "--print-reply", "--dest=org.a11y.Bus", "/org/a11y/bus",
             "org.freedesktop.DBus.Properties.Get", "string:org.a11y.Status", "string:ScreenReaderEnabled"],
            env=self.inside(desktop), capture_output=True, text=True)
        self.assertIn("boolean false", done.stdout)

    def test_start_does_not_hold_the_callers_output_open(self):
        # A pipe that the supervisor kept would make this wait until the time-out.
        done = subprocess.run(["sh", "-c", f"{DESKMARK} desktop start 2>&1 | cat"], env=self.environment,
                              capture_output=True, text=True, timeout=30)
        self.assertIn("export DISPLAY=", done.stdout)

    def test_two_desktops(self):
        one, two = self.start(), self.start("--size", "640x480")
        self.assertNotEqual(one["display"], two["display"])
        self.assertEqual({d["display"] for d in self.ask("status")["desktops"]}, {one["display"], two["display"]})
        self.assertIn(one["display"], self.ask("stop", code=1)["message"])  # which one?
        self.ask("stop", environment=self.inside(one))                      # the one it is called from
        self.assert_nothing_left(one)
        self.assertTrue(self.serves(two))
        self.ask("stop", "--display", two["display"])
        self.assert_nothing_left(two)

    def test_desktops_started_at_once_get_different_displays(self):
        starts = [subprocess.Popen([DESKMARK, "desktop", "start", "--json"], env=self.environment, stdout=subprocess.PIPE,
                                   text=True) for _ in range(3)]
        replies = [json.loads(process.communicate(timeout=90)[0]) for process in starts]
        self.assertEqual([r["ok"] for r in replies], [True] * 3)
        self.assertEqual(len({r["display"] for r in replies}), 3)

    # --- programs ---------------------------------------------------------------------------------------------------

    def test_run_starts_a_program_and_stop_ends_it(self):
        desktop = self.start()
        reply = self.ask("run", "--wait-window", "20", "xterm", "-T", "a title", "-e", "sh", "-c", "sleep 600")
        self.assertEqual(reply["window_title"], "a title")
        self.assertTrue(alive(reply["pid"]))
        self.assertEqual([a["pid"] for a in self.status(desktop["display"])["apps"] if a["running"]], [reply["pid"]])
        self.ask("stop")
        self.assertFalse(alive(reply["pid"]))
        self.assert_nothing_left(desktop)

    def test_run_keeps_the_callers_directory_environment_and_arguments(self):
        desktop = self.start()
        words = ["sh", "-c", 'pwd; echo "$DISPLAY $MINE"; printf "<%s>" "$@"', "sh", "--json", "a b", "\u00e4\n", ""]
        reply = self.ask("run", "--", *words, environment={**self.environment, "MINE": "caf\u00e9"}, cwd="/usr")
        expected = f"/usr\n{desktop['display']} caf\u00e9\n<--json><a b><\u00e4\n><>"

        def output():
            with open(reply["log"], encoding="utf-8") as file:
                return file.read() == expected
        poll(f"output {expected!r}", 10, output)
        ended = poll("end noticed", 5, lambda: [a for a in self.status(desktop["display"])["apps"] if not a["running"]])
        self.assertEqual(ended[0]["ended"], "exit code 0")

    def test_programs_given_to_start(self):
        desktop = self.start("--run", "xterm -T 'first one'", "--run", "xlogo")
        self.assertEqual(len([a for a in desktop["apps"] if a["running"]]), 2)
        poll("both windows", 20, lambda: len(subprocess.run(
            ["xprop", "-root", "_NET_CLIENT_LIST"], env=self.inside(desktop), capture_output=True,
            text=True).stdout.split(",")) == 2)

    def test_program_that_detaches_itself_is_ended_too(self):
        desktop = self.start()
        pid_file = os.path.join(self.runtime, "pid")
        self.ask("run", "setsid", "--fork", "sh", "-c", f"trap '' TERM; echo $$ > {pid_file}; while :; do sleep 1; done")
        poll("pid written", 10, lambda: os.path.exists(pid_file) and os.path.getsize(pid_file))
        with open(pid_file) as file:
            pid = int(file.read())
        os.unlink(pid_file)
        self.ask("stop")
        self.assertFalse(alive(pid))
        self.assert_nothing_left(desktop)

    def test_window_that_does_not_come(self):
        self.start()
        reply = self.ask("run", "--wait-window", "20", "sh", "-c", "exit 3", code=1)
        self.assertIn("exit code 3", reply["message"])

    # --- faults of the caller ---------------------------------------------------------------------------------------

    def test_taken_display(self):
        desktop = self.start()
        self.assertIn(desktop["display"], self.ask("start", "--display", desktop["display"], code=1)["message"])
        self.assertTrue(self.serves(desktop))

    def test_display_taken_by_a_foreign_server(self):
        number = next(n for n in range(900, 1000) if not os.path.exists(f"/tmp/.X{n}-lock"))
        server = subprocess.Popen(["Xvfb", f":{number}", "-nolisten", "tcp"], stderr=subprocess.DEVNULL)
        try:
            poll("foreign server", 10, lambda: os.path.exists(f"/tmp/.X11-unix/X{number}"))
            self.assertIn(f":{number} is taken", self.ask("start", "--display", f":{number}", code=1)["message"])
            self.assertIsNone(server.poll())
        finally:
            server.terminate()
            server.wait()

    def test_missing_programs(self):
        empty = os.path.join(self.runtime, "bin")
        os.mkdir(empty)
        reply = self.ask("start", code=1, environment={**self.environment, "PATH": empty})
        os.rmdir(empty)
        for word in ("Xvfb", "openbox", "dbus-daemon", "apt-get install"):
            self.assertIn(word, reply["message"])
        self.assertIn("no-such-wm", self.ask("start", "--wm", "no-such-wm", code=1)["message"])
        self.assertIn("no-such-program", self.ask("start", "--run", "no-such-program -x", code=1)["message"])
        self.start()
        self.assertIn("no-such-program", self.ask("run", "no-such-program", code=1)["message"])

    def test_usage(self):
        for words in (["start", "--size", "0x10"], ["start", "--size", "big"], ["start", "--display", "x"], ["run"],
                      ["start", "--unknown"], []):
            self.assertEqual(self.run_command(*words).returncode, 2, words)
        for words in (["env"], ["run", "true"], ["stop"], ["status"], ["env", "--display", ":98"]):
            self.assertEqual(self.run_command(*words).returncode, 3, words)

    def test_runtime_directory_that_cannot_be_used(self):
        missing = os.path.join(self.runtime, "missing")
        environment = {k: v for k, v in self.environment.items() if k != "DESKMARK_HOME"}
        environment["XDG_RUNTIME_DIR"] = missing
        reply = self.ask("start", code=1, environment=environment)
        self.assertIn(missing, reply["message"])
        self.assertIn("XDG_RUNTIME_DIR", reply["message"])
        failed = subprocess.run(["sh", "-c", f'eval "$({DESKMARK} desktop start 2>/dev/null)"'], env=environment)
        self.assertNotEqual(failed.returncode, 0, "eval must not hide the failure")

    # --- faults of the parts ----------------------------------------------------------------------------------------

    def restarted(self, desktop, name, old_pid):
        def look():
            now = self.status(desktop["display"])
            part = self.part(now, name)
            return now["state"] == "running" and part.get("pid") not in (None, old_pid) and part
        return poll(f"{name} restarted", 30, look)

    def test_each_part_is_restarted(self):
        desktop = self.start()
        for name in PARTS:
            with self.subTest(part=name):
                before = self.part(self.status(desktop["display"]), name)
                os.kill(before["pid"], signal.SIGKILL)
                part = self.restarted(desktop, name, before["pid"])
                self.assertEqual(part["restarts"], before["restarts"] + 1)
                self.assertTrue(self.serves(desktop))
        # Its environment is still the one that was printed first.
        self.assertEqual(self.status(desktop["display"])["env"], desktop["env"])
        self.ask("run", "--wait-window", "20", "xlogo")

    def test_accessibility_works_after_its_bus_was_killed(self):
        desktop = self.start()
        launcher = self.part(desktop, "accessibility")["pid"]
        with open(f"/proc/{launcher}/task/{launcher}/children") as file:
            os.kill(int(file.read().split()[0]), signal.SIGKILL)
        self.restarted(desktop, "accessibility", launcher)
        self.assertTrue(self.serves(desktop))

    def test_part_that_keeps_dying_is_given_up(self):
        broken = os.path.join(self.runtime, "wm")
        with open(broken, "w") as file:  # works once, then never again
            file.write(f"#!/bin/sh\n[ -e {broken}.once ] && exit 7\n: > {broken}.once\nexec openbox\n")
        os.chmod(broken, 0o755)
        desktop = self.start("--wm", broken)
        os.kill(self.part(desktop, "windows")["pid"], signal.SIGKILL)
        part = poll("given up", 30, lambda: next((p for p in json.loads(
            self.run_command("status", "--json").stdout)["desktops"][0]["parts"] if p["state"] == "failed"), None))
        os.unlink(broken)
        os.unlink(broken + ".once")
        self.assertEqual(part["name"], "windows")
        self.assertIn("exit code 7", part["message"])
        self.assertEqual(self.run_command("status").returncode, 1)
        self.ask("run", "true")  # the rest still serves

    def test_part_that_never_starts_is_an_error(self):
        broken = os.path.join(self.runtime, "wm")
        with open(broken, "w") as file:
            file.write("#!/bin/sh\necho no such theme >&2\nexit 9\n")
        os.chmod(broken, 0o755)
        message = self.ask("start", "--wm", broken, code=1)["message"]
        os.unlink(broken)
        for word in (broken, "exit code 9", "no such theme"):
            self.assertIn(word, message)

    def test_killed_supervisor(self):
        for finder in ("status", "start", "stop"):
            with self.subTest(finder=finder):
                desktop = self.start()
                reply = self.ask("run", "sh", "-c", "trap '' TERM; while :; do sleep 1; done")
                os.kill(desktop["pid"], signal.SIGKILL)
                poll("supervisor gone", 5, lambda: not alive(desktop["pid"]))
                if finder == "start":
                    again = self.start("--display", desktop["display"])
                    self.assertNotEqual(again["id"], desktop["id"])
                    self.assertFalse(self.members(desktop))
                    self.ask("stop")
                else:
                    self.run_command(finder)
                self.assertFalse(alive(reply["pid"]))
                self.assert_nothing_left(desktop)

    def test_killed_supervisor_and_parts(self):
        desktop = self.start()
        os.kill(desktop["pid"], signal.SIGSTOP)  # so that it neither restarts a part nor has its end told to them
        for pid in self.members(desktop) + [desktop["pid"]]:
            os.kill(pid, signal.SIGKILL)
        number = desktop["display"][1:]
        self.assertTrue(os.path.exists(f"/tmp/.X{number}-lock"))
        self.assertEqual(self.ask("status", code=3)["cleared"], [desktop["display"]])
        self.assert_nothing_left(desktop)

    def test_supervisor_ends_on_its_signal(self):
        desktop = self.start("--run", "xlogo")
        os.kill(desktop["pid"], signal.SIGTERM)
        poll("gone", 10, lambda: not alive(desktop["pid"]))
        self.assert_nothing_left(desktop)

    # --- toolkits ---------------------------------------------------------------------------------------------------

    def registered(self, desktop):
        """Names of the applications on the accessibility bus."""
        code = ("import gi; gi.require_version('Atspi', '2.0'); from gi.repository import Atspi\n"
                "d = Atspi.get_desktop(0)\n"
                "print([c.get_name() for c in (d.get_child_at_index(i) for i in range(d.get_child_count())) if c])")
        return subprocess.run(["/usr/bin/python3", "-c", code], env=self.inside(desktop), capture_output=True, text=True,
                              timeout=60).stdout

    def test_toolkits_publish_their_trees(self):
        programs = {"gtk3-widget-factory": ["gtk3-widget-factory"], "gtk4-widget-factory": ["gtk4-widget-factory"],
                    "featherpad": ["featherpad", "--standalone"]}
        programs = {name: words for name, words in programs.items() if shutil.which(words[0])}
        if not programs:
            self.skipTest("none of the programs is installed")
        desktop = self.start()
        for words in programs.values():
            self.ask("run", "--wait-window", "40", *words)
        for name in programs:
            poll(f"{name} on the accessibility bus", 30, lambda: name.lower() in self.registered(desktop).lower())


if __name__ == "__main__":
    unittest.main(verbosity=2)
