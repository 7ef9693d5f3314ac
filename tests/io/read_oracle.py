#!/usr/bin/env python3
"""Meshes between Sinew and programs of others, in both directions.

    read_oracle.py ORACLE SCRATCH SAMPLES MESHES SINEW

ORACLE is assimp or meshio, SAMPLES the folder tests/io/meshes, MESHES where fetch.py put real ones.
Ends with 77, which CTest takes for skipped, where the oracle is not installed.
"""

import math
import os
import re
import shutil
import subprocess
import sys

ORACLE, SCRATCH, SAMPLES, MESHES, SINEW = sys.argv[1:6]
checks = 0


def convert(source, target, *options):
    """Converts a mesh; what the command says it has read: vertices, triangles, tets, lines."""
    done = subprocess.run(
        [SINEW, "convert", source, target, *options], capture_output=True, text=True
    )
    assert done.returncode == 0, f"convert {source} {target}: {done.stderr}"
    words = ("vert", "triangle", "tet", "line")
    found = {word: 0 for word in words}
    for number, word in re.findall(r"(\d+) ([a-z]+)", done.stdout.split(": ", 1)[1]):
        for known in words:
            if word.startswith(known):
                found[known] = int(number)
    return tuple(found[word] for word in words)


def scratch(name):
    return os.path.join(SCRATCH, name)


def read_obj(path):
    """Positions and triangles of a file that Sinew wrote."""
    points, triangles = [], []
    with open(path, encoding="utf-8") as file:
        for line in file:
            words = line.split()
            if words and words[0] == "v":
                points.append(tuple(map(float, words[1:4])))
            elif words and words[0] == "f":
                triangles.append(tuple(int(word.split("/")[0]) - 1 for word in words[1:4]))
    return points, triangles


def bounds_of(points):
    return [min(p[k] for p in points) for k in range(3)] + [
        max(p[k] for p in points) for k in range(3)
    ]


def make_torus(path):
    """A closed surface of triangles with no two corners alike."""
    rings, sides = 40, 24
    with open(path, "w", encoding="utf-8") as file:
        for i in range(rings):
            for k in range(sides):
                a, b = 2 * math.pi * i / rings, 2 * math.pi * k / sides
                r = 2 + 0.7 * math.cos(b) + 0.1 * math.sin(5 * a)
                file.write(f"v {r * math.cos(a)} {0.7 * math.sin(b)} {r * math.sin(a)}\n")
        for i in range(rings):
            for k in range(sides):
                here, there = 1 + i * sides, 1 + (i + 1) % rings * sides
                a, b, c, d = here + k, there + k, there + (k + 1) % sides, here + (k + 1) % sides
                file.write(f"f {a} {c} {b}\nf {a} {d} {c}\n")


def surfaces():
    torus = scratch("torus.obj")
    make_torus(torus)
    yield torus
    for name in ("bunny.obj", "teapot.obj", "cgal_armadillo.off", "cgal_elephant.off"):
        if os.path.exists(os.path.join(MESHES, name)):
            yield os.path.join(MESHES, name)


# ---- assimp ----


def assimp_info(path):
    """Faces, and the box around all, as assimp reads it without changing anything."""
    done = subprocess.run(["assimp", "info", path, "--raw"], capture_output=True, text=True)
    faces = re.search(r"^Faces:\s+(\d+)", done.stdout, re.M)
    assert faces, f"assimp cannot read {path}: {done.stdout}{done.stderr}"
    box = []
    for word in ("Minimum", "Maximum"):
        numbers = re.search(rf"^{word} point\s+\(([^)]*)\)", done.stdout, re.M).group(1)
        box += map(float, numbers.split())
    return int(faces.group(1)), box


