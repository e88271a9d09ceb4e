# SPDX-License-Identifier: Apache-2.0
"""Tulle in Blender: makes a coarse cloth fine, or simulates one, with the program `tulle`.

One file, for Blender 3.4 and later; docs/blender.md says how to install and use it. The first half, files and the
program, runs without Blender, so that it can be tested without one.
"""
import contextlib
import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import textwrap
import time

import numpy

try:
    import bpy
    from bpy.props import (BoolProperty, EnumProperty, FloatProperty, FloatVectorProperty, IntProperty,
                           PointerProperty, StringProperty)
    from bpy.types import AddonPreferences, Operator, Panel, PropertyGroup
    from mathutils import Matrix, Vector
    from mathutils.bvhtree import BVHTree
    from mathutils.interpolate import poly_3d_calc
except ImportError:  # only the first half is used
    bpy = None
    AddonPreferences = Operator = Panel = PropertyGroup = object
    BoolProperty = EnumProperty = FloatProperty = FloatVectorProperty = IntProperty = dict
    PointerProperty = StringProperty = dict

bl_info = {
    "name": "Tulle",
    "description": "Makes coarse cloth fine and simulates cloth, with the program tulle",
    "author": "The authors of Tulle",
    "version": (0, 1, 0),
    "blender": (3, 4, 0),
    "location": "3D View > Sidebar > Tulle, and Properties > Physics",
    "category": "Physics",
}

FABRICS = (("cotton", "Cotton", "Plain-woven shirting"),
           ("silk", "Silk", "Charmeuse: thin, and it hardly resists bending"),
           ("denim", "Denim", "Heavy and stiff"),
           ("rubber", "Papers' Springs", "What the papers simulate: stretches like rubber"))
METHODS = (("automatic", "Automatic", "Miniature for a grid, hierarchy for any other mesh"),
           ("miniature", "Miniature", "Networks for cloth that is a grid"),
           ("hierarchy", "Hierarchy", "Networks for any mesh; doubles as often as the factor asks for"),
           ("bicubic", "Bicubic", "Interpolation only; for a grid"),
           ("bilinear", "Bilinear", "Interpolation only; for a grid"))


class TulleError(Exception):
    """One sentence for the person in front of Blender, which says what to do."""


# ---------------------------------------------------------------------------------------------------- Files

def write_obj(path, positions, faces, face_uvs=None):
    """`faces`: lists of vertices, counted from 0; `face_uvs`: as many pairs for each face, or none."""
    with open(path, "w", encoding="ascii") as file:
        file.writelines("v %.9g %.9g %.9g\n" % tuple(position) for position in positions)
        if face_uvs is None:
            file.writelines("f %s\n" % " ".join(str(v + 1) for v in face) for face in faces)
            return
        numbers = {}  # corners that share a texture coordinate share its number too
        corners = [[numbers.setdefault(tuple(uv), len(numbers) + 1) for uv in uvs] for uvs in face_uvs]
        file.writelines("vt %.9g %.9g\n" % uv for uv in numbers)
        for face, uvs in zip(faces, corners):
            file.write("f %s\n" % " ".join("%d/%d" % (v + 1, uv) for v, uv in zip(face, uvs)))


def read_obj(path):
    """Positions |V|x3 and faces, as lists of vertices."""
    positions, faces = [], []
    with open(path, encoding="utf-8") as file:
        for line in file:
            words = line.split()
            if words[:1] == ["v"]:
                positions.append([float(word) for word in words[1:4]])
            elif words[:1] == ["f"]:
                faces.append([int(word.split("/")[0]) - 1 for word in words[1:]])
    return numpy.array(positions).reshape(-1, 3), faces


PC2_HEADER = numpy.dtype([("magic", "S12"), ("version", "<i4"), ("points", "<i4"), ("start", "<f4"),
                          ("frames_per_sample", "<f4"), ("samples", "<i4")])


class Pc2Writer:
    """A point cache that gets its frames one by one; it has its name only when it is whole."""

    def __init__(self, path, point_count, frame_count):
        self.path, self.point_count = pathlib.Path(path), point_count
        self.unfinished = self.path.with_name(self.path.name + ".part")
        self.file = open(self.unfinished, "wb")
        self.file.write(numpy.array([(b"POINTCACHE2", 1, point_count, 0, 1, frame_count)], PC2_HEADER).tobytes())

    def append(self, positions):
        assert len(positions) == self.point_count
        self.file.write(numpy.ascontiguousarray(positions, "<f4").tobytes())

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        self.file.close()
        if kind is None:
            os.replace(self.unfinished, self.path)
        else:
            self.unfinished.unlink()


