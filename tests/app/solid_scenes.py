#!/usr/bin/env python3
"""The scenes of solids do what they say: stacks stand, beams come back, dents stay, muscles lift.

    scenes.py SCRATCH SINEW
"""

import json
import subprocess
import sys

SCRATCH, SINEW = sys.argv[1:3]


def run(scene, frames, *sets):
    """The numbers of a scene after some frames."""
    command = [SINEW, "run", scene, "--frames", str(frames), "--json", "--format", "none"]
    command += ["--picture", "none", "--out", SCRATCH, "--threads", "1"]
    for one in sets:
        command += ["--set", one]
    said = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    assert all(value is not None for value in said.values()), (scene, said)
    return said


def near(value, low, high, what):
    assert low < value < high, f"{what} is {value}, expected {low} to {high}"


def test_jellies():
    """Three cubes of 20 cm carry the ball, each a little lower than at rest."""
    said = run("jellies", 60)
    near(said["top y [m]"], 0.45, 0.8, "the ball on the stack")
    assert said["contacts"] > 50


def test_twist():
    """The end is where it is turned to, the middle is thinner; once free, it hangs down."""
    near(run("twist", 96)["end y [m]"], 0.499, 0.501, "the end that is turned")
    said = run("twist", 180)
    near(said["end y [m]"], -0.7, 0.49, "the end that is free")
    assert said["largest strain [1]"] < 1


def test_armadillo():
    """It has come down from the steps and lies on the floor, in its shape."""
    said = run("armadillo", 110)
    near(said["middle y [m]"], 0.02, 0.6, "the middle of the ring")
    near(said["mean strain [1]"], 0, 0.15, "its strain")


def test_clay():
    """The dent stays in clay, and does not in what is as elastic."""
    top = run("clay", 150)["top y [m]"]
    near(top, 0.15, 0.26, "the top of the clay")
    back = run("clay", 150, "yield=100")["top y [m]"]
    near(back, 0.27, 0.34, "the top of what does not yield")


def test_sponge():
    """It is pressed to about half its height, and has its shape again."""
    near(run("sponge", 72)["top y [m]"], 0.14, 0.17, "the top of what is pressed")
    said = run("sponge", 170)
    near(said["top y [m]"], 0.205, 0.213, "the top of the sponge")
    near(said["mean strain [1]"], 0, 0.01, "its strain")


def test_ducks():
    """They lie in the box, in their shapes; where they yield at once, they do not."""
    said = run("ducks", 90, "layers=1")
    assert said["contacts"] > 50 and said["penetrations"] == 0
    near(said["kinetic energy [J]"], 0, 0.05, "what is left of the fall")
    near(said["potential energy [J]"], 0.3, 2, "how high they lie")
    near(said["mean strain [1]"], 0, 0.02, "their strain")
    flat = run("ducks", 90, "layers=1", "yield=0.05")["mean strain [1]"]
    assert flat > 2 * said["mean strain [1]"], (flat, said["mean strain [1]"])


def test_muscle():
    """The hand goes up with the muscle, and stays down without effort."""
    rest = run("muscle", 70, "effort=0")["hand y [m]"]
    up = run("muscle", 70)["hand y [m]"]
    assert up > rest + 0.1, (rest, up)


def test_funnel():
    """The first has passed the neck."""
    near(run("funnel", 60)["first y [m]"], 0, 1.2, "the lowest body")


def test_plants():
    """The current bends them over and back where it turns, they stay whole and rooted, and the fish
    has come through among them."""
    still = run("plants", 90, "current=0", "eddies=0")
    near(still["top x [m]"], -0.16, -0.08, "a top in still water")
    said = run("plants", 90)
    near(said["top x [m]"], still["top x [m]"] + 0.05, 0.4, "a top in the current")
    near(said["top y [m]"], 0.6, 0.8, "its height")
    near(said["largest strain [1]"], 0, 0.1, "the strain")
    near(said["fish x [m]"], -0.6, 0.2, "the way of the fish")
    back = run("plants", 90, "current=-0.45", "eddies=0")
    near(back["top x [m]"], -0.6, still["top x [m]"] - 0.05, "a top in the current from the right")


def test_squeeze():
    """Three balls keep their volume under the plate, and the empty one does not."""
    said = run("squeeze", 120)
    for name in ("global", "across", "moved"):
        near(said[name + " [C]"], -2e-4, 2e-4, "what is missing of " + name)
    near(said["empty [C]"], -0.03, -0.003, "what is missing of the empty one")


def write(name, scene):
    """A scene of one body in a file."""
    path = f"{SCRATCH}/{name}.json"
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"version": 1, "colliders": [{"name": "floor", "shape": "plane"}], **scene}, file)
    return path


def points(path):
    """The vertices of an exported frame."""
    with open(path, encoding="utf-8") as file:
        return [tuple(map(float, line.split()[1:])) for line in file if line.startswith("v ")]


def test_blend():
    """A surface that bends between the tetrahedra moves with them, and is not quite where one is
    that does not."""
    seen = []
    for blend in (False, True):
        mesh = {"shape": "fill", "spacing": 0.15, "blend": blend,
                "surface": {"shape": "box", "extent": [1, 0.2, 0.2], "cells": [20, 4, 4]}}
        path = write(f"blend_{blend}".lower(), {
            "bodies": [{"name": "beam", "mesh": mesh, "position": [0, 0.5, 0],
                        "pins": [{"box": {"least": [-1, 0, -1], "most": [-0.3, 1, 1]}}],
                        "material": {"kind": "solid", "young": 2e4}}]})
        subprocess.run([SINEW, "run", path, "--frames", "20", "--out", SCRATCH, "--format", "obj"],
                       check=True, capture_output=True)
        seen.append(points(f"{SCRATCH}/" + f"blend_{blend}_0020.obj".lower()))
    apart = [max(abs(a - b) for a, b in zip(p, q)) for p, q in zip(*seen)]
    assert len(seen[0]) == len(seen[1]) > 100
    near(max(apart), 1e-4, 0.03, "the largest difference")


def test_sums():
    """All ways to sum give the same motion but for rounding."""
    places = []
    for sums in ("auto", "direct", "lattice", "paths"):
        path = write("sums_" + sums, {
            "bodies": [{"name": "bar", "position": [0, 0.3, 0],
                        "mesh": {"shape": "block", "extent": [0.8, 0.2, 0.2], "cells": [8, 2, 2]},
                        "material": {"kind": "shape", "region": "cells", "sums": sums}}]})
        places.append(run(path, 30)["potential energy [J]"])
    for place in places[1:]:
        near(place, places[0] - 1e-3, places[0] + 1e-3, "the height of the bar")


for name, test in sorted(globals().items()):
    if name.startswith("test_"):
        test()
        print("ok", name)
