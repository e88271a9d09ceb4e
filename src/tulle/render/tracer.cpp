// SPDX-License-Identifier: Apache-2.0
#include "tulle/render/tracer.h"

#include "tulle/render/sampling.h"
#include "tulle/render/shading.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <numbers>

namespace tulle::render {

namespace {

constexpr int tile_side = 32;           // [px]
constexpr float filter_radius = 0.75f;  // [px] of the tent

struct PixelSample {
    int pixel;  // within the tile
    int index;  // of the sample within the pixel
};

// Which tiles surfaces may cover; in the others there are only ground and background.
class CoveredTiles {
public:
    CoveredTiles(const TracedScene& scene, const ImageSize& size)
        : columns_((size.width + tile_side - 1) / tile_side),
          rows_((size.height + tile_side - 1) / tile_side),
          is_covered_(static_cast<size_t>(columns_) * static_cast<size_t>(rows_), 0) {
        for (const Surface& surface : scene.surfaces) {
            std::vector<std::optional<Eigen::Vector2f>> pixels;
            for (const Point& position : surface.positions) pixels.push_back(scene.camera.project(position));
            for (const auto& triangle : surface.triangles)
                cover(pixels[static_cast<size_t>(triangle[0])], pixels[static_cast<size_t>(triangle[1])],
                      pixels[static_cast<size_t>(triangle[2])]);
        }
    }
    int count() const { return columns_ * rows_; }
    int column(int tile) const { return tile % columns_; }
    int row(int tile) const { return tile / columns_; }
    bool is_covered(int tile) const { return is_covered_[static_cast<size_t>(tile)] != 0; }

private:
    using Pixel = std::optional<Eigen::Vector2f>;

    void cover(const Pixel& a, const Pixel& b, const Pixel& c) {
        if (!a || !b || !c) {  // a triangle that reaches behind the camera may cover anything
            std::fill(is_covered_.begin(), is_covered_.end(), std::uint8_t{1});
            return;
        }
        const Eigen::Vector2f low = a->cwiseMin(*b).cwiseMin(*c).array() - 1;  // the filter reaches beyond a pixel
        const Eigen::Vector2f high = a->cwiseMax(*b).cwiseMax(*c).array() + 1;
        const auto tile = [](float pixel, int last) {
            return static_cast<int>(std::clamp(pixel / tile_side, 0.0f, static_cast<float>(last)));
        };
        if (high.x() < 0 || high.y() < 0) return;
        for (int row = tile(low.y(), rows_); row < rows_ && row <= tile(high.y(), rows_); ++row)
            for (int column = tile(low.x(), columns_); column < columns_ && column <= tile(high.x(), columns_);
                 ++column)
                is_covered_[static_cast<size_t>(row * columns_ + column)] = 1;
    }

    int columns_;
    int rows_;
    std::vector<std::uint8_t> is_covered_;
};

// Where the samples of a pixel lie and which part of the sun they ask for.
struct SampleTables {
    std::vector<Eigen::Vector2f> offsets;    // [px] from the pixel's upper left corner
    std::vector<Eigen::Vector2f> discs;      // in the unit disc
    std::array<Eigen::Vector2f, 256> turns;  // cosine and sine of evenly spread angles

    explicit SampleTables(const TracerQuality& quality) {
        for (int i = 0; i < quality.samples; ++i) {
            const Eigen::Vector2f place = stratified(static_cast<std::uint32_t>(i)).point();
            const Eigen::Vector2f tent(to_tent(place.x() + 0x1p-9f), to_tent(place.y() + 0x1p-9f));
            offsets.push_back(i == 0 && quality.first_samples == 1
                                  ? Eigen::Vector2f(0.5f, 0.5f)
                                  : Eigen::Vector2f(0.5f + filter_radius * tent.x(), 0.5f + filter_radius * tent.y()));
            discs.push_back(i == 0 && quality.first_samples == 1 ? Eigen::Vector2f::Zero() : to_disc(place));
        }
        for (size_t i = 0; i < turns.size(); ++i) {
            const float angle =
                2 * std::numbers::pi_v<float> * static_cast<float>(i) / static_cast<float>(turns.size());
            turns[i] = {std::cos(angle), std::sin(angle)};
        }
    }
};

// One square of pixels and the samples gathered in it.
class Tile {
public:
    Tile(const TracedScene& scene, const TracerQuality& quality, const SampleTables& tables, const Viewport& viewport,
         int x, int y)
        : scene_(scene),
          quality_(quality),
          tables_(tables),
          viewport_(viewport),
          x_(x),
          y_(y),
          width_(std::min(tile_side, viewport.size.width - x)),
          height_(std::min(tile_side, viewport.size.height - y)) {}