def read_pc2(path):
    """All frames, |F|x|V|x3, read from the file as they are used."""
    header = numpy.fromfile(path, PC2_HEADER, 1)
    if len(header) == 0 or header["magic"][0] != b"POINTCACHE2":
        raise TulleError(f"'{path}' is not a point cache")
    shape = (int(header["samples"][0]), int(header["points"][0]), 3)
    return numpy.memmap(path, "<f4", "r", PC2_HEADER.itemsize, shape)


def toml_setting(number):
    """What a person chose: Blender keeps 32 bits, and its 9.80999947 is somebody's 9.81."""
    return "%.6g" % number


def toml_list(numbers, written="%.9g".__mod__):
    return "[%s]" % ", ".join(map(written, numbers))


def toml_section(name, values):
    """A section of a scene file; values are TOML already."""
    return "\n".join([name, *(f"{key} = {value}" for key, value in values.items())]) + "\n"


def pin_sections(vertices, motion, frame_rate):
    """`motion`: where the pins are, |F|x|P|x3. Pins that stand still or move alike are one group."""
    if len(vertices) == 0:
        return []
    offsets = motion - motion[0]
    if numpy.ptp(offsets, axis=1).max() < 1e-6:
        groups = [(vertices, offsets[:, 0])]
    else:
        groups = [([vertex], offsets[:, i]) for i, vertex in enumerate(vertices)]
    sections = []
    for members, path in groups:
        values = {"vertices": "[%s]" % ", ".join(map(str, members))}
        if abs(path).max() > 1e-6:
            keys = ("{ time = %.9g, translation = %s }" % (i / frame_rate, toml_list(offset))
                    for i, offset in enumerate(path))
            values["motion.keyframes"] = "[\n    %s\n]" % ",\n    ".join(keys)
        sections.append(toml_section("[[pins]]", values))
    return sections


def file_name(name):
    """What is left of a name of Blender's in names of files and of colliders."""
    return re.sub(r"[^A-Za-z0-9_-]+", "_", name) or "_"


def plain_names(names):
    """The same of several names, which stay different."""
    plain = [file_name(name) for name in names]
    return [name if plain.count(name) == 1 else f"{name}-{i}" for i, name in enumerate(plain)]


# ------------------------------------------------------------------------------------------------ The program

def find_program(wanted):
    found = shutil.which(wanted or "tulle")
    if found:
        return found
    raise TulleError(f"the program '{wanted or 'tulle'}' was not found; set its path in Edit > Preferences > Add-ons > Tulle")


def program_version(program):
    try:
        done = subprocess.run([find_program(program), "--version"], capture_output=True, text=True, timeout=20)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise TulleError(f"'{program}' does not run: {error}") from error
    if done.returncode != 0 or not done.stdout.startswith("tulle "):
        raise TulleError(f"'{program}' is not the program tulle; choose another one")
    return done.stdout.strip()


class ProgramRun:
    """tulle in a process of its own. Its messages go to a file, so that nobody waits for them."""

    def __init__(self, command, folder, models=""):
        self.messages = pathlib.Path(folder) / "messages.txt"
        surroundings = dict(os.environ, TULLE_MODELS=models) if models else None
        with open(self.messages, "wb") as messages:
            try:
                self.process = subprocess.Popen([str(word) for word in command], cwd=folder, env=surroundings,
                                                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=messages)
            except OSError as error:
                raise TulleError(f"'{command[0]}' does not run: {error.strerror}; check its path in the preferences") from error

    def is_running(self):
        return self.process.poll() is None

    def progress(self):
        """Which part of what it does now is done: the last line such as {"task":"upscaling","done":3,"total":100}."""
        lines = [line for line in self.messages.read_text(encoding="utf-8", errors="replace").split("\n")[:-1]
                 if line.startswith("{")]
        if not lines:
            return 0, "starting"
        last = json.loads(lines[-1])
        return last["done"] / max(last["total"], 1), last["task"]

    def sentence(self):
        """What tulle says went wrong."""
        lines = self.messages.read_text(encoding="utf-8", errors="replace").splitlines()
        said = [re.sub(r"^tulle: (scene\.toml:\d+: )?", "", line) for line in lines if line.startswith("tulle: ")]
        return said[-1] if said else f"tulle ended with exit code {self.process.returncode} and no message"

    def stop(self):
        if self.is_running():
            self.process.kill()
        self.process.wait()


