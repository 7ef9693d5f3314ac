#!/usr/bin/env python3
"""The Python module, as a person uses it.

    module.py PACKAGE API.json ROOT SINEW [WORD]     the tests whose names contain a word
"""

import ast
import gc
import json
import os
import signal
import re
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import zlib

sys.dont_write_bytecode = True
PACKAGE, API, ROOT, PROGRAM = map(os.path.abspath, sys.argv[1:5])
sys.path.insert(0, PACKAGE)
import sinew  # noqa: E402
from sinew import c  # noqa: E402

sys.path.insert(0, os.path.join(ROOT, "bindings/python"))
from generate import class_name, python_name  # noqa: E402
from shapes import FIELDS_FOR_C_ALONE, FOR_C_ALONE, STRUCTS_FOR_C_ALONE  # noqa: E402

SCENES = os.path.join(ROOT, "scenes")


def pendulum(**settings):
    """A world with a kinematic node, a weight and a distance between them."""
    world = sinew.World(**settings)
    anchor, weight = world.node((0, 1, 0), inverse_mass=0), world.node((1, 1, 0))
    return world, anchor, weight, world.distance(anchor, weight)


class Complete(unittest.TestCase):
    """Everything that is public is in the module."""

    def setUp(self):
        with open(API, encoding="utf-8") as file:
            self.api = json.load(file)

    def test_functions(self):
        for function in self.api["functions"]:
            name = function["name"]
            alone = [reason for pattern, reason in FOR_C_ALONE.items()
                     if re.fullmatch(pattern, name)]
            self.assertEqual(hasattr(c, name[3:]), not alone, name)
            if not alone:
                self.assertIn(function["doc"][:40], getattr(c, name[3:]).__doc__)

    def test_structs(self):
        for struct in self.api["structs"]:
            if struct["library"] == "sinew_picture" or struct["name"] in STRUCTS_FOR_C_ALONE:
                continue
            made = getattr(c, class_name(struct["name"]))
            for field in struct["fields"] if struct["kind"] in ("definition", "plain") else []:
                alone = field["name"] in FIELDS_FOR_C_ALONE or \
                    (struct["name"], field["name"]) in FIELDS_FOR_C_ALONE
                self.assertEqual(hasattr(made, python_name(field["name"])), not alone,
                                 (struct["name"], field["name"]))
                if "least" in field or "elements" in field:
                    self.assertIn(field["doc"], getattr(made, python_name(field["name"])).__doc__)

    def test_defaults(self):
        """The defaults of the headers are those of the library."""
        checked = 0
        for struct in self.api["structs"]:
            if struct["kind"] != "definition" or struct["name"] in STRUCTS_FOR_C_ALONE \
                    or struct["library"] == "sinew_picture":
                continue
            made = getattr(c, class_name(struct["name"]))()
            for field in struct["fields"]:
                default, found = field.get("default"), getattr(made, field["name"], None)
                if "default" not in field or field["name"] in ("side", "orientation"):
                    continue
                if default == "auto":
                    self.assertIsNone(found, (struct["name"], field["name"]))
                elif field.get("choices"):
                    self.assertEqual(found, field["choices"][default])
                elif field["type"] == "sn_vec3" and not isinstance(default, list):
                    self.assertEqual(found, (default,) * 3)
                elif field["type"] == "sn_real" and default is not None:
                    self.assertAlmostEqual(found, default, delta=1e-6 * abs(default))
                else:
                    continue
                checked += 1
        self.assertGreater(checked, 300)

    def test_constants(self):
        for enum in self.api["enums"]:
            if enum["library"] != "sinew_picture":
                for value in enum["values"]:
                    self.assertEqual(getattr(c, value["name"][3:]), value["value"])

    def test_stub_types(self):
        """Every argument and result has a type, but definitions of any type and their numbers."""
        with open(os.path.join(PACKAGE, "sinew/c.pyi"), encoding="utf-8") as file:
            tree = ast.parse(file.read())
        general = {"type_default", "kind_default", "preset_get", "constraint_create",
                   "constraint_get", "constraint_set", "constraints_create", "constraint_evaluate",
                   "build_body"}
        for function in (node for node in tree.body if isinstance(node, ast.FunctionDef)):
            said = [argument.annotation for argument in function.args.args] + [function.returns]
            loose = [s for s in said if s is None or (isinstance(s, ast.Name) and s.id == "Any")]
            with self.subTest(function.name):
                self.assertTrue(not loose or function.name in general)
        mesh, world = sinew.grid(columns=1, rows=1), sinew.World()
        stubs = {node.name: ast.unparse(node.returns) for node in tree.body
                 if isinstance(node, ast.FunctionDef)}
        node = world.node((0, 0, 0))
        for name, value in (("mesh_area", mesh.area()), ("mesh_normals", mesh.normals()),
                            ("world_node_at", world.node_at(0)), ("world_step", world.step(0.01)),
                            ("world_stats", world.stats()), ("mesh_check", mesh.check()),
                            ("snapshot_save", world.snapshot_save()),
                            ("mesh_find_group", mesh.find_group("left")),
                            ("world_get_settings", world.get_settings()),
                            ("node_is_valid", node.is_valid()), ("effector_create",
                            world.effector_create(kind="drag"))):
            said = stubs[name].split("[")[0].split(" |")[0]
            with self.subTest(name):
                self.assertEqual(type(value).__name__.replace("NoneType", "None"), said)

    def test_stubs(self):
        with open(os.path.join(PACKAGE, "sinew/c.pyi"), encoding="utf-8") as file:
            stubs = file.read()
        compile(stubs, "c.pyi", "exec", dont_inherit=True)
        for name in dir(c):
            if not name.startswith("_") and name not in ("View",):
                found = re.search(rf"(?m)^(def |class |){name}\b", stubs)
                self.assertTrue(found, name)


