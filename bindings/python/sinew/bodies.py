"""Bodies: a mesh and a material become nodes and constraints."""

from . import c


def material(kind, preset=None, **fields):
    """The material of a kind of body ("cloth", "solid", ...), from a preset or the defaults.

        sinew.material("cloth", "cotton", thickness=0.001)
    """
    made = c.preset_get(kind, preset) if preset is not None else c.kind_default(kind)
    for name, value in fields.items():
        if not hasattr(made, name):
            raise TypeError(f"{type(made).__name__} has no field '{name}'")
        setattr(made, name, value)
    return made


def presets(kind=None):
    """Names of presets, with their sentences: of a kind, or as {kind: {name: sentence}} of all."""
    found, index = {}, 0
    while (preset := c.preset_at(index)) is not None:
        found.setdefault(preset.kind, {})[preset.name] = preset.meaning
        index += 1
    return found if kind is None else found.get(kind, {})


class Built:
    """A body that was built: its id, its nodes and what belongs to it."""

    def __init__(self, world, build, nodes, mesh):
        self.world = world
        self.id = build.body
        self.nodes = nodes
        self.mesh = mesh
        self.mass = build.mass
        self.surface = build.surface
        self.sheet = build.sheet
        self.tet_mesh = build.tet_mesh
        self.matching = build.matching
        self.constraints = build.constraints

    def __repr__(self):
        return f"<Built body {self.id.slot} of {len(self.nodes)} nodes>"

    @property
    def slots(self):
        """Where its nodes are in the arrays of the world: a slice where they follow each other,
        otherwise a list. Good as an index of a NumPy array."""
        slots = [node.slot for node in self.nodes]
        if slots == list(range(slots[0], slots[0] + len(slots))):
            return slice(slots[0], slots[0] + len(slots))
        return slots

    def positions(self):
        """Where its nodes are now, as a list of tuples, in m."""
        view = self.world.positions
        return [view[node.slot] for node in self.nodes]

    def destroy(self):
        """Removes it with its nodes and constraints."""
        self.id.destroy()
        bodies = getattr(self.world, "bodies", [])
        if self in bodies:
            bodies.remove(self)