def compare(what, faces, box, expected_faces, expected_box):
    global checks
    size = max(abs(x) for x in expected_box) + 1e-6
    assert faces == expected_faces, f"{what}: {faces} faces, expected {expected_faces}"
    for found, expected in zip(box, expected_box):
        # It prints six digits after the point.
        assert abs(found - expected) <= 2e-6 + 1e-6 * size, f"{what}: {box}, not {expected_box}"
    checks += 1


def check_assimp(source):
    name = os.path.basename(source)
    own = scratch("own.obj")
    convert(source, own)
    points, triangles = read_obj(own)
    used = sorted({corner for triangle in triangles for corner in triangle})
    box = bounds_of([points[i] for i in used])
    # What Sinew writes, assimp reads.
    for ending in ("obj", "ply", "stl", "off", "glb"):
        target = scratch("from_sinew." + ending)
        convert(source, target)
        compare(f"{name} as {ending}", *assimp_info(target), len(triangles), box)
    convert(source, scratch("from_sinew.ply"), "--text")
    compare(f"{name} as ply in text", *assimp_info(scratch("from_sinew.ply")), len(triangles), box)
    # What assimp writes, Sinew reads.
    for form, ending in (
        ("obj", "obj"),
        ("ply", "ply"),
        ("plyb", "ply"),
        ("stl", "stl"),
        ("stlb", "stl"),
        ("glb2", "glb"),
    ):
        target = scratch(f"from_assimp_{form}.{ending}")
        subprocess.run(
            ["assimp", "export", own, target, "-f" + form], capture_output=True, check=True
        )
        counts = convert(target, scratch("back.obj"))
        back, again = read_obj(scratch("back.obj"))
        back = [back[i] for i in sorted({corner for t in again for corner in t})]
        compare(f"{name} by assimp as {form}", counts[1], bounds_of(back), len(triangles), box)


# ---- meshio ----


def check_meshio(source, endings, numpy, meshio):
    """Points and cells as they are in Sinew, bit by bit."""
    global checks
    tets = "msh" in source
    convert(source, scratch("own.mesh"))
    expected = meshio.read(scratch("own.mesh"))
    for ending in endings:
        target = scratch("mesh." + ending)
        convert(source, target)
        found = meshio.read(target)
        points = numpy.asarray(found.points, dtype=numpy.float32)
        same = ending == "stl" or numpy.array_equal(points, expected.points.astype(numpy.float32))
        assert same, f"{source} as {ending}: other points"
        for kind in ("triangle", "tetra", "line"):
            if kind != "triangle" and not tets:
                continue
            cells = [c.data for c in found.cells if c.type == kind]
            wanted = [c.data for c in expected.cells if c.type == kind]
            cells = numpy.concatenate(cells) if cells else numpy.zeros((0, 3))
            wanted = numpy.concatenate(wanted) if wanted else numpy.zeros((0, 3))
            if ending in ("stl", "node"):
                assert kind != "triangle" or len(cells) in (len(wanted), 0), ending
                if kind == "tetra" and ending == "node":
                    assert numpy.array_equal(cells, wanted), ending
            else:
                assert numpy.array_equal(cells, wanted), f"{source} as {ending}: other {kind}s"
        checks += 1


def main():
    shutil.rmtree(SCRATCH, ignore_errors=True)
    os.makedirs(SCRATCH)
    if ORACLE == "assimp":
        if not shutil.which("assimp"):
            print("skipped: assimp is not installed (Debian: assimp-utils)")
            sys.exit(77)
        for source in surfaces():
            check_assimp(source)
    else:
        try:
            import meshio
            import numpy
        except ImportError:
            print("skipped: meshio is not installed (Debian: python3-meshio)")
            sys.exit(77)
        box = os.path.join(SAMPLES, "box_41_text.msh")
        check_meshio(box, ("msh", "mesh", "vtu"), numpy, meshio)
        for source in surfaces():
            check_meshio(source, ("msh", "mesh", "vtu", "ply", "obj", "off", "stl"), numpy, meshio)
    print(f"{checks} files compared")


main()
