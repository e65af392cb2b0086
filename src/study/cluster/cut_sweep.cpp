#include "study/cluster/cut_sweep.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "study/cluster/run_costs.hpp"
#include "study/results/ended_run.hpp"
#include "study/store/stored_study.hpp"

namespace orrery::core {

namespace {

// Values of keys that some run has: the number of the key, and the text of the value.
using SeenValues = std::set<std::pair<std::size_t, std::string>>;

// Notes the values of a run, and returns whether one of them is new.
bool add_values(SeenValues& seen, const SweepPoint& point) {
  bool is_new = false;
  for (std::size_t key = 0; key < point.values.size(); ++key)
    is_new |= seen.emplace(key, point.values[key]->text).second;
  return is_new;
}

// Sets `stop` after some seconds, or when the sweep is to stop.
class StopAfter {
 public:
  StopAfter(double seconds, const SweepWishes& sweep)
      : thread_([this, seconds, &sweep] { set_later(seconds, sweep); }) {}
  ~StopAfter() {
    {
      const std::lock_guard lock(mutex_);
      over_ = true;
    }
    ended_.notify_one();
    thread_.join();
  }
  StopAfter(const StopAfter&) = delete;
  StopAfter& operator=(const StopAfter&) = delete;

  std::atomic<bool> stop = false;

 private:
  void set_later(double seconds, const SweepWishes& sweep) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    std::unique_lock lock(mutex_);
    while (!over_ && std::chrono::steady_clock::now() < end && !sweep.is_to_stop())
      ended_.wait_for(lock, std::chrono::milliseconds(50));
    stop = true;
  }

  std::mutex mutex_;
  std::condition_variable ended_;
  bool over_ = false;
  std::thread thread_;  // is made last, as it uses the others
};

// Returns runs of this sweep that the store has, as far as they did not fail.
std::vector<MeasuredRun> runs_in_store(const SweptRuns& runs, const std::string& store) {
  constexpr std::size_t enough = 20'000;
  StoredStudy study(store);
  RunSelection ended;
  ended.where = "status == 'ok'";
  ended.limit = enough;
  const TypedTable table = study.table({*study.find("number"), *study.find("seconds")}, ended);
  std::vector<MeasuredRun> measured;
  for (std::size_t row = 0; row < table.rows; ++row) {
    const auto number = static_cast<std::size_t>(table.columns[0].integers[row]);
    if (number < runs.size()) measured.push_back({runs.point(number), table.columns[1].reals[row]});
  }
  return measured;
}

// Returns the first runs of those that have a value which neither an earlier one nor a measured run has.
RunNumbers runs_to_measure(const SweptRuns& runs, const std::vector<std::size_t>& missing,
                           const std::vector<MeasuredRun>& measured) {
  constexpr std::size_t most_looked_at = 100'000;
  constexpr std::size_t most_taken = 100;
  SeenValues seen;
  for (const MeasuredRun& run : measured) add_values(seen, run.point);
  RunNumbers taken;
  for (std::size_t i = 0; i < std::min(missing.size(), most_looked_at) && taken.size() < most_taken; ++i)
    if (add_values(seen, runs.point(missing[i]))) taken.add(missing[i]);
  return taken;
}

// Simulates the runs and returns those that are still missing.
RunNumbers simulate_some_here(const SweptRuns& runs, const OpenStore& open, const FileLoader& load,
                              const RunNumbers& some, const SweepWishes& sweep, double seconds) {
  SweepWishes here = sweep;
  here.takes = [&some](std::size_t number) { return some.contains(number); };
  const std::unique_ptr<RunStore> store = open();
  {
    StopAfter timer(seconds, sweep);
    here.stop = [&timer] { return timer.stop.load(); };
    simulate_sweep(runs, *store, load, here);
  }
  if (sweep.is_to_stop()) throw Stopped();
  here.reuse.failed = true;  // those that have failed here have ended, too
  RunNumbers left;
  for (const std::size_t number : missing_runs(runs, *store, here)) left.add(number);
  return left;
}

std::size_t number_of_tasks(const std::vector<CostedRun>& costed, const CutWishes& wishes) {
  if (wishes.tasks && *wishes.tasks > wishes.most_tasks)
    throw InputError({"--tasks"},
                     fmt::format("an array may have {} tasks here (MaxArraySize of Slurm); ask for as many "
                                 "at most",
                                 wishes.most_tasks));
  const std::size_t tasks = wishes.tasks ? *wishes.tasks : usual_number_of_tasks(costed, wishes.processors);
  return std::clamp<std::size_t>(std::min(tasks, wishes.most_tasks), 1, costed.size());
}

}  // namespace

CutSweep cut_sweep(const SweptRuns& runs, const OpenStore& open, const FileLoader& load,
                   const SweepWishes& sweep, const CutWishes& wishes) {
  std::vector<std::size_t> missing;
  std::string path;
  {
    const std::unique_ptr<RunStore> store = open();
    path = store->path();
    missing = missing_runs(runs, *store, sweep);
  }
  std::vector<MeasuredRun> measured = runs_in_store(runs, path);
  const RunNumbers some = runs_to_measure(runs, missing, measured);
  if (some.size() > 0) {
    const RunNumbers left = simulate_some_here(runs, open, load, some, sweep, wishes.seconds);
    std::erase_if(missing, [&](std::size_t run) { return some.contains(run) && !left.contains(run); });
    measured = runs_in_store(runs, path);
  }
  CutSweep cut;
  cut.in_store = StoredStudy(path).count({});
  if (missing.empty()) return cut;
  const RunCosts costs(measured);
  std::vector<CostedRun> costed;
  for (const std::size_t run : missing) costed.push_back({run, costs.seconds_of(runs.point(run))});
  cut.parts = parts_of(costed, number_of_tasks(costed, wishes));
  return cut;
}

}  // namespace orrery::core