class Nonsense(unittest.TestCase):
    """Whatever is given to a function, it answers or raises."""

    def arguments(self):
        world, node, _, rod = pendulum()
        mesh = sinew.grid(columns=2, rows=2)
        scene = sinew.Scene(os.path.join(SCENES, "rope.json"))
        first = {"world": world, "mesh": mesh, "surface": mesh, "scene": scene,
                 "report": mesh.check(), "query": world.query_create(), "blend": c.Blend(),
                 "embedding": c.Embedding(), "regions": c.Regions(),
                 "smoother": c.io_smoother_create()}
        return first, [None, 0, -1, 10**30, 1.5, float("nan"), "", "x", (), [1, 2, 3], (0.0,) * 3,
                       [(0, 0, 0)], node, rod, world, mesh, c.NodeDef(), c.DistanceDef(), b"abc",
                       object(), {}]

    def test_all(self):
        """Where files of strange names are made, nothing is in the way."""
        here = os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                self.call_all()
            finally:
                os.chdir(here)

    def call_all(self):
        first, junk = self.arguments()
        count = 0
        for name in sorted(vars(c)):
            function = getattr(c, name)
            if isinstance(function, type) or not callable(function):
                continue
            said = function.__doc__.split("\n")[0]
            names = [part.split("=")[0] for part in
                     re.search(r"\((.*)\)", said).group(1).split(", ") if part]
            for i in range(len(junk)):
                given = [junk[(i + 7 * k) % len(junk)] for k in range(len(names))]
                for start in (given, [first.get(n, g) for n, g in zip(names, given)],
                              [junk[i]] * len(names), [first.get(n, junk[i]) for n in names]):
                    if name in TOO_LONG and start and start[0] is first.get("scene"):
                        continue
                    try:
                        function(*start)
                    except Exception as error:
                        self.assertNotIsInstance(error, SystemError, (name, error))
                    count += 1
        self.assertGreater(count, 20000)


# What takes its time when it succeeds.
TOO_LONG = {"scene_step"}