def run_steps(command, folder, models):
    """Yields (fraction, what it does) until the program is done. Closing the generator kills the program."""
    run = ProgramRun([*command, "--progress", "json"], folder, models)
    try:
        while run.is_running():
            yield run.progress()
            time.sleep(0.01)
        if run.process.returncode != 0:
            raise TulleError(run.sentence())
    finally:
        run.stop()


# --------------------------------------------------------------------------------------- What is in Blender
# Jobs live through many redraws, in which a person may undo or delete: they hold names and plain arrays only.

class Surface:
    """A mesh as plain arrays, with what its finer twin inherits."""

    def __init__(self, mesh, materials):
        self.positions = coordinates(mesh)
        self.faces = [list(face.vertices) for face in mesh.polygons]
        self.triangles = loop_triangles(mesh)
        self.uvs = {layer.name: face_values(mesh, layer) for layer in mesh.uv_layers}
        self.active_uv = mesh.uv_layers.active.name if mesh.uv_layers.active else ""
        self.material_indices = [face.material_index for face in mesh.polygons]
        self.smooth = [face.use_smooth for face in mesh.polygons]
        self.materials = materials


def coordinates(mesh):
    points = numpy.empty(3 * len(mesh.vertices), numpy.float32)
    mesh.vertices.foreach_get("co", points)
    return points.reshape(-1, 3).astype(float)


def loop_triangles(mesh):
    mesh.calc_loop_triangles()
    corners = numpy.empty(3 * len(mesh.loop_triangles), numpy.int32)
    mesh.loop_triangles.foreach_get("vertices", corners)
    return corners.reshape(-1, 3)


def face_values(mesh, layer):
    values = numpy.empty(2 * len(mesh.loops), numpy.float32)
    layer.data.foreach_get("uv", values)
    values = values.reshape(-1, 2).tolist()
    return [values[face.loop_start:face.loop_start + face.loop_total] for face in mesh.polygons]


@contextlib.contextmanager
def evaluated_mesh(context, name):
    """The mesh that Blender shows at the current frame, and where it is."""
    source = found_object(name)
    evaluated = source.evaluated_get(context.evaluated_depsgraph_get())
    mesh = evaluated.to_mesh()
    try:
        yield mesh, evaluated.matrix_world
    finally:
        evaluated.to_mesh_clear()


def found_object(name):
    found = bpy.data.objects.get(name)
    if found is None:
        raise TulleError(f"'{name}' is gone; start again without deleting or renaming it meanwhile")
    return found


def transformed(points, matrix):
    matrix = numpy.array(matrix)
    return points @ matrix[:3, :3].T + matrix[:3, 3]


def world_points(context, name):
    """The vertices at the current frame, in metres."""
    with evaluated_mesh(context, name) as (mesh, matrix):
        return transformed(coordinates(mesh), matrix) * context.scene.unit_settings.scale_length


def surface_of(context, name, title=None):
    """`title`: what a person calls it, if that is another name."""
    materials = [slot.material.name if slot.material else None for slot in found_object(name).material_slots]
    with evaluated_mesh(context, name) as (mesh, _):
        if not mesh.polygons:
            raise TulleError(f"'{title or name}' has no faces; choose a mesh")
        return Surface(mesh, materials)


def rest_points(context, name, like):
    """The cloth before anything deforms it, where the object is now; `like` it if its vertices are others."""
    source = found_object(name)
    if len(source.data.vertices) != len(like):
        return like
    return transformed(coordinates(source.data), source.matrix_world) * context.scene.unit_settings.scale_length


def frame_rate(scene):
    return scene.render.fps / scene.render.fps_base


def frame_range(scene):
    if scene.frame_end <= scene.frame_start:
        raise TulleError("the scene has one frame only; set its end after its start in the output properties")
    return range(scene.frame_start, scene.frame_end + 1)


def first_frame_to_evaluate(scene, names):
    """Blender simulates from frame to frame, so its caches must be played from where they begin."""
    starts = [modifier.point_cache.frame_start for name in names for modifier in found_object(name).modifiers
              if modifier.type in ("CLOTH", "SOFT_BODY")]
    return min([scene.frame_start, *starts])


@contextlib.contextmanager
def kept_frame(scene):
    frame, name = scene.frame_current, scene.name
    try:
        yield
    finally:
        if name in bpy.data.scenes:
            bpy.data.scenes[name].frame_set(frame)


def cloth_index(cloth):
    """Of its first cloth modifier, or how many modifiers there are."""
    return next((i for i, modifier in enumerate(cloth.modifiers) if modifier.type == "CLOTH"), len(cloth.modifiers))


REFINING = ("SUBSURF", "MULTIRES", "SOLIDIFY", "BEVEL", "REMESH", "TRIANGULATE")


