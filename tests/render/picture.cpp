// SPDX-License-Identifier: Apache-2.0
#include "tests/render/support.h"
#include "tests/support/near.h"
#include "tulle/core/error.h"
#include "tulle/core/parallel.h"
#include "tulle/render/color.h"

#include <doctest/doctest.h>

#include <atomic>
#include <cmath>

using namespace tulle;
using namespace tulle::render;

namespace {

const ImageSize small = {.width = 320, .height = 240};

// Straight at the hanging square, from the front.
const CameraSettings frontal = {.eye = Vector3(0, -4, 1.5), .target = Vector3(0, 0, 1.5)};

bool is_background(const Rgb& color) { return std::abs(color[0] - color[2]) < 24 && color[0] > 190; }

// Dark and bright stripes along a vertical line of the cloth: how many times they change.
int stripe_changes(const Still& still, double top, double bottom) {
    int changes = 0;
    bool was_bright = false;
    for (int i = 0; i <= 400; ++i) {
        const Vector3 point(0.013, 0, top + (bottom - top) * i / 400);
        const bool is_bright = still.at(point)[0] > 125;
        if (i > 0 && is_bright != was_bright) ++changes;
        was_bright = is_bright;
    }
    return changes;
}

}  // namespace

TEST_CASE("Cloth is drawn where it projects to and not beside it") {
    const Still still =
        draw_still(panel_of(hanging_square()), {.size = small, .coloring = Coloring::Speed, .camera = frontal});
    for (const double x : {-0.48, -0.2, 0.0, 0.3, 0.48})
        for (const double z : {1.02, 1.3, 1.7, 1.98}) CHECK_FALSE(is_background(still.at(Vector3(x, 0, z))));
    for (const double z : {1.1, 1.5, 1.9})
        for (const double x : {-0.54, 0.54}) CHECK(is_background(still.at(Vector3(x, 0, z))));
    CHECK(is_background(still.at(Vector3(0, 0, 2.04))));
}

TEST_CASE("Front and back of a cloth are both clearly lit and have different hues") {
    geometry::TriangleMesh cloth = hanging_square();
    for (const CameraSettings& camera :
         {frontal, CameraSettings{.eye = Vector3(0, 4, 1.5), .target = Vector3(0, 0, 1.5)}}) {
        const Still still = draw_still(panel_of(cloth), {.size = small, .camera = camera});
        for (double z = 1.02; z < 2; z += 0.02) CHECK(still.brightness(Vector3(0.1, 0, z)) > 60);
    }
    const Still front = draw_still(panel_of(cloth), {.size = small, .camera = frontal});
    const Still back = draw_still(panel_of(cloth),
                                  {.size = small, .camera = {.eye = Vector3(0, 4, 1.5), .target = Vector3(0, 0, 1.5)}});
    int bluish = 0;
    int reddish = 0;
    for (double z = 1.02; z < 2; z += 0.02) {
        bluish += front.at(Vector3(0.1, 0, z))[2] > front.at(Vector3(0.1, 0, z))[0] + 40;
        reddish += back.at(Vector3(0.1, 0, z))[0] > back.at(Vector3(0.1, 0, z))[2] + 40;
    }
    CHECK(bluish > 20);
    CHECK(reddish > 20);
}

TEST_CASE("The ground is darker in the shadow of a cloth than beside it") {
    const Still still =
        draw_still(panel_of(level_square()),
                   {.size = small,
                    .coloring = Coloring::Speed,
                    .camera = {.eye = Vector3(0, -6, 4), .target = Vector3(0, 0, 0.5), .field_of_view = 50},
                    .ground = {.height = 0.3}});
    double darkest = 255;
    for (double x = -1.2; x < 1.5; x += 0.05)
        for (double y = -1.2; y < 1.5; y += 0.05) {
            const Rgb color = still.at(Vector3(x, y, 0.3));
            const bool is_cloth = color[2] > color[1] + 30;  // violet
            if (!is_cloth) darkest = std::min(darkest, still.brightness(Vector3(x, y, 0.3)));
        }
    const double open = still.brightness(Vector3(-1.5, -1.5, 0.3));
    CHECK(open > 200);
    CHECK(darkest < open - 60);
    CHECK(darkest > 60);  // the sky lights the shadow
}

TEST_CASE("Stripes are woven in: a stretched cloth shows as many, but wider") {
    const Panel panel = panel_of(hanging_square(25));
    PanelFrame stretched = at_rest(panel);
    stretched.positions.col(2) = (stretched.positions.col(2).array() - 1.5) * 1.5 + 1.5;
    const RenderSettings settings{.size = {.width = 640, .height = 640}, .camera = frontal};
    const int at_rest_count = stripe_changes(draw_still({panel}, {at_rest(panel)}, settings), 1.99, 1.01);
    const int stretched_count = stripe_changes(draw_still({panel}, {stretched}, settings), 2.235, 0.765);
    CHECK(at_rest_count >= 16);
    CHECK(std::abs(stretched_count - at_rest_count) <= 1);
}

