#!/usr/bin/env python3
"""What threads gain: scenes with several numbers of threads, which must not change a bit.

    threads.py PROGRAM [SCENES] [--threads 1,2,4,8,16] [--seconds 150]

PROGRAM is a `sinew`, SCENES the folder of scenes where it does not know it. Prints rows of a table:
milliseconds a frame for each number of threads, how many times as fast the best is as one thread,
and whether the hashes are the same. Small scenes first; where the seconds are over, what is left is
named and left out. Exits with 1 where hashes differ.
"""

import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile
import time

# Rows of `sinew bench`, and scene files with their frames: the mean of the later half counts.
BENCHED = ["S1-100", "S2", "S2:neo-hookean", "S6-moving", "S6-moving:points", "S1-300"]
FILES = [("funnel", 40), ("tests/stack", 6)]


def bench(program, row, threads):
    """Milliseconds and hash of a row of the benchmark; those after it that begin alike are not
    waited for."""
    command = [program, "bench", "--json", "--threads", str(threads), "--scene", row]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            found = json.loads(line)
            if found["scene"] == row:
                process.terminate()
                return found["ms_per_frame"], found["hash"]
    raise SystemExit(f"{program} has no row {row}")


def run(program, scene, frames, threads):
    with tempfile.TemporaryDirectory() as folder:
        stats = os.path.join(folder, "stats.csv")
        said = subprocess.run(
            [program, "run", scene, "--frames", str(frames), "--threads", str(threads), "--hash",
             "--format", "none", "--picture", "none", "--stats", stats, "--out", folder],
            capture_output=True, text=True, check=True).stdout
        with open(stats, encoding="utf-8") as file:
            times = [float(line["step [ms]"]) for line in csv.DictReader(file)]
    later = times[len(times) // 2:]
    return sum(later) / len(later), said.split()[-1]


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("scenes", nargs="?")
    parser.add_argument("--threads", default="1,2,4,8,16")
    parser.add_argument("--seconds", type=float, default=150)
    options = parser.parse_args()
    if options.scenes:
        os.environ["SINEW_SCENES"] = options.scenes
    counts = [int(word) for word in options.threads.split(",")]
    end, differ = time.monotonic() + options.seconds, False
    print("| scene | " + " | ".join(f"{n}, ms" for n in counts) + " | gain | same bits |")
    print("|---" * (len(counts) + 3) + "|")
    for row, frames in [(row, 0) for row in BENCHED] + FILES:
        times, hashes = [], set()
        for threads in counts:
            if time.monotonic() > end:
                break
            spent, hashed = (run(options.program, row, frames, threads) if frames else
                             bench(options.program, row, threads))
            times.append(spent)
            hashes.add(hashed)
        differ = differ or len(hashes) > 1
        cells = [f"{t:.2f}" for t in times] + ["–"] * (len(counts) - len(times))
        gain = f"{times[0] / min(times):.1f}" if times else "–"
        same = "–" if len(times) < 2 else "yes" if len(hashes) == 1 else "NO"
        print(f"| {row} | {' | '.join(cells)} | {gain} | {same} |", flush=True)
    sys.exit(1 if differ else 0)


main()
