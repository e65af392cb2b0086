// A sweep: the runs of an experiment whose keys vary, kept in a file that survives anything.
//
//   orrery::Document varied = orrery::Document::parse(
//       "{ network: [{ name: x, topology: ring, size: 8, bandwidth: 50 GB/s, latency: 1 us }],"
//       "  workload: { layers: [{ name: a, forward: { compute: 1 us } }] },"
//       "  sweep: { grid: { compute-scale: [1, 2] } } }", "sweep").value();
//   const orrery::Sweep sweep = orrery::Sweep::from(varied).value();
//   std::cout << sweep.simulate("sweep.sqlite").value().simulated << " of " << sweep.size() << " runs\n";
//   std::cout << orrery::Study::load("sweep.sqlite").value().table().value().rows() << " rows\n";
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "orrery/diagnostics.hpp"
#include "orrery/document.hpp"
#include "orrery/experiment.hpp"
#include "orrery/export.hpp"
#include "orrery/findings.hpp"
#include "orrery/table.hpp"

namespace orrery {

// Which runs of a sweep are simulated, and how.
struct SweepOptions {
  std::string only = {};  // an expression over the keys, such as "tensor == 8"; empty: all runs
  std::optional<std::size_t> limit = {};  // number of runs that are simulated at most
  bool reuse_any_version = false;         // keep runs of the store that other versions have simulated
  bool retry_failed = false;              // simulate runs again that failed
  bool fold = true;                       // simulate equal ranks once where that is exact
  StudyOptions how = {};                  // threads, stop and progress
};

// Says what came of a sweep, as numbers of runs.
struct SweepOutcome {
  std::size_t runs = 0, reused = 0, simulated = 0,
              failed = 0;  // asked for; in the store before; simulated now; and those of these that failed
  bool complete = false;   // whether all runs that were asked for are in the store
};

// The runs of an experiment with the key `sweep` (docs/inputs/sweeps.md). They are read when they are
// simulated, so that there may be millions. Copies share it. It never changes, so several threads may use
// one.
class ORRERY_API Sweep {
 public:
  struct State;
  explicit Sweep(std::shared_ptr<const State> state);

  // Read a document, or a file. The problems say what is wrong in what the runs have in common; what is wrong
  // in single runs shows when they are simulated.
  static Result<Sweep> from(const Document& document, const ReadOptions& options = {});
  static Result<Sweep> load(const std::string& file, const ReadOptions& options = {});

  const std::string& name() const;                   // that of the experiment
  std::size_t size() const;                          // the number of runs
  std::vector<std::string> keys() const;             // the paths of the keys that vary
  const std::vector<std::string>& warnings() const;  // that reading gave, each with its place
  // Returns the name of the run of a number, from 0. Throws std::out_of_range where there is no such run.
  std::string run(std::size_t number) const;

  // Simulates the runs that a store lacks on threads of this process, as `orrery sweep` does. The store is a
  // file, which is made unless it is there. The problem says why the store cannot be used.
  Result<SweepOutcome> simulate(const std::string& store, const SweepOptions& options = {}) const;
  // Simulates some runs, on any machine, and returns them as a text for SweepStore::add(). The problem says
  // that it was asked to stop.
  Result<std::string> simulate_part(const std::vector<std::size_t>& runs,
                                    const SweepOptions& options = {}) const;

 private:
  friend struct core::Access;

  std::shared_ptr<const State> state_;
};

// The open store of a sweep whose runs are simulated elsewhere. It is used by one thread at a time. As long
// as it is open, other processes leave the runs to it that it has asked for.
class ORRERY_API SweepStore {
 public:
  struct State;
  // Stores come from open().
  explicit SweepStore(std::shared_ptr<State> state);

  // Opens a store, or makes it. The problem says why it cannot.
  static Result<SweepStore> open(const Sweep& sweep, const std::string& file,
                                 const SweepOptions& options = {});
  // Returns the numbers of the runs that the store lacks and no other process has asked for. The problem says
  // why the store cannot be read.
  Result<std::vector<std::size_t>> missing();
  // Keeps the runs of a part, and returns how many these are. The problem says why they cannot be kept: they
  // are of another sweep, or the disk is full.
  Result<std::size_t> add(const std::string& part);

 private:
  std::shared_ptr<State> state_;
};

// The runs in a store (docs/outputs/store.md).
class ORRERY_API Study {
 public:
  struct State;
  explicit Study(std::shared_ptr<const State> state);

  // Opens a store to read it. The problem says why it is none.
  static Result<Study> load(const std::string& store);

  const std::string& name() const;  // of the study
  // Returns the runs that meet a condition over columns and keys, such as "tensor == 8 and step_us < 5 ms",
  // sorted by expressions such as "network_cost_usd, step_us desc", and `limit` of them at most. Empty texts
  // stand for all runs in the order of the sweep. The problem says what is wrong with an expression.
  Result<Table> table(const std::string& where = "", const std::string& sort = "",
                      std::optional<std::size_t> limit = {}) const;
  // Writes the page of the study, and returns the name of the file. The problem says why it cannot be
  // written.
  Result<std::string> write_report(const std::string& file) const;

 private:
  std::shared_ptr<const State> state_;
};

}  // namespace orrery
