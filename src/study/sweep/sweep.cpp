#include "study/sweep/sweep.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <nlohmann/json.hpp>
#include <system_error>
#include <thread>
#include <utility>

#include "base/encoding/sha256.hpp"
#include "base/input/node_content.hpp"
#include "study/sweep/point_run.hpp"

namespace orrery::core {

namespace {

using Clock = std::chrono::steady_clock;

std::string options_text(bool allow_out_of_memory) {
  return allow_out_of_memory ? "allow-oom" : "";
}

// Hands out the runs that are to be simulated, as far as the store lacks them.
class WorkList {
 public:
  WorkList(const SweptRuns& runs, RunStore& store, const SweepWishes& wishes)
      : runs_(runs),
        store_(store),
        wishes_(wishes),
        keys_(run_keys_of(runs, wishes.allow_out_of_memory)),
        begin_(Clock::now()) {
    if (wishes.only) only_.emplace(runs.space(), *wishes.only);
    for (std::size_t number = 0; number < runs.size(); ++number)
      asked_for_ += (!wishes.takes || wishes.takes(number)) && (!only_ || only_->holds(runs.point(number)));
  }

  // Returns nothing when there is no work that no process has taken. Several threads may ask.
  std::optional<PlacedPoint> take() {
    const std::lock_guard lock(mutex_);
    look_for_work();
    if (work_.empty() || is_to_end()) return std::nullopt;
    PlacedPoint next = std::move(work_.front());
    work_.pop_front();
    ++taken_;
    return next;
  }

  // Returns whether there may be work later: other processes are at work, and may die. Must be called when
  // all that was taken is in the store. Waits a moment where there is nothing to do yet.
  bool may_go_on() {
    const std::lock_guard lock(mutex_);
    if (is_to_end()) return false;
    store_.set_claims_done();
    const bool others = store_.others_are_at_work();
    look_for_work();
    if (!work_.empty()) return true;
    is_over_ = !others && !is_to_end();
    if (others) std::this_thread::sleep_for(std::chrono::milliseconds(100));
    return others;
  }

  void end() { ended_ = true; }
  // Sets what is known of the runs that are asked for.
  void fill_in(SweepOutcome& outcome) const {
    outcome.runs = asked_for_;
    outcome.reused = reused_;
  }
  // Returns whether nothing was left, and not that it was to stop.
  bool is_over() const { return is_over_; }

 private:
  void look_for_work() {
    while (work_.empty() && !is_to_end()) {
      const std::optional<RunRange> range = store_.claim(runs_.size(), claimed_at_once_);
      if (!range) return;
      look_at(*range);
    }
  }

  bool is_to_end() const {
    const auto seconds = std::chrono::duration<double>(Clock::now() - begin_).count();
    return ended_ || wishes_.is_to_stop() || (wishes_.most && taken_ >= *wishes_.most) ||
           (wishes_.seconds && seconds >= *wishes_.seconds);
  }

  // A claim is to hold work for about a second, so that processes that share a sweep end at about the same
  // time.
  void look_at(const RunRange& range) {
    constexpr std::size_t most_at_once = 4096;
    std::vector<PlacedPoint> asked_for;
    for (std::size_t number = range.begin; number < range.end; ++number) {
      if (wishes_.takes && !wishes_.takes(number)) continue;
      if (only_ && !only_->holds(runs_.point(number))) continue;
      asked_for.push_back(placed_point(runs_, keys_, number));
    }
    const std::size_t count = asked_for.size();
    std::vector<PlacedPoint> missing = store_.missing(std::move(asked_for), wishes_.reuse);
    reused_ += count - missing.size();
    const auto now = Clock::now();
    const bool soon = now - last_claim_ < std::chrono::milliseconds(500);
    claimed_at_once_ =
        std::clamp(soon ? claimed_at_once_ * 2 : claimed_at_once_ / 2, least_at_once(), most_at_once);
    last_claim_ = now;
    std::ranges::move(missing, std::back_inserter(work_));
  }

  std::size_t least_at_once() const { return static_cast<std::size_t>(std::max(wishes_.threads, 1)); }

  const SweptRuns& runs_;
  RunStore& store_;
  const SweepWishes& wishes_;
  const RunKeys keys_;
  const Clock::time_point begin_;
  std::optional<PointCondition> only_;
  std::mutex mutex_;  // of the members below that are not atomic
  std::deque<PlacedPoint> work_;
  std::size_t taken_ = 0, claimed_at_once_ = 16;
  Clock::time_point last_claim_ = begin_;
  bool is_over_ = false;
  std::atomic<bool> ended_ = false;
  std::size_t asked_for_ = 0;
  std::atomic<std::size_t> reused_ = 0;
};

// Writes runs that have ended into the store, on a thread of its own. Those that end within a moment are
// written together.
class StoreWriter {
 public:
  explicit StoreWriter(RunStore& store) : store_(store), thread_([this] { write_until_end(); }) {}
  ~StoreWriter() { finish(); }
  StoreWriter(const StoreWriter&) = delete;
  StoreWriter& operator=(const StoreWriter&) = delete;

  // Returns false where the store cannot be written any more.
  bool add(EndedPoint run) {
    std::unique_lock lock(mutex_);
    written_.wait(lock, [&] { return waiting_.size() < most_waiting || failure_; });
    if (failure_) return false;
    waiting_.push_back(std::move(run));
    added_.notify_one();
    return true;
  }

