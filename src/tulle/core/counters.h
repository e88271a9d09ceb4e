// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

namespace tulle {

// How often things happened, by their names; what never happened is not listed.
class Counters {
public:
    void add(const std::string& what, long times) {
        if (times != 0) counts_[what] += times;
    }
    void add(const Counters& others) {
        for (const auto& [what, times] : others.counts_) add(what, times);
    }
    long of(const std::string& what) const {
        const auto found = counts_.find(what);
        return found == counts_.end() ? 0 : found->second;
    }
    const std::map<std::string, long>& all() const { return counts_; }

private:
    std::map<std::string, long> counts_;
};

}  // namespace tulle