class Worlds(unittest.TestCase):
    def test_pendulum(self):
        world, anchor, weight, rod = pendulum()
        for _ in range(30):
            world.step(1 / 60)
        far = sum((a - b) ** 2 for a, b in zip(weight.position, anchor.position)) ** 0.5
        self.assertAlmostEqual(far, 1, delta=1e-4)
        self.assertEqual(rod.get().rest_length, 1)
        self.assertAlmostEqual(world.time(), 0.5, delta=1e-6)
        self.assertEqual(len(rod.force()), 1)
        self.assertNotEqual(rod.force()[0], 0)

    def test_ids(self):
        world, anchor, weight, rod = pendulum()
        self.assertEqual(anchor, world.node_at(0))
        self.assertEqual(len({anchor, world.node_at(0), weight}), 2)
        self.assertIs(anchor.world, world)
        weight.destroy()
        self.assertFalse(rod.is_valid())
        with self.assertRaises(c.StaleError) as caught:
            weight.get()
        self.assertIsInstance(caught.exception, LookupError)
        other = sinew.World()
        with self.assertRaises(c.ForeignError):
            c.node_destroy(other, anchor)

    def test_errors(self):
        world, anchor, weight, rod = pendulum()
        with self.assertRaisesRegex(ValueError, "step: dt is -1, expected at least 0 s"):
            world.step(-1)
        with self.assertRaisesRegex(TypeError, "has no field 'complience'"):
            world.distance(anchor, weight, complience=1)
        with self.assertRaisesRegex(TypeError, "expected a number"):
            world.step("x")
        with self.assertRaisesRegex(ValueError, "is none of coloured, reference"):
            world.configure(solver="newton")
        with self.assertRaisesRegex(TypeError, "expected 3 values"):
            world.node((1, 2))
        with self.assertRaisesRegex(OSError, "nowhere"):
            world.snapshot_load_file("/nowhere/at/all")
        with self.assertRaises(TypeError):
            c.constraint_create(world, "distance", c.TetVolumeDef())
        with self.assertRaises(OverflowError):
            c.NodeDef(group=-1)
        self.assertTrue(issubclass(c.MemoryError, MemoryError))

    def test_definitions(self):
        settings = c.Settings(gravity=(0, 0, -1), solver="jacobi", speed_limit=None)
        self.assertEqual(settings.solver, "jacobi")
        self.assertIsNone(settings.speed_limit)
        world = sinew.World(gravity=(0, 0, -1), threads=2)
        self.assertEqual(world.get_settings().gravity, (0, 0, -1))
        self.assertEqual(world.threads(), 2)
        world.configure(substeps=7)
        self.assertEqual(world.get_settings().substeps, 7)
        build = c.BuildDef(pins=[1, 2], maps=[{"field": "drag", "values": [1, 2, 3]}])
        self.assertEqual(build.pins, [1, 2])
        map = build.maps[0]
        del build
        gc.collect()
        self.assertEqual((map.field, map.values), ("drag", [1, 2, 3]))
        self.assertEqual(c.BladeDef(from_=((0, 0, 0), (1, 0, 0))).from_[1], (1, 0, 0))

    def test_arrays_that_belong_together(self):
        world, anchor, weight, _ = pendulum()
        with self.assertRaisesRegex(ValueError, "rest: has 1 elements, expected 2"):
            c.HierarchyDef(nodes=[anchor, weight], rest=[(0, 0, 0)])
        drag = c.DragDef(nodes=[anchor, weight], corners=2)
        self.assertEqual((drag.element_count, len(drag.nodes)), (1, 2))
        drag.corners = 1
        self.assertIsNone(drag.nodes)
        with self.assertRaisesRegex(ValueError, "elements"):
            c.DragDef(nodes=[anchor], corners=2)
        with self.assertRaisesRegex(ValueError, "members: has 1 elements, expected 2"):
            c.ShapeMatchingDef(nodes=[anchor, weight], first=[0, 2], members=[0])
        with self.assertRaisesRegex(ValueError, "heights: has 3 elements, expected 4"):
            c.Geometry(points=(2, 2), heights=[0, 0, 0])

    def test_bodies(self):
        world = sinew.World()
        mesh = sinew.grid(width=1, depth=1, columns=4, rows=4)
        cloth = world.cloth(mesh, "cotton", pins=[0, 4], collide="all")
        self.assertEqual(len(cloth.nodes), mesh.vertex_count)
        self.assertTrue(cloth.sheet.is_valid())
        self.assertEqual(cloth.slots, slice(0, 25))
        block = sinew.block(extent=(1, 1, 1), cells=(1, 1, 1))
        solid = world.solid(block, position=(0, 5, 0))
        self.assertAlmostEqual(solid.mass, 1000 * block.tet_volume(), delta=1)
        world.collider("plane")
        world.step(1 / 60)
        self.assertGreater(world.stats().projections, 0)
        solid.destroy()
        world.step(1 / 60)
        self.assertEqual(world.stats().nodes, 25)

    def test_joints(self):
        """A door turns about its hinge, and a motor opens it."""
        world = sinew.World(gravity=(0, 0, 0))
        frame = world.node(oriented=True, inverse_mass=0, inverse_inertia=(0, 0, 0))
        door = world.node((1, 0, 0), oriented=True)
        hinge = world.hinge_joint(frame, door, anchor_0=(0, 0, 0), axis=(0, 1, 0))
        world.turn_drive(frame, door, axis=(0, 1, 0), speed=1.0)
        for _ in range(60):
            world.step(1 / 60)
        x, y, z = door.position
        self.assertAlmostEqual(x * x + z * z, 1, delta=1e-2)
        self.assertGreater(abs(z), 0.1)
        self.assertAlmostEqual(y, 0, delta=1e-3)
        self.assertEqual(len(hinge.force()), 5)
        self.assertEqual(len(world.frames().orientation), 2)

    def test_queries(self):
        world = sinew.World()
        ball = world.collider("sphere", radius=0.5)
        with world.query_create() as query:
            hit = query.cast(origin=(0, 3, 0))
            self.assertEqual((hit.kind, hit.collider), ("collider", ball))
            self.assertAlmostEqual(hit.distance, 2.5, delta=1e-5)
            skipped = query.cast(c.CastDef(origin=(0, 3, 0)),
                                 c.FilterDef(accept=lambda hit: hit.collider != ball))
            self.assertEqual(skipped.kind, "none")
            self.assertEqual(len(query.overlap_sphere((0, 0, 0), 1)), 1)

            def fails(hit):
                raise KeyError(hit.kind)

            with self.assertRaises(KeyError):
                query.cast(c.CastDef(origin=(0, 3, 0)), c.FilterDef(accept=fails))
            with self.assertRaisesRegex(RuntimeError, "a query of this world is in use"):
                world.close()

    def test_contacts_and_events(self):
        world = sinew.World()
        world.collider("plane", static_friction=0.5)
        node = world.node((0, 0.01, 0), radius=0.02)
        anchor = world.node((0, 3, 0), inverse_mass=0)
        weight = world.node((0, 2, 0))
        world.distance(anchor, weight, break_force=1)
        world.step(1 / 60)
        contacts = world.contacts()
        self.assertEqual([contact.nodes[0] for contact in contacts], [node])
        self.assertEqual(contacts[0].kind, "node_collider")
        self.assertEqual(len(world.breaks()), 1)

    def test_snapshots_and_recordings(self):
        world, *_ = pendulum()
        world.step(1 / 60)
        saved, now = world.snapshot_save(), world.hash()
        world.step(1 / 60)
        world.snapshot_load(saved)
        self.assertEqual(world.hash(), now)
        self.assertFalse(c.snapshot_compare(saved, world.snapshot_save()).differs)
        with self.assertRaises(c.DataError):
            world.snapshot_load(b"nonsense")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "run.snr")
            world.recording_start(path)
            world.step(1 / 60)
            world.recording_stop()
            report = sinew.World().replay_file(path)
            self.assertEqual((report.steps, report.differs), (1, False))


