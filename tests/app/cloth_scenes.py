#!/usr/bin/env python3
"""The scenes of cloth do what they say, and cloth is not strained by how it is moved.

    cloth_scenes.py SCRATCH SINEW
"""

import csv
import os
import subprocess
import sys

SCRATCH, SINEW = sys.argv[1:3]


def run(scene, frames, *sets):
    """The numbers of every frame of a scene, by their columns."""
    stats = os.path.join(SCRATCH, "cloth_scenes.csv")
    command = [SINEW, "run", scene, "--frames", str(frames), "--stats", stats, "--format", "none"]
    command += ["--picture", "none", "--out", SCRATCH, "--threads", "1"]
    for one in sets:
        command += ["--set", one]
    subprocess.run(command, check=True, capture_output=True)
    with open(stats, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return {name: [float(row[name]) for row in rows] for name in rows[0]}


def mean(values):
    return sum(values) / len(values)


def test_pull():
    """The cloth goes, what stood on it stays; a fast pull strains it no more than a slow one."""
    for duration in ("0.35", "0.15"):
        said = run("pull", 64, f"duration={duration}", "edge=0.04")
        strain = said["mean strain [1]"]
        assert mean(strain) < 0.01 and max(strain) < 0.02, (duration, mean(strain), max(strain))
        assert said["cloth z [m]"][-1] > 0.8, said["cloth z [m]"][-1]
        for name, height in (("plate", 0.74), ("beaker", 0.77)):
            y, z = said[f"{name} y [m]"], said[f"{name} z [m]"]
            assert y[-1] > height and z[-1] - z[0] < 0.15, (duration, name, y[-1], z[0], z[-1])


def test_slow_pull():
    """It takes along what stands on it."""
    z = run("pull", 100, "duration=1.5", "friction=0.5", "edge=0.05")["plate z [m]"]
    assert z[-1] - z[0] > 0.15, (z[0], z[-1])


def test_catch():
    """The ball lies in the net, and did not pass it."""
    y = run("catch", 150)["ball y [m]"]
    assert min(y) > 0.3 and 0.4 < y[-1] < 0.9, (min(y), y[-1])


def test_trampoline():
    """The mat throws the ball up again, to less than where it fell from."""
    y = run("trampoline", 70)["ball y [m]"]
    lowest = min(y)
    back = max(y[y.index(lowest):])
    assert lowest < 0.6 and 1.1 < back < y[0], (lowest, back, y[0])


def test_bed():
    """The blanket lies on the bed, and hangs over its sides, all of it at rest."""
    said = run("bed", 100, "edge=0.06")
    assert said["kinetic energy [J]"][-1] < 0.1, said["kinetic energy [J]"][-1]
    assert 0.35 < said["blanket y [m]"][-1] < 0.48, said["blanket y [m]"][-1]
    assert 0.48 < said["pillow y [m]"][-1] < 0.62, said["pillow y [m]"][-1]
    assert said["mean strain [1]"][-1] < 0.01


def main():
    for name, test in sorted(globals().items()):
        if name.startswith("test_"):
            test()
            print(f"{name[5:]}: as expected", flush=True)


main()
