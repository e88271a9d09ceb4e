// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace tulle::view {

// A thread for what takes its time. Jobs must not throw; those that have not begun when it ends are dropped.
class Worker {
public:
    Worker() : thread_([this] { run(); }) {}
    ~Worker() {
        {
            const std::lock_guard lock(mutex_);
            ends_ = true;
        }
        changed_.notify_all();
        thread_.join();
    }
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    // In place of all that has not begun.
    void do_only(std::function<void()> job) {
        const std::lock_guard lock(mutex_);
        jobs_.clear();
        jobs_.push_back(std::move(job));
        changed_.notify_all();
    }
    // False if too many wait already.
    [[nodiscard]] bool do_after(std::function<void()> job) {
        constexpr size_t most = 8;
        const std::lock_guard lock(mutex_);
        if (jobs_.size() >= most) return false;
        jobs_.push_back(std::move(job));
        changed_.notify_all();
        return true;
    }

private:
    void run() {
        while (true) {
            std::unique_lock lock(mutex_);
            changed_.wait(lock, [this] { return ends_ || !jobs_.empty(); });
            if (ends_) return;
            const std::function<void()> job = std::move(jobs_.front());
            jobs_.pop_front();
            lock.unlock();
            job();
        }
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::function<void()>> jobs_;
    bool ends_ = false;
    std::thread thread_;
};

}  // namespace tulle::view
