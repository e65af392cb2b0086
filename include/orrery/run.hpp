// Results of simulated runs: how long they took, and why.
//
//   const orrery::TimeBreakdown parts = run.breakdown();
//   std::cout << run.name() << ": " << run.step().seconds() << " s a step, of " << run.time().seconds()
//             << " s in all " << parts.exposed.seconds() << " s of exposed communication\n";
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/diagnostics.hpp"
#include "orrery/export.hpp"
#include "orrery/table.hpp"
#include "orrery/time.hpp"

namespace orrery {

namespace core {
struct Access;
}

// Where the time of a run goes, as means over all ranks. The first four add up to the time of the run; the
// others are parts of compute. Contention is by how much it takes longer because of collectives beside it.
struct TimeBreakdown {
  Time compute;
  Time bubble;   // waits that would be there even if communication took no time
  Time exposed;  // all other waits: communication that compute does not hide
  Time idle;     // after a rank's own end
  Time host, remote_memory, update, contention;
};

// The interval in which a share of measured values lie where this one is predicted.
struct TimeInterval {
  Time low, high;
  double share = 0;
};

// A run that has ended, well or not. Copies share what they hold, which never changes, so several threads may
// use one run.
class ORRERY_API Run {
 public:
  struct State;
  explicit Run(std::shared_ptr<const State> state);

  // Reads a run back from its folder of results, or from that of an experiment of one run. It has the tables
  // that were written, but cannot be simulated again. The problem says why it cannot be read.
  static Result<Run> load(const std::string& folder);

  // Returns the name of the run.
  const std::string& name() const;
  // Returns whether it was simulated to its end. If not, problem() says why, and all times are 0.
  bool ok() const { return !problem(); }
  const std::optional<Problem>& problem() const;
  const std::vector<std::string>& warnings() const;

  Time time() const;  // until the last rank's program has ended
  Time step() const;  // the same by training iteration, rounded down to a picosecond
  // Tells how far off step() may be, from measured runs that are like this one (docs/models/accuracy.md).
  // None where no such runs are known.
  std::optional<TimeInterval> step_interval() const;
  TimeBreakdown breakdown() const;  // of time()
  std::int64_t npus() const;        // number of NPUs in the machine
  std::int64_t iterations() const;  // number of training iterations
  std::uint64_t messages() const;   // number of messages that all NPUs sent
  // These are known for transformers on devices: shares of the devices' peak, and bytes on the fullest
  // device.
  std::optional<double> model_flop_utilization() const;
  std::optional<double> hardware_flop_utilization() const;
  std::optional<double> tokens_per_second() const;
  std::optional<double> memory() const;
  std::optional<double> network_cost() const;  // US dollars, where prices are known

  // Returns the names of the tables that it has. Those but "layers" need a run whose details were kept
  // (RunOptions::keep).
  std::vector<std::string> tables() const;
  // Returns the table of that name. The problem says which ones there are, where there is none of that name.
  Result<Table> table(std::string_view name) const;
  // Returns everything in one object of JSON, as in summary.json.
  const std::string& json() const;
  // Returns what the program prints of a run.
  std::string report() const;
  // Writes what each part does when, for Perfetto (.pftrace) or as a table (.csv), and returns the name of
  // the file. The problem says why it cannot be written, and that of a run whose details were not kept says
  // so.
  Result<std::string> write_timeline(const std::string& file) const;

 private:
  friend struct core::Access;

  std::shared_ptr<const State> state_;
};

// The runs of an experiment, in its order. Copies share what they hold.
class ORRERY_API Runs {
 public:
  struct State;
  explicit Runs(std::shared_ptr<const State> state);

  // Reads the runs back from a folder of results that `orrery run` or save() has written. All files are kept
  // in memory, so the folder may go. The problem says why they cannot be read.
  static Result<Runs> load(const std::string& folder);

  std::size_t size() const { return runs().size(); }
  const Run& operator[](std::size_t number) const { return runs()[number]; }
  auto begin() const { return runs().begin(); }
  auto end() const { return runs().end(); }
  // Returns all of them. A run that was not begun because results could not be written is not among them.
  const std::vector<Run>& runs() const;
  // Returns null where there is no run of that name.
  const Run* find(std::string_view name) const;

  // Returns whether all runs succeeded and all that was to be written is written. problems() are those of
  // runs, and those that kept results from being written.
  bool ok() const { return problems().empty(); }
  const Problems& problems() const;

  // Returns the table "runs", "layers" or "comparisons" of all runs. The problem says which ones there are,
  // where there is none of that name.
  Result<Table> table(std::string_view name) const;

  // Writes the folder of results that `orrery run` writes into `output`, with the reports of those runs whose
  // details were kept, and returns its name. The problem says why it cannot be written.
  Result<std::string> save(const std::string& output) const;
  // Writes the page that `orrery report` makes of them, one file of HTML, and returns its name. The problem
  // says why it cannot be written.
  Result<std::string> write_report(const std::string& file) const;

 private:
  friend struct core::Access;

  std::shared_ptr<const State> state_;
};

}  // namespace orrery