  // Returns when all is written. Throws what went wrong.
  void flush() {
    std::unique_lock lock(mutex_);
    written_.wait(lock, [&] { return (waiting_.empty() && !writing_) || failure_; });
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  static constexpr std::size_t most_waiting = 10'000;

  void finish() {
    {
      const std::lock_guard lock(mutex_);
      ends_ = true;
      added_.notify_one();
    }
    if (thread_.joinable()) thread_.join();
  }

  void write_until_end() {
    constexpr auto moment = std::chrono::milliseconds(20);
    std::unique_lock lock(mutex_);
    for (;;) {
      added_.wait(lock, [&] { return !waiting_.empty() || ends_; });
      if (waiting_.empty() || failure_) return;
      const std::vector<EndedPoint> runs = std::exchange(waiting_, {});
      writing_ = true;
      lock.unlock();
      std::exception_ptr failure;
      try {
        store_.add(runs);
      } catch (...) {
        failure = std::current_exception();
      }
      lock.lock();
      failure_ = failure;
      writing_ = false;
      written_.notify_all();
      added_.wait_for(lock, moment, [&] { return ends_ || failure_; });
    }
  }

  RunStore& store_;
  std::mutex mutex_;  // of the members below
  std::condition_variable added_, written_;
  std::vector<EndedPoint> waiting_;
  std::exception_ptr failure_;
  bool writing_ = false, ends_ = false;
  std::thread thread_;
};

class Sweep {
 public:
  Sweep(const SweptRuns& runs, RunStore& store, const FileLoader& load, const SweepWishes& wishes)
      : runs_(runs),
        store_(store),
        load_(load),
        wishes_(wishes),
        work_(runs, store, wishes),
        writer_(store) {}

  SweepOutcome simulate() {
    do {
      simulate_on_threads();
      writer_.flush();
      if (failure_) std::rethrow_exception(failure_);
    } while (work_.may_go_on());
    store_.release();
    work_.fill_in(outcome_);
    outcome_.complete = work_.is_over();
    return outcome_;
  }

 private:
  void simulate_on_threads() {
    std::vector<std::thread> threads;
    try {
      for (int i = 1; i < wishes_.threads; ++i) threads.emplace_back([this] { simulate_some(); });
    } catch (const std::system_error&) {  // the system has no more of them
    }
    simulate_some();
    for (std::thread& thread : threads) thread.join();
  }

  void simulate_some() {
    try {
      while (std::optional<PlacedPoint> point = work_.take()) {
        EndedPoint ended = carry_out_point(runs_, std::move(*point), store_.inputs(), load_, wishes_);
        const bool failed = ended.failed;
        if (!writer_.add(std::move(ended))) return work_.end();
        tell(failed);
      }
    } catch (const Stopped&) {
      work_.end();
    } catch (...) {
      work_.end();
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
    }
  }

  void tell(bool failed) {
    const std::lock_guard lock(mutex_);
    work_.fill_in(outcome_);
    ++outcome_.simulated;
    outcome_.failed += failed;
    if (wishes_.told) wishes_.told(outcome_);
  }

  const SweptRuns& runs_;
  RunStore& store_;
  const FileLoader& load_;
  const SweepWishes& wishes_;
  SweepOutcome outcome_;
  std::mutex mutex_;  // of what was simulated, and of the failure
  std::exception_ptr failure_;
  WorkList work_;
  StoreWriter writer_;
};

}  // namespace

RunKeys run_keys_of(const SweptRuns& runs, bool allow_out_of_memory) {
  return {runs.space(), runs.common(), options_text(allow_out_of_memory)};
}

StudyFacts facts_of(const SweptRuns& runs, const Origin& origin, bool allow_out_of_memory) {
  nlohmann::json objectives = nlohmann::json::array();
  for (const Objective& objective : runs.objectives())
    objectives.push_back({{"column", objective.column}, {"goal", objective.maximum ? "maximum" : "minimum"}});
  return {runs.name(), to_json(origin).dump(), objectives.dump(),
          sha256(runs.content() + options_text(allow_out_of_memory))};
}

PlacedPoint placed_point(const SweptRuns& runs, const RunKeys& keys, std::size_t number) {
  PlacedPoint placed{runs.point(number), number, {}, {}};
  placed.name = runs.name_of(placed.point);
  placed.key = keys.key_of(placed.point);
  return placed;
}

std::vector<EndedPoint> simulate_part(const SweptRuns& runs, const std::vector<std::size_t>& numbers,
                                      StudyInputs& inputs, const FileLoader& load,
                                      const SweepWishes& wishes) {
  const RunKeys keys = run_keys_of(runs, wishes.allow_out_of_memory);
  std::vector<EndedPoint> ended;
  for (const std::size_t number : numbers) {
    if (wishes.is_to_stop()) throw Stopped();
    ended.push_back(carry_out_point(runs, placed_point(runs, keys, number), inputs, load, wishes));
  }
  return ended;
}

std::vector<std::size_t> missing_runs(const SweptRuns& runs, RunStore& store, const SweepWishes& wishes) {
  constexpr std::size_t at_once = 4096;
  const RunKeys keys = run_keys_of(runs, wishes.allow_out_of_memory);
  std::optional<PointCondition> only;
  if (wishes.only) only.emplace(runs.space(), *wishes.only);
  std::vector<std::size_t> numbers;
  std::vector<PlacedPoint> points;
  for (std::size_t number = 0; number < runs.size(); ++number) {
    if ((!wishes.takes || wishes.takes(number)) && (!only || only->holds(runs.point(number))))
      points.push_back(placed_point(runs, keys, number));
    if (points.size() < at_once && number + 1 < runs.size()) continue;
    for (const PlacedPoint& missing : store.missing(std::exchange(points, {}), wishes.reuse))
      numbers.push_back(missing.number);
  }
  return numbers;
}

SweepOutcome simulate_sweep(const SweptRuns& runs, RunStore& store, const FileLoader& load,
                            const SweepWishes& wishes) {
  return Sweep(runs, store, load, wishes).simulate();
}

}  // namespace orrery::core
