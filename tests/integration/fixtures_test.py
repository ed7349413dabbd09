#!/usr/bin/python3
"""deskmark replay, check and record from the command line, on recordings: no display is needed.

Usage: fixtures_test.py DESKMARK
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

FIXTURES = Path(__file__).resolve().parent.parent.parent / "fixtures"
NAME = "qt5-calculator"


class Commands(unittest.TestCase):
    binary = ""

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="deskmark-fixtures-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.fixture = self.folder / NAME
        shutil.copytree(FIXTURES / NAME, self.fixture)

    def run_it(self, *words):
        env = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS")}
        env.update(XDG_RUNTIME_DIR=str(self.folder), DESKMARK_HOME=str(self.folder / "home"))
        done = subprocess.run([self.binary, *map(str, words)], env=env, capture_output=True, text=True, timeout=60)
        return done.returncode, done.stdout, done.stderr

    def edit(self, change, name="observation.json"):
        file = self.fixture / name
        content = json.loads(file.read_text())
        change(content)
        file.write_text(json.dumps(content))

    def rename(self, old, new):
        def change(content):
            for node in content["nodes"]:
                if node.get("name") == old:
                    node["name"] = new
        self.edit(change)

    def test_replay_gives_the_same_as_text_json_and_picture(self):
        code, out, _ = self.run_it("replay", self.fixture, "--json", "--out", self.folder / "som.png")
        self.assertEqual(code, 0)
        reply = json.loads(out)
        self.assertEqual((reply["ok"], reply["action"], reply["mode"]), (True, "replay", "som"))
        expected = json.loads((self.fixture / "expected.json").read_text())["marks"]
        self.assertEqual([e["bounds"] for e in reply["elements"]], [m["bounds"] for m in expected])
        first = (self.folder / "som.png").read_bytes()
        self.assertEqual(first[:8], b"\x89PNG\r\n\x1a\n")
        self.run_it("replay", self.fixture, "--out", self.folder / "again.png")
        self.assertEqual(first, (self.folder / "again.png").read_bytes())
        code, out, _ = self.run_it("replay", self.fixture, "--mode", "ax")
        self.assertEqual(code, 0)
        self.assertIn("AC", out)

    def test_check_says_what_differs_and_update_accepts_it(self):
        self.assertEqual(self.run_it("check", self.fixture)[0], 0)
        self.rename("AC", "Clear")
        code, out, _ = self.run_it("check", self.fixture, "--json", "--html", self.folder / "page.html")
        self.assertEqual(code, 1)
        [fixture] = json.loads(out)["fixtures"]
        [difference] = fixture["differences"]
        self.assertEqual(difference["changes"], ["renamed"])
        self.assertEqual((difference["expected"]["label"], difference["now"]["label"]), ("AC", "Clear"))
        page = (self.folder / "page.html").read_text()
        self.assertEqual(page.count("data:image/png;base64,"), 2)
        self.assertEqual(self.run_it("check", self.fixture, "--update")[0], 0)
        self.assertEqual(self.run_it("check", self.fixture)[0], 0)

    def test_update_keeps_tolerances(self):
        self.edit(lambda e: e["tolerances"].update(position=3), "expected.json")
        self.rename("AC", "Clear")
        self.run_it("check", self.fixture, "--update")
        self.assertEqual(json.loads((self.fixture / "expected.json").read_text())["tolerances"]["position"], 3)

    def test_two_recordings_are_compared(self):
        other = self.folder / "other"
        shutil.copytree(self.fixture, other)
        self.assertEqual(self.run_it("check", other, "--against", self.fixture)[0], 0)
        self.rename("AC", "Clear")
        code, out, _ = self.run_it("check", other, "--against", self.fixture)
        self.assertEqual(code, 1)
        self.assertIn('renamed to "Clear"', out)
        self.assertEqual(self.run_it("check", other, "--against", self.fixture, "--update")[0], 2)

    def test_a_folder_of_fixtures_is_each_of_them(self):
        code, out, _ = self.run_it("check", self.folder, "--json")
        self.assertEqual((code, len(json.loads(out)["fixtures"])), (0, 1))

    def test_what_is_broken_is_named_and_never_passes(self):
        self.edit(lambda o: o["nodes"][3].update(role="button"))
        code, _, err = self.run_it("check", self.fixture)
        self.assertEqual(code, 2)
        self.assertIn("fixture_invalid: observation.json: nodes[3].role", err)
        code, out, _ = self.run_it("replay", self.fixture, "--json")
        reply = json.loads(out)
        self.assertEqual((code, reply["code"], reply["field"]), (1, "fixture_invalid", "nodes[3].role"))
        (self.fixture / "expected.json").unlink()
        self.assertEqual(self.run_it("check", FIXTURES / NAME, self.fixture)[0], 2)
        self.assertEqual(self.run_it("check", self.folder / "nothing")[0], 2)

    def test_without_expected_marks_there_is_nothing_to_pass(self):
        (self.fixture / "expected.json").unlink()
        code, _, err = self.run_it("check", self.fixture)
        self.assertEqual(code, 2)
        self.assertIn("--update", err)

    def test_record_refuses_a_folder_of_other_things_and_says_when_no_display_is_there(self):
        (self.folder / "mine").mkdir()
        (self.folder / "mine/letter.txt").write_text("mine")
        code, _, err = self.run_it("record", self.folder / "mine")
        self.assertEqual(code, 1)
        self.assertIn("fixture_not_written", err)
        code, out, _ = self.run_it("record", self.folder / "new", "--json", "--display", ":9999")
        self.assertEqual((code, json.loads(out)["code"]), (3, "display_unavailable"))
        self.assertFalse((self.folder / "new").exists())


if __name__ == "__main__":
    Commands.binary = sys.argv.pop(1)
    unittest.main()
