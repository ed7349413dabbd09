"""Every case on every oracle: by mark and by coordinate, in the background, covered, and in the foreground."""
import json
import os
import time

import act_judge
import act_table
from act_cases import ALL, CASES, NO_TREE
from act_judge import NO_MARK, Verdict, judge
from mcp_client import NoAnswer
from oracle_client import ORACLES, Oracle

DELIVERIES = ("bg", "covered", "fg")
FOREGROUND = ("gtk3", "tk")  # in the default run


def point(rect, part):
    return [round(rect[i] + (part[i] * rect[2 + i] if isinstance(part[i], float) else part[i])) for i in (0, 1)]


def to_picture(at, capture):
    return [min(size - 1, max(0, round((at[i] - capture["origin"][i]) * capture["scale"][i]))) for i, size in ((0, capture["width"]), (1, capture["height"]))]


def mark_of(capture, rect):
    """The mark whose centre lies in the control and which fits it best; None."""
    best, fits = None, 0.15
    for element in capture["elements"]:
        x, y, w, h = (v / capture["scale"][i % 2] for i, v in enumerate(element["bounds"]))
        x, y = x + capture["origin"][0], y + capture["origin"][1]
        common = max(0, min(x + w, rect[0] + rect[2]) - max(x, rect[0])) * max(0, min(y + h, rect[1] + rect[3]) - max(y, rect[1]))
        union = w * h + rect[2] * rect[3] - common
        inside = rect[0] - 2 <= x + w / 2 <= rect[0] + rect[2] + 2 and rect[1] - 2 <= y + h / 2 <= rect[1] + rect[3] + 2
        fit = common / union if union else 0
        if inside and (fit > fits or best is None):
            best, fits = element["index"], max(fit, fits)
    return best


class Bench:
    """One oracle with its window in place, beside the sentinel."""

    def __init__(self, suite, name):
        self.suite, self.x, self.name, self.sentinel = suite, suite.x, name, suite.sentinel
        self.oracle, self.cover = Oracle(name, suite.desktop.environment), 0
        try:
            where = self.oracle.ready()
            self.window = where["window"]["id"]
            self.x.move(self.window, 30, 60)
            self.oracle.ready()
            self.oracle.reset()
            self.sentinel.rest()
        except RuntimeError:
            self.oracle.close()
            raise

    def capture(self):
        reply, _, _ = self.suite.server.call(action="capture", window_id=self.window)
        if not reply.get("ok"):
            raise RuntimeError("capture: " + json.dumps(reply)[:200])
        return reply

    def request(self, case, end, controls, capture):
        """The request, or None when there is no mark."""
        request = {"action": "click", **case.request}
        named = [("from_" if case.to else "", controls[case.target], case.at)] + ([("to_", controls[case.to[0]], case.to[1])] if case.to else [])
        for prefix, rect, part in named:
            if end == "coordinate":
                request[prefix + "coordinate"] = to_picture(point(rect, part), capture)
            else:
                request[prefix + "element"] = mark_of(capture, rect)
                if request[prefix + "element"] is None:
                    return None
        return request

    def covering(self, rect):
        over = [rect[0] - 20, rect[1] - 20, rect[2] + 40, rect[3] + 40]
        self.cover = self.x.cover(*over, "Cover")
        self.x.put(self.cover, over)
        self.sentinel.rest()

    def tidy(self, popups):
        """Nothing open, nothing over the oracle, the user where they were."""
        if self.cover:
            self.x.destroy(self.cover)
            self.cover = 0
        self.oracle.ask("reset")
        end = time.monotonic() + 2
        while time.monotonic() < end and len(self.x.popups()) > popups:
            self.x.key("Escape")
            time.sleep(0.1)
        if self.x.active() != self.sentinel.window or self.x.focus() != self.sentinel.window or self.x.pointer()[2]:
            self.sentinel.rest()

    def run(self, case, end, delivery):
        popups = len(self.x.popups())
        try:
            return self.attempt(case, end, delivery, popups)
        finally:
            self.tidy(popups)

    def attempt(self, case, end, delivery, popups):
        self.oracle.reset(**case.put)
        controls = self.oracle.where()["controls"]
        capture = self.capture()
        request = self.request(case, end, controls, capture)
        if request is None:
            tree = self.name not in NO_TREE
            return Verdict(NO_MARK if not tree else act_judge.FAULT, ["no mark on it"] if tree else [])
        mode = {"delivery_mode": "foreground" if delivery == "fg" else "background"}
        if case.first:
            first = {**case.first, **mode, **{k: v for k, v in request.items() if k in ("element", "coordinate")}}
            reply, _, _ = self.suite.server.call(**first)
            if not reply.get("ok"):
                return Verdict(act_judge.FAULT, ["the click before: " + json.dumps(reply)[:200]])
            request = {k: v for k, v in request.items() if k not in ("element", "coordinate")}
            self.oracle.reset(**case.put)
        if delivery == "covered":
            self.covering(controls[case.target])
        before, user = self.oracle.look(), self.sentinel.state()
        self.x.received()
        reply, _, _ = self.suite.server.call(**request, **mode)
        extra = {"popups": 0, "shown": lambda: self.oracle.where()["controls"], "selection": lambda: self.oracle.ask("selection")["text"]}

        def seen(now):
            now["toolkit"], extra["popups"] = self.name, len(self.x.popups()) - popups
            return case.effect.seen(before, now, extra)

        refused = reply.get("effect") == "refused" or "effect" not in reply
        now = self.oracle.until(seen, 0.15 if refused else 0.8)
        disturbed = self.sentinel.differences(user, delivery != "fg")
        if "effect" not in reply:
            return Verdict(act_judge.FAULT, ["reply without effect: " + json.dumps(reply)[:200]])
        cannot = "not_settable" if self.name in NO_TREE and request["action"] == "set_value" else case.cannot.get(self.name)
        return judge(case, reply, before, now, seen(now), disturbed, delivery != "covered" and reply.get("code") != cannot)

    def close(self):
        self.oracle.close()


