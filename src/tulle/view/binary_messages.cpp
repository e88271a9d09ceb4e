// SPDX-License-Identifier: Apache-2.0
#include "tulle/view/binary_messages.h"

#include "tulle/core/parallel.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace tulle::view {

static_assert(std::endian::native == std::endian::little, "messages are written as they lie in memory");

namespace {

class Bytes {
public:
    explicit Bytes(size_t expected) { bytes_.reserve(expected); }

    template <typename Value>
    void put(Value value) {
        bytes_.append(reinterpret_cast<const char*>(&value), sizeof(Value));
    }
    template <typename Value>
    void put_all(const Value* values, size_t count) {
        bytes_.append(reinterpret_cast<const char*>(values), count * sizeof(Value));
        bytes_.resize((bytes_.size() + 3) / 4 * 4, '\0');
    }
    void put(const Eigen::Vector3f& v) { put_all(v.data(), 3); }
    std::string take() { return std::move(bytes_); }

private:
    std::string bytes_;
};

void put_scalars(Bytes& bytes, const Scalars& scalars) {
    std::vector<std::uint8_t> levels(static_cast<size_t>(scalars.values.size()));
    const double scale = scalars.most > 0 ? 255 / scalars.most : 0;
    parallel_for(scalars.values.size(), [&](long v) {
        levels[static_cast<size_t>(v)] =
            static_cast<std::uint8_t>(std::lround(std::clamp(scale * scalars.values(v), 0.0, 255.0)));
    });
    bytes.put_all(levels.data(), levels.size());
}

void put_rigid(Bytes& bytes, const RigidPose& pose) {
    bytes.put(pose.collider);
    bytes.put(Eigen::Vector3f(pose.to_world.translation().cast<float>()));
    const Eigen::Quaternionf rotation(pose.to_world.linear().cast<float>());
    bytes.put_all(rotation.coeffs().data(), 4);  // x, y, z, w
}

void put_grab(Bytes& bytes, const ShownGrab& grab) {
    bytes.put(grab.pointer);
    bytes.put(grab.vertex);
    bytes.put(Eigen::Vector3f(grab.point.cast<float>()));
    bytes.put(Eigen::Vector3f(grab.target.cast<float>()));
}

void put_deformed(Bytes& bytes, const DeformedCollider& collider) {
    const Quantised quantised = quantise(collider.positions);
    bytes.put(collider.collider);
    bytes.put(static_cast<std::uint32_t>(collider.positions.rows()));
    bytes.put(quantised.low);
    bytes.put(quantised.size);
    bytes.put_all(quantised.places.data(), quantised.places.size());
}

}  // namespace

Quantised quantise(const Positions& positions) {
    Quantised quantised;
    quantised.places.resize(static_cast<size_t>(positions.size()));
    if (positions.rows() == 0) return quantised;
    const Vector3 low = positions.colwise().minCoeff().transpose();
    const Vector3 high = positions.colwise().maxCoeff().transpose();
    quantised.low = low.cast<float>();
    quantised.size = (high - low).cast<float>();
    const Vector3 from = quantised.low.cast<double>();
    const Vector3 scale = quantised.size.cast<double>().unaryExpr([](double s) { return s > 0 ? 65535 / s : 0; });
    parallel_for(positions.rows(), [&](long v) {
        for (int k = 0; k < 3; ++k)
            quantised.places[static_cast<size_t>(3 * v + k)] =
                static_cast<std::uint16_t>(std::clamp(scale(k) * (positions(v, k) - from(k)) + 0.5, 0.0, 65535.0));
    });
    return quantised;
}

Vector3 place_of(const Quantised& quantised, size_t vertex) {
    Vector3 place;
    for (size_t k = 0; k < 3; ++k) {
        const auto axis = static_cast<long>(k);
        place(axis) = quantised.low(axis) + quantised.places[3 * vertex + k] / 65535.0 * quantised.size(axis);
    }
    return place;
}

std::string encode(const TopologyMessage& message) {
    const geometry::TriangleMesh& mesh = message.mesh;
    const bool has_uv = mesh.tex_coords.rows() == mesh.positions.rows() && mesh.positions.rows() > 0;
    Bytes bytes(32 + sizeof(int) * static_cast<size_t>(mesh.triangles.size() + 5 * mesh.positions.rows()));
    bytes.put(std::uint8_t{1});
    bytes.put(static_cast<std::uint8_t>(message.panel));
    bytes.put(static_cast<std::uint16_t>((has_uv ? 1 : 0) | (message.with_positions ? 2 : 0)));
    bytes.put(message.topology);
    bytes.put(static_cast<std::uint32_t>(mesh.positions.rows()));
    bytes.put(static_cast<std::uint32_t>(mesh.triangles.rows()));
    bytes.put(message.collider);
    for (int i = 0; i < 3; ++i) bytes.put(std::uint32_t{0});
    bytes.put_all(mesh.triangles.data(), static_cast<size_t>(mesh.triangles.size()));
    if (has_uv) {
        const Rows<float, 2> uv = mesh.tex_coords.cast<float>();
        bytes.put_all(uv.data(), static_cast<size_t>(uv.size()));
    }
    if (message.with_positions) {
        const Rows<float, 3> positions = mesh.positions.cast<float>();
        bytes.put_all(positions.data(), static_cast<size_t>(positions.size()));
    }
    return bytes.take();
}

std::string encode(const FrameMessage& message) {
    const Quantised quantised = quantise(message.positions);
    const bool has_scalars = message.scalars.kind != ColorMode::Fabric;
    Bytes bytes(frame_header_size + 7 * static_cast<size_t>(message.positions.rows()) + 1024);
    bytes.put(std::uint8_t{2});
    bytes.put(static_cast<std::uint8_t>(message.panel));
    bytes.put(static_cast<std::uint16_t>((has_scalars ? 1 : 0) | (message.is_jump ? 2 : 0)));
    bytes.put(message.topology);
    bytes.put(message.frame);
    bytes.put(std::uint32_t{0});  // seq
    bytes.put(message.time);
    bytes.put(static_cast<std::uint32_t>(message.positions.rows()));
    bytes.put(static_cast<std::uint32_t>(message.scalars.kind));
    bytes.put(quantised.low);
    bytes.put(quantised.size);
    bytes.put(0.0f);
    bytes.put(static_cast<float>(message.scalars.most));
    bytes.put(static_cast<std::uint32_t>(message.rigid.size()));
    bytes.put(static_cast<std::uint32_t>(message.deformed.size()));
    bytes.put(static_cast<std::uint32_t>(message.grabs.size()));
    bytes.put(std::uint32_t{0});
    bytes.put_all(quantised.places.data(), quantised.places.size());
    if (has_scalars) put_scalars(bytes, message.scalars);
    for (const RigidPose& pose : message.rigid) put_rigid(bytes, pose);
    for (const ShownGrab& grab : message.grabs) put_grab(bytes, grab);
    for (const DeformedCollider& collider : message.deformed) put_deformed(bytes, collider);
    return bytes.take();
}

}  // namespace tulle::view
