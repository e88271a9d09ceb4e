// SPDX-License-Identifier: Apache-2.0
#include "tulle/datasets/sequence.h"

#include "tulle/core/error.h"
#include "tulle/core/random.h"
#include "tulle/io/cache_reader.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tulle::datasets {

namespace fs = std::filesystem;

Sequence read_sequence(const fs::path& cache) {
    const io::CacheReader reader(cache);
    const io::CacheHeader& header = reader.header();
    Sequence sequence{.name = cache.filename().string(),
                      .file = cache,
                      .scene_name = header.scene_name,
                      .scene_text = header.scene,
                      .scene_folder = {},
                      .mesh = header.mesh,
                      .grid = header.grid,
                      .frame_time = 1 / header.frame_rate,
                      .positions = {}};
    sequence.positions.resize(static_cast<size_t>(3L * sequence.vertex_count() * reader.frame_count()));
    for (long f = 0; f < reader.frame_count(); ++f)
        Eigen::Map<Rows<float, 3>>(sequence.positions.data() + 3L * sequence.vertex_count() * f,
                                   sequence.vertex_count(), 3) = reader.positions(f).cast<float>();
    return sequence;
}

std::vector<fs::path> sequence_files(const fs::path& folder) {
    std::vector<fs::path> files;
    if (fs::is_directory(folder))
        for (const fs::directory_entry& entry : fs::directory_iterator(folder))
            if (entry.path().extension() == ".h5") files.push_back(entry.path());
    if (files.empty())
        throw Error("there are no sequences in '{}'; make some with `tulle generate SCENE --sweep FILE -o {}`",
                    folder.string(), folder.string());
    std::sort(files.begin(), files.end());
    return files;
}

Split split_sequences(size_t count, std::uint64_t seed, const SplitShares& shares) {
    if (count < 3)
        throw Error("{} sequences cannot be split into training, validation and test; generate at least three", count);
    std::vector<size_t> order(count);
    std::iota(order.begin(), order.end(), size_t{0});
    Random random(seed);
    for (size_t i = count - 1; i > 0; --i) std::swap(order[i], order[random.bits() % (i + 1)]);
    const auto part = [&](double share) {
        return std::clamp<size_t>(static_cast<size_t>(std::lround(share * static_cast<double>(count))), 1, count / 3);
    };
    const auto validation_end = order.begin() + static_cast<long>(part(shares.validation));
    const auto test_end = validation_end + static_cast<long>(part(shares.test));
    Split split{.training = {test_end, order.end()},
                .validation = {order.begin(), validation_end},
                .test = {validation_end, test_end}};
    for (std::vector<size_t>* indices : {&split.training, &split.validation, &split.test})
        std::sort(indices->begin(), indices->end());
    return split;
}

Split split_drapes(size_t count, size_t training) {
    constexpr size_t period = 10, last_held_out = 1250;
    if (count < period)
        throw Error("{} poses cannot be split into training, validation and test; generate at least {}", count, period);
    Split split;
    for (size_t i = 0; i < count; ++i) {
        std::vector<size_t>& part = i >= last_held_out         ? split.training
                                    : i % period == period - 1 ? split.test
                                    : i % period == period - 2 ? split.validation
                                                               : split.training;
        part.push_back(i);
    }
    if (training > split.training.size())
        throw Error("the recipe asks for {} training examples, but of {} poses only {} are for training; generate more",
                    training, count, split.training.size());
    if (training > 0) split.training.resize(training);
    return split;
}

}  // namespace tulle::datasets
