# SPDX-License-Identifier: Apache-2.0
"""Draws docs/pictures/blender-panel.png: the add-on in the sidebar. `docs/pictures/make blender` starts it."""
import os
import pathlib
import sys

import bpy
from mathutils import Euler

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "tests/blender"))
from support import ROOT, install  # noqa: E402
import flag  # noqa: E402

install()


def view():
    window = bpy.context.window_manager.windows[0]
    area = next(area for area in window.screen.areas if area.type == "VIEW_3D")
    return window, area


def prepare():
    flag.clear()
    cloth = flag.add_grid("Flag", 17, 25)
    flag.pin_first_column(cloth, 17, 25)
    cloth.tulle.pin_group = "Pole"
    cloth.tulle.wind = (4, 1, 0)
    cloth.select_set(True)
    bpy.context.view_layer.objects.active = cloth
    space = view()[1].spaces.active
    space.show_region_ui = True
    space.overlay.show_floor = False
    space.region_3d.view_location, space.region_3d.view_distance = (1, 0, 0.4), 4
    space.region_3d.view_rotation = Euler((1.45, 0, 0.2)).to_quaternion()


def mouse(kind, value):
    """On the tab, which is the last one."""
    window, area = view()
    sidebar = next(region for region in area.regions if region.type == "UI")
    x, y = sidebar.x + sidebar.width - 10, sidebar.y + sidebar.height - TAB
    window.event_simulate(type=kind, value=value, x=x, y=y)


def point():
    mouse("MOUSEMOVE", "NOTHING")


def press():
    mouse("LEFTMOUSE", "PRESS")


def release():
    mouse("LEFTMOUSE", "RELEASE")


def shoot():
    window, area = view()
    with bpy.context.temp_override(window=window, area=area):
        bpy.ops.screen.screenshot_area(filepath=str(ROOT / "docs/pictures/blender-panel.png"))
    os._exit(0)


TAB = 160  # [pixels] below the top of the sidebar
CLICK = (point, press, release)
STEPS = iter((prepare, *CLICK, *CLICK, shoot))  # the first click only closes the splash screen


def turn():
    next(STEPS)()
    return 1.5


bpy.app.timers.register(turn, first_interval=1)