@contextlib.contextmanager
def without_refinement(cloth):
    """The simulated cloth itself: without what refines and thickens it afterwards."""
    hidden = [modifier.name for modifier in list(cloth.modifiers)[cloth_index(cloth):]
              if modifier.type in REFINING and modifier.show_viewport]
    name = cloth.name
    for modifier in hidden:
        cloth.modifiers[modifier].show_viewport = False
    try:
        yield
    finally:
        for modifier in hidden:
            found = bpy.data.objects.get(name)
            if found and modifier in found.modifiers:
                found.modifiers[modifier].show_viewport = True


@contextlib.contextmanager
def probe_of(context, name):
    """A copy of the cloth without its cloth modifier and what follows it: where the animation would have it."""
    cloth = found_object(name)
    probe = cloth.copy()
    for modifier in list(probe.modifiers)[cloth_index(cloth):]:
        probe.modifiers.remove(modifier)
    context.scene.collection.objects.link(probe)
    context.view_layer.update()
    probe_name = probe.name
    try:
        yield probe_name
    finally:
        if probe_name in bpy.data.objects:
            bpy.data.objects.remove(bpy.data.objects[probe_name])


# ------------------------------------------------------------------------------------------ Back into Blender

def cache_path(name):
    """A new file beside the .blend file, or in the temporary folder while that has no name."""
    if bpy.data.filepath:
        folder = pathlib.Path(bpy.data.filepath).with_suffix("").with_name("tulle_" + pathlib.Path(bpy.data.filepath).stem)
    else:
        folder = pathlib.Path(tempfile.gettempdir()) / "tulle_unsaved"
    folder.mkdir(parents=True, exist_ok=True)
    stem, number = file_name(name), 1
    while (folder / f"{stem}-{number}.pc2").exists():
        number += 1
    return folder / f"{stem}-{number}.pc2"


def inherit_faces(coarse, fine, mesh):
    """UVs, materials and shading of each fine face from the coarse face it lies on, also across seams.

    `coarse`: a Surface, `fine`: positions of the mesh's vertices; both of the cloth at rest.
    """
    corners = [[Vector(coarse.positions[v]) for v in face] for face in coarse.faces]
    tree = BVHTree.FromPolygons([Vector(p) for p in coarse.positions], coarse.faces)
    points = [Vector(p) for p in fine]
    uvs = {name: [] for name in coarse.uvs}
    for face in mesh.polygons:
        center = sum((points[v] for v in face.vertices), Vector()) / len(face.vertices)
        parent = tree.find_nearest(center)[2]
        face.material_index = coarse.material_indices[parent]
        face.use_smooth = coarse.smooth[parent]
        weights = [poly_3d_calc(corners[parent], points[v]) for v in face.vertices] if uvs else []
        for name, values in uvs.items():
            values.extend(numpy.array(weights) @ coarse.uvs[name][parent])
    for name, values in uvs.items():
        mesh.uv_layers.new(name=name).data.foreach_set("uv", numpy.concatenate(values).astype(numpy.float32))
    if coarse.active_uv:
        mesh.uv_layers.active = mesh.uv_layers[coarse.active_uv]


def add_object(context, cloth, mesh, name, matrix):
    """An object without a parent where the cloth is; what it cannot have of the matrix, the points get."""
    result = bpy.data.objects.new(name, mesh)
    for collection in cloth.users_collection:
        collection.objects.link(result)
    result.location, rotation, result.scale = matrix.decompose()
    result.rotation_euler = rotation.to_euler()
    return result


@contextlib.contextmanager
def removed_on_failure(result):
    """No object without its motion, say if the disk is full."""
    try:
        yield
    except BaseException:
        bpy.data.meshes.remove(result.data)  # and the object with it
        raise


def play_cache(context, result, points, path):
    """`points`: |F|x|V|x3, metres."""
    to_local = numpy.linalg.inv(numpy.array(result.matrix_basis))
    length = context.scene.unit_settings.scale_length
    with Pc2Writer(path, points.shape[1], points.shape[0]) as cache:
        for frame in points:
            cache.append(transformed(frame.astype(float) / length, to_local))
    modifier = result.modifiers.new("Tulle", "MESH_CACHE")
    modifier.cache_format = "PC2"
    modifier.filepath = bpy.path.relpath(str(path)) if bpy.data.filepath else str(path)
    modifier.frame_start = context.scene.frame_start


def show_result(context, cloth, result):
    if cloth.tulle.hide_original:
        cloth.hide_set(True)
        cloth.hide_render = True
    for selected in context.selected_objects:
        selected.select_set(False)
    result.select_set(True)
    context.view_layer.objects.active = result


