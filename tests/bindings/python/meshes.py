#!/usr/bin/env python3
"""Meshes in Python: made, written, and what is found on them.

    meshes.py PACKAGE
"""

import array
import math
import os
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.abspath(sys.argv[1]))
import sinew  # noqa: E402
from sinew import c  # noqa: E402


class Meshes(unittest.TestCase):
    def test_meshes(self):
        mesh = sinew.Mesh.from_arrays([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)])
        self.assertAlmostEqual(mesh.area(), 0.5)
        self.assertEqual(mesh.normals()[0], (0, 0, 1))
        mesh.add_group("left", [0, 2])
        self.assertEqual(mesh.find_group("left"), [0, 2])
        self.assertEqual(mesh.groups[0].name, "left")
        with self.assertRaises(c.Error):
            mesh.add_triangles([(0, 1, 9)])
        view = memoryview(mesh.positions)
        with self.assertRaises(BufferError):
            mesh.add_vertices([(5, 5, 5)])
        view.release()
        mesh.add_vertices([(5, 5, 5)])
        self.assertEqual(mesh.check().findings[c.MESH_VERTEX_UNUSED].count, 1)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "ball.obj")
            sinew.write_mesh(path, sinew.sphere(radius=1))
            self.assertAlmostEqual(sinew.read_mesh(path).volume(), 4.18, delta=0.3)
        numbers = array.array("d", [0, 0, 0, 1, 0, 0, 0, 1, 0])
        other = sinew.Mesh.from_arrays(numbers, array.array("l", [0, 1, 2]))
        self.assertEqual(other.triangles.tolist(), [(0, 1, 2)])
        self.assertEqual(other.positions[1], (1, 0, 0))

    def test_attributes(self):
        """Texture coordinates and colours come back; as many as there are vertices, or none."""
        mesh = sinew.Mesh.from_arrays([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)])
        uvs = [(0, 0), (1, 0), (0.5, 1)]
        colours = [(1, 0, 0), (0, 1, 0), (0, 0, 1)]
        with tempfile.TemporaryDirectory() as folder:
            for name in ("paint.ply", "paint.obj", "paint.glb"):
                path = os.path.join(folder, name)
                sinew.write_mesh(path, mesh, uvs=uvs, colours=colours)
                read = sinew.Mesh()
                came, painted = c.io_mesh_read_colours(path, c.IoReadDef(), read)
                self.assertEqual([tuple(uv) for uv in came], uvs, name)
                self.assertEqual([tuple(colour) for colour in painted], colours, name)
            with self.assertRaisesRegex(ValueError, "uvs: has 2 elements, expected 3, one for each "
                                                    "vertex of the mesh"):
                sinew.write_mesh(os.path.join(folder, "few.ply"), mesh, uvs=uvs[:2])
            with self.assertRaisesRegex(ValueError, "colours: has 4 elements, expected 3"):
                many = os.path.join(folder, "many.ply")
                sinew.write_mesh(many, mesh, colours=colours + [(1, 1, 1)])
            self.assertFalse(os.path.exists(os.path.join(folder, "few.ply")))
        definition = c.IoWriteDef(uvs=uvs)
        self.assertEqual([tuple(uv) for uv in definition.uvs], uvs)
        definition.uvs = None
        self.assertIsNone(definition.uvs)
        self.assertIsNone(definition.colours)

    def test_skin(self):
        """Whom vertices follow, and by how much."""
        surface, blend = sinew.sphere(radius=1), c.Blend()
        c.blend_bind(surface, [(0, 0, 0), (1, 0, 0), (0, 1, 0)], None, 2, blend)
        particles, weights = blend.particles.tolist(), blend.weights.tolist()
        self.assertEqual(len(particles), 2 * len(surface.positions))
        for i in range(blend.count):
            self.assertNotEqual(*particles[2 * i : 2 * i + 2])
            self.assertAlmostEqual(sum(weights[2 * i : 2 * i + 2]), 1, places=6)

    def test_geodesics(self):
        mesh = sinew.grid(width=1, depth=1, columns=4, rows=4)
        source, distance = mesh.geodesics([0], 1)
        self.assertEqual(set(source), {0})
        self.assertAlmostEqual(distance[4], 1, places=5)
        self.assertAlmostEqual(distance[24], math.sqrt(2), delta=0.1)

    def test_ellipsoids(self):
        turns, radii = sinew.sphere(radius=1).fit_ellipsoids([(0, 0, 0)], 2)
        self.assertEqual((len(turns), len(radii)), (1, 1))
        self.assertTrue(all(0 < radius < 2 for radius in radii[0]))

    def test_followers(self):
        mesh = sinew.grid(width=1, depth=1, columns=2, rows=2)
        places = [tuple(place) for place in mesh.positions]
        followers = mesh.io_follow(places, [(0.1, 0.2, 0.1)])
        moved = [(x + 1, y, z) for x, y, z in places]
        points, _ = c.io_follow_to(followers, moved)
        with self.assertRaisesRegex(ValueError, "expected at least"):
            c.io_follow_to(followers, moved[:2])
        for got, expected in zip(points[0], (1.1, 0.2, 0.1)):
            self.assertAlmostEqual(got, expected, places=5)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
