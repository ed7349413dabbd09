#!/usr/bin/python3
"""The verbs of the command line, a process each, on an oracle program: verbs_test.py BINARY"""
import json
import os
import stat
import subprocess
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [HERE, os.path.join(ROOT, "tests", "apps")]

from desktop import Desktop  # noqa: E402
from oracle_client import Oracle  # noqa: E402

BINARY = os.path.join(ROOT, "build", "deskmark")


class Verbs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.desktop = Desktop(BINARY, "1300x900")
        cls.addClassCleanup(cls.desktop.stop)
        cls.oracle = Oracle("gtk3", cls.desktop.environment)
        cls.addClassCleanup(cls.oracle.close)
        cls.oracle.ready()

    def setUp(self):
        self.oracle.reset()
        self.marks = self.run_json("capture", "--json", approve=None)["elements"]

    def deskmark(self, *arguments, approve="background"):
        environment = dict(self.desktop.environment)
        environment.pop("DESKMARK_APPROVE", None)
        if approve:
            environment["DESKMARK_APPROVE"] = approve
        return subprocess.run([BINARY, *map(str, arguments)], env=environment, timeout=60, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def run_json(self, *arguments, code=0, approve="background"):
        done = self.deskmark(*arguments, approve=approve)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return json.loads(done.stdout)

    def mark(self, label, role=""):
        return next(e["index"] for e in self.marks if e["label"] == label and role in e["role"])

    def holds(self, ident, value):
        now = self.oracle.until(lambda look: look["state"].get(ident) == value, 3)
        self.assertEqual(now["state"].get(ident), value)

    def test_click_by_number_and_by_pixel(self):
        reply = self.run_json("click", self.mark("Agree"), "--json")
        self.assertEqual((reply["effect"], reply["verdict"]["decision"]), ("confirmed", "done"))
        self.holds("check", True)
        x, y, w, h = next(e["bounds"] for e in self.marks if e["label"] == "Agree")
        self.assertEqual(self.run_json("click", "--coordinate", f"{x + w // 2},{y + h // 2}", "--json")["ok"], True)
        self.holds("check", False)

    def test_text_keys_and_values(self):
        self.run_json("type", "Zoë", "--element", self.mark("Name"), "--json")
        self.holds("name", "Zoë")
        self.run_json("type", "!", "--json")  # the field of the command before
        self.holds("name", "Zoë!")
        self.run_json("set-value", self.mark("Name"), "Ada", "--json")
        self.holds("name", "Ada")
        self.run_json("key", "Return", "--element", self.mark("Name"), "--json")
        activated = lambda look: any(e["event"] == "activated" and e["target"] == "name" for e in look["events"])  # noqa: E731
        self.assertTrue(activated(self.oracle.until(activated, 3)))
        self.run_json("set-value", self.mark("Volume"), 70, "--json")
        self.holds("volume", 70.0)

    def test_a_dry_run_sends_nothing(self):
        done = self.deskmark("click", self.mark("Agree"), "--dry-run")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("expected: checked or pressed flips", done.stdout)
        look = self.oracle.look()
        self.assertEqual((look["state"]["check"], look["events"]), (False, []))

    def test_refusals_and_exit_codes(self):
        agree = self.mark("Agree")
        self.assertEqual(self.run_json("click", agree, "--json", code=4, approve=None)["code"], "approval_required")
        self.assertEqual(self.run_json("click", agree, "--foreground", "--json", code=4)["code"], "approval_required")
        self.assertEqual(self.run_json("click", 999, "--json", code=1)["code"], "element_not_found")
        self.assertEqual(self.run_json("click", agree, "--app", "nobody", "--json", code=1)["code"], "input_target_mismatch")
        self.assertEqual(self.run_json("key", "alt+f4", "--json", code=4)["code"], "blocked_key_combo")
        self.assertEqual(self.run_json("key", "nokey", "--json", code=1)["code"], "unknown_key")
        self.assertEqual(self.run_json("focus-app", "nobody", "--json", code=1)["code"], "app_not_found")
        self.assertEqual(self.deskmark("click").returncode, 1)
        self.assertEqual(self.deskmark("click", "--coordinate", "x").returncode, 2)
        self.assertEqual(self.deskmark("no-such-verb").returncode, 2)
        self.assertFalse(self.oracle.look()["state"]["check"])

    def test_a_capture_after_is_what_the_next_verb_means(self):
        reply = self.run_json("click", self.mark("Agree"), "--capture-after", "--json")
        self.assertTrue(reply["capture"]["elements"])
        self.assertEqual(self.run_json("focus-app", "oracle_gtk3.py", "--json")["effect"], "confirmed")

    def test_what_is_kept_is_private(self):
        self.run_json("set-value", self.mark("Name"), "my secret diary", "--json")
        self.run_json("capture", "--json")
        folder = os.path.join(self.desktop.environment["XDG_RUNTIME_DIR"], "deskmark-captures")
        self.assertEqual(stat.S_IMODE(os.stat(folder).st_mode), 0o700)
        files = os.listdir(folder)
        self.assertEqual(len(files), 1)
        path = os.path.join(folder, files[0])
        self.assertEqual(stat.S_IMODE(os.stat(path).st_mode), 0o600)
        with open(path, encoding="utf-8") as file:
            self.assertNotIn("diary", file.read())


if __name__ == "__main__":
    if len(sys.argv) > 1 and not sys.argv[1].startswith("-") and os.access(sys.argv[1], os.X_OK):
        BINARY = sys.argv.pop(1)
    unittest.main(verbosity=2)
