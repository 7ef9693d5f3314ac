"""What the oracles that run in Python share."""

import json
import math
import os
import struct
import subprocess
import sys

PARTS = ("steady", "changing")
# What moves as a whole: a crate and a rotor, once from a scene and once from its cache.
RIGID = ("rigid", "cached")
counts = {"passed": 0, "failed": 0}


def check(held, what):
    """Notes a failure; whether it held."""
    if held:
        counts["passed"] += 1
    else:
        counts["failed"] += 1
        if counts["failed"] <= 12:
            print("FAIL ", what)
    return bool(held)


def read_by_assimp(path, scratch):
    """What assimp makes of a file, as its JSON has it; None where it fails, which is noted."""
    target = os.path.join(scratch, "out.assjson")
    done = subprocess.run(
        ["assimp", "export", path, target, "-fassjson"], capture_output=True, text=True
    )
    if not check(done.returncode == 0, f"{path}: assimp ended with {done.returncode}"):
        print(done.stdout, done.stderr)
        return None
    with open(target, encoding="utf-8") as file:
        return json.load(file)


def single(value):
    """A number in single precision, however it was written."""
    return struct.unpack("<f", struct.pack("<f", value))[0]


def flat(rows):
    return [x for row in rows for x in (row if hasattr(row, "__len__") else [row])]


def near(found, expected, tolerance, what):
    """Two lists of numbers, or of rows of them."""
    found, expected = flat(found), flat(expected)
    if not check(len(found) == len(expected), f"{what}: {len(found)}, expected {len(expected)}"):
        return
    for i, (a, b) in enumerate(zip(found, expected)):
        a, b = float(a), single(b)
        if not abs(a - b) <= tolerance or math.isnan(a):
            check(False, f"{what}: number {i} is {a}, expected {b}")
            return
    check(True, what)


def expected(folder):
    with open(os.path.join(folder, "expected.json"), encoding="utf-8") as file:
        return json.load(file)


def skip(why):
    print("skipped:", why)
    sys.exit(77)


def finish():
    print(f"{counts['passed']} passed, {counts['failed']} failed")
    sys.stdout.flush()
    os._exit(1 if counts["failed"] or not counts["passed"] else 0)
