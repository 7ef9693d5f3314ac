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
    command += ["--out", SCRATCH, "--threads", "1"]
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


for name, test in sorted(globals().items()):
    if name.startswith("test_"):
        test()
        print("ok", name)
