# SPDX-License-Identifier: Apache-2.0
"""The add-on in a window of Blender, with a person's clicks: needs a screen, such as Xvfb's, and --enable-event-simulate."""
import os
import pathlib
import sys
import tempfile
import time
import traceback

import bpy

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from support import install  # noqa: E402
import flag  # noqa: E402

ADDON = install()
LIMIT = 240  # [s]


def running_programs():
    """Processes that this one has started and that have not ended."""
    children = [pid for task in pathlib.Path("/proc/self/task").iterdir()
                for pid in (task / "children").read_text().split()]
    # By its arguments, which a zombie has none of: tulle starts itself anew, and the kernel calls it "exe" then.
    return [pid for pid in children if b"simulate" in pathlib.Path(f"/proc/{pid}/cmdline").read_bytes()]


def job_folders():
    """Of jobs that have not cleaned up yet, which is the last thing they do."""
    return list(pathlib.Path(tempfile.gettempdir()).glob("tulle-*"))


def click(operator):
    """What a click on the button in the sidebar does."""
    window = bpy.context.window_manager.windows[0]
    area = next(area for area in window.screen.areas if area.type == "VIEW_3D")
    region = next(region for region in area.regions if region.type == "WINDOW")
    with bpy.context.temp_override(window=window, area=area, region=region):
        assert operator("INVOKE_DEFAULT") == {"RUNNING_MODAL"}


def press_escape():
    window = bpy.context.window_manager.windows[0]
    window.event_simulate(type="ESC", value="PRESS", x=window.width // 2, y=window.height // 2)
    window.event_simulate(type="ESC", value="RELEASE", x=window.width // 2, y=window.height // 2)


def until(condition):
    """Lets Blender go on until it is so."""
    end = time.monotonic() + LIMIT
    while not condition():
        assert time.monotonic() < end, "it never became so"
        yield


def hanging_cloth(frames):
    flag.clear(end=frames)
    cloth = flag.add_grid("Flag", 25, 37)
    flag.pin_first_column(cloth, 25, 37)
    cloth.tulle.pin_group = "Pole"
    cloth.select_set(True)
    bpy.context.view_layer.objects.active = cloth


def escape_kills_the_program_and_leaves_nothing():
    hanging_cloth(frames=300)
    bpy.context.object.tulle.solver = "newton"  # in a wind so slow that it cannot be done before the key is pressed
    bpy.context.object.tulle.wind = (6, 4, 0)
    click(bpy.ops.tulle.simulate)
    yield from until(running_programs)
    press_escape()
    yield from until(lambda: not job_folders())
    assert not running_programs(), "tulle runs on after Esc"
    assert "Flag simulated" not in bpy.data.objects, "the job was over before the key was pressed"
    assert bpy.data.objects.keys() == ["Flag"], bpy.data.objects.keys()
    assert bpy.context.scene.frame_current == 1


def a_job_ends_by_itself_while_blender_goes_on():
    hanging_cloth(frames=600)
    click(bpy.ops.tulle.simulate)
    turns_meanwhile = 0
    for _ in until(lambda: "Flag simulated" in bpy.data.objects):
        turns_meanwhile += len(running_programs())
        yield
    assert turns_meanwhile > 0, "Blender stood still while tulle ran"
    yield from until(lambda: not running_programs())
    assert bpy.data.objects["Flag simulated"].modifiers["Tulle"].type == "MESH_CACHE"


def scenario():
    for test in (escape_kills_the_program_and_leaves_nothing, a_job_ends_by_itself_while_blender_goes_on):
        yield from test()
        print(test.__name__.replace("_", " "), "... ok", flush=True)


STEPS = scenario()


def turn():
    try:
        next(STEPS)
        return 0.05
    except StopIteration:
        code = 0
    except BaseException:
        traceback.print_exc()
        code = 1
    sys.stderr.flush()
    os._exit(code)  # a window would ask whether to save


bpy.app.timers.register(turn, first_interval=1)
