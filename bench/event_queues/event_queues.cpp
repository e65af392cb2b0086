// Which event queue is fastest here: nanoseconds per event (one push and one pop) of the queue in use and of
// textbook ones, as a table.
//
// usage: event_queues [--queue NAME] [--workload NAME] [--once]     in the top folder
// --queue and --workload: only those whose name begins so; --once: one repetition instead of five
//
// "hold n" is the classic test: n events are pending, and each one taken schedules another after a random,
// exponentially distributed time, so that hardly two share a stamp. The other workloads replay what runs of
// bench/vgg16-torus16x16.yaml, every rank simulated, ask of their queue (recording/events/event_queue.hpp).
// "none" is what the test itself takes; the other columns include it. The least of the repetitions counts.
// The program fails unless all queues return the same events in the same order.
//
// Instructions per event: those that
//   valgrind --tool=callgrind --toggle-collect='*use_queue*' event_queues --queue Q --workload W --once
// counts, divided by the number of events printed; for "hold", by that and the most pending, which is how
// many are replaced before the clock starts.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <limits>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/file.hpp"
#include "base/random.hpp"
#include "calendar_queue.hpp"
#include "events/event_queue.hpp"
#include "heap_queue.hpp"
#include "ladder_queue.hpp"
#include "study/experiment.hpp"
#include "study/run.hpp"

namespace orrery {
namespace {

class NoQueue {
 public:
  void push(Stamp stamp, const Event& event) { stamp_ = stamp, event_ = event; }
  bool pop(Stamp& stamp, Event& event) {
    stamp = stamp_, event = event_;
    return true;
  }

 private:
  Stamp stamp_ = 0;
  Event event_;
};

// Depends on every event taken and on their order.
struct Digest {
  std::uint64_t value = 0;
  void add(Stamp stamp, const Event& event) {
    value = std::rotl(value, 5) + (static_cast<std::uint64_t>(stamp) ^ event.object);
  }
};

struct Measured {
  double ns_per_event;
  std::uint64_t digest;
};

template <class Body>
Measured timed(std::size_t events, const Body& body) {
  const auto start = std::chrono::steady_clock::now();
  const Digest digest = body();
  const std::chrono::duration<double, std::nano> elapsed = std::chrono::steady_clock::now() - start;
  return {elapsed.count() / static_cast<double>(events), digest.value};
}

class Hold {
 public:
  explicit Hold(std::size_t pending) : pending_(pending), events_(std::max<std::size_t>(pending, 1 << 20)) {
    Random random(1);
    for (Stamp& step : steps_) step = static_cast<Stamp>(-std::log(1 - random.fraction()) * 1e9);
  }

  std::size_t events() const { return events_; }
  std::size_t most_pending() const { return pending_; }
  std::size_t stamps() const { return events_; }  // nearly

  template <class Queue>
  Measured run() const {
    Queue queue;
    std::size_t pushed = 0;
    const auto next = [&](Stamp now) {
      queue.push(now + steps_[pushed % steps_.size()], Event{0, 0, 0, static_cast<std::uint32_t>(pushed), 0});
      ++pushed;
    };
    while (pushed < pending_) next(0);
    use_queue(queue, next, pending_);
    return timed(events_, [&] { return use_queue(queue, next, events_); });
  }

 private:
  template <class Queue, class Next>
  [[gnu::noinline]] static Digest use_queue(Queue& queue, const Next& next, std::size_t events) {
    Digest digest;
    Stamp now = 0;
    Event event;
    for (std::size_t i = 0; i < events; ++i) {
      queue.pop(now, event);
      digest.add(now, event);
      next(now);
    }
    return digest;
  }

  std::size_t pending_, events_;
  std::array<Stamp, (1 << 16) + 1> steps_;
};

class Replay {
 public:
  // The queue's operations in a run of the example, the first `most` of them.
  explicit Replay(const std::vector<std::string>& overrides, std::size_t most) : operations_{{}, most} {
    const std::string file = "bench/vgg16-torus16x16.yaml";
    Warnings warnings;
    const Experiment experiment = read_experiment(read_text_file(file), file, overrides, warnings);
    recorded_operations = &operations_;
    try {
      carry_out(experiment.runs.front(), warnings, false);
    } catch (const RecordingIsFull&) {
    }
    PresentQueue queue;
    Stamp now = 0, last = -1;
    Event event;
    std::size_t pending = 0;
    for (Stamp operation : operations_.list) {
      if (operation == QueueOperations::pop) {
        queue.pop(now, event);
        stamps_ += std::exchange(last, now) != now;
        ++events_;
        --pending;
      } else {
        queue.push(operation, event);
        most_pending_ = std::max(most_pending_, ++pending);
      }
    }
  }

  std::size_t events() const { return events_; }
  std::size_t most_pending() const { return most_pending_; }
  std::size_t stamps() const { return stamps_; }

  template <class Queue>
  Measured run() const {
    Queue queue;
    return timed(events_, [&] { return use_queue(queue, operations_.list); });
  }

