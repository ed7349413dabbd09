#!/usr/bin/python3
"""The judge itself: each kind of fault is found, and a right reply has none."""
import copy
import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "apps")]

import judge  # noqa: E402
import truth as probe  # noqa: E402


def control(ident, kind, label, rect, **more):
    visible = more.pop("visible", rect)
    return probe.control(ident, kind, label, rect, visible, more.pop("enabled", True), **more)


TRUTH = {
    "secret": "hunter2", "texts": ["Ready"], "controls": [
        control("ok", "button", "OK", [110, 210, 80, 30], text=[[130, 215, 40, 20]]),
        control("save", "check", "Save", [110, 250, 80, 20], states=["checked"]),
        control("size", "slider", "Size", [110, 280, 100, 20], value="30"),
        control("off", "button", "Off", [200, 210, 80, 30], enabled=False),
        control("gone", "button", "Gone", [300, 900, 80, 30], visible=None),
        control("ready", "label", "Ready", [110, 320, 80, 20]),
    ]}


def element(index, role, label, bounds, **more):
    return dict({"index": index, "role": role, "label": label, "bounds": bounds, "source": "ax"}, **more)


# The picture begins at 100, 200 and shows half as many pixels.
REPLY = {"ok": True, "width": 200, "height": 200, "scale": [0.5, 0.5], "origin": [100, 200], "total_elements": 3, "omitted": 0,
         "truncated": False, "warnings": [], "elements": [
             element(1, "push button", "OK", [5, 5, 40, 15]),
             element(2, "check box", "Save", [5, 25, 40, 10], states=["checked"]),
             element(3, "slider", "Size", [5, 40, 50, 10], value="30")]}


class JudgeTest(unittest.TestCase):
    def faults(self, change=None, everything=""):
        reply = copy.deepcopy(REPLY)
        if change:
            change(reply["elements"])
            reply["total_elements"] = len(reply["elements"])
        found = judge.judge(reply, TRUTH, everything).faults
        return {kind: len(sentences) for kind, sentences in found.items() if sentences}

    def test_right(self):
        self.assertEqual(self.faults(), {})

    def test_missed(self):
        self.assertEqual(self.faults(lambda e: e.pop()), {"missed": 1})

    def test_disabled_marked(self):
        self.assertEqual(self.faults(lambda e: e.append(element(4, "push button", "Off", [50, 5, 40, 15]))), {"hidden": 1})

    def test_label_marked(self):
        self.assertEqual(self.faults(lambda e: e.append(element(4, "label", "Ready", [5, 60, 40, 10]))), {"hidden": 1})

    def test_nothing_there(self):
        self.assertEqual(self.faults(lambda e: e.append(element(4, "push button", "", [150, 150, 40, 15]))), {"hidden": 1})

    def test_duplicate(self):
        self.assertEqual(self.faults(lambda e: e.append(element(4, "label", "OK", [12, 8, 20, 10]))), {"duplicate": 1})

    def test_misplaced_by_size(self):
        self.assertEqual(self.faults(lambda e: e[0].update(bounds=[8, 7, 34, 11])), {"misplaced": 1})

    def test_found_in_the_pixels(self):
        self.assertEqual(self.faults(lambda e: e[0].update(bounds=[8, 7, 34, 11], source="vision")), {})
        self.assertEqual(self.faults(lambda e: e[0].update(bounds=[12, 9, 26, 8], source="vision")), {"misplaced": 1})

    def test_padding_and_margin(self):
        self.assertTrue(judge.padded([90, 95, 60, 30], [100, 100, 40, 20], (18, 13)))
        self.assertFalse(judge.padded([80, 95, 70, 30], [100, 100, 40, 20], (18, 13)))
        self.assertFalse(judge.padded([104, 95, 46, 30], [100, 100, 40, 20], (18, 13)))
        self.assertTrue(judge.within_margin([100, 106, 40, 34], [100, 100, 40, 46], 16))
        self.assertFalse(judge.within_margin([100, 106, 40, 40], [100, 100, 40, 46], 16))
        self.assertFalse(judge.within_margin([108, 106, 24, 34], [100, 100, 40, 46], 16))

    def test_misplaced_by_centre(self):
        found = self.faults(lambda e: e[0].update(bounds=[5, 13, 40, 15]))
        self.assertIn("misplaced", found)

    def test_rounding_is_not_a_fault(self):
        self.assertEqual(self.faults(lambda e: e[0].update(bounds=[5, 5, 40, 14])), {})

    def test_label_and_role(self):
        self.assertEqual(self.faults(lambda e: e[0].update(label="O")), {"label": 1})
        self.assertEqual(self.faults(lambda e: e[0].update(role="slider")), {"role": 1})

    def test_states_and_values(self):
        self.assertEqual(self.faults(lambda e: e[1].pop("states")), {"state": 1})
        self.assertEqual(self.faults(lambda e: e[2].update(value="31")), {"state": 1})
        self.assertEqual(self.faults(lambda e: e[2].update(value="30.0")), {})

    def test_secret(self):
        self.assertEqual(self.faults(everything='value "hunter2"'), {"secret": 1})

    def test_numbers(self):
        self.assertEqual(self.faults(lambda e: e[2].update(index=4)), {"numbers": 1})
        self.assertIn("numbers", self.faults(lambda e: e[0].update(bounds=[-1, 5, 40, 15])))

    def test_tree(self):
        right = dict(REPLY, tree='#1 push button "OK"\n#2 check box\n#3 slider\nlabel "Ready"')
        verdict = judge.Verdict()
        judge.judge_tree(REPLY, right, TRUTH, verdict)
        self.assertEqual(verdict.faults["tree"], [])
        judge.judge_tree(REPLY, dict(right, tree="#1 #2"), TRUTH, verdict)
        self.assertEqual(len(verdict.faults["tree"]), 2)

    def test_labels(self):
        def overlaps(boxes):
            verdict = judge.Verdict()
            boxes = boxes + [[150 + 15 * i, 150, 12, 9] for i in range(3 - len(boxes))]
            judge.judge_labels([{"index": i + 1, "box": box} for i, box in enumerate(boxes)], REPLY, TRUTH, verdict)
            return len(verdict.faults["overlap"])
        self.assertEqual(overlaps([[46, 5, 12, 9], [60, 25, 12, 9]]), 0)
        self.assertEqual(overlaps([[46, 5, 12, 9], [50, 10, 12, 9]]), 1)
        self.assertEqual(overlaps([[14, 8, 12, 9]]), 1)
        self.assertEqual(overlaps([[195, 8, 12, 9]]), 1)
        self.assertEqual(overlaps([[0, 0, 0, 0]]), 1)


if __name__ == "__main__":
    unittest.main()
