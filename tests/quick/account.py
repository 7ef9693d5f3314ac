#!/usr/bin/env python3
"""Says what the build and the tests of build folders took, after ./dev test.

    account.py BUILD...

Seconds of one processor each, where no other program disturbed: what was compiled or linked last,
by what it belongs to (.ninja_log), and the tests that took longest (CTestCostData.txt). ccache
makes the first meaningless.
"""

import collections
import os
import re
import sys


def part_of(output):
    """What a file that was made belongs to."""
    if "CMakeFiles" not in output:
        return "linking"
    target = re.search(r"CMakeFiles/(\w+)\.dir/", output)
    if output.startswith("tests/"):
        return "tests in double" if target and target.group(1).endswith("_f64") else "tests"
    return target.group(1) if target else "others"


def built(folder):
    """Seconds by part; an edge with several outputs counts once, and the last time it was made."""
    edges = {}
    with open(os.path.join(folder, ".ninja_log"), encoding="utf-8") as file:
        for line in file:
            words = line.rstrip("\n").split("\t")
            if len(words) == 5:
                edges[words[4]] = (int(words[1]) - int(words[0]), words[3])
    seconds = collections.Counter()
    for taken, output in edges.values():
        seconds[part_of(output)] += taken / 1000
    return seconds


def tested(folder):
    path = os.path.join(folder, "Testing/Temporary/CTestCostData.txt")
    if not os.path.isfile(path):
        return {}
    with open(path, encoding="utf-8") as file:
        lines = [line.split() for line in file]
    return {words[0]: float(words[2]) for words in lines if len(words) == 3}


def show(title, seconds, most):
    print(f"  {title}: {sum(seconds.values()):.0f} s")
    for name, taken in sorted(seconds.items(), key=lambda item: -item[1])[:most]:
        print(f"    {taken:7.1f} {name}")


def main():
    for folder in sys.argv[1:]:
        print(folder)
        show("built", built(folder), 12)
        show("tests", tested(folder), 20)


main()
