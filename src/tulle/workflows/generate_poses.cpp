// SPDX-License-Identifier: Apache-2.0
#include "tulle/workflows/generate_poses.h"

#include "tulle/body/mannequin.h"
#include "tulle/body/random_angles.h"
#include "tulle/core/error.h"
#include "tulle/workflows/make_once.h"

#include <algorithm>
#include <atomic>
#include <mutex>

namespace tulle::workflows {

namespace fs = std::filesystem;

namespace {

constexpr int most_attempts = 12;
constexpr int attempts_per_pose = 2;  // the second with smaller steps

// Far apart for all examples and attempts.
std::uint64_t pose_seed(std::uint64_t seed, int index, int attempt) {
    return (seed * 1'000'003 + static_cast<std::uint64_t>(index)) * 1009 +
           static_cast<std::uint64_t>(attempt / attempts_per_pose);
}

void require_limits(const body::Skeleton& skeleton) {
    for (const std::string& name : body::mannequin_upper_joints())
        if (skeleton.find(name) < 0)
            throw Error("random poses need the joints of the mannequin and their limits; the body has no '{}'", name);
}

bool is_same(const std::vector<body::NamedAngles>& a, const std::vector<body::NamedAngles>& b) {
    return std::ranges::equal(a, b, [](const body::NamedAngles& one, const body::NamedAngles& other) {
        return one.first == other.first && one.second.isApprox(other.second, 1e-9);
    });
}

class Generation {
public:
    explicit Generation(const GeneratePosesSettings& settings)
        : settings_(settings), scene_(scene::load_scene(settings.scene, settings.overrides)), body_(scene_) {}

    GeneratePosesReport run() {
        fs::create_directories(settings_.folder);
        require_limits(body_.character().skeleton);
        for_each_job(settings_.poses, settings_.jobs, [&](int index) {
            if (!stopped_) make(index);
        });
        return count();
    }

private:
    fs::path file_of(int index) const { return numbered_file(settings_.folder, index); }

    std::vector<body::NamedAngles> angles_of(std::uint64_t seed) const {
        return body::random_angles(body_.character().skeleton, body::mannequin_upper_joints(), seed, settings_.within);
    }

    void make(int index) {
        const fs::path file = file_of(index);
        if (!make_once(file, [&] { drape_into(file, index); })) return;  // stopped, or another process makes it
        check_belongs(file, index);
        const std::lock_guard lock(mutex_);
        if (settings_.on_pose && !settings_.on_pose(++done_, settings_.poses)) stopped_ = true;
    }

    void check_belongs(const fs::path& file, int index) const {
        const io::DrapedPose pose = io::read_draped_pose(file);
        const std::uint64_t seed = pose_seed(settings_.seed, index, pose.attempts - 1);
        const bool is_ours = is_same_scene(pose.scene, scene_.text) &&
                             pose.positions.rows() == body_.model().vertex_count() && pose.seed == seed &&
                             is_same(pose.angles, angles_of(seed));
        if (!is_ours)
            throw Error(
                "'{}' was made by another scene, seed or share of the limits; remove the folder or give another one",
                file.string());
    }

    void drape_into(const fs::path& file, int index) {
        DrapeFault fault = DrapeFault::None;
        for (int attempt = 0; attempt < most_attempts; ++attempt) {
            const std::uint64_t seed = pose_seed(settings_.seed, index, attempt);
            DrapeSettings drape = settings_.drape;
            if (attempt % attempts_per_pose > 0) drape.reach_steps *= 3;
            const std::vector<body::NamedAngles> angles = angles_of(seed);
            const DrapeOutcome outcome = body_.drape(angles, drape, [&] { return !stopped_; });
            if (stopped_) return;
            const std::lock_guard lock(mutex_);
            fault = outcome.fault;
            if (fault != DrapeFault::None) {
                ++report_.redone[fault];
                continue;
            }
            ++report_.made;
            report_.mean_steps += outcome.steps;
            io::write_draped_pose(file, {.scene = scene_.text,
                                         .seed = seed,
                                         .angles = angles,
                                         .positions = outcome.positions.cast<float>(),
                                         .attempts = attempt + 1,
                                         .mean_speed = outcome.mean_speed,
                                         .longest_edge = outcome.longest_edge});
            return;
        }
        throw Error(
            "example {} was not sound in any of {} attempts (the last: {}); check that the garment fits the body "
            "and is fine enough for it",
            index, most_attempts, to_string(fault));
    }

    GeneratePosesReport count() {
        for (int index = 0; index < settings_.poses; ++index) {
            if (!fs::exists(file_of(index))) continue;
            const io::DrapedPose pose = io::read_draped_pose(file_of(index));
            ++report_.poses;
            report_.worst_mean_speed = std::max(report_.worst_mean_speed, pose.mean_speed);
            report_.longest_edge = std::max(report_.longest_edge, pose.longest_edge);
        }
        if (report_.made > 0) report_.mean_steps /= static_cast<double>(report_.made);
        report_.stopped = stopped_;
        return report_;
    }

    const GeneratePosesSettings& settings_;
    scene::Scene scene_;
    DrapedBody body_;
    std::mutex mutex_;
    GeneratePosesReport report_;
    long done_ = 0;
    std::atomic<bool> stopped_ = false;
};

}  // namespace

GeneratePosesReport generate_poses(const GeneratePosesSettings& settings) { return Generation(settings).run(); }

}  // namespace tulle::workflows
