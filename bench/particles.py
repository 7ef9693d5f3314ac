#!/usr/bin/env python3
"""What fluids cost by their size: time of a step, of finding neighbours, and memory.

    particles.py PROGRAM [--counts 10000,100000,1000000] [--threads 1] [--frames 3] [--iterations 5]

PROGRAM is a `sinew`. For every count a block of so many particles, as high as a column of S5,
breaks in a tank that is three times as wide. Prints rows of a table: milliseconds a frame and of
finding neighbours within it, the same in nanoseconds per particle, and the most memory that the
process had, with the bytes that it is more than the row before for each particle more. Where cost
is linear the columns per particle stay the same. 10,000,000 particles take about 9 GB.
"""

import argparse
import csv
import json
import os
import subprocess
import tempfile

SPACING = 0.05


def scene(count, iterations):
    """A block of at least so many particles, 25 layers high, in a tank."""
    high = 25
    wide = max(4, round((count / high / 2) ** 0.5))
    deep = -(-count // (high * wide))
    width, height, depth = wide * SPACING, high * SPACING, deep * SPACING
    smooth = {"static_friction": 0, "dynamic_friction": 0}
    walls = [("left", [0, 0, 0], [0, 0, 1], "=-pi / 2"),
             ("right", [3 * width, 0, 0], [0, 0, 1], "=pi / 2"),
             ("back", [0, 0, 0], [1, 0, 0], "=pi / 2"),
             ("front", [0, 0, depth], [1, 0, 0], "=-pi / 2")]
    lattice = {"shape": "lattice", "extent": [width, height, depth], "spacing": SPACING}
    return wide * high * deep, {
        "version": 1,
        "settings": {"substeps": 1, "iterations": iterations},
        "run": {"frames": 1, "fps": 60},
        "bodies": [{"name": "water", "material": "water", "mesh": lattice,
                    "position": [width / 2, height / 2, depth / 2]}],
        "colliders": [{"name": "floor", "shape": "plane", **smooth}] + [
            {"name": name, "shape": "plane", "position": at,
             "rotation": {"axis": axis, "angle": angle}, **smooth}
            for name, at, axis, angle in walls]}


def measure(program, count, options):
    """Particles, milliseconds a frame, those of finding, and MiB."""
    particles, text = scene(count, options.iterations)
    with tempfile.TemporaryDirectory() as folder:
        path, stats = os.path.join(folder, "block.json"), os.path.join(folder, "stats.csv")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(text, file)
        command = [program, "run", path, "--frames", str(options.frames + 1), "--threads",
                   str(options.threads), "--format", "none", "--picture", "none", "--stats", stats,
                   "--out", folder]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE) as process:
            said = process.stderr.read()
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            raise SystemExit(f"{count} particles: {said.decode()}")
        with open(stats, encoding="utf-8") as file:
            rows = list(csv.DictReader(file))[-options.frames:]
    step, find = (sum(float(row[name]) for row in rows) / len(rows)
                  for name in ("step [ms]", "find [ms]"))
    return particles, step, find, used.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--counts", default="10000,100000,1000000")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--frames", type=int, default=3)
    parser.add_argument("--iterations", type=int, default=5)
    options = parser.parse_args()
    print("| particles | ms/frame | finding ms | ns each | finding ns each | MiB "
          "| more bytes each |")
    print("|---:|---:|---:|---:|---:|---:|---:|")
    before = None
    for count in (int(text) for text in options.counts.split(",")):
        particles, step, find, memory = measure(options.program, count, options)
        more = f"{(memory - before[1]) * 2**20 / (particles - before[0]):.0f}" if before else ""
        print(f"| {particles:,} | {step:.1f} | {find:.1f} | {1e6 * step / particles:.0f} "
              f"| {1e6 * find / particles:.0f} | {memory:.0f} | {more} |", flush=True)
        before = particles, memory


if __name__ == "__main__":
    main()