def require_invertible(name, matrix):
    if abs(matrix.determinant()) < 1e-12:
        raise TulleError(f"'{name}' is scaled to nothing along an axis; give it a scale above 0")


# ------------------------------------------------------------------------------------------------------- Jobs
# A job is a generator: it yields (fraction, text), returns the name of the new object, and cleans up when it is closed.

def upscale_steps(context, name, program, models):
    cloth, scene = found_object(name), context.scene
    settings = cloth.tulle
    frames = frame_range(scene)
    program = find_program(program)
    options = ["--factor", settings.factor, "--frame-rate", "%.9g" % frame_rate(scene)]
    if settings.method != "automatic":
        options += ["--method", settings.method]
    with tempfile.TemporaryDirectory(prefix="tulle-") as folder:
        folder = pathlib.Path(folder)
        coarse = folder / f"{file_name(name)}.pc2"  # errors of tulle call the cloth so
        with kept_frame(scene), without_refinement(cloth):
            surface, matrix = yield from bake_steps(context, name, frames, coarse)
        fine = folder / "upscaled" / "cloth.pc2"
        yield from run_steps([program, "upscale", coarse.name, "--mesh", coarse.with_suffix(".obj").name, "--up", "z", *options,
                              "-o", fine], folder, models)
        return finish_upscaling(context, name, surface, matrix, fine)


def bake_steps(context, name, frames, coarse):
    """Writes a point cache and an OBJ file beside it; returns the surface at rest, and where the object was at the start."""
    scene, surface, matrix = context.scene, None, None
    for frame in range(first_frame_to_evaluate(scene, [name]), frames.start):
        scene.frame_set(frame)
        yield 0, "playing the cloth to the first frame"
    scene.frame_set(frames.start)
    surface = surface_of(context, name)
    matrix = found_object(name).matrix_world.copy()
    require_invertible(name, matrix)
    with Pc2Writer(coarse, len(surface.positions), len(frames)) as cache:
        for frame in frames:
            scene.frame_set(frame)
            points = world_points(context, name)
            if len(points) != len(surface.positions):
                raise TulleError(f"'{name}' has {len(points)} vertices at frame {frame} but {len(surface.positions)} at "
                                 "the start; leave out the modifier that changes them")
            if frame == frames.start:
                surface.positions = rest_points(context, name, points)
            cache.append(points)
            yield (frame - frames.start) / len(frames), "baking the coarse cloth"
    write_obj(coarse.with_suffix(".obj"), surface.positions, surface.faces, surface.uvs.get(surface.active_uv))
    return surface, matrix


def finish_upscaling(context, name, surface, matrix, fine):
    points, (rest, faces) = read_pc2(fine), read_obj(fine.with_suffix(".obj"))
    cloth = found_object(name)
    mesh = bpy.data.meshes.new(name + " upscaled")
    mesh.from_pydata(rest, [], faces)
    for material in surface.materials:
        mesh.materials.append(bpy.data.materials.get(material) if material else None)
    inherit_faces(surface, rest, mesh)
    result = add_object(context, cloth, mesh, name + " upscaled", matrix)
    with removed_on_failure(result):
        play_cache(context, result, points, cache_path(result.name))
    set_rest_shape(context, result, rest)
    show_result(context, cloth, result)
    return result.name


def set_rest_shape(context, result, rest):
    local = transformed(rest / context.scene.unit_settings.scale_length,
                        numpy.linalg.inv(numpy.array(result.matrix_basis)))
    result.data.vertices.foreach_set("co", local.astype(numpy.float32).ravel())
    result.data.update()


def simulate_steps(context, name, program, models):
    scene = context.scene
    frames = frame_range(scene)
    program = find_program(program)
    with tempfile.TemporaryDirectory(prefix="tulle-") as folder:
        folder = pathlib.Path(folder)
        with kept_frame(scene), probe_of(context, name) as probe:
            yield from scene_steps(context, name, probe, frames, folder)
            scene.frame_set(frames.start)
            matrix = found_object(name).matrix_world.copy()
            mesh = bpy.data.meshes.new_from_object(found_object(probe).evaluated_get(context.evaluated_depsgraph_get()))
            mesh_name = mesh.name
        try:
            yield from run_steps([program, "simulate", "scene.toml", "-o", "cloth.h5", "--export", "pc2", "--up", "z"],
                                 folder, models)
            return finish_simulation(context, name, mesh_name, matrix, read_pc2(folder / "cloth.pc2"))
        finally:
            unused = bpy.data.meshes.get(mesh_name)
            if unused and unused.users == 0:
                bpy.data.meshes.remove(unused)