 private:
  template <class Queue>
  [[gnu::noinline]] static Digest use_queue(Queue& queue, const std::vector<Stamp>& operations) {
    Digest digest;
    Stamp now = 0;
    Event pushed, event;
    for (Stamp operation : operations) {
      if (operation == QueueOperations::pop) {
        queue.pop(now, event);
        digest.add(now, event);
      } else {
        ++pushed.object;
        queue.push(operation, pushed);
      }
    }
    return digest;
  }

  QueueOperations operations_;
  std::size_t events_ = 0, most_pending_ = 0, stamps_ = 0;
};

struct Options {
  std::string_view queue, workload;
  bool once = false;
};

class Comparison {
 public:
  explicit Comparison(const Options& options) : options_(options) {
    std::string names, rule;
    for (std::string_view name : queues) {
      if (!name.starts_with(options_.queue)) continue;
      names += fmt::format(" {} |", name);
      rule += "---:|";
    }
    fmt::print("| ns per event | events | per stamp | most pending |{}\n|---|---:|---:|---:|{}\n", names,
               rule);
  }

  // False when a queue gave another order than the others.
  bool correct() const { return correct_; }

  template <class Workload, class... Arguments>
  void add(std::string_view name, Arguments&&... arguments) {
    if (!name.starts_with(options_.workload)) return;
    const Workload workload(std::forward<Arguments>(arguments)...);
    std::array<double, queues.size()> least;
    least.fill(std::numeric_limits<double>::infinity());
    std::optional<std::uint64_t> digest;
    for (int round = 0; round < (options_.once ? 1 : rounds); ++round) {
      std::size_t i = 0;
      const auto measure = [&]<class Queue>(std::type_identity<Queue>) {
        if (queues[i].starts_with(options_.queue)) {
          const Measured measured = workload.template run<Queue>();
          least[i] = std::min(least[i], measured.ns_per_event);
          if (!std::is_same_v<Queue, NoQueue>) check(digest, measured.digest, name, queues[i]);
        }
        ++i;
      };
      measure(std::type_identity<NoQueue>());
      measure(std::type_identity<PresentQueue>());
      measure(std::type_identity<HeapQueue<2>>());
      measure(std::type_identity<HeapQueue<4>>());
      measure(std::type_identity<CalendarQueue>());
      measure(std::type_identity<LadderQueue>());
    }
    const double per_stamp = static_cast<double>(workload.events()) / static_cast<double>(workload.stamps());
    fmt::print("| {} | {} | {:.1f} | {} |", name, workload.events(), per_stamp, workload.most_pending());
    for (std::size_t i = 0; i < queues.size(); ++i) {
      if (queues[i].starts_with(options_.queue)) fmt::print(" {:.1f} |", least[i]);
    }
    fmt::print("\n");
    std::fflush(stdout);
  }

 private:
  static constexpr int rounds = 5;
  static constexpr std::array<std::string_view, 6> queues = {"none",       "present",  "binary heap",
                                                             "4-ary heap", "calendar", "ladder"};

  void check(std::optional<std::uint64_t>& expected, std::uint64_t digest, std::string_view workload,
             std::string_view queue) {
    if (!expected) expected = digest;
    if (*expected == digest) return;
    fmt::print(stderr, "event_queues: '{}' gave another order in '{}'\n", queue, workload);
    correct_ = false;
  }

  Options options_;
  bool correct_ = true;
};

// Nothing when the arguments are wrong.
std::optional<Options> read_options(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--once") {
      options.once = true;
    } else if (argument == "--queue" && i + 1 < argc) {
      options.queue = argv[++i];
    } else if (argument == "--workload" && i + 1 < argc) {
      options.workload = argv[++i];
    } else {
      return std::nullopt;
    }
  }
  return options;
}

bool compare(const Options& options) {
  const std::vector<std::string> large = {"network.x.size=64", "network.y.size=64"};
  const std::vector<std::string> jitter = {"dialect=native", "compute-jitter.spread=0.05",
                                           "compute-jitter.seed=1"};
  std::vector<std::string> large_with_jitter = large;
  large_with_jitter.insert(large_with_jitter.end(), jitter.begin(), jitter.end());
  constexpr std::size_t most = 10'000'000;
  Comparison comparison(options);
  comparison.add<Replay>("in step, 16x16", std::vector<std::string>(), most);
  comparison.add<Replay>("in step, 64x64", large, most);
  comparison.add<Replay>("jitter, 16x16", jitter, most);
  comparison.add<Replay>("jitter, 64x64", large_with_jitter, most);
  comparison.add<Hold>("hold 1k", 1u << 10);
  comparison.add<Hold>("hold 64k", 1u << 16);
  comparison.add<Hold>("hold 1M", 1u << 20);
  return comparison.correct();
}

}  // namespace
}  // namespace orrery

int main(int argc, char** argv) {
  const std::optional<orrery::Options> options = orrery::read_options(argc, argv);
  if (!options) {
    fmt::print(stderr, "usage: event_queues [--queue NAME] [--workload NAME] [--once]\n");
    return 2;
  }
  try {
    return orrery::compare(*options) ? 0 : 1;
  } catch (const orrery::InputError& error) {
    fmt::print(stderr, "event_queues: {}\n", error.what());
    return 1;
  }
}
