"""Position based dynamics.

    import sinew

    world = sinew.World()
    flag = world.cloth(sinew.grid(width=1, depth=1, columns=20, rows=20), "cotton", pins=[0, 20])
    for _ in range(60):
        world.step(1 / 60)
    print(world.positions[0])

Everything that the C library has is in `sinew.c`, by the names of C without their prefix; what is
here makes it shorter to say. Fields of definitions are keywords. All quantities are in SI units.
"""

from . import c
from .c import (  # noqa: F401
    Body, Collider, CollisionSurface, Constraint, Error, Mesh, Node, View,
)
from .bodies import Built, material, presets
from .meshes import (
    block, box, cylinder, disc, grid, panel, read_mesh, rope, sheet, sphere, torus, write_mesh,
)
from .pictures import Picture, show
from .scenes import Export, Scene, export_formats
from .worlds import World, step_all

__version__ = ".".join(str(n) for n in (c.version_get().major, c.version_get().minor,
                                        c.version_get().patch))

__all__ = [
    "Body", "Built", "Collider", "CollisionSurface", "Constraint", "Error", "Export", "Mesh",
    "Node", "Picture", "Scene", "View", "World", "block", "box", "c", "cylinder", "disc",
    "export_formats", "grid", "material", "panel", "presets", "read_mesh", "rope", "sheet", "show",
    "sphere", "step_all", "torus", "write_mesh",
]
