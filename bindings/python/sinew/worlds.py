"""Worlds: what is beside the methods that C functions are."""

import concurrent.futures
import os
import types

from . import c
from .bodies import Built, material as make_material


class World(c.World):
    """A world: nodes, bodies and constraints, and the step that moves them.

    The keywords are those of c.Settings, such as gravity, substeps and solver. `threads` and
    `simd_width` change nothing but the speed; `log` is called with a level and a sentence. `bodies`
    and `colliders` are those that build(), cloth() and the like, and collider() have made.
    """

    def __init__(self, *, threads=1, simd_width=0, log=None, **settings):
        c.world_create(c.WorldDef(threads=threads, simd_width=simd_width, log=log,
                                  settings=settings), self)
        self.bodies, self.colliders = [], []

    def collider(self, shape="sphere", **fields):
        """Makes a collider; the fields are those of c.ColliderDef."""
        made = self.collider_create(shape=shape, **fields)
        self.colliders.append(made)
        return made

    def build(self, kind, mesh, material=None, **fields):
        """Builds a body of a kind of a mesh and a material, which is the name of a preset, a record
        or None for the defaults. The fields are those of c.BuildDef."""
        made = super().build(kind, mesh, material, **fields)
        self.bodies.append(made)
        return made


def _array(of, field, unit):
    return property(lambda self: getattr(getattr(self, of)(), field),
                    doc=f"{field} of all node slots{unit}, without a copy.")


class _Methods:
    """What all worlds have, those of scenes among them."""

    positions = _array("nodes", "position", ", m")
    velocities = _array("nodes", "velocity", ", m/s")
    inverse_masses = _array("nodes", "inverse_mass", ", 1/kg")
    radii = _array("nodes", "radius", ", m")
    groups = _array("nodes", "group", "")
    alive = _array("nodes", "alive", ", 1 where there is one")

    def configure(self, **settings):
        """Changes some of the settings from the next step on."""
        now = self.get_settings()
        for name, value in settings.items():
            if not hasattr(now, name):
                raise TypeError(f"Settings has no field '{name}'")
            setattr(now, name, value)
        self.set_settings(now)

    def node(self, position=(0, 0, 0), **fields):
        """Makes a node; the fields are those of c.NodeDef."""
        return self.node_create(position=position, **fields)

    def nodes_at(self, positions, **fields):
        """Makes a node at each of some positions (m), all with the same other fields."""
        return self.nodes_create([c.NodeDef(position=tuple(place), **fields)
                                  for place in positions])

    def collider(self, shape="sphere", **fields):
        """Makes a collider; the fields are those of c.ColliderDef."""
        return self.collider_create(shape=shape, **fields)

    def constraint(self, type, *nodes, **fields):
        """Makes a constraint of a type by its name; the fields are those of its definition."""
        number = self.type_by_name(type) if isinstance(type, str) else type
        if number >= c.TYPE_USER:
            definition = _user_definition(self, number, fields)
        else:
            definition = c.type_default(number)
        if hasattr(definition, "nodes"):
            definition.nodes = nodes
        else:
            room = len(definition.node)
            definition.node = nodes if room == len(nodes) else (*nodes, *(None,) * (room
                                                                                 - len(nodes)))
        for name, value in fields.items():
            if not hasattr(definition, name):
                raise TypeError(f"a constraint of the type '{type}' has no field '{name}'")
            setattr(definition, name, value)
        return self.constraint_create(number, definition)

    def build(self, kind, mesh, material=None, **fields):
        """Builds a body of a kind of a mesh and a material, which is the name of a preset, a record
        or None for the defaults. The fields are those of c.BuildDef."""
        if material is None or isinstance(material, str):
            material = make_material(kind, material)
        return Built(self, *self.build_body(kind, material, c.BuildDef(mesh=mesh, **fields)), mesh)

    def add_type(self, name, formula, *, nodes=2, rows=1, parameters=(), **fields):
        """Adds a type of constraint (sinew/user.h).

        The formula is called with a batch of constraints: `count`, the positions `x[node, axis, i]`
        relative to node 0 and `origin[axis, i]`, `q` of oriented nodes and `parameter[j, i]`; it
        writes `value[row, i]` and, unless the type is numerical, `gradient[row * nodes + k, axis,
        i]`. `parameters` are dicts of c.UserParameter, or names. Returns its number.
        """
        if not callable(formula):
            raise TypeError(f"formula: expected something to call, got {formula!r}")
        parameters = [{"name": p, "least": -1e30, "most": 1e30} if isinstance(p, str) else p
                      for p in parameters]
        sizes = (nodes, fields.get("frames", 0), rows, len(parameters))
        definition = c.UserTypeDef(name=name, nodes=nodes, rows=rows, parameters=parameters,
                                   formula=_Formula(formula, sizes), **fields)
        return c.world_add_type(self, definition)


class _Formula:
    """A formula, and how much there is of what it is shown."""

    def __init__(self, function, sizes):
        self.function, self.sizes = function, sizes

    def __call__(self, views):
        return self.function(types.SimpleNamespace(**views))


def _user_definition(world, number, fields):
    """The definition of a type that was added; parameters are taken out of the fields."""
    definition = world.user_def_default(number)
    info = world.type_info(number)
    values = list(definition.parameter)
    names = [field.name for field in info.fields][-len(values):]
    own = [name for name in names if name not in _COMMON]
    for i, name in enumerate(own):
        if name in fields:
            values[i] = fields.pop(name)
    definition.parameter = values
    return definition


_COMMON = {"side", "compliance", "damping", "stiffness", "break_force"}


def _of_kind(kind):
    def make(self, mesh, material=None, **fields):
        return self.build(kind, mesh, material, **fields)

    make.__name__, make.__qualname__ = kind, f"World.{kind}"
    make.__doc__ = f"{c.kind_get_info(kind).meaning}\n\n{_Methods.build.__doc__}"
    return make


def _of_type(name):
    def make(self, *nodes, **fields):
        return self.constraint(name, *nodes, **fields)

    make.__name__, make.__qualname__ = name, f"World.{name}"
    fields = ", ".join(field.name for field in c.type_get_info(name).fields)
    make.__doc__ = f"{c.type_get_info(name).meaning}\n\nFields: {fields}."
    return make


def _extend():
    for name, value in vars(_Methods).items():
        if not name.startswith("__"):
            setattr(c.World, name, value)
    for index in range(c.KIND_COUNT):
        kind = c.kind_get_info(index).name
        setattr(c.World, kind, _of_kind(kind))
    for index in range(c.TYPE_COUNT):
        name = c.type_get_info(index).name
        setattr(c.World, name, _of_type(name))
    for field in ("position", "velocity", "inverse_mass", "radius", "group"):
        setattr(c.Node, field, property(
            lambda self, field=field: getattr(self.get(), field),
            lambda self, value, field=field: getattr(self, f"set_{field}")(value),
            doc=getattr(c.NodeDef, field).__doc__))


_extend()


def step_all(worlds, dt, steps=1, threads=None):
    """Steps several worlds at once, each `steps` times by `dt` (s), on as many threads as there are
    processors. Their results are the same as one after the other."""
    def run(world):
        for _ in range(steps):
            world.step(dt)

    worlds = list(worlds)
    count = threads or min(len(worlds), os.cpu_count() or 1) or 1
    with concurrent.futures.ThreadPoolExecutor(count) as pool:
        for _ in pool.map(run, worlds):
            pass
