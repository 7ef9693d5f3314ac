"""The add-on in Blender, without a window.

    addon.py ADDON.zip SINEW SCRATCH [PICTURE.png]      starts Blender, which runs this file

Installs the zip as a user would, bakes every role, and compares what the objects then are with what
the command wrote; textures and materials stay. Exits with 77 where Blender is missing.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys


def start():
    """Runs this file in Blender, which keeps what it installs in SCRATCH; its exit code."""
    if not shutil.which("blender"):
        print("skipped: blender is not installed")
        sys.exit(77)
    scratch = pathlib.Path(sys.argv[3])
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True)
    command = ["blender", "-b", "--factory-startup", "--python-exit-code", "1"]
    command += ["-P", os.path.abspath(__file__), "--", *map(os.path.abspath, sys.argv[1:])]
    # Debian's Blender takes the Python that is found first for its own, and that is the system's.
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        env={
            **os.environ,
            "PATH": "/usr/bin:" + os.environ["PATH"],
            "BLENDER_USER_SCRIPTS": os.path.abspath(scratch / "scripts"),
        },
    )
    lines = (done.stdout + done.stderr).splitlines()
    shown = ("FAIL",) if done.returncode == 0 else ("",)
    print("\n".join(line for line in lines if line.startswith(shown) or " passed, " in line))
    sys.exit(done.returncode)


try:
    import bpy
except ImportError:
    start()

import numpy  # noqa: E402
from mathutils import Matrix, Vector  # noqa: E402

ZIP, SINEW, SCRATCH, *PICTURE = sys.argv[sys.argv.index("--") + 1 :]
SCRATCH = pathlib.Path(SCRATCH)
counts = {"passed": 0, "failed": 0}


def check(holds, sentence):
    counts["passed" if holds else "failed"] += 1
    if not holds:
        print(f"FAIL  {sentence}")


def empty_scene(name, frames):
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    bpy.ops.preferences.addon_enable(module="sinew_blender")
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end, scene.render.fps = 1, 1 + frames, 24
    scene.sinew.folder = str(SCRATCH / name)
    return scene


def named(name, role, **chosen):
    o = bpy.context.object
    o.name = name
    o.sinew.role = role
    for key, value in chosen.items():
        setattr(o.sinew, key, value)
    return o


def group(o, name, vertices):
    o.vertex_groups.new(name=name).add(list(vertices), 1.0, "REPLACE")
    o.sinew.pins = name


def in_world(o, frame):
    """Vertices of an object as Blender shows them."""
    bpy.context.scene.frame_set(frame)
    seen = o.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return numpy.array([seen.matrix_world @ v.co for v in seen.data.vertices])


def written(name, file):
    """What the command wrote, read without the add-on."""
    data = (SCRATCH / name / "out" / file).read_bytes()
    points, samples = int.from_bytes(data[16:20], "little"), int.from_bytes(data[28:32], "little")
    return numpy.frombuffer(data[32:], dtype="<f4").reshape(samples, points, 3)


def bake():
    try:
        return bpy.ops.sinew.bake() == {"FINISHED"}, ""
    except RuntimeError as error:
        return False, str(error)


def check_baked():
    done, said = bake()
    check(done, f"the bake fails: {said}")
    return done


def check_motion(scene, name, o, file, tolerance=2e-6):
    path = written(name, file)
    check(len(path) == scene.frame_end - scene.frame_start + 1, f"{file} has {len(path)} frames")
    off = max(
        numpy.abs(in_world(o, scene.frame_start + k) - points).max()
        for k, points in enumerate(path)
    )
    check(off < tolerance, f'"{o.name}" is off by {off} m from what was simulated')
    return path


def curtain():
    """Pinned cloth that is carried along, beside a ball that moves and a floor; a solid, a rope and
    a rigid body fall."""
    scene = empty_scene("curtain", 20)
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=12, y_subdivisions=12, size=1)
    cloth = named("A curtain", "CLOTH", preset="silk", thickness=0.02, penetration_free=True)
    cloth.matrix_world = (
        Matrix.Translation((0, 0, 2)) @ Matrix.Rotation(0.4, 4, "X") @ Matrix.Scale(1.2, 4)
    )
    group(cloth, "rail", [v.index for v in cloth.data.vertices if v.co.y > 0.49])
    cloth.data.materials.append(bpy.data.materials.new("velvet"))
    uvs = [tuple(l.uv) for l in cloth.data.uv_layers.active.data]
    for frame, x in ((1, 0), (21, 0.3)):
        cloth.location.x = x
        cloth.keyframe_insert("location", frame=frame)
    cloth.modifiers.new("fine", "SUBSURF").show_viewport = False
    bpy.ops.mesh.primitive_uv_sphere_add(segments=16, ring_count=8, radius=0.3)
    ball = named("ball", "COLLIDER")
    for frame, y in ((1, -1.2), (21, -0.3)):
        ball.location = (0, y, 1.7)
        ball.keyframe_insert("location", frame=frame)
    bpy.ops.mesh.primitive_plane_add(size=8)
    named("floor", "COLLIDER")
    bpy.ops.mesh.primitive_cube_add(size=0.4, location=(2, 0, 0.6))
    cube = named("jelly", "SOLID", preset="rubber", spacing=0.1)
    bpy.ops.mesh.primitive_cube_add(size=0.4, location=(3, 0, 1), rotation=(0.5, 0.3, 0))
    crate = named("crate", "RIGID")
    mesh = bpy.data.meshes.new("line")
    mesh.from_pydata(
        [(-2 + 0.05 * k, 0, 2) for k in range(21)], [(k, k + 1) for k in range(20)], []
    )
    rope = bpy.data.objects.new("rope", mesh)
    scene.collection.objects.link(rope)
    bpy.context.view_layer.objects.active = rope
    named("rope", "ROPE")
    group(rope, "hook", [0])
    if not check_baked():
        return
    path = check_motion(scene, "curtain", cloth, "scene_A_curtain.pc2")
    rail = [v.index for v in cloth.data.vertices if v.co.y > 0.49]
    check(abs((path[-1] - path[0])[rail, 0] - 0.3).max() < 1e-4, "the rail was not carried along")
    check((path[-1] - path[0])[:, 2].min() < -0.1, "the curtain did not fall")
    check_motion(scene, "curtain", cube, "scene_jelly.pc2")
    check_motion(scene, "curtain", rope, "scene_rope.pc2")
    check_hull(scene, crate, written("curtain", "scene_crate.pc2"))
    check(
        cube.modifiers[0].type == "MESH_CACHE" and cloth.modifiers[0].name == "Sinew",
        "the point cache is not the first of the modifiers",
    )
    check(
        [tuple(l.uv) for l in cloth.data.uv_layers.active.data] == uvs,
        "texture coordinates changed",
    )
    check([m.name for m in cloth.data.materials] == ["velvet"], "materials changed")
    if PICTURE:
        draw(scene)
    start = in_world(crate, 1)
    bpy.ops.sinew.clear()
    check("Sinew" not in cloth.modifiers and not crate.animation_data, "the motion is still there")
    check(numpy.abs(in_world(crate, 21) - start).max() < 1e-6, "the crate is not where it was")


def check_hull(scene, o, path):
    """The corners of a hull come in an order of their own."""
    off = 0
    for k, points in enumerate(path):
        seen = in_world(o, scene.frame_start + k)
        off = max(off, max(numpy.abs(points - p).max(axis=1).min() for p in seen))
    check(off < 1e-5, f'"{o.name}" is off by {off} m from what was simulated')
    check(numpy.abs(path[-1] - path[0]).max() > 0.1, f'"{o.name}" did not fall')


def draw(scene):
    bpy.ops.object.light_add(type="SUN", rotation=(0.6, 0.2, 0))
    bpy.context.object.data.energy = 3
    bpy.ops.object.camera_add(location=(0.8, -7, 2.2), rotation=(1.45, 0, 0.02))
    scene.camera = bpy.context.object
    scene.render.engine, scene.cycles.samples, scene.cycles.use_denoising = "CYCLES", 16, False
    scene.render.resolution_x, scene.render.resolution_y = 640, 360
    scene.render.filepath = PICTURE[0]
    scene.frame_set(scene.frame_end)
    bpy.ops.render.render(write_still=True)


def tearing():
    """Cloth that tears keeps its textures, and is whole again when that is taken back."""
    scene = empty_scene("tearing", 12)
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=8, y_subdivisions=8, size=1, location=(0, 0, 1))
    cloth = named("flag", "CLOTH", tears=True, tear_strain=0.05, collide=False)
    group(
        cloth,
        "corners",
        [v.index for v in cloth.data.vertices if abs(v.co.x) > 0.49 and abs(v.co.y) > 0.49],
    )
    for frame, scale in ((1, 1.0), (13, 1.5)):
        cloth.scale = (scale, scale, 1)
        cloth.keyframe_insert("scale", frame=frame)
    before = len(cloth.data.vertices)
    if not check_baked():
        return
    check(len(cloth.data.vertices) > before, "nothing tore")
    check_motion(scene, "tearing", cloth, "scene_flag.pc2", 5e-6)
    uvs = {(round(l.uv.x, 5), round(l.uv.y, 5)) for l in cloth.data.uv_layers.active.data}
    check(len(uvs) == before, "texture coordinates of what tore are others")
    bpy.ops.sinew.clear()
    check(len(cloth.data.vertices) == before, "the cloth is not whole again")


def liquid():
    """A block of water that runs out in a tray."""
    scene = empty_scene("liquid", 10)
    bpy.ops.mesh.primitive_cube_add(size=0.4, location=(0, 0, 0.2))
    named("water", "FLUID", spacing=0.05)
    bpy.ops.mesh.primitive_plane_add(size=3)
    named("tray", "COLLIDER")
    if not check_baked():
        return
    surface = bpy.data.objects.get("water liquid")
    check(surface is not None, "there is no surface of the liquid")
    sizes = []
    for frame in (1, 11):
        scene.frame_set(frame)
        points = numpy.array([v.co for v in surface.data.vertices])
        sizes.append(points.max(axis=0) - points.min(axis=0))
    check(
        0.3 < sizes[0][0] < 0.5 and sizes[1][0] > sizes[0][0] + 0.1,
        f"the water does not run out: {sizes}",
    )


def scene_file():
    """The scene file alone is what the command takes."""
    scene = empty_scene("file", 5)
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=4, y_subdivisions=4)
    named("sheet", "CLOTH", thickness=0.25, penetration_free=True)
    bpy.ops.object.effector_add(type="WIND", rotation=(0, 1.5707963, 0))
    bpy.context.object.field.strength = 3
    check(bpy.ops.sinew.export() == {"FINISHED"}, "the scene file is not written")
    path = SCRATCH / "file" / "scene.json"
    said = json.loads(path.read_text(encoding="utf-8"))
    check(
        abs(said["settings"]["wind"][0] - 3) < 1e-5, f'the wind is {said["settings"].get("wind")}'
    )
    sheet = said["bodies"][0]
    check(
        sheet["material"]["thickness"] == 0.25 and sheet["contact"]["penetration_free"],
        f"thickness and contact are not those of the panel: {sheet}",
    )
    check(
        subprocess.run([SINEW, "check", str(path)], capture_output=True).returncode == 0,
        "it does not check",
    )


def add_field(kind, name, location=(0, 0, 0), **chosen):
    bpy.ops.object.effector_add(type=kind, location=location)
    o = bpy.context.object
    o.name = name
    for key, value in chosen.items():
        setattr(o.field, key, value)
    return o


def fields_written():
    """Every force field that has an equal becomes one, with keys where it moves."""
    scene = empty_scene("fields", 4)
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=2, y_subdivisions=2, size=0.2)
    named("sheet", "CLOTH")
    limits = {"falloff_power": 2, "use_max_distance": True, "distance_max": 3}
    force = add_field("FORCE", "a force", strength=-4, flow=0.5, **limits)
    for frame, x in ((1, 0), (5, 1)):
        force.location.x = x
        force.keyframe_insert("location", frame=frame)
    add_field("WIND", "b wind", strength=3, **limits)
    near = {"use_min_distance": True, "distance_min": 1}
    add_field("VORTEX", "c vortex", strength=2, shape="POINT", **near)
    add_field("TURBULENCE", "d turbulence", strength=5, size=0.5)
    add_field("DRAG", "e drag", linear_drag=1.5, quadratic_drag=0.25)
    add_field("HARMONIC", "f harmonic", strength=4, harmonic_damping=0.5, rest_length=2)
    add_field("FORCE", "g noise", strength=1, noise=0.5, seed=3)
    add_field("FORCE", "h gravity", strength=2, use_gravity_falloff=True)
    add_field("MAGNET", "a magnet")
    add_field("VORTEX", "i round", strength=3)
    add_field("FORCE", "j cone", falloff_type="CONE")
    import sinew_blender.scene_file

    made = sinew_blender.scene_file.SceneFile(bpy.context, SCRATCH / "fields")
    path = made.write()
    check(
        subprocess.run([SINEW, "check", str(path)], capture_output=True).returncode == 0,
        "a scene with force fields does not check",
    )
    said = json.loads(path.read_text(encoding="utf-8"))["effectors"]
    kinds = [e["kind"] for e in said]
    expected = "radial directional vortex turbulence drag harmonic radial radial vortex harmonic"
    check(kinds == (expected + " radial").split(), f"the kinds are {kinds}")
    force, wind, vortex, turbulence, drag, spring, noise, gravity, round_, held, _ = said
    places = [key["value"] for key in force["position"]["keys"]]
    check(
        len(places) == 5 and places[0][0] == 0 and places[4][0] == 1 and 0.4 < places[2][0] < 0.6,
        f"the force moves along {places}",
    )
    check(
        (force["strength"], force["falloff"], force["max_distance"], force["linear_drag"])
        == (-4, 2, 3, 0.5),
        f"the force is {force}",
    )
    check(wind["strength"] == 3 and abs(wind["axis"][2] - 1) < 1e-6, f"the wind is {wind}")
    check(vortex["strength"] == 2 and vortex["min_distance"] == 1, f"the vortex is {vortex}")
    check(turbulence["strength"] == 5 and turbulence["eddy_size"] == 0.5, f"it is {turbulence}")
    check((drag["linear_drag"], drag["quadratic_drag"]) == (1.5, 0.25), f"the drag is {drag}")
    check(
        (spring["strength"], spring["linear_drag"], spring["rest_length"]) == (4, 2, 2),
        f"the spring is {spring}",
    )
    values = [key["value"] for key in noise["strength"]["keys"]]
    check(
        len(set(values)) == 5 and all(0.5 <= value <= 1.5 for value in values),
        f"noise gives {values}",
    )
    at_two = gravity["strength"] * (gravity["falloff_length"] / 2) ** 2
    check(gravity["falloff"] == 2 and abs(at_two - 2 / 4) < 1e-6, f"gravity is {gravity}")
    check(round_["linear_drag"] == 1 and held["strength"] == 9, f"it turns by {round_}, {held}")
    for name in ('"a magnet" is a MAGNET', '"j cone": its falloff is a CONE'):
        check(any(name in warning for warning in made.warnings), f"{made.warnings} lack {name}")
    check(len(made.warnings) == 2, f"warnings: {made.warnings}")


def add_particle(scene, place):
    """A particle of Blender's own that begins at rest, of 1 kg and in fine steps."""
    mesh = bpy.data.meshes.new("spot")
    mesh.from_pydata([(0, 0, 0), (1e-5, 0, 0), (0, 1e-5, 0)], [], [(0, 1, 2)])
    spot = bpy.data.objects.new("spot", mesh)
    spot.location = place
    scene.collection.objects.link(spot)
    spot.modifiers.new("particles", "PARTICLE_SYSTEM")
    settings = spot.particle_systems[0].settings
    settings.count, settings.frame_start, settings.frame_end = 1, 1, 1
    settings.lifetime, settings.emit_from, settings.normal_factor = 1000, "VERT", 0
    settings.mass, settings.subframes, settings.timestep = 1, 20, 0.04
    return spot


