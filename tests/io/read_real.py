#!/usr/bin/env python3
"""Real meshes, as people have them: all are read, and keep every bit through other formats.

    read_real.py SCRATCH MESHES SINEW

Ends with 77, which CTest takes for skipped, where fetch.py has not been run.
"""

import glob
import os
import shutil
import subprocess
import sys

SCRATCH, MESHES, SINEW = sys.argv[1:4]

# More faces than its header says.
BROKEN = {"cgal_prim.off": 'found "3", expected the end of the file'}


def convert(source, target):
    done = subprocess.run([SINEW, "convert", source, target], capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def read(path):
    with open(path, "rb") as file:
        return file.read()


def count_open_edges(path):
    """Edges that do not have a triangle on both sides."""
    edges = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.startswith("f "):
                a, b, c = map(int, line.split()[1:])
                for edge in ((a, b), (b, c), (c, a)):
                    edges[edge] = edges.get(edge, 0) + 1
    return sum(1 for (a, b) in edges if (b, a) not in edges)


def check(path):
    name = os.path.basename(path)
    first, second = os.path.join(SCRATCH, "first.obj"), os.path.join(SCRATCH, "second.obj")
    status, said = convert(path, first)
    if name in BROKEN:
        assert status == 1 and BROKEN[name] in said, said
        return
    assert status == 0, said
    for ending in ("ply", "vtu", "off", "glb", "msh", "mesh"):
        other = os.path.join(SCRATCH, "other." + ending)
        status, told = convert(first, other)
        assert status == 0, told
        status, told = convert(other, second)
        assert status == 0, told
        assert read(first) == read(second), f"{name} by way of {ending}"
    if os.path.exists(path + ".counts"):
        vertices, faces = read(path + ".counts").split()
        assert f"{int(vertices)} vertices, {int(faces)} triangles" in said, said
    if name in ("bunny.obj", "cgal_armadillo.off"):
        assert count_open_edges(first) == 0, f"{name} is not closed"


def main():
    paths = [glob.glob(os.path.join(MESHES, pattern)) for pattern in ("*.obj", "*.off")]
    paths = sorted(sum(paths, []))
    if not paths:
        print("skipped: there are no meshes, tests/io/fetch.py fetches them")
        sys.exit(77)
    shutil.rmtree(SCRATCH, ignore_errors=True)
    os.makedirs(SCRATCH)
    for path in paths:
        check(path)
    print(f"{len(paths)} meshes")


main()