TEST_CASE("Strain is drawn in the colour that the legend gives it") {
    const Panel panel = panel_of(hanging_square());
    const HeatMap map;
    for (const double strain : {0.0, 0.03, 0.07}) {
        PanelFrame frame = at_rest(panel);
        frame.positions.col(0) *= 1 + strain;
        const Still still = draw_still(
            {panel}, {frame}, {.size = small, .coloring = Coloring::Strain, .camera = frontal, .scale_maximum = 10});
        const Color seen = from_srgb(still.at(Vector3(0.1, 0, 1.5)));
        double best = -1;
        float best_cosine = -1;
        for (int i = 0; i <= 100; ++i) {  // light changes the brightness, not the hue
            const Color scale = map.at(i / 100.0);
            const float cosine = seen.matrix().normalized().dot(scale.matrix().normalized());
            if (cosine > best_cosine) best = i / 100.0;
            best_cosine = std::max(best_cosine, cosine);
        }
        CHECK(std::abs(best - strain / 0.1) < 0.06);
    }
}

TEST_CASE("Speed needs velocities") {
    const Panel panel = panel_of(hanging_square());
    PanelFrame frame = at_rest(panel);
    frame.velocities.resize(0, 3);
    CHECK_THROWS_WITH_AS(draw_still({panel}, {frame}, {.size = small, .coloring = Coloring::Speed}),
                         doctest::Contains("velocities"), Error);
}

TEST_CASE("Values that a frame brings are drawn in the colour that the legend gives them") {
    const Panel panel = panel_of(hanging_square());
    PanelFrame frame = at_rest(panel);
    const RenderSettings settings{
        .size = small, .coloring = Coloring::Values, .camera = frontal, .scale_maximum = 4, .value_title = "µ"};
    CHECK_THROWS_WITH_AS(draw_still({panel}, {frame}, settings), doctest::Contains("values"), Error);
    frame.values = VectorX::Constant(frame.positions.rows(), 4);
    const Color high = from_srgb(draw_still({panel}, {frame}, settings).at(Vector3(0.1, 0, 1.5)));
    CHECK(high.matrix().normalized().dot(HeatMap().at(1).matrix().normalized()) > 0.99f);
    frame.values.setZero();
    const Color low = from_srgb(draw_still({panel}, {frame}, settings).at(Vector3(0.1, 0, 1.5)));
    CHECK(low.matrix().normalized().dot(HeatMap().at(0).matrix().normalized()) > 0.99f);
}

TEST_CASE("Panels share the picture, show the same cloth alike and carry their labels") {
    Panel first = panel_of(hanging_square());
    Panel second = first;
    first.title = second.title = "admm";
    second.subtitle = "2.4 ms per frame";
    const std::vector<Panel> panels = {first, second};
    const Still still = draw_still(panels, {at_rest(first), at_rest(second)}, {.size = {.width = 642, .height = 300}});
    int differing = 0;
    int dark_label_pixels = 0;
    for (int y = 0; y < 300; ++y)
        for (int x = 0; x < 320; ++x) {
            const bool differs = distance(still.image.at(x, y), still.image.at(x + 322, y)) > 0;
            differing += differs && y > 60;
            dark_label_pixels += differs && still.image.at(x + 322, y)[0] < 150;
        }
    CHECK(differing == 0);
    CHECK(dark_label_pixels > 50);
}

TEST_CASE("A cloth that lies on a ball is not pierced by it") {
    const double radius = 0.4;
    Panel panel = panel_of(level_square(13));
    geometry::TriangleMesh sphere = geometry::make_grid_cloth({33, 65}, {}).mesh;
    for (int r = 0; r < 33; ++r)
        for (int c = 0; c < 65; ++c) {
            const double polar = M_PI * r / 32;
            const double around = 2 * M_PI * c / 64;
            sphere.positions.row(r * 65 + c) << radius * std::sin(polar) * std::cos(around),
                radius * std::sin(polar) * std::sin(around), radius * std::cos(polar);
        }
    panel.colliders.push_back(sphere);
    PanelFrame frame = at_rest(panel);
    for (long v = 0; v < frame.positions.rows();
         ++v) {  // the vertices 5 mm off the ball, the triangles between them nearer
        const double x = frame.positions(v, 0);
        const double y = frame.positions(v, 1);
        const double polar = std::hypot(x, y) / radius;
        const double around = std::atan2(y, x);
        frame.positions.row(v) << (radius + 0.005) * std::sin(polar) * std::cos(around),
            (radius + 0.005) * std::sin(polar) * std::sin(around), (radius + 0.005) * std::cos(polar);
    }
    const Still still = draw_still(
        {panel}, {frame},
        {.size = small, .coloring = Coloring::Speed, .camera = {.eye = Vector3(0, -1, 4), .target = Vector3(0, 0, 0)}});
    for (double x = -0.24; x <= 0.24; x += 0.01)
        for (double y = -0.24; y <= 0.24; y += 0.01) {
            const Rgb color = still.at(Vector3(x, y, std::sqrt(radius * radius - x * x - y * y)));
            CHECK(color[2] > color[1] + 60);  // the violet of a cloth at rest, never the grey of the ball
        }
}