def finish_simulation(context, name, mesh_name, matrix, points):
    cloth = found_object(name)
    mesh = bpy.data.meshes[mesh_name]
    result = add_object(context, cloth, mesh, name + " simulated", matrix)
    for slot, original in zip(result.material_slots, cloth.material_slots):
        slot.material = original.material
    with removed_on_failure(result):
        play_cache(context, result, points, cache_path(result.name))
    show_result(context, cloth, result)
    return result.name


def scene_steps(context, name, probe, frames, folder):
    """Writes scene.toml and the meshes it names."""
    scene, settings = context.scene, found_object(name).tulle
    colliders = [each for each in collider_names(context, found_object(name)) if each != probe]
    for frame in range(first_frame_to_evaluate(scene, colliders), frames.start):
        scene.frame_set(frame)
        yield 0, "playing the colliders to the first frame"
    scene.frame_set(frames.start)
    surface, matrix = surface_of(context, probe, name), found_object(probe).matrix_world.copy()
    require_invertible(name, matrix)
    pins = pinned_vertices(context, found_object(name), probe)
    bakes = [ColliderBake(context, *names, folder) for names in zip(colliders, plain_names(colliders))]
    motion = []
    for frame in frames:
        scene.frame_set(frame)
        points = world_points(context, probe)
        if frame == frames.start:
            write_obj(folder / "start.obj", points, surface.triangles)
            write_obj(folder / "rest.obj", rest_points(context, probe, points), surface.triangles)
        motion.append(points[pins])
        for bake in bakes:
            bake.add_frame(context)
        yield (frame - frames.start) / len(frames), "baking pins and colliders"
    sections = [cloth_section(scene, settings), *pin_sections(pins, numpy.array(motion), frame_rate(scene)),
                *(bake.section(scene, settings) for bake in bakes)]
    (folder / "scene.toml").write_text("\n".join(sections), encoding="utf-8")


def cloth_section(scene, settings):
    length = scene.unit_settings.scale_length
    gravity = length * numpy.array(scene.gravity) * scene.use_gravity
    sections = [("", {"name": '"simulating"', "method": f'"{settings.solver}"'}),
                ("[time]", {"frame_rate": "%.9g" % frame_rate(scene), "frames": scene.frame_end - scene.frame_start}),
                ("[cloth]", {"kind": '"mesh"', "file": '"rest.obj"', "fabric": f'"{settings.fabric}"',
                             "start.file": '"start.obj"'}),
                ("[forces]", {"gravity": toml_list(gravity, toml_setting)}),
                ("[wind]", {"velocity": toml_list(length * numpy.array(settings.wind), toml_setting)}),
                ("[self_contact]", {"enabled": str(settings.self_contact).lower()})]
    return "\n".join(toml_section(title, values) for title, values in sections)


def pinned_vertices(context, cloth, probe):
    group = pin_group(cloth)
    if not group:
        return []
    if group not in cloth.vertex_groups:
        raise TulleError(f"'{cloth.name}' has no vertex group '{group}'; choose another one for its pins")
    index = cloth.vertex_groups[group].index
    with evaluated_mesh(context, probe) as (mesh, _):
        pins = [vertex.index for vertex in mesh.vertices
                if any(entry.group == index and entry.weight > 0.5 for entry in vertex.groups)]
    if not pins:
        raise TulleError(f"no vertex of '{cloth.name}' has a weight above 0.5 in the group '{group}'; paint its pins")
    return pins


def pin_group(cloth):
    """The chosen one, or else that of Blender's own cloth."""
    if cloth.tulle.pin_group:
        return cloth.tulle.pin_group
    index = cloth_index(cloth)
    return cloth.modifiers[index].settings.vertex_group_mass if index < len(cloth.modifiers) else ""


def collider_names(context, cloth):
    chosen = cloth.tulle.colliders
    if chosen:
        candidates = chosen.all_objects
    else:
        candidates = [other for other in context.scene.objects
                      if any(modifier.type == "COLLISION" for modifier in other.modifiers)]
    return [other.name for other in candidates if other.type == "MESH" and other != cloth and other.visible_get()]


