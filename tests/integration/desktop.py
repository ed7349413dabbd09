"""The desktop the suite runs on: one of its own by `deskmark desktop start`, or the one it was started in (`--here`)."""
import json
import os
import shutil
import subprocess
import tempfile


class Desktop:
    def __init__(self, binary, size="1920x1280", here=False, display=None):
        self.binary, self.number, self.outside = binary, None, dict(os.environ)
        self.environment, self.runtime = self.outside, None
        if here:
            return
        # Its runtime directory is private too, so that what the server leaves there can be looked through and is gone after.
        self.runtime = tempfile.mkdtemp(prefix="deskmark-suite-")
        self.outside["XDG_RUNTIME_DIR"] = self.runtime
        command = [binary, "desktop", "start", "--size", size, "--json"] + (["--display", display] if display else [])
        started = subprocess.run(command, env=self.outside, timeout=60, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if started.returncode != 0:
            raise RuntimeError(f"desktop start failed ({started.returncode}): {started.stdout}{started.stderr}")
        told = json.loads(started.stdout)
        self.number = told["display"]
        self.environment = {k: v for k, v in self.outside.items() if k not in told["unset"]}
        self.environment.update(told["env"])

    def stop(self):
        if self.number:
            subprocess.run([self.binary, "desktop", "stop", "--display", self.number], env=self.outside, timeout=30,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            self.number = None
        if self.runtime:
            shutil.rmtree(self.runtime, ignore_errors=True)
