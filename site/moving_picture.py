"""Moving pictures: PNG files as the frames of one animated PNG.

An animated PNG is a PNG whose further frames are chunks of their own, with the same compressed
data; so nothing has to be decoded.
"""

import struct
import zlib

SIGNATURE = b"\x89PNG\r\n\x1a\n"


def chunks(data):
    """(name, content) of the chunks of a PNG."""
    if data[:8] != SIGNATURE:
        raise ValueError("not a PNG")
    at = 8
    while at < len(data):
        size, name = struct.unpack(">I4s", data[at : at + 8])
        yield name, data[at + 8 : at + 8 + size]
        at += size + 12


def chunk(name, content):
    return struct.pack(">I", len(content)) + name + content + \
        struct.pack(">I", zlib.crc32(name + content))


def animate(frames, per_second):
    """One animated PNG of PNGs that have the same size and kind of pixels."""
    first = dict(chunks(frames[0]))
    head = first[b"IHDR"]
    width, height = struct.unpack(">II", head[:8])
    out, order = [SIGNATURE, chunk(b"IHDR", head)], 0
    out.append(chunk(b"acTL", struct.pack(">II", len(frames), 0)))
    for k, data in enumerate(frames):
        parts = list(chunks(data))
        if dict(parts)[b"IHDR"] != head:
            raise ValueError("frames differ in size or in their pixels")
        out.append(chunk(b"fcTL", struct.pack(">IIIIIHHBB", order, width, height, 0, 0, 1,
                                              per_second, 0, 0)))
        order += 1
        for content in (content for name, content in parts if name == b"IDAT"):
            if k == 0:
                out.append(chunk(b"IDAT", content))
            else:
                out.append(chunk(b"fdAT", struct.pack(">I", order) + content))
                order += 1
    out.append(chunk(b"IEND", b""))
    return b"".join(out)