class ColliderBake:
    """A collider over time: a flat one that stands still is a plane, others that do are a mesh, the rest deforms."""

    def __init__(self, context, name, stem, folder):
        self.name, self.stem, self.path = name, stem, folder / f"collider_{stem}"
        self.triangles = surface_of(context, name).triangles
        self.frames = []

    def add_frame(self, context):
        points = world_points(context, self.name)
        if self.frames and len(points) != len(self.frames[0]):
            raise TulleError(f"the collider '{self.name}' changes its number of vertices; leave out the modifier that does it")
        self.frames.append(points)

    def section(self, scene, settings):
        values = {"name": f'"{self.stem}"', "friction": toml_setting(settings.friction),
                  "thickness": toml_setting(settings.thickness * scene.unit_settings.scale_length)}
        if all(abs(points - self.frames[0]).max() < 1e-6 for points in self.frames):
            values.update(self.plane() or self.still_mesh())
        else:
            for i, points in enumerate(self.frames):
                write_obj(f"{self.path}_{i:06}.obj", points, self.triangles)
            values.update(shape='"deforming"', files=f'"{self.path.name}_%06d.obj"',
                          frame_rate="%.9g" % frame_rate(scene))
        return toml_section("[[colliders]]", values)

    def still_mesh(self):
        write_obj(f"{self.path}.obj", self.frames[0], self.triangles)
        return {"shape": '"mesh"', "file": f'"{self.path.name}.obj"'}

    def plane(self):
        points = self.frames[0]
        center = points.mean(axis=0)
        normal = numpy.linalg.svd(points - center, full_matrices=False)[2][-1]
        if abs((points - center) @ normal).max() > 1e-6 * max(1.0, numpy.ptp(points)):
            return {}
        a, b, c = points[self.triangles[0]]
        if normal @ numpy.cross(b - a, c - a) < 0:
            normal = -normal
        return {"shape": '"plane"', "point": toml_list(center), "normal": toml_list(normal)}


# -------------------------------------------------------------------------------------- What a person sees

class TullePreferences(AddonPreferences):
    bl_idname = __name__

    program: StringProperty(name="Program", subtype="FILE_PATH", description="The program tulle; empty: it is found by its name")
    models: StringProperty(name="Models", subtype="DIR_PATH",
                           description="The folder of the weights; empty: tulle looks beside itself")

    def draw(self, context):
        self.layout.prop(self, "program")
        self.layout.prop(self, "models")
        self.layout.operator("tulle.test_program")


class TulleSettings(PropertyGroup):
    """Of each cloth."""
    factor: IntProperty(name="Factor", default=2, min=2, max=64, description="How many times finer the cloth becomes along each side")
    method: EnumProperty(name="Method", items=METHODS, description="How the fine vertices are found")
    hide_original: BoolProperty(name="Hide Original", default=True, description="Hide this object when the new one is there")
    fabric: EnumProperty(name="Fabric", items=FABRICS, description="What the cloth is made of")
    solver: EnumProperty(name="Solver", description="How the cloth is simulated",
                         items=(("admm", "ADMM", "Fast and stable: projective dynamics"),
                                ("xpbd", "XPBD", "Extended position-based dynamics, as games do"),
                                ("newton", "Newton", "The exact minimiser of every step: slow")))
    pin_group: StringProperty(name="Pins", description="Vertices with a weight above 0.5 follow the animation; "
                                                       "empty: the pin group of the cloth modifier")
    colliders: PointerProperty(name="Colliders", type=bpy.types.Collection if bpy else None,
                               description="Collection of what the cloth cannot enter; empty: all objects with a Collision modifier")
    thickness: FloatProperty(name="Distance", default=0.005, min=0.0005, max=0.1, precision=4, unit="LENGTH",
                             description="How far outside of colliders the cloth is kept")
    friction: FloatProperty(name="Friction", default=0.3, min=0, max=2, description="Coulomb's coefficient at colliders")
    self_contact: BoolProperty(name="Self Contact", default=True, description="Keep the cloth from passing through itself")
    wind: FloatVectorProperty(name="Wind", subtype="VELOCITY", description="Velocity of the air")


def preferences(context):
    return context.preferences.addons[__name__].preferences


class TULLE_OT_test_program(Operator):
    """Ask the program for its version"""
    bl_idname = "tulle.test_program"
    bl_label = "Test"

    def execute(self, context):
        try:
            self.report({"INFO"}, program_version(bpy.path.abspath(preferences(context).program)) + " works")
        except TulleError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        return {"FINISHED"}