class Views(unittest.TestCase):
    def test_shows_steps(self):
        world, _, weight, _ = pendulum()
        view = memoryview(world.positions)
        self.assertEqual((view.shape, view.format, view.readonly), ((2, 3), "f", True))
        world.step(1 / 60)
        self.assertEqual(view[1, 1], weight.get().position[1])

    def test_growth_is_refused(self):
        world, *_ = pendulum()
        view = memoryview(world.positions)
        with self.assertRaisesRegex(BufferError, "arrays cannot grow while 1 buffers"):
            world.node()
        with self.assertRaises(BufferError):
            world.cloth(sinew.grid())
        with self.assertRaises(BufferError):
            world.close()
        view.release()
        world.node()
        self.assertEqual(len(world.positions), 3)

    def test_keeps_the_world(self):
        view = memoryview(pendulum()[0].positions)
        gc.collect()
        self.assertEqual(view.tolist()[0], [0, 1, 0])

    def test_old_views_are_refused(self):
        world, *_ = pendulum()
        old = world.positions
        world.step(1 / 60)
        with self.assertRaisesRegex(RuntimeError, "ask for it again"):
            memoryview(old)
        with self.assertRaises(RuntimeError):
            old[0]

    def test_tearing_leaves_the_old_memory(self):
        """A step that adds nodes moves the arrays: who has the old ones keeps them."""
        world = sinew.World()
        fine = sinew.material("cloth", tear_strain=0.01, stretch_stiffness=10.0)
        world.cloth(sinew.grid(width=1, depth=1, columns=8, rows=8), fine, pins=[0, 8],
                    position=(0, 2, 0))
        view, count = memoryview(world.positions), len(world.positions)
        for _ in range(60):
            world.step(1 / 60)
        self.assertGreater(len(world.positions), count)
        self.assertEqual(len(view.tolist()), count)

    def test_numpy(self):
        try:
            import numpy
        except ImportError:
            self.skipTest("there is no NumPy")
        world, *_ = pendulum()
        x = numpy.asarray(world.positions)
        self.assertEqual((x.shape, x.dtype), ((2, 3), numpy.float32))
        world.step(1 / 60)
        self.assertTrue(numpy.array_equal(x, world.positions.tolist()))
        del x
        self.assertEqual(len(world.nodes_at(numpy.zeros((4, 3)))), 4)
        mesh = sinew.Mesh.from_arrays(numpy.eye(3), numpy.array([[0, 1, 2]]))
        self.assertEqual(numpy.asarray(mesh.triangles).dtype, numpy.uint32)


    def test_dlpack(self):
        """A capsule counts as a buffer, whether it is taken or not."""
        world, *_ = pendulum()
        capsule = world.positions.__dlpack__()
        self.assertEqual(world.positions.__dlpack_device__(), (1, 0))
        with self.assertRaises(BufferError):
            world.node()
        del capsule
        world.node()
        for name, library in self.tensors():
            x = library.from_dlpack(world.positions)
            self.assertEqual(tuple(x.shape), (3, 3), name)
            world.step(1 / 60)
            self.assertEqual(x[1].tolist(), list(world.positions[1]), name)
            with self.assertRaises(BufferError):
                world.node()
            del x
            gc.collect()
        world.node()

    def tensors(self):
        """The libraries that are here."""
        for name in ("numpy", "torch"):
            try:
                yield name, __import__(name)
            except ImportError:
                pass


