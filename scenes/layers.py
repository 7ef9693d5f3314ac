#!/usr/bin/env python3
"""Makes vest.obj and jacket.obj of scenes/layers.json, both without sleeves.

    layers.py FOLDER

Both are rings of ellipses from the hem to the neck, in rows of triangles that are about
equilateral; the jacket is wider and longer, and open in front. Their fronts are outside, and the
last row at the neck is a group.
"""

import math
import os
import sys

EDGE = 0.024  # m
# Height (m), and half the width along x and z (m).
PROFILE = [(0.8, 0.235, 0.165), (1.0, 0.22, 0.15), (1.2, 0.225, 0.15), (1.32, 0.225, 0.135),
           (1.39, 0.205, 0.105), (1.425, 0.15, 0.085), (1.445, 0.1, 0.075)]


def garment(wider, longer, opening):
    """Vertices, triangles, and how many of these are the last row; `opening` is the angle at the
    front that is left out, rad."""
    profile = [(PROFILE[0][0] - longer, *PROFILE[0][1:])] + PROFILE[1:]
    profile = [(y + (wider if y > 1.3 else 0), a + wider, b + wider) for y, a, b in profile]
    rows = []
    for (y0, a0, b0), (y1, a1, b1) in zip(profile, profile[1:]):
        steps = max(1, round(math.hypot(y1 - y0, (a1 - a0 + b1 - b0) / 2) / (0.87 * EDGE)))
        rows += [tuple(p + (q - p) * i / steps for p, q in zip((y0, a0, b0), (y1, a1, b1)))
                 for i in range(steps)]
    rows.append(profile[-1])
    columns = round(math.pi * (rows[0][1] + rows[0][2]) / EDGE)
    count = columns + (1 if opening else 0)
    vertices, triangles = [], []
    for j, (y, a, b) in enumerate(rows):
        for i in range(count):
            shift = 0.5 * (j % 2)
            if opening:
                shift = shift if 0 < i < columns else 0
                angle = opening / 2 + (2 * math.pi - opening) * (i + shift) / columns
            else:
                angle = 2 * math.pi * (i + shift) / columns
            vertices.append((a * math.sin(angle), y, b * math.cos(angle)))
    for j in range(len(rows) - 1):
        for i in range(columns):
            p, q = j * count + i, j * count + (i + 1) % count
            r, s = p + count, q + count
            triangles += [(p, q, r), (q, s, r)] if j % 2 == 0 else [(p, q, s), (p, s, r)]
    return vertices, triangles, 2 * columns


def main():
    for name, (vertices, triangles, neck) in (("vest", garment(0, 0, 0)),
                                        ("jacket", garment(0.028, 0.06, 0.45))):
        with open(os.path.join(sys.argv[1], f"{name}.obj"), "w", encoding="utf-8") as file:
            file.writelines(f"v {x:.4f} {y:.4f} {z:.4f}\n" for x, y, z in vertices)
            for group, some in (("cloth", triangles[:-neck]), ("neck", triangles[-neck:])):
                file.write(f"g {group}\n")
                file.writelines("f {} {} {}\n".format(*(k + 1 for k in t)) for t in some)


main()
