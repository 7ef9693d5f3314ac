"""Strain of every scene with cloth, as it is and with many times its substeps, as a table.

usage: strain.py SINEW SCENES [--frames N] [--times N] [--coarse X] [NAME]...

Runs "sinew strain" on the scenes of a folder, or on those that are named, and prints one line for
each body of cloth; of many bodies of a scene, the one that differs most. With --coarse, those that
have a parameter for it have edges X times as long, and the others are left out.
"""

import argparse
import json
import os
import subprocess
import sys


def scenes_with_cloth(folder):
    for name in sorted(os.listdir(folder)):
        if not name.endswith(".json"):
            continue
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            if '"cloth"' in file.read():
                yield name[: -len(".json")]


def excess(body):
    return body["mean"][0] - body["mean"][1]


def coarser(options, name):
    """The parameter that makes the mesh of a scene so much coarser, as words of a command."""
    with open(os.path.join(options.scenes, name + ".json"), encoding="utf-8") as file:
        parameters = json.load(file).get("parameters", {})
    if "edge" in parameters:
        return ["--set", f"edge={parameters['edge']['value'] * options.coarse:g}"]
    if "cells" in parameters:
        return ["--set", f"cells={round(parameters['cells']['value'] / options.coarse)}"]
    return None


def measure(options, name):
    words = coarser(options, name) if options.coarse != 1 else []
    if words is None:
        return
    command = [options.sinew, "strain", os.path.join(options.scenes, name + ".json"), "--json"]
    command += ["--frames", str(options.frames), "--times", str(options.times), *words]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} failed")
    said = json.loads(done.stdout)
    body = max((b for b in said["bodies"] if b["kind"] == "cloth"), key=excess)
    mean, largest = ([100 * x for x in body[key]] for key in ("mean", "largest"))
    print(
        f"| `{name}` | {body['name']} | {said['substeps'][0]} | {mean[0]:.2f} | {mean[1]:.2f} "
        f"| {largest[0]:.1f} | {largest[1]:.1f} |",
        flush=True,
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sinew", help="the command")
    parser.add_argument("scenes", help="the folder of scenes")
    parser.add_argument("names", nargs="*", help="which scenes; none: all with cloth")
    parser.add_argument("--frames", type=int, default=40, help="of each run (40)")
    parser.add_argument("--times", type=int, default=16, help="how many times the substeps (16)")
    parser.add_argument("--coarse", type=float, default=1, help="how many times as long edges are")
    options = parser.parse_intermixed_args()
    print("| scene | body | substeps | mean, % | with more | largest, % | with more |")
    print("|---|---|---|---|---|---|---|", flush=True)
    for name in options.names or scenes_with_cloth(options.scenes):
        measure(options, name)


if __name__ == "__main__":
    main()
