"""Point caches (PC2): positions of the vertices of a mesh, frame by frame."""

import struct

import numpy

HEADER = struct.Struct("<12siiffi")
NAME = b"POINTCACHE2\0"


def write(path, samples):
    """Samples: array of frames, vertices, 3."""
    samples = numpy.asarray(samples, dtype="<f4")
    with open(path, "wb") as file:
        file.write(HEADER.pack(NAME, 1, samples.shape[1], 0.0, 1.0, samples.shape[0]))
        file.write(samples.tobytes())


def read(path):
    with open(path, "rb") as file:
        name, version, points, _, _, count = HEADER.unpack(file.read(HEADER.size))
        if name != NAME or version != 1:
            raise ValueError(f"{path} is no point cache")
        return numpy.fromfile(file, dtype="<f4", count=count * points * 3).reshape(count, points, 3)
