"""A minimal MCP client: starts `deskmark mcp` and speaks JSON-RPC, one object per line, with a deadline on every answer."""
import json
import os
import select
import subprocess
import time


class NoAnswer(Exception):
    """The server ended or did not answer in time."""


class Server:
    def __init__(self, binary, environment, *flags, log=None):
        self.process = subprocess.Popen([binary, "mcp", *flags], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=log or subprocess.DEVNULL, env=environment)
        self.pending, self.number, self.seconds, self.stray = b"", 0, 0.0, []
        self.request("initialize", {"protocolVersion": "2025-06-18", "capabilities": {},
                                    "clientInfo": {"name": "capture suite", "version": "1"}})
        self.notify("notifications/initialized")

    def write(self, raw):
        self.process.stdin.write(raw)
        self.process.stdin.flush()

    def notify(self, method, parameters=None):
        self.write(json.dumps({"jsonrpc": "2.0", "method": method, "params": parameters or {}}).encode() + b"\n")

    def line(self, seconds):
        """The next object the server writes."""
        end = time.monotonic() + seconds
        while b"\n" not in self.pending:
            if not select.select([self.process.stdout], [], [], max(0, end - time.monotonic()))[0]:
                raise NoAnswer(f"no answer in {seconds} s")
            data = os.read(self.process.stdout.fileno(), 1 << 20)
            if not data:
                raise NoAnswer(f"server ended (exit {self.process.wait(5)})")
            self.pending += data
        raw, self.pending = self.pending.split(b"\n", 1)
        return json.loads(raw)  # anything else on stdout is a fault, and shows as one here

    def request(self, method, parameters, seconds=40):
        """The whole JSON-RPC answer; `self.seconds` tells how long it took."""
        self.number += 1
        number, start = self.number, time.monotonic()
        self.write(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": parameters}).encode() + b"\n")
        while True:
            answer = self.line(seconds)
            if answer.get("id") == number:
                self.seconds = time.monotonic() - start
                return answer
            self.stray.append(answer)

    def call(self, _seconds=40, **arguments):
        """Calls computer_use: (reply object, text, picture as base64 or None)."""
        answer = self.request("tools/call", {"name": "computer_use", "arguments": arguments}, _seconds)
        if "result" not in answer:
            return {"ok": False, "rpc": answer.get("error")}, "", None
        result, text, picture = answer["result"], [], None
        for part in result.get("content", []):
            if part["type"] == "text":
                text.append(part["text"])
            elif part["type"] == "image":
                picture = part["data"]
        reply = dict(result.get("structuredContent") or {"ok": False})
        reply["isError"] = result.get("isError", False)
        return reply, "\n".join(text), picture

    def close(self):
        """Ends the server by closing its input; True when it ended cleanly by itself."""
        try:
            self.process.stdin.close()
            clean = self.process.wait(3) == 0
        except (OSError, subprocess.TimeoutExpired):
            clean = False
            self.process.kill()
            self.process.wait(5)
        self.process.stdout.close()
        return clean
