// SPDX-License-Identifier: Apache-2.0
#include "tulle/render/ground.h"

#include "tulle/core/parallel.h"
#include "tulle/render/sampling.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

namespace tulle::render {

namespace {

constexpr float far_away = 1e6f;  // [m]

// The part of `count` rays, made by ray(i), that meet nothing; the first one is ray number `first`.
template <typename MakeRay>
float open_part(const RayCaster& caster, const Point& origin, int first, int count, const MakeRay& direction) {
    int open = 0;
    for (int start = 0; start < count; start += packet_size) {
        RayPacket rays;
        const int lanes = std::min(packet_size, count - start);
        for (int i = 0; i < lanes; ++i) rays.set(i, origin, direction(first + start + i), far_away);
        open += lanes - std::popcount(caster.blocked(rays));
    }
    return static_cast<float>(open) / static_cast<float>(count);
}

}  // namespace

LightMap::LightMap(const GroundArea& area, int cells_along_longer_side) : area_(area) {
    const Eigen::Vector2f extent = (area.high - area.low).cwiseMax(1e-3f);
    cells_per_metre_ = static_cast<float>(cells_along_longer_side) / extent.maxCoeff();
    columns_ = std::max(2, static_cast<int>(std::ceil(extent.x() * cells_per_metre_)) + 1);
    rows_ = std::max(2, static_cast<int>(std::ceil(extent.y() * cells_per_metre_)) + 1);
    values_.assign(static_cast<size_t>(columns_) * static_cast<size_t>(rows_), 1.0f);
}

float LightMap::at(float x, float y) const {
    const float a = (x - area_.low.x()) * cells_per_metre_;
    const float b = (y - area_.low.y()) * cells_per_metre_;
    if (!(a >= 0 && b >= 0 && a < static_cast<float>(columns_ - 1) && b < static_cast<float>(rows_ - 1))) return 1;
    const int column = static_cast<int>(a);
    const int row = static_cast<int>(b);
    const float u = a - static_cast<float>(column);
    const float v = b - static_cast<float>(row);
    const float low = value(column, row) + u * (value(column + 1, row) - value(column, row));
    const float high = value(column, row + 1) + u * (value(column + 1, row + 1) - value(column, row + 1));
    return low + v * (high - low);
}

Eigen::Vector2f LightMap::place(int column, int row) const {
    return area_.low + Eigen::Vector2f(static_cast<float>(column), static_cast<float>(row)) / cells_per_metre_;
}

void LightMap::blur() {
    const auto pass = [&](int across, int down) {
        const std::vector<float> before = values_;
        for (int row = 0; row < rows_; ++row)
            for (int column = 0; column < columns_; ++column) {
                const auto neighbour = [&](int side) {
                    const int c = std::clamp(column + side * across, 0, columns_ - 1);
                    const int r = std::clamp(row + side * down, 0, rows_ - 1);
                    return before[index(c, r)];
                };
                value(column, row) = 0.25f * neighbour(-1) + 0.5f * neighbour(0) + 0.25f * neighbour(1);
            }
    };
    pass(1, 0);
    pass(0, 1);
}

void LightMap::fade_out() {
    for (int row = 0; row < rows_; ++row)
        for (int column = 0; column < columns_; ++column) {
            const int across = std::min(column, columns_ - 1 - column);
            const int down = std::min(row, rows_ - 1 - row);
            const float inside =
                std::min(1.0f, 8.0f * std::min(static_cast<float>(across) / static_cast<float>(columns_),
                                               static_cast<float>(down) / static_cast<float>(rows_)));
            value(column, row) = 1 - inside * inside * (3 - 2 * inside) * (1 - value(column, row));
        }
}

Ground::Ground(const Placement& placement, const GroundQuality& quality)
    : placement_(placement),
      quality_(quality),
      sun_(placement.shadow_area, quality.sun_cells),
      sky_(placement.sky_area, quality.sky_cells) {}

void Ground::gather_light(const RayCaster& caster, const Light& light) {
    gather_sun(caster, light);
    gather_sky(caster);
}

// A packet of rays tells open cells and full shadow from half-shadow, which alone gets all its rays.
void Ground::gather_sun(const RayCaster& caster, const Light& light) {
    std::vector<Eigen::Vector2f> discs;
    discs.reserve(static_cast<size_t>(quality_.sun_rays));
    for (int i = 0; i < quality_.sun_rays; ++i)
        discs.push_back(to_disc(stratified(static_cast<std::uint32_t>(i)).point()));
    parallel_for(static_cast<long>(sun_.rows()) * sun_.columns(), [&](long cell) {
        const int column = static_cast<int>(cell % sun_.columns());
        const int row = static_cast<int>(cell / sun_.columns());
        const Eigen::Vector2f place = sun_.place(column, row);
        const Point origin(place.x(), place.y(), placement_.height);
        // Each cell looks at other parts of the sun; the blur makes one penumbra of what would else be many edges.
        const float angle =
            static_cast<float>(mix(static_cast<std::uint64_t>(cell)) >> 40) * 0x1p-24f * 2 * std::numbers::pi_v<float>;
        const Eigen::Rotation2Df turn(angle);
        const auto direction = [&](int i) { return light.sun_direction(turn * discs[static_cast<size_t>(i)]); };
        const int few = std::min(packet_size, quality_.sun_rays);
        float open = open_part(caster, origin, 0, few, direction);
        if (open > 0 && open < 1 && quality_.sun_rays > few) {
            const float part = static_cast<float>(few) / static_cast<float>(quality_.sun_rays);
            open = part * open + (1 - part) * open_part(caster, origin, few, quality_.sun_rays - few, direction);
        }
        sun_.value(column, row) = open;
    });
    sun_.blur();
    sun_.blur();
}

void Ground::gather_sky(const RayCaster& caster) {
    parallel_for(static_cast<long>(sky_.rows()) * sky_.columns(), [&](long cell) {
        const int column = static_cast<int>(cell % sky_.columns());
        const int row = static_cast<int>(cell / sky_.columns());
        const Eigen::Vector2f place = sky_.place(column, row);
        const Point origin(place.x(), place.y(), placement_.height);
        // Points that are even on the disc, lifted to the hemisphere, are distributed as cos θ [Malley].
        const auto direction = [&](int i) {
            const Eigen::Vector2f disc =
                to_disc(scrambled(stratified(static_cast<std::uint32_t>(i)), static_cast<std::uint64_t>(cell)).point());
            return Point(disc.x(), disc.y(), std::sqrt(std::max(0.0f, 1 - disc.squaredNorm())));
        };
        sky_.value(column, row) = open_part(caster, origin, 0, quality_.sky_rays, direction);
    });
    for (int pass = 0; pass < 4; ++pass) sky_.blur();
    sky_.fade_out();
}

Color Ground::seen(const Point& place, const Light& light) const {
    const float from_middle = (place.head<2>() - placement_.middle).norm() / placement_.radius;
    const float fade = std::clamp((from_middle - 0.8f) / 6, 0.0f, 1.0f);
    const float smooth_fade = fade * fade * (3 - 2 * fade);
    if (smooth_fade >= 1) return light.horizon();
    const Color sun = light.sun_direction().z() * light.sunlight() * sun_.at(place.x(), place.y());
    const float open_sky = sky_.at(place.x(), place.y());
    const Color sky = Light::skylight_on_ground() * open_sky + Light::reflected() * (1 - open_sky);
    return (1 - smooth_fade) * Light::ground_albedo() * (sun + sky) + smooth_fade * light.horizon();
}

}  // namespace tulle::render
