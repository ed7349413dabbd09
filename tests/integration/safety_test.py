#!/usr/bin/python3
"""Configuration, profiles, exclusions, hand-off, approvals, audit and doctor through the real program: safety_test.py BINARY"""
import base64
import hashlib
import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import threading
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [HERE]

from desktop import Desktop  # noqa: E402
from mcp_client import Server  # noqa: E402

BINARY = os.path.join(ROOT, "build", "deskmark")
SECRET = "Tr0ub4dor-correct-horse"


class Probe:
    """The window of `doctor --live`: says what reaches it."""

    def __init__(self, environment):
        self.process = subprocess.Popen([BINARY, "doctor-probe"], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.window = int(self.process.stdout.readline().split()[1])

    def close(self):
        self.process.stdin.close()
        self.process.wait(10)
        self.process.stdout.close()


class Asking(Server):
    """A client whose user answers questions."""

    def __init__(self, environment, answer, *flags):
        self.answer, self.questions = answer, []
        super().__init__(BINARY, environment, *flags)
        self.request("initialize", {"protocolVersion": "2025-06-18", "capabilities": {"elicitation": {}},
                                    "clientInfo": {"name": "asking client", "version": "1"}})

    def line(self, seconds):
        while True:
            message = super().line(seconds)
            if message.get("method") != "elicitation/create":
                return message
            self.questions.append(message["params"]["message"])
            self.write(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": self.answer}).encode() + b"\n")


class Safety(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.desktop = Desktop(BINARY, "1000x700")
        cls.addClassCleanup(cls.desktop.stop)
        cls.folder = tempfile.mkdtemp(prefix="deskmark-safety-")
        cls.addClassCleanup(shutil.rmtree, cls.folder, True)
        cls.environment = {**cls.desktop.environment, "XDG_CONFIG_HOME": cls.folder + "/config", "XDG_STATE_HOME": cls.folder + "/state"}
        os.makedirs(cls.folder + "/config/deskmark")
        cls.probe = Probe(cls.environment)
        cls.addClassCleanup(cls.probe.close)

    def setUp(self):
        self.configure(None)

    def configure(self, settings):
        path = self.folder + "/config/deskmark/config.json"
        if settings is None:
            if os.path.exists(path):
                os.remove(path)
            return
        with open(path, "w", encoding="utf-8") as file:
            file.write(settings if isinstance(settings, str) else json.dumps(settings))

    def run_it(self, *arguments, code=0, **more):
        done = subprocess.run([BINARY, *arguments], env=self.environment, timeout=90, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout if code == 0 else done.stdout + done.stderr

    def server(self, *flags, kind=Server, **more):
        made = kind(BINARY, self.environment, *flags) if kind is Server else kind(self.environment, *flags)
        self.addCleanup(made.close)
        return made

    def capture(self, server):
        reply, _, picture = server.call(action="capture", mode="vision", window_id=self.probe.window)
        self.assertTrue(reply["ok"], reply)
        return reply, picture

    # Configuration and profiles
    def test_a_configuration_that_is_not_understood_stops_the_start(self):
        for text, named in (('{"profil": "full"}', "profile"), ('{"profile": "all"}', "observation-only"), ('{"allow": ["clik"]}', "clik"),
                            ('{"approve": "all", "approve": "none"}', "given twice"), ("{", "JSON")):
            self.configure(text)
            for command in (("mcp",), ("capture",), ("call", "{}")):
                self.assertIn(named, self.run_it(*command, code=2))
        self.run_it("lease")  # not what follows it
        self.assertEqual(json.loads(self.run_it("doctor", "--json", code=1))["checks"][0]["status"], "missing")

    def test_what_a_profile_denies_is_not_advertised_and_refused(self):
        self.configure({"approve": "all", "profile": "observation-only"})
        server = self.server()
        tool = server.request("tools/list", {})["result"]["tools"][0]
        self.assertEqual(tool["inputSchema"]["properties"]["action"]["enum"], ["capture", "wait", "list_apps", "list_windows"])
        self.capture(server)
        for arguments in ({"action": "click", "coordinate": [5, 5]}, {"action": "click", "nonsense": 1}, {"action": "request_handoff"}):
            reply, _, _ = server.call(**arguments)
            self.assertEqual((reply["code"], reply["verdict"]["decision"]), ("policy_denied", "deny"))
        self.run_it("call", '{"action": "click", "coordinate": [5, 5]}', code=4)
        self.run_it("mcp", "--allow", "click", code=2)  # nothing is left

    def test_excluded_applications_are_nowhere(self):
        seen = self.server()
        picture = {}
        for name, server in (("seen", seen), ("hidden", self.server("--exclude-app", "DESKMARK-doc*", "--approve", "all"))):
            reply, _, _ = server.call(action="list_windows")
            own = [w for w in reply["windows"] if w["window_id"] == self.probe.window]
            self.assertEqual(len(own), 1 if name == "seen" else 0)
            if own:
                bounds = own[0]["bounds"]
            reply, _, picture[name] = server.call(action="capture", app="screen", mode="vision")
            self.assertTrue(reply["ok"])
            if name == "hidden":
                for target in ({"window_id": self.probe.window}, {"app": "deskmark-doctor"}, {"pid": self.probe.process.pid}):
                    reply, _, _ = server.call(action="capture", **target)
                    self.assertFalse(reply["ok"], target)
                server.call(action="capture", app="screen", mode="vision")
                inside = [bounds[0] + bounds[2] // 2, bounds[1] + bounds[3] // 2]
                reply, _, _ = server.call(action="click", coordinate=inside)
                self.assertEqual(reply["code"], "policy_denied")
        self.assertNotEqual(picture["seen"], picture["hidden"])

    # Hand-off
    def test_while_a_person_has_the_desktop_nothing_else_is_done(self):
        server = self.server("--approve", "all")
        self.capture(server)
        reply, _, _ = server.call(action="request_handoff", reason="Log in, please")
        self.assertTrue(reply["ok"])
        self.addCleanup(self.run_it, "handback")
        self.assertEqual(json.loads(self.run_it("lease", "--json"))["reason"], "Log in, please")
        for arguments in ({"action": "capture"}, {"action": "click", "coordinate": [5, 5]}, {"action": "list_windows"},
                          {"action": "wait", "seconds": 0.1}, {"action": "request_handoff", "reason": "x"}):
            reply, _, _ = server.call(**arguments)
            self.assertEqual(reply["code"], "human_has_control", arguments)
        reply, _, _ = server.call(action="wait_for_human", seconds=0.2)
        self.assertEqual((reply["ok"], reply["code"]), (False, "human_has_control"))
        giving = threading.Thread(target=self.run_it, args=("handback",))
        start = time.monotonic()
        giving.start()
        reply, _, _ = server.call(action="wait_for_human", seconds=60)
        giving.join()
        self.assertTrue(reply["ok"], reply)
        self.assertLess(time.monotonic() - start, 30)
        reply, _, _ = server.call(action="click", coordinate=[5, 5])
        self.assertEqual(reply["code"], "no_capture")  # marks of before are void

    def test_waiting_for_a_person_tells_progress_and_can_be_cancelled(self):
        server = self.server()
        self.run_it("takeover")
        self.addCleanup(self.run_it, "handback")
        server.write(json.dumps({"jsonrpc": "2.0", "id": "w", "method": "tools/call", "params": {
            "name": "computer_use", "arguments": {"action": "wait_for_human", "seconds": 60}, "_meta": {"progressToken": "t"}}}).encode() + b"\n")
        told = server.line(20)
        self.assertEqual((told["method"], told["params"]["progressToken"]), ("notifications/progress", "t"))
        server.notify("notifications/cancelled", {"requestId": "w"})
        self.assertEqual(server.request("ping", {})["result"], {})
        reply, _, _ = server.call(action="wait", seconds=0.1)  # the cancelled call has made way
        self.assertEqual(reply["code"], "human_has_control")

    def test_taking_over_ends_what_runs_and_discards_it(self):
        server = self.server()
        taking = threading.Timer(0.5, self.run_it, ("takeover",))
        taking.start()
        self.addCleanup(self.run_it, "handback")
        start = time.monotonic()
        reply, _, _ = server.call(action="wait", seconds=30)
        taking.join()
        self.assertEqual(reply["code"], "human_has_control")
        self.assertLess(time.monotonic() - start, 25)

    def test_a_lease_survives_a_killed_engine_and_counts_as_a_persons_when_damaged(self):
        server = self.server()
        server.call(action="request_handoff", reason="test")
        self.addCleanup(self.run_it, "handback")
        server.process.kill()
        server.process.wait(10)
        self.run_it("capture", code=4)
        found = [os.path.join(folder, "lease.json") for folder, _, files in os.walk(self.desktop.runtime) if "lease.json" in files]
        self.assertEqual(len(found), 1)
        self.assertEqual(stat.S_IMODE(os.stat(found[0]).st_mode), 0o600)
        self.run_it("handback")
        with open(found[0], "w", encoding="utf-8") as file:
            file.write("{")
        self.run_it("capture", code=4)
        self.run_it("handback")
        self.run_it("capture", "--mode", "vision")

    # Approval
    def test_the_clients_user_is_asked_in_words(self):
        for answer, expected in (({"action": "accept", "content": {"allow": True}}, None),
                                 ({"action": "accept", "content": {"allow": False}}, "approval_required"),
                                 ({"action": "decline"}, "approval_required")):
            server = Asking(self.environment, answer)
            self.addCleanup(server.close)
            self.capture(server)
            reply, _, _ = server.call(action="click", coordinate=[50, 50])
            self.assertEqual(reply.get("code"), expected, reply)
            self.assertEqual(len(server.questions), 1)
            self.assertIn("asking client 1 wants to click on pixel (50,50)", server.questions[0])
            reply, _, _ = server.call(action="type", text="sudo rm -rf x")
            self.assertEqual((reply["code"], len(server.questions)), ("blocked_text", 1))  # nobody is asked that

    def test_a_person_at_a_terminal_grants_one_action_once(self):
        server = self.server()
        self.capture(server)
        request = {"action": "click", "coordinate": [60, 60]}
        reply, _, _ = server.call(**request)
        self.assertEqual(reply["code"], "approval_required")
        waiting = [q for q in json.loads(self.run_it("approve", "list", "--json")) if "(60,60)" in q["words"]]
        self.assertEqual(len(waiting), 1)
        self.assertIn(waiting[0]["id"], reply["message"])
        self.run_it("approve", "grant", waiting[0]["id"])
        other, _, _ = server.call(action="click", coordinate=[61, 61])
        self.assertEqual(other["code"], "approval_required")
        reply, _, _ = server.call(**request)
        self.assertNotIn("code", reply)
        reply, _, _ = server.call(**request)
        self.assertEqual(reply["code"], "approval_required")
        self.run_it("approve", "grant", "nosuch", code=1)

    def test_a_refusal_shows_what_is_there_where_that_was_asked(self):
        server = self.server()
        self.capture(server)
        for code, request in (("approval_required", {"action": "click", "coordinate": [70, 70]}),
                              ("blocked_key_combo", {"action": "key", "keys": "super+l"}),
                              ("unsupported_modifier", {"action": "click", "coordinate": [70, 70], "modifiers": ["fn"]})):
            reply, _, _ = server.call(**request, capture_after=True)
            self.assertEqual(reply["code"], code)
            self.assertTrue(reply["capture"]["ok"], reply)
        for question in json.loads(self.run_it("approve", "list", "--json")):
            self.run_it("approve", "deny", question["id"])
        self.run_it("takeover")
        reply, _, _ = server.call(action="click", coordinate=[70, 70], capture_after=True)
        self.run_it("handback")
        self.assertEqual(reply["code"], "human_has_control")
        self.assertNotIn("capture", reply)

    def test_an_action_waits_for_the_one_who_answers_approvals(self):
        person = subprocess.Popen([BINARY, "approve"], env=self.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        try:
            self.assertIn("Waiting", person.stdout.readline())

            def answer():
                for line in person.stdout:
                    if "(70,70)" in line:
                        person.stdin.write("a " + line.split()[0] + "\n")
                        person.stdin.flush()
                        return

            answering = threading.Thread(target=answer)
            answering.start()
            server = self.server()
            self.capture(server)
            reply, _, _ = server.call(action="click", coordinate=[70, 70])
            self.assertNotIn("code", reply)
            answering.join(20)
            reply, _, _ = server.call(action="click", coordinate=[71, 71])
            self.assertNotIn("code", reply)  # for the application
        finally:
            person.stdin.close()
            self.assertEqual(person.wait(20), 0)
            person.stdout.close()

    def test_approval_of_one_application_holds_for_it_alone(self):
        server = self.server("--approve", "deskmark-doctor=background")
        self.capture(server)
        reply, _, _ = server.call(action="click", coordinate=[50, 50])
        self.assertNotIn("code", reply)
        reply, _, _ = server.call(action="click", coordinate=[50, 50], delivery_mode="foreground")
        self.assertEqual(reply["code"], "approval_required")
        server.call(action="capture", app="screen", mode="vision")
        reply, _, _ = server.call(action="click", coordinate=[200, 200])
        self.assertEqual(reply["code"], "approval_required")

    def test_a_blocked_text_does_not_pass_in_pieces(self):
        server = self.server("--approve", "background")
        self.capture(server)
        reply, _, _ = server.call(action="type", text="rm -rf")
        self.assertNotIn("code", reply)
        for arguments in ({"action": "type", "text": " /"}, {"action": "key", "keys": "ctrl+аlt+delete"}, {"action": "key", "keys": "Alt-F4"}):
            reply, _, _ = server.call(**arguments)
            self.assertIn(reply["code"], ("blocked_text", "blocked_key_combo"))

    # Audit, receipts, doctor
    def test_the_audit_tells_what_was_done_without_what_was_typed(self):
        server = self.server("--approve", "background", "--keep-pictures", "2")
        reply, picture = self.capture(server)
        raw = base64.b64decode(picture)
        receipt = reply["receipt"]
        self.assertEqual((receipt["sha256"], receipt["bytes"]), (hashlib.sha256(raw).hexdigest(), len(raw)))
        self.assertEqual((receipt["window_id"], receipt["mime"], receipt["producer"]), (self.probe.window, "image/png", "deskmark"))
        with open(reply["screenshot_path"], "rb") as file:
            self.assertEqual(file.read(), raw)
        self.assertEqual(stat.S_IMODE(os.stat(reply["screenshot_path"]).st_mode), 0o600)
        for _ in range(3):
            self.capture(server)
        self.assertFalse(os.path.exists(reply["screenshot_path"]))
        server.call(action="type", text=SECRET)
        path = self.folder + "/state/deskmark/audit.jsonl"
        self.assertEqual(stat.S_IMODE(os.stat(path).st_mode), 0o600)
        with open(path, encoding="utf-8") as file:
            lines = [json.loads(line) for line in file]
        typed = [line for line in lines if line["action"] == "type"][-1]
        self.assertEqual(typed["request"]["text_length"], len(SECRET))
        self.assertEqual((typed["client"], typed["approval"], len(typed["result_sha256"])), ("capture suite 1", "configuration", 64))
        self.assertIn(hashlib.sha256(raw).hexdigest(), [line.get("picture", {}).get("sha256") for line in lines])
        self.assertIn("type", self.run_it("audit"))
        for top in (self.folder, self.desktop.runtime):
            for folder, _, files in os.walk(top):
                for name in files:
                    full = os.path.join(folder, name)
                    if not stat.S_ISREG(os.lstat(full).st_mode):
                        continue
                    with open(full, "rb") as file:
                        self.assertNotIn(SECRET.encode(), file.read(), full)

    def test_an_audit_that_cannot_be_written_is_said_and_undoes_nothing(self):
        environment = {**self.environment, "XDG_STATE_HOME": "/proc/nowhere"}
        server = Server(BINARY, environment)
        self.addCleanup(server.close)
        reply, _, _ = server.call(action="list_windows")
        self.assertTrue(reply["ok"])
        self.assertEqual([w["code"] for w in reply["warnings"]], ["audit_failed"])

    def test_the_doctor_proves_what_it_says(self):
        report = json.loads(self.run_it("doctor", "--live", "--json"))
        self.assertEqual((report["version"], report["ok"]), (1, True))
        for action in ("click", "double_click", "right_click", "middle_click", "drag", "scroll", "type", "key"):
            self.assertIn(report["actions"][action]["status"], ("available", "degraded"), report["actions"][action])
        self.assertEqual(report["actions"]["set_value"]["status"] in ("unverified", "unsupported"), True)


if __name__ == "__main__":
    BINARY = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 and os.path.exists(sys.argv[1]) else BINARY
    unittest.main()
