"""Drape coefficients of the fabrics by Cusick's test: the shadow of a disc of 30 cm on one of 18.

usage: drape.py SINEW SCENES [--check] [--edge M] [--frames N] [FABRIC]...

Runs the scene "cusick" with every fabric, or those that are named, and prints one line for each:
the coefficient, which is the area of the shadow of what stands out, over that of the flat ring; and
the folds, which is the strongest number of waves of the height along the rim, beside what is
expected of a sheet that hangs: waves of 2 sqrt(pi) (B / T)^(1/4) L^(1/2) (Cerda and Mahadevan 2003)
along the middle of the ring, with the tension T at half of the length L that hangs. With --check it
fails where the order or the size of the coefficients is not that of fabrics.
"""

import argparse
import math
import os
import subprocess
import sys
import tempfile

OUTER, INNER = 0.15, 0.09  # m, radii
CELL = 0.0005  # m, of the shadow

# kg/m^2 and N m, as in docs/materials.md.
FABRICS = {
    "silk": (0.06, 2e-6),
    "jersey": (0.19, 3e-6),
    "cotton": (0.15, 7e-6),
    "wool": (0.235, 1.2e-5),
    "denim": (0.324, 6e-5),
    "paper": (0.08, 3.7e-4),
    "leather": (0.7, 2e-3),
}


def read_obj(path):
    vertices, triangles = [], []
    inside = False
    with open(path, encoding="utf-8") as file:
        for line in file:
            words = line.split()
            if not words:
                continue
            if words[0] in "og":
                inside = "cloth" in words[1]
            elif words[0] == "v":
                vertices.append(tuple(float(x) for x in words[1:4]))
            elif words[0] == "f" and inside:
                triangles.append([int(w.split("/")[0]) - 1 for w in words[1:4]])
    return vertices, triangles


def shadow(vertices, triangles):
    """m^2, of light from straight above."""
    cells = set()
    for triangle in triangles:
        (ax, _, ay), (bx, _, by), (cx, _, cy) = (vertices[i] for i in triangle)
        area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
        if area == 0:
            continue
        for j in range(math.floor(min(ay, by, cy) / CELL), math.floor(max(ay, by, cy) / CELL) + 1):
            y = (j + 0.5) * CELL
            for i in range(
                math.floor(min(ax, bx, cx) / CELL), math.floor(max(ax, bx, cx) / CELL) + 1
            ):
                x = (i + 0.5) * CELL
                u = ((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / area
                v = ((cx - bx) * (y - by) - (cy - by) * (x - bx)) / area
                if u >= 0 and v >= 0 and u + v <= 1:
                    cells.add((i, j))
    return len(cells) * CELL * CELL


def rim_of(vertices, triangles):
    """Vertices of edges with one triangle."""
    count = {}
    for t in triangles:
        for a, b in ((t[0], t[1]), (t[1], t[2]), (t[2], t[0])):
            key = (min(a, b), max(a, b))
            count[key] = count.get(key, 0) + 1
    return [vertices[i] for i in {v for edge, n in count.items() if n == 1 for v in edge}]


def folds(vertices, triangles):
    """The strongest number of waves of the height along the rim, from 2 on."""
    rim = rim_of(vertices, triangles)
    mean = sum(v[1] for v in rim) / len(rim)
    best = (0, 0)
    for n in range(2, 25):
        c = s = 0
        for x, y, z in rim:
            angle = n * math.atan2(z, x)
            c += (y - mean) * math.cos(angle)
            s += (y - mean) * math.sin(angle)
        best = max(best, (math.hypot(c, s) / len(rim), n))
    return best[1]


def expected_folds(density, bending):
    length = OUTER - INNER
    tension = density * 9.81 * length / 2
    wave = 2 * math.sqrt(math.pi) * (bending / tension) ** 0.25 * math.sqrt(length)
    return math.pi * (OUTER + INNER) / wave


def measure(options, fabric):
    with tempfile.TemporaryDirectory() as folder:
        command = [options.sinew, "run", os.path.join(options.scenes, "cusick.json")]
        command += ["--set", f"fabric={fabric}", "--out", folder, "--format", "obj"]
        command += ["--frames", str(options.frames), "--picture", "none"]
        if options.edge:
            command += ["--set", f"edge={options.edge}"]
        subprocess.run(command, check=True, capture_output=True)
        last = max(
            os.path.join(at, name)
            for at, _, names in os.walk(folder)
            for name in names
            if name.endswith(".obj")
        )
        mesh = read_obj(last)
    flat = math.pi * INNER * INNER
    part = (shadow(*mesh) - flat) / (math.pi * OUTER * OUTER - flat)
    return 100 * part, folds(*mesh)


def check(found):
    """From limp to stiff, and as far apart as fabrics are."""
    order = [name for name in FABRICS if name in found]
    for limp, stiff in (("silk", "denim"), ("jersey", "cotton"), ("cotton", "denim"),
                        ("wool", "denim"), ("denim", "leather")):
        if limp in found and stiff in found:
            assert found[limp] < found[stiff], (limp, stiff, found)
    for name, low, high in (("silk", 20, 55), ("cotton", 30, 65), ("denim", 55, 90),
                            ("leather", 90, 100)):
        assert name not in found or low < found[name] < high, (name, found[name])
    assert order, "no fabric is known"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sinew", help="the command")
    parser.add_argument("scenes", help="the folder of scenes")
    parser.add_argument("fabrics", nargs="*", help="which; none: all")
    parser.add_argument("--check", action="store_true", help="fail where they are not so")
    parser.add_argument("--edge", help="m, the length of edges (as the scene says)")
    parser.add_argument("--frames", type=int, default=150, help="until it is at rest (150)")
    options = parser.parse_intermixed_args()
    found = {}
    print("| fabric | drape, % | folds | folds expected |")
    print("|---|---|---|---|", flush=True)
    for fabric in options.fabrics or FABRICS:
        found[fabric], waves = measure(options, fabric)
        expected = f"{expected_folds(*FABRICS[fabric]):.1f}" if fabric in FABRICS else ""
        print(f"| {fabric} | {found[fabric]:.0f} | {waves} | {expected} |", flush=True)
    if options.check:
        check(found)


if __name__ == "__main__":
    sys.exit(main())