TEST_CASE("A picture has the same bits on 1, 2, 3 and 8 threads") {
    Panel panel = panel_of(hanging_square(17));
    panel.colliders.push_back(level_square(3));
    PanelFrame frame = at_rest(panel);
    for (long v = 0; v < frame.positions.rows(); ++v) frame.positions(v, 1) = 0.1 * std::sin(9 * frame.positions(v, 0));
    const int threads_before = thread_count();
    for (const Quality quality : {Quality::Full, Quality::Draft}) {
        std::vector<std::uint8_t> first;
        for (const int threads : {1, 2, 3, 8}) {
            set_thread_count(threads);
            const Still still = draw_still({panel}, {frame}, {.size = small, .quality = quality});
            if (first.empty()) first = still.image.bytes;
            CHECK(still.image.bytes == first);
        }
    }
    set_thread_count(threads_before);
}

TEST_CASE("With y up the picture is the one of the turned scene") {
    const Panel panel = panel_of(hanging_square());
    Panel turned = panel;
    turned.cloth.positions.col(1) = panel.cloth.positions.col(2);
    turned.cloth.positions.col(2) = -panel.cloth.positions.col(1);
    const Still still = draw_still(panel, {.size = small});
    const Still turned_still = draw_still(turned, {.size = small, .up = UpAxis::Y});
    CHECK(still.image.bytes == turned_still.image.bytes);
}

TEST_CASE("Frames that do not fit their panel, or are not finite, are refused") {
    const Panel panel = panel_of(hanging_square());
    Still still = draw_still(panel, {.size = small});
    PanelFrame frame = at_rest(panel);
    CHECK_THROWS_AS((void)still.renderer->draw({frame, frame}), Error);
    frame.positions(3, 1) = NAN;
    CHECK_THROWS_WITH_AS((void)still.renderer->draw({frame}), doctest::Contains("not finite"), Error);
    frame.positions.resize(5, 3);
    CHECK_THROWS_AS((void)still.renderer->draw({frame}), Error);
    CHECK_THROWS_AS(draw_still(panel, {.size = {.width = 0, .height = 720}}), Error);
    CHECK_THROWS_AS(Survey({}), Error);
    CHECK_THROWS_WITH_AS(Renderer({panel}, Survey({panel}), {}), doctest::Contains("no frame"), Error);
}

TEST_CASE("A cloth that is a single point or lies edge-on is drawn without a fuss") {
    Panel panel = panel_of(hanging_square(3));
    PanelFrame frame = at_rest(panel);
    frame.positions.rowwise() = Eigen::RowVector3d(1, 2, 3);
    CHECK_NOTHROW(draw_still({panel}, {frame}, {.size = small}));
    frame = at_rest(panel);
    frame.positions.col(0).setZero();
    CHECK_NOTHROW(draw_still({panel}, {frame}, {.size = small, .camera = frontal}));
}

TEST_CASE("A picture is given up soon after somebody asks for it, on one thread or several") {
    for (const int threads : {1, 3}) {
        const ThreadCountScope scope(threads);
        std::atomic<int> asked = 0;
        const ImageSize large = {.width = 640, .height = 640};  // 400 tiles
        CHECK_NOTHROW(draw_still(panel_of(hanging_square()), {.size = large, .wants_stop = [&] {
                                                                  ++asked;
                                                                  return false;
                                                              }}));
        CHECK(asked > 400);
        asked = 0;
        const auto stop = [&] { return ++asked > 20; };
        CHECK_THROWS_AS(draw_still(panel_of(hanging_square()), {.size = large, .wants_stop = stop}), Stopped);
        CHECK(asked <= 21 + threads);
    }
}

TEST_CASE("What is farther away than can be drawn is refused") {
    geometry::TriangleMesh cloth = hanging_square();
    cloth.positions(0, 0) = 1e16;
    CHECK_THROWS_WITH_AS(draw_still(panel_of(cloth), {.size = small}), doctest::Contains("1e+16 m"), Error);
    for (const CameraSettings& camera :
         {CameraSettings{.eye = Vector3(1e19, 0, 0)}, CameraSettings{.target = Vector3(0, 1e7, 0)}})
        CHECK_THROWS_WITH_AS(draw_still(panel_of(hanging_square()), {.size = small, .camera = camera}),
                             doctest::Contains("within 1e+06 m"), Error);
}
