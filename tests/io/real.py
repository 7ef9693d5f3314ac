#!/usr/bin/env python3
"""Real meshes, where tests/io/fetch.py has fetched them: what is said about them is right, and
those that are closed are filled with tetrahedra and simulated.

    real.py MESHES SCRATCH PROGRAM...
"""

import json
import os
import subprocess
import sys

MESHES, SCRATCH, PROGRAM = sys.argv[1], sys.argv[2], sys.argv[3:]

# Errors, warnings, and a part of a sentence that must be there.
EXPECTED = {
    "bunny.obj": (0, 0, "3674 triangles, closed, 0 handles"),
    "teapot.obj": (0, 1, "welding closes 464 boundary edges"),
    "snowden.obj": (1, 0, "88 edges belong to more than two triangles"),
    "cgal_armadillo.off": (0, 0, "52000 triangles, closed, 0 handles"),
}
# Closed ones, with the factor that makes them about a metre large.
CLOSED = {"bunny.obj": 0.1, "cgal_armadillo.off": 0.007}


def sinew(*arguments):
    done = subprocess.run([*PROGRAM, *arguments], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def check(name):
    code, said, _ = sinew("check", os.path.join(MESHES, name), "--json")
    report = json.loads(said)
    errors, warnings, sentence = EXPECTED[name]
    assert (report["errors"], report["warnings"]) == (errors, warnings), said
    assert code == (1 if errors else 0)
    assert any(sentence in finding["sentence"] for finding in report["findings"]), said


def mend():
    """The teapot has no seams when it is welded; its spout and lid still touch in a vertex."""
    mended = os.path.join(SCRATCH, "teapot.ply")
    code, said, error = sinew("check", os.path.join(MESHES, "teapot.obj"), "--fix", "-o", mended)
    assert code == 1 and "1 vertex joins fans" in said, said + error
    again = sinew("check", mended)[1]
    assert "64 edges belong to one triangle only" in again and "0 warnings" in again, again


def simulate(name, conform):
    scene = {
        "version": 1,
        "bodies": [{
            "name": "body",
            "mesh": {
                "shape": "fill",
                "surface": {"shape": "file", "path": os.path.abspath(os.path.join(MESHES, name)),
                            "scale": CLOSED[name]},
                "spacing": 0.1,
                "conform": conform,
            },
            "material": "jelly",
        }],
    }
    path = os.path.join(SCRATCH, "scene.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(scene, file)
    code, said, error = sinew("run", path, "--frames", "5", "--out", SCRATCH, "--json",
                              "--allow", os.path.abspath(MESHES))
    assert code == 0, error
    assert json.loads(said)["largest strain [1]"] < 0.1, said


def main():
    os.makedirs(SCRATCH, exist_ok=True)
    there = [name for name in EXPECTED if os.path.exists(os.path.join(MESHES, name))]
    if not there:
        print("no meshes in", MESHES)
        return 77
    for name in there:
        check(name)
        print("checked", name)
    if "teapot.obj" in there:
        mend()
    for name in CLOSED:
        for conform in (False, True):
            if name in there:
                simulate(name, conform)
                print("filled", name, "to its surface" if conform else "with a lattice")
    return 0


sys.exit(main())
