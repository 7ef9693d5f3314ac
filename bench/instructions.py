#!/usr/bin/env python3
"""Counts the instructions of rows of `sinew bench` in two builds, which no other program disturbs.

    instructions.py BASE NEW [ROW]...

BASE and NEW are folders of checkouts with build/release/sinew in them. Prints the rows of a table:
millions of instructions of the steps of a quick run on one thread, the ratio, and whether both came
to the same hash, which says that they computed the same thing.
"""

import os
import re
import subprocess
import sys
import tempfile

ROWS = """S1-100:bdf2 S2 S6 S6:points type:distance type:isometric_bending type:dihedral_bending
type:strain_triangle type:neo_hookean_tet type:bend_twist S3 S3:bdf2""".split()


def count(folder, row):
    """Instructions and hash; None where a build has no such row."""
    step = "sn_scene_step" if row.startswith("file:") else "sn_world_step"
    environment = {**os.environ, "SINEW_SCENES": os.path.join(folder, "scenes")}
    with tempfile.TemporaryDirectory() as scratch:
        done = subprocess.run(
            ["valgrind", "--tool=callgrind", f"--toggle-collect={step}",
             f"--callgrind-out-file={scratch}/calls",
             os.path.join(folder, "build/release/sinew"), "bench", "--quick", "--threads", "1",
             "--scene", row],
            env=environment, capture_output=True, text=True)
    said = re.search(r"Collected : (\d+)", done.stderr)
    hashes = re.findall(r"\b[0-9a-f]{16}\b", done.stdout)
    if done.returncode != 0 or not said or not hashes or said.group(1) == "0":
        return None
    return int(said.group(1)), hashes


def main():
    base, new, *rows = sys.argv[1:]
    print("| row | before | now | ratio | same bits |\n|---|---|---|---|---|")
    for row in rows or ROWS:
        before, now = count(base, row), count(new, row)
        if not before or not now:
            print(f"| {row} | {'-' if not before else before[0]} | "
                  f"{'-' if not now else now[0]} | | |", flush=True)
            continue
        print(f"| {row} | {before[0] / 1e6:.1f} | {now[0] / 1e6:.1f} | {now[0] / before[0]:.3f} | "
              f"{'yes' if before[1] == now[1] else 'no'} |", flush=True)


main()
