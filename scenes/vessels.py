#!/usr/bin/env python3
"""Makes scenes/glass.obj and scenes/basin.obj: vessels whose walls are one surface.

    scenes/vessels.py

A profile, from the middle of the bottom along the outside to the rim and back along the inside, is
turned about the y axis. Few segments make a basin with corners.
"""

import math
import os


def revolved(profile, segments, turn):
    """Vertices and triangles; points on the axis are one vertex each."""
    vertices, rings, triangles = [], [], []
    for radius, height in profile:
        first = len(vertices) + 1
        count = segments if radius > 0 else 1
        for i in range(count):
            angle = 2 * math.pi * i / segments + turn
            vertices.append((radius * math.cos(angle), height, -radius * math.sin(angle)))
        rings.append([first + i % count for i in range(segments + 1)])
    for low, high in zip(rings, rings[1:]):
        for i in range(segments):
            a, b, c, d = low[i], low[i + 1], high[i + 1], high[i]
            triangles += [t for t in ((a, b, c), (a, c, d)) if len(set(t)) == 3]
    return vertices, triangles


def write(name, what, profile, segments, turn=0.0):
    vertices, triangles = revolved(profile, segments, turn)
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"# {what}, made by vessels.py\n")
        for vertex in vertices:
            file.write("v " + " ".join(f"{value + 0:.5f}" for value in vertex) + "\n")
        for triangle in triangles:
            file.write("f " + " ".join(map(str, triangle)) + "\n")


def main():
    write("glass.obj", "A glass of 15 cm", [
        (0, 0), (0.062, 0), (0.066, 0.003), (0.0675, 0.01), (0.081, 0.2), (0.0795, 0.2025),
        (0.0775, 0.2025), (0.076, 0.2), (0.0635, 0.02), (0.06, 0.0165), (0, 0.016)], 64)
    # A square: as far from the axis as its corners are.
    corner = math.sqrt(2)
    write("basin.obj", "A basin of glass", [
        (0, 0), (0.18 * corner, 0), (0.18 * corner, 0.14), (0.17 * corner, 0.14),
        (0.17 * corner, 0.012), (0, 0.012)], 4, math.pi / 4)


if __name__ == "__main__":
    main()
