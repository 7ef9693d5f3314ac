"""Pictures, of which notebooks show the last one."""

import struct
import zlib

from . import c
from .bodies import Built

COLOURINGS = ("body", "strain", "speed")


class Picture:
    """Pixels that a notebook shows, and that save() writes as a PNG file."""

    def __init__(self, width, height, pixels):
        self.width = width
        self.height = height
        self.pixels = pixels  # three bytes each, sRGB, rows from the top

    def __repr__(self):
        return f"<Picture of {self.width} x {self.height} pixels>"

    def _repr_png_(self):
        row = 3 * self.width
        rows = b"".join(b"\0" + self.pixels[i:i + row] for i in range(0, len(self.pixels), row))
        head = struct.pack(">IIBBBBB", self.width, self.height, 8, 2, 0, 0, 0)
        parts = ((b"IHDR", head), (b"IDAT", zlib.compress(rows)), (b"IEND", b""))
        return b"\x89PNG\r\n\x1a\n" + b"".join(
            struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
            for name, data in parts)

    def save(self, path):
        """Writes a PNG file."""
        with open(path, "wb") as file:
            file.write(self._repr_png_())


def _shape(body, name):
    mesh, view = body.mesh, body.world.velocities
    lines = () if len(mesh.triangles) else mesh.lines
    # Nodes that are not vertices of the mesh, such as those of frames, are not drawn.
    count = len(mesh.positions)
    return c.IoShape(
        name=name, positions=body.positions()[:count],
        velocities=[view[node.slot] for node in body.nodes[:count]],
        triangles=mesh.triangles, lines=lines)


def show(*what, width=640, height=360, camera="main", colour="body", path=None):
    """Draws a scene as it is now, a c.IoFrame, or bodies that were built; a notebook shows the
    picture that this returns.

    A scene is seen through its camera of that name where it has one, everything else from where
    all of it is seen. `colour` says what colours mean: body, strain or speed. With a `path` the
    picture is written there as well, as a PNG file.
    """
    if colour not in COLOURINGS:
        raise ValueError(f"colour is {colour!r}, expected one of {', '.join(COLOURINGS)}")
    if all(isinstance(body, Built) for body in what):
        shapes = [_shape(body, f"body {i}") for i, body in enumerate(what)]
        frame = c.IoFrame(shapes=shapes)
    elif len(what) == 1:
        frame = c.scene_frame(what[0]) if isinstance(what[0], c.Scene) else what[0]
    else:
        raise TypeError("show() takes a scene, a frame, or bodies that were built")
    pixels = c._draw(frame, width, height, camera, COLOURINGS.index(colour))
    picture = Picture(width, height, pixels)
    if path is not None:
        picture.save(path)
    return picture