class Callbacks(unittest.TestCase):
    def test_force_field(self):
        world = sinew.World(gravity=(0, 0, 0))
        node = world.node()

        def field(time, positions, velocities, inverse_masses, accelerations):
            memoryview(accelerations)[0, 0] += 2.0

        world.add_force_field(field)
        world.step(0.5)
        self.assertAlmostEqual(node.velocity[0], 1, delta=1e-5)
        world.remove_force_field(field)
        world.step(0.5)
        self.assertAlmostEqual(node.velocity[0], 1, delta=1e-5)
        with self.assertRaises(c.IdError):
            world.remove_force_field(field)

    def test_exceptions_go_on(self):
        world = sinew.World()
        world.node()

        def fails(*arguments):
            raise ZeroDivisionError("of a field")

        world.add_force_field(fails)
        for _ in range(2):
            with self.assertRaisesRegex(ZeroDivisionError, "of a field"):
                world.step(1 / 60)

    def test_world_is_locked_in_a_step(self):
        world = sinew.World()
        world.node()
        caught = []

        def field(*arguments):
            try:
                world.node()
            except RuntimeError as error:
                caught.append(str(error))

        world.add_force_field(field)
        world.step(1 / 60)
        self.assertIn("in a step", caught[0])

    def length(self, batch):
        for i in range(batch.count):
            x = [batch.x[1, axis, i] for axis in range(3)]
            far = sum(a * a for a in x) ** 0.5
            batch.value[0, i] = far - batch.parameter[0, i]
            for axis in range(3):
                batch.gradient[0, axis, i] = -x[axis] / far
                batch.gradient[1, axis, i] = x[axis] / far

    def test_own_constraint(self):
        """A formula in Python gives what that of the library gives."""
        ends = []
        for own in (False, True):
            world = sinew.World(threads=2)
            nodes = world.nodes_at([(i, 0, 0) for i in range(40)])
            nodes[0].set_inverse_mass(0)
            if own:
                world.add_type("mine", self.length, parameters=["rest"])
            for a, b in zip(nodes, nodes[1:]):
                if own:
                    world.constraint("mine", a, b, rest=1, compliance=1e-4)
                else:
                    world.distance(a, b, compliance=1e-4)
            for _ in range(5):
                world.step(1 / 60)
            ends.append(nodes[-1].position)
        for a, b in zip(*ends):
            self.assertAlmostEqual(a, b, delta=1e-4)

    def test_formula_that_fails(self):
        world, anchor, weight, _ = pendulum()

        def fails(batch):
            raise ArithmeticError("of a formula")

        world.add_type("broken", fails, numerical=True)
        with self.assertRaisesRegex(ArithmeticError, "of a formula"):
            world.constraint("broken", anchor, weight)
            world.step(1 / 60)

    def test_log(self):
        said = []
        world = sinew.World(log=lambda level, sentence: said.append(sentence))
        world.solid(sinew.block(extent=(0.1, 0.1, 0.1), cells=(4, 4, 4)),
                    sinew.material("solid", young=1e10))
        self.assertTrue(any("substeps" in sentence for sentence in said))


