"""The desktop the suite runs on: one of its own by `deskmark desktop start`, or the one it was started in (`--here`)."""
import json
import os
import subprocess
import tempfile


class Desktop:
    def __init__(self, binary, size="1920x1280", here=False):
        self.binary, self.number, self.environment = binary, None, dict(os.environ)
        self.runtime = None
        if here:
            return
        self.environment.pop("DISPLAY", None)
        self.runtime = tempfile.mkdtemp(prefix="deskmark-suite-")
        self.environment["XDG_RUNTIME_DIR"] = self.runtime
        started = subprocess.run([binary, "desktop", "start", "--size", size, "--json"], env=self.environment, timeout=60,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if started.returncode != 0:
            raise RuntimeError(f"desktop start failed ({started.returncode}): {started.stdout}{started.stderr}")
        told = json.loads(started.stdout)
        self.environment.update(told["environment"])
        self.number = self.environment["DISPLAY"]

    def stop(self):
        if self.number:
            subprocess.run([self.binary, "desktop", "stop", "--display", self.number], env=self.environment, timeout=30,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            self.number = None
        if self.runtime:
            subprocess.run(["rm", "-rf", "--one-file-system", self.runtime], check=False)
