#include "simulation.hpp"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

namespace nb = nanobind;

namespace orrery::python {

namespace {

// What the thread that simulates and the caller's thread tell each other.
class Shared {
 public:
  void tell(const Progress& progress) {
    const std::lock_guard lock(mutex_);
    progress_ = progress;
  }

  void end() {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    changed_.notify_one();
  }

  // Waits for the end, but not long. Returns whether it has come.
  bool wait() {
    constexpr std::chrono::milliseconds longest(20);
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, longest, [&] { return ended_; });
  }

  std::optional<Progress> take_progress() {
    const std::lock_guard lock(mutex_);
    return std::exchange(progress_, std::nullopt);
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool ended_ = false;
  std::optional<Progress> progress_;
};

void call(const nb::object& listener, const std::optional<Progress>& progress) {
  if (progress && !listener.is_none())
    listener(progress->runs, progress->ended, progress->failed, progress->share);
}

}  // namespace

Runs simulate(const Experiment& experiment, RunOptions options, nb::object progress) {
  Shared shared;
  std::stop_source stop;
  options.stop = stop.get_token();
  if (!progress.is_none()) options.progress = [&](const Progress& now) { shared.tell(now); };
  std::optional<Runs> runs;
  std::jthread worker([&] {
    runs.emplace(experiment.simulate(options));
    shared.end();
  });
  std::exception_ptr raised;
  const auto listen = [&] {
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    call(progress, shared.take_progress());
  };
  for (bool ended = false; !ended;) {
    {
      const nb::gil_scoped_release released;
      ended = shared.wait();
    }
    if (raised) continue;  // the runs stop as soon as they can
    try {
      listen();
    } catch (...) {
      raised = std::current_exception();
      stop.request_stop();
    }
  }
  worker.join();
  if (raised) std::rethrow_exception(raised);
  return *std::move(runs);
}

}  // namespace orrery::python