    void draw(bool is_covered, Image& image) {
        add_samples(0, is_covered ? quality_.first_samples : 1, is_covered, [](int) { return true; });
        if (is_covered && quality_.samples > quality_.first_samples) {
            std::array<bool, tile_side * tile_side> is_rough;
            for (int p = 0; p < width_ * height_; ++p)
                is_rough[static_cast<size_t>(p)] = contrast_around(p) > quality_.contrast;
            add_samples(quality_.first_samples, quality_.samples, true,
                        [&](int p) { return is_rough[static_cast<size_t>(p)]; });
        }
        for (int p = 0; p < width_ * height_; ++p) {
            const Gathered& gathered = pixels_[static_cast<size_t>(p)];
            image.set(viewport_.x + x_ + p % width_, viewport_.y + y_ + p / width_,
                      to_srgb(gathered.sum / static_cast<float>(gathered.count)));
        }
    }

private:
    struct Gathered {
        Color sum = Color::Zero();  // of tone-mapped light: a bright thing must not outshine the smoothness of its edge
        Color low = Color::Constant(std::numeric_limits<float>::infinity());
        Color high = Color::Constant(-std::numeric_limits<float>::infinity());
        int count = 0;
        std::optional<Color> behind = {};  // ground or background, once it is known

        void add(const Color& value) {
            sum += value;
            low = low.min(value);
            high = high.max(value);
            ++count;
        }
    };

    // The largest difference of a colour channel within a pixel and its neighbours.
    float contrast_around(int pixel) const {
        Color low = Color::Constant(std::numeric_limits<float>::infinity());
        Color high = -low;
        const int x = pixel % width_;
        const int y = pixel / width_;
        for (int row = std::max(0, y - 1); row <= std::min(height_ - 1, y + 1); ++row)
            for (int column = std::max(0, x - 1); column <= std::min(width_ - 1, x + 1); ++column) {
                const Gathered& neighbour = pixels_[static_cast<size_t>(row * width_ + column)];
                low = low.min(neighbour.low);
                high = high.max(neighbour.high);
            }
        return (high - low).maxCoeff();
    }

    template <typename Wants>
    void add_samples(int first, int last, bool is_covered, const Wants& wants) {
        std::array<PixelSample, packet_size> packet;
        size_t filled = 0;
        for (int p = 0; p < width_ * height_; ++p) {
            if (!wants(p)) continue;
            for (int index = first; index < last; ++index) {
                packet[filled++] = {p, index};
                if (filled < packet_size) continue;
                trace_packet(packet, filled, is_covered);
                filled = 0;
            }
        }
        if (filled > 0) trace_packet(packet, filled, is_covered);
    }

    int column(const PixelSample& sample) const { return x_ + sample.pixel % width_; }
    int row(const PixelSample& sample) const { return y_ + sample.pixel / width_; }

    Point camera_direction(const PixelSample& sample) const {
        const Eigen::Vector2f& offset = tables_.offsets[static_cast<size_t>(sample.index)];
        return scene_.camera.direction(static_cast<float>(column(sample)) + offset.x(),
                                       static_cast<float>(row(sample)) + offset.y());
    }