class Threads(unittest.TestCase):
    def test_worlds_at_once(self):
        def world():
            made = sinew.World()
            made.cloth(sinew.grid(columns=12, rows=12), "cotton", pins=[0])
            return made

        alone = world()
        for _ in range(10):
            alone.step(1 / 60)
        many = [world() for _ in range(6)]
        sinew.step_all(many, 1 / 60, steps=10, threads=3)
        self.assertEqual({other.hash() for other in many}, {alone.hash()})

    def test_lock_is_released(self):
        """Another thread counts while a step runs, and the world is refused to it."""
        world = sinew.World(substeps=400)
        world.cloth(sinew.grid(columns=60, rows=60), "cotton", pins=[0])
        done, counted, refused = threading.Event(), [], []

        def watch():
            while not done.is_set():
                counted.append(time.perf_counter())
                try:
                    world.node_at(0)
                except RuntimeError:
                    refused.append(1)
                time.sleep(0.0005)

        thread = threading.Thread(target=watch)
        thread.start()
        world.step(1 / 60)
        done.set()
        thread.join()
        self.assertGreater(len(refused), 0)

    def test_interrupt(self):
        """Ctrl-C ends a loop over steps, also where who started the tests ignores it."""
        text = ("import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler);"
                f"sys.path.insert(0, {PACKAGE!r}); import sinew; w = sinew.World();"
                "w.node(); print('ready', flush=True)\nwhile True: w.step(1 / 60)")
        with subprocess.Popen([sys.executable, "-B", "-c", text], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True) as process:
            process.stdout.readline()
            process.send_signal(signal.SIGINT)
            try:
                self.assertIn("KeyboardInterrupt", process.communicate(timeout=60)[1])
            finally:
                process.kill()