def fields_felt():
    """A box in a force field goes where a particle of Blender's goes in it."""
    near = {"use_min_distance": True, "distance_min": 0.5}
    far = {"use_max_distance": True, "distance_max": 50}
    cases = {
        "FORCE": {"strength": -2, "falloff_power": 2, **near},
        "WIND": {"strength": 3, "flow": 2, **far},
        "VORTEX": {"strength": 2},
        "HARMONIC": {"strength": 4, "harmonic_damping": 0.5, "rest_length": 0.5},
    }
    place = (1, 0.5, 0.3)
    for kind, chosen in cases.items():
        scene = empty_scene(f"felt_{kind}", 25)
        scene.use_gravity, scene.render.fps = False, 25
        bpy.ops.mesh.primitive_cube_add(size=0.05, location=place)
        box = named("box", "RIGID")
        add_field(kind, "field", **chosen)
        spot = add_particle(scene, place)
        if not check_baked():
            return
        for frame in range(1, 27):
            scene.frame_set(frame)
        graph = bpy.context.evaluated_depsgraph_get()
        particle = spot.evaluated_get(graph).particle_systems[0].particles[0].location
        went = (particle - Vector(place)).length
        off = (particle - box.matrix_world.translation).length
        check(went > 0.1, f"{kind}: the particle went {went} m")
        check(off < 0.01 * went, f"{kind}: the box is {off} m from a particle that went {went} m")