    // The same points of the sun's disc for every pixel, turned by another angle in each: neighbours by very different
    // ones, so that the grain of half-shadows is too fine to be seen [interleaved gradient noise, Jimenez 2014].
    Point sun_direction(const PixelSample& sample) const {
        const auto x = static_cast<float>(column(sample));
        const auto y = static_cast<float>(row(sample));
        const float diagonal = 0.06711056f * x + 0.00583715f * y;
        const float noise = 52.9829189f * (diagonal - std::floor(diagonal));
        const auto number = static_cast<size_t>((noise - std::floor(noise)) * static_cast<float>(tables_.turns.size()));
        const Eigen::Vector2f& turn = tables_.turns[std::min(number, tables_.turns.size() - 1)];
        const Eigen::Vector2f& disc = tables_.discs[static_cast<size_t>(sample.index)];
        return scene_.light.sun_direction(
            {disc.x() * turn.x() - disc.y() * turn.y(), disc.x() * turn.y() + disc.y() * turn.x()});
    }

    void trace_packet(const std::array<PixelSample, packet_size>& samples, size_t count, bool is_covered) {
        RayPacket rays;
        std::array<float, packet_size> ground_distances;
        for (size_t i = 0; i < count; ++i) {
            const Point direction = camera_direction(samples[i]);
            constexpr float infinity = std::numeric_limits<float>::infinity();
            ground_distances[i] = scene_.ground ? scene_.ground->distance(scene_.camera.eye(), direction) : infinity;
            rays.set(static_cast<int>(i), scene_.camera.eye(), direction, ground_distances[i]);
        }
        RayHits hits;
        hits.surfaces.fill(-1);
        if (is_covered) hits = scene_.caster.nearest(rays);
        std::array<SeenPoint, packet_size> seen;
        RayPacket sun_rays;
        for (size_t i = 0; i < count; ++i) {
            if (hits.surfaces[i] < 0) continue;
            const Surface& surface = scene_.surfaces[static_cast<size_t>(hits.surfaces[i])];
            seen[i] = seen_point(
                scene_, {&surface, hits.triangles[i], hits.u[i], hits.v[i], hits.distances[i], rays.directions[i]});
            sun_rays.set(static_cast<int>(i), seen[i].shadow_origin, sun_direction(samples[i]), 1e6f);
        }
        const unsigned shadowed = sun_rays.active != 0 ? scene_.caster.blocked(sun_rays) : 0;
        for (size_t i = 0; i < count; ++i) {
            const bool is_sunlit = !((shadowed >> i) & 1u);
            Gathered& pixel = pixels_[static_cast<size_t>(samples[i].pixel)];
            pixel.add(hits.surfaces[i] >= 0 ? tone_mapped(shade(seen[i], rays.directions[i], scene_.light, is_sunlit))
                                            : behind(pixel, rays.directions[i], ground_distances[i]));
        }
    }

    // Ground and background are smooth: one look at them serves all samples of a pixel.
    const Color& behind(Gathered& pixel, const Point& direction, float ground_distance) const {
        if (!pixel.behind) {
            const bool is_ground = std::isfinite(ground_distance);
            pixel.behind = tone_mapped(
                is_ground ? scene_.ground->seen(scene_.camera.eye() + ground_distance * direction, scene_.light)
                          : scene_.light.background(direction));
        }
        return *pixel.behind;
    }

    const TracedScene& scene_;
    const TracerQuality& quality_;
    const SampleTables& tables_;
    const Viewport& viewport_;
    int x_;
    int y_;
    int width_;
    int height_;
    std::array<Gathered, tile_side * tile_side> pixels_;
};

}  // namespace

void trace(const TracedScene& scene, const TracerQuality& quality, const Viewport& viewport, Image& image,
           const std::function<bool()>& wants_stop) {
    const CoveredTiles tiles(scene, viewport.size);
    const SampleTables tables(quality);
    std::atomic<bool> is_stopped = false;
#pragma omp parallel for schedule(dynamic)
    for (int t = 0; t < tiles.count(); ++t) {
        if (is_stopped || (wants_stop && wants_stop())) {  // a parallel loop cannot be left; the rest is skipped
            is_stopped = true;
            continue;
        }
        Tile(scene, quality, tables, viewport, tiles.column(t) * tile_side, tiles.row(t) * tile_side)
            .draw(tiles.is_covered(t), image);
    }
    if (is_stopped) throw Stopped();
}

}  // namespace tulle::render
