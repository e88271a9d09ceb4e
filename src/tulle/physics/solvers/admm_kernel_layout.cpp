// SPDX-License-Identifier: Apache-2.0
#include "tulle/physics/solvers/admm_kernel_layout.h"

#include "tulle/core/error.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>

namespace tulle::physics {

namespace {

constexpr std::array<int, 8> vertex_of_lane{0, 2, 0, 2, 1, 3, 1, 3};
constexpr std::array<int, 8> spring_of_lane{0, 0, 1, 1, 0, 0, 1, 1};

// A spring as its owner sees it.
struct OwnedSpring {
    int spring;
    int owner;  // vertex
    int other;  // vertex
};

class Layout {
public:
    Layout(const numerics::SparseCholesky& cholesky, const SpringEnds& ends) : cholesky_(cholesky), ends_(ends) {
        item_of_.assign(cholesky.size(), cholesky.task_count());
        for (int task = 0; task < cholesky.task_count(); ++task) {
            const numerics::RowRange rows = cholesky.task(task).rows;
            std::fill(item_of_.begin() + rows.first, item_of_.begin() + rows.last, task);
        }
        pins_ = 0;
        for (const int place : ends.places) pins_ = std::max(pins_, -place);
    }

    SpringLayout build() {
        std::vector<OwnedSpring> owned = choose_owners();
        even_out(owned);
        // Springs by the place of their owner.
        first_.assign(cholesky_.size() + 1, 0);
        for (const OwnedSpring& spring : owned) ++first_[ends_.places[spring.owner] + 1];
        std::partial_sum(first_.begin(), first_.end(), first_.begin());
        by_owner_.resize(owned.size());
        std::vector<int> next(first_.begin(), first_.end() - 1);
        for (const OwnedSpring& spring : owned) by_owner_[next[ends_.places[spring.owner]]++] = spring;
        for (int item = 0; item <= cholesky_.task_count(); ++item) add_item(item);
        return std::move(layout_);
    }

private:
    bool is_top(int item) const { return item == cholesky_.task_count(); }
    int item_of_vertex(int vertex) const { return item_of_[ends_.places[vertex]]; }

    // A task owns its springs to the top and to pins; between equals the first end does.
    std::vector<OwnedSpring> choose_owners() const {
        std::vector<OwnedSpring> owned;
        for (int s = 0; s < ends_.edges.rows(); ++s) {
            if (ends_.skip[s]) continue;
            const int a = ends_.edges(s, 0), b = ends_.edges(s, 1);
            const bool second = ends_.places[a] < 0 || (ends_.places[b] >= 0 && item_of_vertex(b) < item_of_vertex(a));
            owned.push_back(second ? OwnedSpring{s, b, a} : OwnedSpring{s, a, b});
        }
        return owned;
    }

    // Springs are worked on in pairs: where both ends own an odd number, turning their spring round wastes nothing.
    void even_out(std::vector<OwnedSpring>& owned) const {
        std::vector<int> counts(ends_.places.size(), 0);
        for (const OwnedSpring& spring : owned) ++counts[spring.owner];
        for (OwnedSpring& spring : owned) {
            if (ends_.places[spring.other] < 0 || item_of_vertex(spring.owner) != item_of_vertex(spring.other))
                continue;
            if (counts[spring.owner] % 2 == 0 || counts[spring.other] % 2 == 0) continue;
            --counts[spring.owner];
            ++counts[spring.other];
            std::swap(spring.owner, spring.other);
        }
    }

    int groups_of(int place) const { return (first_[place + 1] - first_[place] + 1) / 2; }

    void add_item(int item) {
        SpringItem range{static_cast<int>(layout_.blocks.size()), 0, static_cast<long>(layout_.springs.size()) / 8, 0};
        const numerics::RowRange rows = is_top(item) ? cholesky_.top_rows() : cholesky_.task(item).rows;
        std::map<int, std::vector<int>> places;  // by number of groups
        for (int place = rows.first; place < rows.last; ++place)
            if (groups_of(place) > 0) places[groups_of(place)].push_back(place);
        for (const auto& [groups, alike] : places) add_blocks(item, alike);
        range.last_block = static_cast<int>(layout_.blocks.size());
        range.last_group = static_cast<long>(layout_.springs.size()) / 8;
        layout_.items.push_back(range);
    }

    // Vertices with equally many groups share blocks. Those of one block are far apart: neighbours would add to the
    // same rows one right after the other, and wait for each other.
    void add_blocks(int item, const std::vector<int>& places) {
        const size_t blocks = (places.size() + 3) / 4;
        for (size_t k = 0; k < blocks; ++k) {
            std::vector<int> block;
            for (size_t i = k; i < places.size(); i += blocks) block.push_back(places[i]);
            const int count = static_cast<int>(block.size());
            block.resize(4, block.back());
            add_block(item, block, count);
        }
    }

    void add_block(int item, const std::vector<int>& places, int count) {
        SpringBlock block{};
        for (int i = 0; i < 4; ++i) {
            block.read[i] = 4u * places[i];
            block.write[i] = 4u * write_row(item, places[i]);
        }
        for (int group = 0; group < groups_of(places[0]); ++group) {
            if (group % most_block_groups == 0) {
                block.groups = std::min(groups_of(places[0]) - group, most_block_groups);
                layout_.blocks.push_back(block);
            }
            for (int lane = 0; lane < 8; ++lane) {
                const int i = vertex_of_lane[lane];
                const int spring = first_[places[i]] + 2 * group + spring_of_lane[lane];
                if (i < count && spring < first_[places[i] + 1])
                    add_lane(item, by_owner_[spring]);
                else
                    add_filler(block, i);
            }
        }
    }

    void add_lane(int item, const OwnedSpring& spring) {
        layout_.springs.push_back(spring.spring);
        const int place = ends_.places[spring.other];
        int read = place, write = place;
        if (place < 0) {
            read = cholesky_.first_own_row() + (-1 - place);
            write = cholesky_.first_own_row() + pins_ + item;
        } else if (item_of_[place] == item) {
            write = write_row(item, place);
        } else {
            read = write = boundary_row(item, place, spring.spring);
        }
        layout_.read.push_back(4u * read);
        layout_.write.push_back(4u * write);
    }

    void add_filler(const SpringBlock& block, int i) {
        layout_.springs.push_back(-1);
        layout_.read.push_back(block.read[i]);
        layout_.write.push_back(block.write[i]);
    }

    int write_row(int item, int place) const {
        if (!is_top(item)) return place;
        return cholesky_.top_right_hand_side_row() + place - cholesky_.top_rows().first;
    }

    int boundary_row(int item, int place, int spring) const {
        const numerics::CholeskyTaskView task = cholesky_.task(item);
        const auto found = std::lower_bound(task.boundary.begin(), task.boundary.end(), place);
        if (found == task.boundary.end() || *found != place)
            throw Error("spring {} has no entry in the matrix; build the matrix from the same springs", spring);
        return task.boundary_row + static_cast<int>(found - task.boundary.begin());
    }

    const numerics::SparseCholesky& cholesky_;
    const SpringEnds& ends_;
    int pins_;
    std::vector<int> item_of_;  // by place
    std::vector<int> first_;    // by place, into by_owner_
    std::vector<OwnedSpring> by_owner_;
    SpringLayout layout_;
};

}  // namespace

SpringLayout lay_out_springs(const numerics::SparseCholesky& cholesky, const SpringEnds& ends) {
    return Layout(cholesky, ends).build();
}

int own_rows(const numerics::SparseCholesky& cholesky, int pins) { return pins + cholesky.task_count() + 1; }

}  // namespace tulle::physics
