# SPDX-License-Identifier: Apache-2.0
"""A flag that Blender itself simulates, and the same flag with every second vertex: what there is to compare with."""
import bpy
import numpy

ROWS, COLUMNS = 33, 49
WIDTH, HEIGHT = 1.5, 1.0  # [m]


def clear(start=1, end=40, rate=25):
    for each in list(bpy.data.objects):
        bpy.data.objects.remove(each)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = start, end
    scene.render.fps, scene.render.fps_base = rate, 1
    scene.frame_set(start)


def add_grid(name, rows, columns):
    """A sheet in the plane of x and z, numbered along rows, with UVs and two materials."""
    across, up = numpy.meshgrid(numpy.linspace(0, 1, columns), numpy.linspace(1, 0, rows))
    uvs = numpy.stack([across.ravel(), up.ravel()], axis=1)
    points = numpy.stack([WIDTH * uvs[:, 0], 0 * uvs[:, 0], HEIGHT * uvs[:, 1]], axis=1)
    corner = [r * columns + c for r in range(rows - 1) for c in range(columns - 1)]
    faces = [[v, v + columns, v + columns + 1, v + 1] for v in corner]
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(points.tolist(), [], faces)
    mesh.uv_layers.new(name="Pattern").data.foreach_set("uv", uvs[numpy.array(faces).ravel()].ravel())
    for color in ("Red", "White"):
        mesh.materials.append(bpy.data.materials.get(color) or bpy.data.materials.new(color))
    for face in mesh.polygons:
        face.material_index = int(uvs[face.vertices[0], 1] <= 0.5)
        face.use_smooth = True
    grid = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(grid)
    return grid


def pin_first_column(grid, rows, columns):
    grid.vertex_groups.new(name="Pole").add([r * columns for r in range(rows)], 1, "ADD")


def simulated_flag(frames):
    """The motion of the fine flag by Blender's own cloth, |F|x|V|x3 [m]."""
    clear(end=frames)
    flag = add_grid("Truth", ROWS, COLUMNS)
    pin_first_column(flag, ROWS, COLUMNS)
    cloth = flag.modifiers.new("Cloth", "CLOTH")
    cloth.settings.vertex_group_mass = "Pole"
    cloth.settings.quality = 6
    cloth.settings.mass = 0.15
    cloth.point_cache.frame_end = frames
    bpy.ops.object.effector_add(type="WIND", location=(-2, -1, 0), rotation=(0, 1.4, 0.35))
    wind = bpy.context.object.field
    wind.strength, wind.flow, wind.noise, wind.seed = 12000, 0, 4, 1
    motion = played(flag)
    for each in list(bpy.data.objects):
        bpy.data.objects.remove(each)
    return motion


def shown(each):
    """The vertices that Blender shows of an object at the current frame, in world space, f64."""
    evaluated = each.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = evaluated.to_mesh()
    points = numpy.empty(3 * len(mesh.vertices), numpy.float32)
    mesh.vertices.foreach_get("co", points)
    matrix = numpy.array(evaluated.matrix_world)
    evaluated.to_mesh_clear()
    return points.reshape(-1, 3).astype(float) @ matrix[:3, :3].T + matrix[:3, 3]


def played(each):
    """The same over all frames of the scene."""
    scene, frames = bpy.context.scene, []
    for frame in range(scene.frame_start, scene.frame_end + 1):
        scene.frame_set(frame)
        frames.append(shown(each))
    return numpy.array(frames)


def coarse_part(motion):
    """Every second vertex of every second row."""
    return motion.reshape(len(motion), ROWS, COLUMNS, 3)[:, ::2, ::2].reshape(len(motion), -1, 3)


def truth_vertices(rest):
    """Which vertex of the fine flag each one is, by where it lies in the flat flag, |V|x3."""
    columns = numpy.rint(rest[:, 0] / WIDTH * (COLUMNS - 1)).astype(int)
    rows = numpy.rint((1 - rest[:, 2] / HEIGHT) * (ROWS - 1)).astype(int)
    return rows * COLUMNS + columns


def distance(motion, truth, vertices):
    """Mean over vertices and frames, [m]."""
    return numpy.linalg.norm(motion - truth[:, vertices], axis=2).mean()


def animate(each, motion, path, addon):
    """Lets a point cache move the object, from the first frame of the scene on."""
    with addon.Pc2Writer(path, motion.shape[1], len(motion)) as cache:
        for frame in motion:
            cache.append(frame)
    modifier = each.modifiers.new("Motion", "MESH_CACHE")
    modifier.cache_format, modifier.filepath = "PC2", str(path)
    modifier.frame_start = bpy.context.scene.frame_start
