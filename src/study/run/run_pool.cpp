#include "study/run/run_pool.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace orrery::core {

namespace {

class RunPool {
 public:
  RunPool(std::size_t count, const std::function<void(std::size_t)>& task) : task_(task), ends_(count) {}
  ~RunPool() {
    stop();
    for (std::thread& thread : threads_) thread.join();
  }
  RunPool(const RunPool&) = delete;
  RunPool& operator=(const RunPool&) = delete;

  void start(std::size_t threads) {
    try {
      while (threads_.size() < threads) threads_.emplace_back([this] { work(); });
    } catch (const std::system_error&) {  // the system has no more of them
      if (threads_.empty()) work();
    }
  }

  // Returns when task `index` is done; throws what it has thrown.
  void wait_for(std::size_t index) {
    std::unique_lock lock(mutex_);
    ended_.wait(lock, [&] { return ends_[index].done; });
    if (ends_[index].failure) std::rethrow_exception(ends_[index].failure);
  }

 private:
  struct End {
    bool done = false;
    std::exception_ptr failure;
  };

  // Takes the next task under one lock, so that every task before one that fails has begun and will be done.
  bool take(std::size_t& index) {
    const std::lock_guard lock(mutex_);
    if (stopped_ || next_ == ends_.size()) return false;
    index = next_++;
    return true;
  }

  void work() {
    for (std::size_t index = 0; take(index);) {
      std::exception_ptr failure;
      try {
        task_(index);
      } catch (...) {
        failure = std::current_exception();
      }
      if (failure) stop();
      const std::lock_guard lock(mutex_);
      ends_[index] = {true, std::move(failure)};
      ended_.notify_one();
    }
  }

  void stop() {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }

  const std::function<void(std::size_t)>& task_;
  std::mutex mutex_;  // of all below
  std::condition_variable ended_;
  std::vector<End> ends_;
  std::size_t next_ = 0;
  bool stopped_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace

int default_threads() {
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

void run_in_order(std::size_t count, int threads, const std::function<void(std::size_t)>& task,
                  const std::function<void(std::size_t)>& finished) {
  const std::size_t useful = std::min(count, static_cast<std::size_t>(std::max(threads, 1)));
  if (useful <= 1) {
    for (std::size_t i = 0; i < count; ++i) {
      task(i);
      finished(i);
    }
    return;
  }
  RunPool pool(count, task);
  pool.start(useful);
  for (std::size_t i = 0; i < count; ++i) {
    pool.wait_for(i);
    finished(i);
  }
}

void run_in_parts(std::size_t count, std::size_t at_a_time, int threads,
                  const std::function<void(std::size_t begin, std::size_t end)>& task,
                  const std::function<void(std::size_t done)>& told) {
  std::atomic<std::size_t> done = 0;
  run_in_order((count + at_a_time - 1) / at_a_time, threads,
               [&](std::size_t part) {
                 const std::size_t begin = part * at_a_time, end = std::min(count, begin + at_a_time);
                 task(begin, end);
                 const std::size_t so_far = done += end - begin;
                 told(so_far);
               },
               [](std::size_t) {});
}

}  // namespace orrery::core
