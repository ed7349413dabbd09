"""docs/acting-matrix.md: what was done to each oracle and how it went, written by the suite that did it."""
import act_judge

HEAD = """# What acting reaches

Written by `tests/integration/act_suite.py --table`. Each cell is one action on a real program (`tests/apps/oracle_*.py`) which logs every
event it receives; what the log shows was compared with the reply. Rows: what was done, how the target was named, and how it was
delivered: `bg` in the background, with the user's pointer, focus, active window and stacking unchanged; `covered` the same with another
window over the target; `fg` in the foreground, with all of it put back.

Cells: **✓** done and confirmed by evidence; **✓·** done, and the reply says it cannot tell; ✓? done, but a reply that could have known did not;
`code`: refused with that code, nothing was sent; – there is no mark to act on (a drawing area, or a window without a tree read
from pixels); ✗ a fault, listed below the table. Small letters tell the route: a accessibility, p background pointer,
k background keys, f foreground input, c clipboard.

"""
SIGNS = {act_judge.CONFIRMED: "**✓**", act_judge.DELIVERED: "✓·", act_judge.UNCONFIRMED: "✓?", act_judge.NO_MARK: "–", act_judge.FAULT: "✗"}
ROUTES = {"accessibility": "a", "background_pointer": "p", "background_keys": "k", "foreground_input": "f", "clipboard": "c"}


def cell(verdict):
    if verdict is None:
        return ""
    if verdict.cell == act_judge.REFUSED:
        return f"`{verdict.code}`"
    route = ROUTES.get(verdict.route, "")
    return SIGNS[verdict.cell] + (f" {route}" if route else "")


def write(path, results, oracles, counts):
    """`results`: {(case, end, delivery): {oracle: Verdict}}."""
    lines = [HEAD, "| action | target | delivery | " + " | ".join(oracles) + " |", "|" + "---|" * (3 + len(oracles))]
    for (case, end, delivery), row in results.items():
        lines.append(f"| {case} | {end} | {delivery} | " + " | ".join(cell(row.get(o)) for o in oracles) + " |")
    lines += ["", counts, ""]
    results = {key: dict(sorted(row.items())) for key, row in results.items()}
    faults = [(case, end, delivery, o, v) for (case, end, delivery), row in results.items() for o, v in row.items() if v.cell == act_judge.FAULT]
    if faults:
        lines += ["## Faults known when this was written", ""]
        lines += [f"- {o}: {case}, {end}, {delivery}: {v.faults[0][:160]}" for case, end, delivery, o, v in faults]
        lines.append("")
    with open(path, "w", encoding="utf-8") as out:
        out.write("\n".join(lines))
