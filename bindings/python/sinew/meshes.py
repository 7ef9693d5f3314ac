"""Meshes: generated, read and written."""

from . import c


def _generator(name):
    def generate(**fields):
        mesh = c.Mesh()
        getattr(mesh, f"generate_{name}")(**fields)
        return mesh

    generate.__name__ = generate.__qualname__ = name
    generate.__doc__ = getattr(c, f"generate_{name}").__doc__
    return generate


grid = _generator("grid")
sheet = _generator("sheet")
disc = _generator("disc")
panel = _generator("panel")
box = _generator("box")
sphere = _generator("sphere")
cylinder = _generator("cylinder")
torus = _generator("torus")
block = _generator("block")


def rope(start, end, segments):
    """Lines from `start` to `end`, both in m."""
    mesh = c.Mesh()
    mesh.generate_rope(start, end, segments)
    return mesh


def read_mesh(path, **fields):
    """The mesh of a file; the fields are those of c.IoReadDef."""
    mesh = c.Mesh()
    c.io_mesh_read(path, c.IoReadDef(**fields), mesh)
    return mesh


def write_mesh(path, mesh, **fields):
    """Writes a mesh into a file; the fields are those of c.IoWriteDef, such as uvs and colours, one
    for each vertex."""
    c.io_mesh_write(path, c.IoWriteDef(**fields), mesh)


def _from_arrays(positions, triangles=None, tets=None, lines=None):
    """A mesh of arrays or sequences: rows of three numbers, and of indices."""
    mesh = c.Mesh()
    mesh.add_vertices(positions)
    for add, elements in ((mesh.add_triangles, triangles), (mesh.add_tets, tets),
                          (mesh.add_lines, lines)):
        if elements is not None:
            add(elements)
    return mesh


c.Mesh.from_arrays = staticmethod(_from_arrays)
