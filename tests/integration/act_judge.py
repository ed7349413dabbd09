"""What a reply claimed against what the program's own log shows. Pure."""

# Cells of the table, from best to worst.
CONFIRMED, DELIVERED, UNCONFIRMED, REFUSED, NO_MARK, FAULT = "confirmed", "delivered", "unconfirmed", "refused", "no mark", "fault"
INPUT = ("press", "release", "scroll", "key", "clicked", "activated")


class Verdict:
    def __init__(self, cell, faults, code="", route="", effect=""):
        self.cell, self.faults, self.code, self.route, self.effect = cell, faults, code, route, effect


def others(before, now, allowed):
    """Changes and input on controls that were not meant."""
    for ident in set(before["state"]) | set(now["state"]):
        if before["state"].get(ident) != now["state"].get(ident) and ident not in allowed:
            yield f"{ident} changed from {before['state'].get(ident)!r} to {now['state'].get(ident)!r}"
    for e in now["events"]:
        if e["event"] in INPUT and e["target"] is not None and e["target"] not in allowed:
            yield f"{e['target']} received {e['event']}"


def judge(case, reply, before, now, seen, disturbed, must):
    """`must`: a refusal is a fault here. `disturbed`: what the sentinel says."""
    allowed = {case.target, case.to[0] if case.to else None, *case.effect.changes, *case.also}
    if case.target.startswith("item_"):
        allowed |= {"area"} | {f"item_{i}" for i in range(40)}  # the scrolled content moves under the pointer
    if case.target.startswith(("city_", "order_", "tab_")):
        kind = case.target.split("_")[0]
        if case.request.get("action") == "set_value":
            allowed |= {e["target"] for e in now["events"] if (e["target"] or "").startswith(kind)}
        allowed |= {e["target"] for e in now["events"] if e["event"] in ("press", "release") and (e["target"] or "").startswith(case.target.split("_")[0])} if case.to else set()
        allowed |= {{"city": "cities", "order": "order", "tab": "tabs"}[case.target.split("_")[0]]}
    faults = [f"disturbed the user: {what}" for what in disturbed]
    code, effect = reply.get("code", ""), reply.get("effect", "?")
    wrong = list(others(before, now, allowed))
    if effect == "confirmed" and not reply.get("evidence"):
        faults.append("confirmed without evidence")
    if effect == "refused":
        if now["events"] or before["state"] != now["state"]:
            faults.append(f"refused ({code}), yet the program received something: {str(now['events'])[:200]}")
        if must:
            faults.append(f"refused ({code}): {reply.get('message', '')[:140]}")
        if not code:
            faults.append("refused without a code")
        return Verdict(FAULT if faults else REFUSED, faults, code, "", effect)
    if wrong:
        faults.append("wrong target: " + "; ".join(wrong[:4]))
    if not seen:
        if effect == "confirmed":
            faults.append("false confirmation: " + str(reply.get("evidence"))[:160])
        else:
            faults.append(f"no effect ({effect}{', ' + code if code else ''}): {str([e for e in now['events'] if e['event'] != 'motion'])[-230:]}")
    cell = FAULT if faults else CONFIRMED if effect == "confirmed" else DELIVERED if case.silent else UNCONFIRMED
    return Verdict(cell, faults, code, reply.get("route", ""), effect)
