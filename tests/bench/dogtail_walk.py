#!/usr/bin/python3
"""What a dogtail script does to see a window: walk every node of the program with this pid, with name, role and position."""
import sys

from dogtail import tree
from dogtail.config import config

config.logDebugToStdOut = False
config.logDebugToFile = False


def walk(node, count=0):
    for child in node.children:
        try:
            _ = (child.name, child.roleName, child.position, child.size, child.showing)
        except Exception:  # a node without a position
            pass
        count = walk(child, count + 1)
    return count


pid = int(sys.argv[1])
apps = [a for a in tree.root.applications() if a.get_process_id() == pid]
if not apps:
    sys.exit(1)
print(sum(walk(a) for a in apps))