def mistakes():
    """What is wrong is said, and names the object."""
    scene = empty_scene("mistakes", 5)
    for add, said in (
        (lambda: None, "no object has a role"),
        (
            lambda: (bpy.ops.mesh.primitive_plane_add(), named("open", "SOLID")),
            '"open" is not closed',
        ),
        (lambda: setattr(bpy.data.objects["open"].sinew, "role", "ROPE"), '"open" is a rope'),
        (
            lambda: (
                setattr(bpy.data.objects["open"].sinew, "role", "CLOTH"),
                setattr(bpy.data.objects["open"].sinew, "preset", "cottn"),
            ),
            "cottn",
        ),
        (
            lambda: (
                setattr(bpy.data.objects["open"].sinew, "preset", ""),
                setattr(scene.sinew, "executable", "/nowhere/sinew"),
            ),
            "does not start",
        ),
    ):
        add()
        done, error = bake()
        check(not done and said in error, f"{error!r} does not say: {said}")


bpy.ops.preferences.addon_install(filepath=ZIP, overwrite=True)
bpy.ops.preferences.addon_enable(module="sinew_blender")
packed = pathlib.Path(bpy.context.scene.sinew.executable)
check(
    packed.is_relative_to(SCRATCH) and packed.read_bytes() == pathlib.Path(SINEW).read_bytes(),
    f"{packed} is not the command that was packed",
)
for test in (curtain, tearing, liquid, scene_file, fields_written, fields_felt, mistakes):
    test()
print(f'{counts["passed"]} passed, {counts["failed"]} failed')
sys.exit(1 if counts["failed"] else 0)