def planned(name, deliveries, only):
    """(case, end, delivery) of one oracle."""
    for case in CASES:
        if name in case.spared or (only and not any(word in case.name for word in only)):
            continue
        for delivery in deliveries:
            if delivery == "covered" and not case.covered:
                continue
            for end in case.ends:
                yield case, end, delivery


def run(suite, names, deliveries, only):
    results = {}
    if not deliveries:  # foreground is one way for all; seen in two of them it need not be in each
        deliveries = DELIVERIES if suite.full else None
    for name in names:
        try:
            bench = Bench(suite, name)
        except (RuntimeError, NoAnswer) as fault:
            suite.check(name, "starts", [fault])
            continue
        start, tally = time.monotonic(), {}
        for case, end, delivery in planned(name, deliveries or (DELIVERIES if name in FOREGROUND else DELIVERIES[:2]), only):
            where = f"{name} {case.name}, {end}, {delivery}"
            try:
                verdict = bench.run(case, end, delivery)
                if verdict.faults and not suite.as_gap(where, "acting", verdict.faults):
                    suite.again.append(where)  # a loaded machine makes programs late: what is wrong twice in a row is wrong
                    verdict = bench.run(case, end, delivery)
            except (RuntimeError, NoAnswer, KeyError, OSError) as fault:
                verdict = Verdict(act_judge.FAULT, [f"{type(fault).__name__}: {fault}"])
                if isinstance(fault, NoAnswer) or suite.server.process.poll() is not None:
                    suite.serve()
                if bench.oracle.process.poll() is not None:
                    bench.close()
                    bench = Bench(suite, name)
            results.setdefault((case.name, end, delivery), {})[name] = verdict
            suite.check(where, "acting", verdict.faults)
            tally[verdict.cell] = tally.get(verdict.cell, 0) + 1
            suite.tell(where, verdict)
        bench.close()
        print(f"{name:10}" + "".join(f"{kind} {tally.get(kind, 0):<5}" for kind in (act_judge.CONFIRMED, act_judge.DELIVERED, act_judge.UNCONFIRMED, act_judge.REFUSED, act_judge.NO_MARK, act_judge.FAULT))
              + f"{time.monotonic() - start:6.0f} s", flush=True)
    return results


def shares(results):
    """(confirmed, all) of the actions that changed the program's state."""
    silent = {case.name for case in CASES if case.silent}
    told = [v.cell for (case, _, _), row in results.items() if case not in silent for v in row.values()]
    return told.count(act_judge.CONFIRMED), told.count(act_judge.CONFIRMED) + told.count(act_judge.UNCONFIRMED)


def rate(suite, results):
    yes, told = shares(results)
    suite.check("all", "confirmed where the state changed", [] if yes >= 0.95 * told else [f"{yes} of {told}, {100 * yes / told:.1f} %"])
    return f"Confirmed where the program's state changed: {yes} of {told}."


def table(path, results):
    """Writes the table of these results and of those that were kept of other oracles."""
    kept, now = path + ".json", {o for row in results.values() for o in row}
    if os.path.exists(kept):
        with open(kept, encoding="utf-8") as file:
            for case, end, delivery, oracle, *verdict in json.load(file):
                if oracle not in now:
                    results.setdefault((case, end, delivery), {})[oracle] = Verdict(*verdict)
    rows = [(*key, oracle, v.cell, v.faults, v.code, v.route, v.effect) for key, row in results.items() for oracle, v in row.items()]
    with open(kept, "w", encoding="utf-8") as file:
        json.dump(rows, file)
    order = {case.name: i for i, case in enumerate(CASES)}
    results = {key: row for key, row in results.items() if key[0] in order}
    rows = sorted(results.items(), key=lambda item: (order[item[0][0]], DELIVERIES.index(item[0][2]), ALL.index(item[0][1])))
    yes, told = shares(results)
    act_table.write(path, dict(rows), [o for o in ORACLES if any(o in row for row in results.values())],
                    f"Confirmed where the program's state changed: {yes} of {told}.")