class JobOperator:
    """Runs a job: at once where nobody watches, else between redraws, until it is done or Esc is pressed."""
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        cloth = context.object
        return cloth is not None and cloth.type == "MESH" and context.mode == "OBJECT" and cloth.visible_get()

    fraction, what = 0, "starting"

    def start(self, context):
        chosen = preferences(context)
        return self.steps(context, context.object.name, bpy.path.abspath(chosen.program), bpy.path.abspath(chosen.models))

    def execute(self, context):
        job = self.start(context)
        while True:
            outcome = self.advance(job)
            if outcome:
                return outcome

    def invoke(self, context, event):
        self.job = self.start(context)
        self.timer = context.window_manager.event_timer_add(0.02, window=context.window)
        context.window_manager.progress_begin(0, 100)
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context, event):
        outcome = None
        if event.type == "ESC":
            self.job.close()
            self.report({"INFO"}, "Tulle was cancelled")
            outcome = {"CANCELLED"}
        elif event.type == "TIMER":
            outcome = self.advance_for(0.03)
        if outcome is None:
            self.show_progress(context)
            return {"RUNNING_MODAL"} if event.type == "Z" and event.ctrl else {"PASS_THROUGH"}  # no undoing meanwhile
        self.tidy(context)
        return outcome

    def cancel(self, context):
        self.job.close()
        self.tidy(context)

    def advance_for(self, seconds):
        """As many steps as fit between two redraws."""
        end, outcome = time.monotonic() + seconds, None
        while outcome is None and time.monotonic() < end:
            outcome = self.advance(self.job)
        return outcome

    def advance(self, job):
        """One step; returns what the operator returns when there is no other."""
        try:
            self.fraction, self.what = next(job)
            return None
        except StopIteration as end:
            self.report({"INFO"}, f"Tulle made '{end.value}'")
            if not bpy.data.filepath:
                self.report({"WARNING"}, "its cache is in the temporary folder, because the .blend file was never saved")
            return {"FINISHED"}
        except TulleError as error:
            self.report_error(str(error))
        except OSError as error:
            self.report_error(f"'{error.filename}' cannot be used: {error.strerror}; make room there, or save the .blend file elsewhere")
        return {"CANCELLED"}

    def report_error(self, sentence):
        self.report({"ERROR"}, sentence if bpy.app.background else textwrap.fill(sentence, 80))  # popups cut long lines off

    def show_progress(self, context):
        percent = math.floor(100 * self.fraction)
        context.window_manager.progress_update(percent)
        context.workspace.status_text_set(f"Tulle: {self.what}, {percent} %    Esc: Cancel")

    def tidy(self, context):
        context.window_manager.event_timer_remove(self.timer)
        context.window_manager.progress_end()
        context.workspace.status_text_set(None)


class TULLE_OT_upscale(JobOperator, Operator):
    """Bake this cloth over the frames of the scene and make it finer"""
    bl_idname = "tulle.upscale"
    bl_label = "Upscale with Tulle"
    steps = staticmethod(upscale_steps)


class TULLE_OT_simulate(JobOperator, Operator):
    """Simulate this mesh as cloth over the frames of the scene"""
    bl_idname = "tulle.simulate"
    bl_label = "Simulate with Tulle"
    steps = staticmethod(simulate_steps)


class TullePanel:
    bl_label = "Tulle"

    @classmethod
    def poll(cls, context):
        return context.object is not None and context.object.type == "MESH"

    def draw(self, context):
        cloth, layout = context.object, self.layout
        layout.use_property_split, layout.use_property_decorate = True, False
        settings = cloth.tulle
        box = layout.box()
        for name in ("factor", "method"):
            box.prop(settings, name)
        box.operator("tulle.upscale", icon="MOD_SUBSURF")
        box = layout.box()
        for name in ("fabric", "solver"):
            box.prop(settings, name)
        box.prop_search(settings, "pin_group", cloth, "vertex_groups")
        for name in ("colliders", "thickness", "friction", "self_contact", "wind"):
            box.prop(settings, name)
        box.operator("tulle.simulate", icon="MOD_CLOTH")
        layout.prop(settings, "hide_original")


class TULLE_PT_sidebar(TullePanel, Panel):
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Tulle"


class TULLE_PT_physics(TullePanel, Panel):
    bl_space_type = "PROPERTIES"
    bl_region_type = "WINDOW"
    bl_context = "physics"
    bl_options = {"DEFAULT_CLOSED"}


CLASSES = (TullePreferences, TulleSettings, TULLE_OT_test_program, TULLE_OT_upscale, TULLE_OT_simulate,
           TULLE_PT_sidebar, TULLE_PT_physics)


def register():
    for each in CLASSES:
        bpy.utils.register_class(each)
    bpy.types.Object.tulle = PointerProperty(type=TulleSettings)


def unregister():
    del bpy.types.Object.tulle
    for each in reversed(CLASSES):
        bpy.utils.unregister_class(each)


if __name__ == "__main__":
    register()
