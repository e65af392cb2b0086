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

// The thread that simulates and the caller's thread tell each other here how far the work is.
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

// Looks for signals, tells the listener, and keeps what they raise.
class Listening {
 public:
  Listening(const nb::object& listener, std::stop_source& stop) : listener_(listener), stop_(stop) {}

  // Requires the GIL.
  void look(const std::optional<Progress>& progress) {
    if (raised_) return;  // the runs stop as soon as they can
    try {
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
      call(listener_, progress);
    } catch (...) {
      raised_ = std::current_exception();
      stop_.request_stop();
    }
  }

  void rethrow() const {
    if (raised_) std::rethrow_exception(raised_);
  }

 private:
  const nb::object& listener_;
  std::stop_source& stop_;
  std::exception_ptr raised_;
};

// One run after the other: this thread simulates, and takes the GIL now and then to listen.
Runs simulate_here(const Experiment& experiment, RunOptions& options, Listening& listening) {
  options.progress = [&](const Progress& progress) {
    const nb::gil_scoped_acquire acquired;
    listening.look(progress);
  };
  const nb::gil_scoped_release released;
  return experiment.simulate(options);
}

// Calls work, of which `shared` learns how far it is, on another thread: signals are for this one.
void wait_for(Shared& shared, Listening& listening, const std::function<void()>& work) {
  const std::jthread worker([&] {
    work();
    shared.end();
  });
  for (bool ended = false; !ended;) {
    {
      const nb::gil_scoped_release released;
      ended = shared.wait();
    }
    listening.look(shared.take_progress());
  }
}

// Several runs at a time.
Runs simulate_beside(const Experiment& experiment, RunOptions& options, Listening& listening) {
  Shared shared;
  options.progress = [&](const Progress& now) { shared.tell(now); };
  std::optional<Runs> runs;
  wait_for(shared, listening, [&] { runs.emplace(experiment.simulate(options)); });
  return *std::move(runs);
}

}  // namespace

Runs simulate(const Experiment& experiment, RunOptions options, nb::object progress) {
  std::stop_source stop;
  options.stop = stop.get_token();
  Listening listening(progress, stop);
  if (experiment.runs().size() == 1) options.threads = 1;
  Runs runs = options.threads == 1 ? simulate_here(experiment, options, listening)
                                   : simulate_beside(experiment, options, listening);
  listening.rethrow();
  return runs;
}

void carry_out_study(int threads, nb::object progress,
                     const std::function<void(const StudyOptions&)>& study) {
  std::stop_source stop;
  Listening listening(progress, stop);
  Shared shared;
  StudyOptions options;
  options.threads = threads;
  options.stop = stop.get_token();
  options.progress = [&](double share) { shared.tell({1, 0, 0, share}); };
  wait_for(shared, listening, [&] { study(options); });
  listening.rethrow();
}

}  // namespace orrery::python
