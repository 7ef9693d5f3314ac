"""Pictures, of which notebooks show the last one."""

import struct
import zlib

from . import c
from .bodies import Built
from .worlds import World

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
    mesh, world = body.mesh, body.world
    lines = () if len(mesh.triangles) else mesh.lines
    # Nodes that are not vertices of the mesh, such as those of frames, are not drawn.
    nodes = body.nodes[:len(mesh.positions)]
    return _nodes(world, name, [node.slot for node in nodes], triangles=mesh.triangles, lines=lines)


def _nodes(world, name, slots, **elements):
    positions, velocities, radii = world.positions, world.velocities, world.radii
    return c.IoShape(name=name, positions=[positions[slot] for slot in slots],
                     velocities=[velocities[slot] for slot in slots],
                     radii=[radii[slot] for slot in slots], **elements)


def _turned(q, v):
    """A vector turned by a quaternion (x, y, z, w)."""
    def cross(a, b):
        return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])

    once = cross(q[:3], v)
    twice = cross(q[:3], once)
    return tuple(v[k] + 2 * (q[3] * once[k] + twice[k]) for k in range(3))


def _collider(collider):
    """The surface of a collider where it is now; nothing of a plane."""
    definition, mesh = collider.get(), c.Mesh()
    c.io_collider_mesh(definition, mesh)
    place, turn = definition.position, definition.orientation
    return c.IoShape(
        name=f"collider {collider.slot}", triangles=mesh.triangles,
        positions=[tuple(map(sum, zip(place, _turned(turn, x)))) for x in mesh.positions])


def _world(world):
    """Bodies, colliders, and nodes that belong to neither."""
    colliders = [collider for collider in world.colliders if collider.is_valid()]
    shapes = [_shape(body, f"body {i}") for i, body in enumerate(world.bodies)]
    shapes += filter(lambda shape: len(shape.positions), map(_collider, colliders))
    taken = {node.slot for body in world.bodies for node in body.nodes}
    taken.update(collider.get_carrier().slot for collider in colliders)
    single = [slot for slot, alive in enumerate(world.alive) if alive and slot not in taken]
    if single:
        shapes.append(_nodes(world, "nodes", single))
    return c.IoFrame(shapes=shapes)


def show(*what, width=640, height=360, camera="main", colour="body", path=None):
    """Draws a scene or a World as it is now, a c.IoFrame, or bodies that were built; a notebook
    shows the picture that this returns.

    A scene is seen through its camera of that name where it has one, everything else from where
    all of it is seen. `colour` says what colours mean: body, strain or speed. With a `path` the
    picture is written there as well, as a PNG file.
    """
    if colour not in COLOURINGS:
        raise ValueError(f"colour is {colour!r}, expected one of {', '.join(COLOURINGS)}")
    if what and all(isinstance(body, Built) for body in what):
        shapes = [_shape(body, f"body {i}") for i, body in enumerate(what)]
        frame = c.IoFrame(shapes=shapes)
    elif len(what) == 1 and isinstance(what[0], (c.Scene, World, c.IoFrame)):
        one = what[0]
        frame = (c.scene_frame(one) if isinstance(one, c.Scene) else
                 _world(one) if isinstance(one, World) else one)
    else:
        raise TypeError("show() takes a scene, a World, a frame, or bodies that were built")
    pixels = c._draw(frame, width, height, camera, COLOURINGS.index(colour))
    picture = Picture(width, height, pixels)
    if path is not None:
        picture.save(path)
    return picture
