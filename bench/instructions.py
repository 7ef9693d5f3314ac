#!/usr/bin/env python3
"""Counts the instructions of rows of `sinew bench`, which no other program disturbs.

    instructions.py BASE NEW [ROW]...
    instructions.py --check COUNTS TOOLCHAIN PROGRAM SCENES [--update]

BASE and NEW are folders of checkouts with build/release/sinew in them. Prints the rows of a table:
millions of instructions of the steps of a quick run on one thread, the ratio, and whether both came
to the same hash, which says that they computed the same thing.

With --check, a few rows of PROGRAM are compared with those that the file COUNTS has for the same
TOOLCHAIN, such as aarch64-GNU-12: it fails where there are more by over 3 %, so that what makes
steps slower is seen at once, and says where there are fewer. Exits with 77 where there is no
valgrind, or nothing to compare with; --update writes what is counted into the file.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile

ROWS = """S1-100:bdf2 S2 S6:points type:distance type:isometric_bending type:dihedral_bending
type:strain_triangle type:neo_hookean_tet type:bend_twist S3 S3:bdf2""".split()

# Rows that are counted within seconds: two loops, and contact of balls, of what is penetration-free
# and of a sheet with itself.
CHECKED = "type:distance type:neo_hookean_tet S6:points S6-moving:guarded file:tests/folded".split()
# As long as all the others together, and so only with SINEW_TEST_LONG.
LONG = ("S6-moving:guarded",)
MORE = 0.03


def count(program, scenes, row):
    """Instructions and hash; None where a build has no such row. With lanes that every machine has:
    others are chosen by the processor, and have other counts."""
    step = "sn_scene_step" if row.startswith("file:") else "sn_world_step"
    environment = {**os.environ, "SINEW_SCENES": scenes, "SINEW_WIDTH": "4"}
    with tempfile.TemporaryDirectory() as scratch:
        done = subprocess.run(
            ["valgrind", "--tool=callgrind", f"--toggle-collect={step}",
             f"--callgrind-out-file={scratch}/calls",
             program, "bench", "--quick", "--threads", "1", "--scene", row],
            env=environment, capture_output=True, text=True)
    said = re.search(r"Collected : (\d+)", done.stderr)
    hashes = re.findall(r"\b[0-9a-f]{16}\b", done.stdout)
    if done.returncode != 0 or not said or not hashes or said.group(1) == "0":
        return None
    return int(said.group(1)), hashes


def read_counts(path):
    """Lines of a toolchain, a row and its count."""
    with open(path, encoding="utf-8") as file:
        lines = [line.split() for line in file if line.strip() and not line.startswith("#")]
    return {(toolchain, row): int(number) for toolchain, row, number in lines}


def write_counts(path, counts):
    with open(path, encoding="utf-8") as file:
        head = [line for line in file if line.startswith("#")]
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(head)
        file.writelines(f"{toolchain} {row} {counts[toolchain, row]}\n"
                        for toolchain, row in sorted(counts))


def check(path, toolchain, program, scenes, updates):
    if not shutil.which("valgrind"):
        print("left out: there is no valgrind (the Debian package valgrind)")
        return 77
    counts = read_counts(path)
    rows = [row for row in CHECKED if updates or (toolchain, row) in counts]
    if not updates and "SINEW_TEST_LONG" not in os.environ:
        rows = [row for row in rows if row not in LONG]
    if not rows:
        print(f"left out: {path} has no counts of {toolchain}; --update writes them")
        return 77
    slower = 0
    for row in rows:
        counted = count(program, scenes, row)
        if not counted:
            print(f"{row}: nothing was counted")
            return 1
        before = counts.get((toolchain, row), counted[0])
        more = counted[0] / before - 1
        note = ": slower" if more > MORE else ": faster, --update keeps it" if more < -MORE else ""
        print(f"{row}: {counted[0] / 1e6:.1f} million, {100 * more:+.2f} %{note}", flush=True)
        slower += more > MORE
        counts[toolchain, row] = counted[0]
    if updates:
        write_counts(path, counts)
        return 0
    return 1 if slower else 0


def compare(base, new, rows):
    print("| row | before | now | ratio | same bits |\n|---|---|---|---|---|")
    for row in rows or ROWS:
        before, now = (count(os.path.join(folder, "build/release/sinew"),
                             os.path.join(folder, "scenes"), row) for folder in (base, new))
        if not before or not now:
            print(f"| {row} | {'-' if not before else before[0]} | "
                  f"{'-' if not now else now[0]} | | |", flush=True)
            continue
        print(f"| {row} | {before[0] / 1e6:.1f} | {now[0] / 1e6:.1f} | {now[0] / before[0]:.3f} | "
              f"{'yes' if before[1] == now[1] else 'no'} |", flush=True)


def main():
    arguments = [word for word in sys.argv[1:] if word != "--update"]
    if arguments[:1] == ["--check"]:
        sys.exit(check(*arguments[1:], updates="--update" in sys.argv))
    compare(arguments[0], arguments[1], arguments[2:])


main()