class Scenes(unittest.TestCase):
    def test_hashes(self):
        """Ten scenes have the hashes that the command has."""
        names = ("rope", "bounce", "gears", "rods", "pull", "shapes", "corners", "net", "cloth",
                 "rising")
        for name in names:
            path = os.path.join(SCENES, f"{name}.json")
            with sinew.Scene(path) as scene:
                found = f"{scene.run(4):016x}"
            said = subprocess.run([PROGRAM, "run", path, "--hash", "--frames", "4"],
                                  capture_output=True, text=True, check=True).stdout
            self.assertIn(found, said, name)

    def test_parts(self):
        scene = sinew.Scene(os.path.join(SCENES, "rope.json"))
        scene.watch()
        scene.step()
        self.assertEqual(scene.frame_number(), 1)
        self.assertIn("rope", scene.bodies)
        self.assertIn("kinetic energy [J]", scene.columns())
        world = scene.world()
        self.assertIs(world, scene.world())
        frame = scene.frame()
        shape = frame.shapes[0]
        self.assertEqual(len(shape.positions), len(scene.bodies["rope"].nodes))
        scene.step()
        with self.assertRaisesRegex(RuntimeError, "ask for it again"):
            shape.positions
        view = memoryview(world.positions)
        with self.assertRaises(BufferError):
            scene.close()
        view.release()
        scene.close()
        with self.assertRaisesRegex(ValueError, "closed"):
            world.step(1 / 60)

    def test_text_and_complaints(self):
        complaints = []
        with self.assertRaisesRegex(c.DataError, "my.json:1:"):
            sinew.Scene("my.json", text='{"bodys": []}', complaint=complaints.append)
        self.assertIn("bodys", complaints[0])

    def test_export(self):
        with tempfile.TemporaryDirectory() as folder:
            scene = sinew.Scene(os.path.join(SCENES, "rope.json"))
            with sinew.Export("cache", folder=folder, name="rope") as export:
                scene.run(3, export=export)
            self.assertEqual([os.path.basename(path) for path in export.files], ["rope.snc"])
            cache = c.io_cache_open(export.files[0])
            self.assertEqual(cache.get_info().frame_count, 4)
            self.assertGreater(len(cache.frame(3).shapes[0].positions), 10)

    def test_show(self):
        """A notebook gets a PNG; bodies and frames are drawn as scenes are."""
        with sinew.Scene(os.path.join(SCENES, "rope.json")) as scene:
            picture = sinew.show(scene, width=64, height=36)
            again = sinew.show(scene.frame(), width=64, height=36)
            speed = sinew.show(scene, width=64, height=36, colour="speed")
        self.assertEqual(picture.pixels, again.pixels)
        self.assertNotEqual(picture.pixels, speed.pixels)
        world = sinew.World()
        flag = world.cloth(sinew.grid(columns=4, rows=4), "cotton")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "flag.png")
            shown = sinew.show(flag, width=64, height=36, path=path)
            with open(path, "rb") as file:
                data = file.read()
        self.assertEqual(data, shown._repr_png_())
        self.assertEqual(data[:8], b"\x89PNG\r\n\x1a\n")
        rows = zlib.decompress(data[data.index(b"IDAT") + 4:-16])
        self.assertEqual(len(rows), 36 * (1 + 3 * 64))
        self.assertEqual(rows[1:1 + 3 * 64], shown.pixels[:3 * 64])
        self.assertGreater(len(set(shown.pixels)), 20)
        for wrong in (lambda: sinew.show(flag, colour="heat"), lambda: sinew.show(flag, width=0),
                      lambda: sinew.show(flag, 3), lambda: sinew.show(3), lambda: sinew.show()):
            with self.assertRaises((ValueError, TypeError, sinew.Error)):
                wrong()

    def test_show_world(self):
        """All that a world has is in its picture, wherever it is by now."""
        def seen():
            return sinew.show(world, width=64, height=36).pixels

        world = sinew.World()
        empty = seen()
        flag = world.cloth(sinew.grid(columns=4, rows=4), "cotton", position=(0, 1, 0))
        pictures = [empty, seen()]
        ball = world.collider("sphere", radius=0.3)
        world.collider("plane")
        pictures.append(seen())
        world.node(position=(1, 1, 0), radius=0.2)
        pictures.append(seen())
        ball.set_target((0.5, 0, 0), (0, 0, 0, 1))
        world.step(1 / 60)
        pictures.append(seen())
        self.assertEqual(len(set(pictures)), len(pictures))
        self.assertEqual((world.bodies, len(world.colliders)), ([flag], 2))
        flag.destroy()
        ball.destroy()
        self.assertEqual(world.bodies, [])
        self.assertNotIn(seen(), pictures)

    def test_collider_mesh(self):
        """The surface of a box is in the frame of the box."""
        box, mesh = c.ColliderDef(shape="box", extent=(1, 2, 3), position=(9, 9, 9)), c.Mesh()
        c.io_collider_mesh(box, mesh)
        self.assertEqual(sorted(set(tuple(map(abs, x)) for x in mesh.positions)), [(1, 2, 3)])
        self.assertEqual(len(mesh.triangles), 12)
        with self.assertRaisesRegex(sinew.Error, "def is null"):
            c.io_collider_mesh(None, mesh)

    def test_frame_of_ones_own(self):
        with tempfile.TemporaryDirectory() as folder:
            shape = c.IoShape(name="dots", positions=[(0, 0, 0), (1, 0, 0)], radii=[0.1, 0.2])
            with sinew.Export("obj", folder=folder) as export:
                export.frame(c.IoFrame(shapes=[shape]))
            self.assertTrue(export.files)


