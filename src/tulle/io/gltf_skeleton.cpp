// SPDX-License-Identifier: Apache-2.0
#include "tulle/io/gltf_skeleton.h"

#include <fmt/format.h>
#include <Eigen/Geometry>

#include <algorithm>

namespace tulle::io {

namespace {

using Json = GltfFile::Json;

std::vector<double> numbers(const GltfFile& file, const Json& node, const char* key, std::vector<double> fallback) {
    const auto found = node.find(key);
    if (found == node.end()) return fallback;
    if (!found->is_array() || found->size() != fallback.size())
        file.fail(fmt::format("has a node whose '{}' does not have {} numbers", key, fallback.size()));
    for (size_t i = 0; i < fallback.size(); ++i) fallback[i] = file.number(found->at(i));
    return fallback;
}

Eigen::Quaterniond unit(const GltfFile& file, const Eigen::Vector4d& xyzw) {
    if (!(xyzw.norm() > 1e-6)) file.fail("has a rotation of no length");
    return Eigen::Quaterniond(xyzw).normalized();
}

// Parts of a matrix as three.js takes them: lengths of columns, the first negative if the matrix mirrors.
body::JointTransform decomposed(const GltfFile& file, const Eigen::Matrix4d& matrix) {
    Eigen::Matrix3d linear = matrix.topLeftCorner<3, 3>();
    body::JointTransform transform;
    transform.translation = matrix.topRightCorner<3, 1>();
    transform.scale = linear.colwise().norm();
    if (!(transform.scale.minCoeff() > 1e-12)) file.fail("has a node whose matrix is flat");
    if (linear.determinant() < 0) transform.scale.x() *= -1;
    linear = linear * transform.scale.cwiseInverse().asDiagonal();
    transform.rotation = Eigen::Quaterniond(linear).normalized();
    return transform;
}

body::JointTransform read_transform(const GltfFile& file, const Json& node) {
    if (node.contains("matrix")) {
        const std::vector<double> m = numbers(file, node, "matrix", std::vector<double>(16, 0.0));
        return decomposed(file, Eigen::Map<const Eigen::Matrix4d>(m.data()));  // both are column-major
    }
    const std::vector<double> t = numbers(file, node, "translation", {0, 0, 0});
    const std::vector<double> r = numbers(file, node, "rotation", {0, 0, 0, 1});
    const std::vector<double> s = numbers(file, node, "scale", {1, 1, 1});
    return {{t[0], t[1], t[2]}, unit(file, {r[0], r[1], r[2], r[3]}), {s[0], s[1], s[2]}};
}

std::vector<int> read_parents(const GltfFile& file, size_t count) {
    std::vector<int> parents(count, -1);
    for (size_t n = 0; n < count; ++n) {
        const auto children = file.entry("nodes", n).find("children");
        if (children == file.entry("nodes", n).end()) continue;
        if (!children->is_array()) file.fail("has a node whose 'children' are no list");
        for (const Json& child : *children) {
            const size_t index = file.index({{"child", child}}, "child", count);
            if (parents[index] >= 0) file.fail(fmt::format("has a node {} with two parents", index));
            parents[index] = static_cast<int>(n);
        }
    }
    return parents;
}

body::Track read_track(const GltfFile& file, const Json& sampler, body::TrackPath path) {
    body::Track track{.path = path};
    const std::string interpolation = sampler.value("interpolation", Json("LINEAR")).dump();
    if (interpolation == "\"STEP\"")
        track.interpolation = body::TrackInterpolation::Step;
    else if (interpolation == "\"CUBICSPLINE\"")
        track.interpolation = body::TrackInterpolation::Cubic;
    else if (interpolation != "\"LINEAR\"")
        file.fail("has an animation with an unknown interpolation");
    const size_t accessors = file.count("accessors");
    const GltfFile::Numbers times = file.accessor(file.index(sampler, "input", accessors), 1);
    const bool is_rotation = path == body::TrackPath::Rotation,
               is_cubic = track.interpolation == body::TrackInterpolation::Cubic;
    const GltfFile::Numbers values = file.accessor(file.index(sampler, "output", accessors), is_rotation ? 4 : 3);
    if (values.rows() != times.rows() * (is_cubic ? 3 : 1))
        file.fail("has an animation whose keys and values are not equally many");
    for (long i = 0; i < times.rows(); ++i) {
        if (times(i) < 0 || (i > 0 && !(times(i) > times(i - 1))))
            file.fail("has an animation whose times do not ascend from 0");
        track.times.push_back(times(i));
    }
    for (long i = 0; i < values.rows(); ++i) {
        Eigen::Vector4d value = Eigen::Vector4d::Zero();
        value.head(values.cols()) = values.row(i).transpose();
        if (is_rotation && (!is_cubic || i % 3 == 1)) value = unit(file, value).coeffs();
        track.values.push_back(value);
    }
    return track;
}

void add_channel(const GltfFile& file, const Json& animation, const Json& channel, const GltfSkeleton& skeleton,
                 body::Clip& clip) {
    if (!channel.is_object() || !channel.contains("target") || !channel.at("target").is_object())
        file.fail("has an animation channel without a target");
    const Json& target = channel.at("target");
    if (!target.contains("node")) return;  // for extensions
    const size_t node = file.index(target, "node", skeleton.joint_of_node.size());
    const std::string path = target.value("path", Json()).dump();
    body::TrackPath what = body::TrackPath::Rotation;
    if (path == "\"translation\"")
        what = body::TrackPath::Translation;
    else if (path == "\"scale\"")
        what = body::TrackPath::Scale;
    else if (path != "\"rotation\"")
        return;  // weights of morph targets, which we do not have
    const Json& samplers = animation.at("samplers");
    body::Track track = read_track(file, samplers.at(file.index(channel, "sampler", samplers.size())), what);
    track.joint = skeleton.joint_of_node[node];
    clip.duration = std::max(clip.duration, track.times.back());
    clip.tracks.push_back(std::move(track));
}

}  // namespace

GltfSkeleton read_skeleton(const GltfFile& file) {
    constexpr size_t most_nodes = 20'000;
    const size_t count = file.count("nodes");
    if (count > most_nodes) file.fail(fmt::format("has {} nodes; at most {} are allowed", count, most_nodes));
    const std::vector<int> parents = read_parents(file, count);
    GltfSkeleton result{.skeleton = {}, .joint_of_node = std::vector<int>(count, -1)};
    // Parents first: each time round, the nodes whose parent is placed.
    std::vector<std::vector<size_t>> children(count);
    std::vector<size_t> order;
    for (size_t n = 0; n < count; ++n)
        parents[n] < 0 ? order.push_back(n) : children[static_cast<size_t>(parents[n])].push_back(n);
    for (size_t i = 0; i < order.size(); ++i)
        order.insert(order.end(), children[order[i]].begin(), children[order[i]].end());
    if (order.size() != count) file.fail("has nodes that are their own ancestors");
    for (const size_t n : order) {
        const Json& node = file.entry("nodes", n);
        const Json name = node.value("name", Json());
        result.joint_of_node[n] = result.skeleton.joint_count();
        result.skeleton.joints.push_back(
            {.name = name.is_string() ? name.get<std::string>() : fmt::format("node {}", n),
             .parent = parents[n] < 0 ? -1 : result.joint_of_node[static_cast<size_t>(parents[n])],
             .rest = read_transform(file, node)});
    }
    return result;
}

std::vector<body::Clip> read_clips(const GltfFile& file, const GltfSkeleton& skeleton) {
    std::vector<body::Clip> clips;
    for (size_t a = 0; a < file.count("animations"); ++a) {
        const Json& animation = file.entry("animations", a);
        for (const char* list : {"channels", "samplers"})
            if (!animation.contains(list) || !animation.at(list).is_array())
                file.fail(fmt::format("has an animation without '{}'", list));
        const Json name = animation.value("name", Json());
        body::Clip clip{.name = name.is_string() ? name.get<std::string>() : fmt::format("clip {}", a)};
        for (const Json& channel : animation.at("channels")) add_channel(file, animation, channel, skeleton, clip);
        clips.push_back(std::move(clip));
    }
    return clips;
}

}  // namespace tulle::io
