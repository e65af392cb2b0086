// An experiment: one or several runs, each of which trains a workload on a machine.
//
//   auto experiment = orrery::Experiment::load("examples/dgx2-vs-tpu.yaml").value();
//   for (const orrery::Run& run : experiment.simulate()) std::cout << run.name() << ' ' <<
//   run.step().seconds() << '\n';
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "orrery/diagnostics.hpp"
#include "orrery/document.hpp"
#include "orrery/export.hpp"
#include "orrery/registry.hpp"
#include "orrery/run.hpp"

namespace orrery {

namespace core {
struct Access;
}

// How far the runs of an experiment are.
struct Progress {
  std::size_t runs = 0, ended = 0,
              failed = 0;  // all of them, those that have ended, and those of these that failed
  double share = 0;        // of the whole work, from 0 to 1
};

// Says which runs keep more than their summaries, so that their tables can be asked for.
enum class Keep : std::uint8_t {
  as_written,  // all of the runs that write reports: those that the experiment names, or all of up to 100
  everything,
  summaries,
};

// How runs are simulated. No result depends on it, but what is kept and written does.
struct RunOptions {
  int threads = 0;            // runs simulated at a time; 0: one for each core
  std::stop_token stop = {};  // asks runs under way to stop, within a tenth of a second while they simulate
  // Called now and then, by one thread at a time, which need not be the caller's. It must not throw.
  std::function<void(const Progress&)> progress = {};
  Keep keep = Keep::as_written;
  bool fold = true;  // simulate equal ranks once where that is exact
  // Folder in which results are written as `orrery run` writes them; empty: nowhere.
  std::string output = {};
};

// Which changes an experiment is read with.
struct ReadOptions {
  std::vector<std::string> overrides = {};  // "key=value", as with --set
  std::string network_model = {};           // of all runs, whatever else says; empty: as written
  std::string folder = {};                  // of a Document: files that it names are relative to this folder
  bool allow_out_of_memory = false;         // a model that does not fit its device is a warning
  Registry registry = {};                   // what it may name besides that which comes with Orrery
};

// An experiment that was read and is well-formed. Copies share it. It never changes, so several threads may
// use one and simulate it at the same time; nothing is global.
class ORRERY_API Experiment {
 public:
  struct State;
  explicit Experiment(std::shared_ptr<const State> state);

  // Reads a document with the keys of an experiment file (docs/inputs/experiment.md). The problems say what
  // is wrong and at which key, such as "experiment.workload.model".
  static Result<Experiment> from(const Document& document, const ReadOptions& options = {});
  // Reads a file, and nothing but this file and those that it names. The problems say what is wrong in which
  // line.
  static Result<Experiment> load(const std::string& file, const ReadOptions& options = {});

  // Returns the name of the experiment, which is "experiment" where nobody gave one.
  const std::string& name() const;
  std::vector<std::string> runs() const;             // their names
  const std::vector<std::string>& warnings() const;  // that reading gave, each with its place

  // Puts all runs together without simulating them, and returns what is wrong: parts that do not fit each
  // other, models that do not fit their devices, traces that wait for each other.
  Problems check() const;
  // Simulates all runs. A run that fails keeps no other from running: its problem is in the result.
  Runs simulate(const RunOptions& options = {}) const;

 private:
  friend struct core::Access;

  std::shared_ptr<const State> state_;
};

}  // namespace orrery