class Leaks(unittest.TestCase):
    def resident(self):
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def once(self):
        world, _, weight, rod = pendulum()
        world.add_force_field(lambda *arguments: world.closed)
        world.step(1e-4)
        memoryview(world.positions).release()
        rod.get(), weight.get(), world.contacts(), world.snapshot_save()
        try:
            world.step(-1)
        except sinew.Error:
            pass

    def test_worlds(self):
        before = 0
        for i in range(1000 if os.environ.get("SINEW_TEST_LONG") else 33):
            for _ in range(100):
                self.once()
            gc.collect()
            before = before or (self.resident() if i == 3 else 0)
        self.assertLess(self.resident() - before, 3 << 20)

    def test_references(self):
        if not hasattr(sys, "getrefcount"):
            self.skipTest("no counts of references")
        world, anchor, weight, rod = pendulum()
        before = sys.getrefcount(world)
        for _ in range(100):
            world.node_at(0), world.nodes(), world.positions, rod.get(), world.stats()
        self.assertEqual(sys.getrefcount(world), before)


class Speed(unittest.TestCase):
    def test_small_calls(self):
        """Printed, and bounded far above what it is: machines are busy."""
        world, anchor, *_ = pendulum()
        best = min(self.seconds(anchor.is_valid) for _ in range(20))
        place = (0.0, 1.0, 0.0)
        other = min(self.seconds(lambda: anchor.set_position(place)) for _ in range(20))
        print(f"\na small call: {best * 1e6:.2f} us, with a vector: {other * 1e6:.2f} us")
        self.assertLess(best, 5e-6)

    def test_steps(self):
        """A step costs what it costs in C, by the clock of the library itself."""
        world = sinew.World()
        world.cloth(sinew.grid(columns=40, rows=40), "cotton", pins=[0])
        ratios = []
        for _ in range(30):
            begin = time.perf_counter()
            world.step(1 / 60)
            ratios.append((time.perf_counter() - begin) / world.stats().time_step)
        print(f"\na step: {min(ratios):.4f} times that in C")
        self.assertLess(min(ratios), 1.02)

    def seconds(self, call):
        begin = time.perf_counter()
        for _ in range(2000):
            call()
        return (time.perf_counter() - begin) / 2000


if __name__ == "__main__":
    words = [word for name in sys.argv[5:] for word in ("-k", name)]
    unittest.main(argv=[sys.argv[0], *words])
