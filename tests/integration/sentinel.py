"""The user: a window that has the focus, a pointer that rests on it. What an action in the background must leave alone."""
import time


class Sentinel:
    def __init__(self, x, rect=(1180, 300, 300, 260)):
        self.x, self.rect = x, rect
        self.window = x.cover(*rect, title="Sentinel")
        x.put(self.window, rect)
        x.watch(self.window)
        self.rest()

    def rest(self):
        """Back to what the user does, waited for; what came meanwhile is forgotten."""
        self.x.warp(self.rect[0] + 40, self.rect[1] + 60)
        end = time.monotonic() + 4
        while time.monotonic() < end:
            self.x.activate(self.window)
            if self.x.active() == self.window and self.x.focus() == self.window and self.x.clients()[-1] == self.window:
                break
            time.sleep(0.05)
        self.x.received()

    def state(self):
        x, y, mask = self.x.pointer()
        return {"pointer": (x, y), "buttons held": mask & 0x1F00, "modifiers held": mask & 0xED, "keys held": self.x.keys(), "focus": self.x.focus(),
                "active window": self.x.active(), "stacking": self.x.clients()}

    def differences(self, before, strict=True):
        """What is not as it was. In the foreground (`strict` False) it may be different meanwhile, and a moment passes until it is back."""
        end = time.monotonic() + (0.05 if strict else 0.6)
        while True:
            after = self.state()
            found = [f"{what}: {before[what]} is now {after[what]}" for what in before if before[what] != after[what]]
            if not found or time.monotonic() > end:
                break
            time.sleep(0.03)
        got = [kind for kind in self.x.received() if kind != 6 or strict]
        if got:
            found.append(f"the user's window received events of type {got}")
        return found

    def close(self):
        self.x.destroy(self.window)
