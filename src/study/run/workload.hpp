// A workload is what a run trains. A new kind of workload is a class here and a line where its description is
// read (docs/design.md, "Adding things").
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostics/diagnostics.hpp"
#include "base/dialect.hpp"
#include "report/critical_path/computed_work.hpp"
#include "report/memory/memory_history.hpp"
#include "report/summary/summary.hpp"
#include "report/table/row_sink.hpp"

namespace orrery::core {

struct Machine;
struct RunSpec;
struct RunResult;

// Kinds of runs in which some keys of an experiment mean nothing.
enum class RunKind : std::uint8_t {
  collectives,
  pipeline,
  parameter_server,
  parameter_server_and_collectives,
  platform,
  platform_network,
  traces
};

// Runs of an experiment share workloads, so a workload keeps nothing about a run; a RunResult does.
class Workload {
 public:
  virtual ~Workload() = default;

  virtual RunKind kind(const RunSpec& spec) const = 0;
  // Returns how many layers or operations are kept in memory, for a limit on experiments.
  virtual std::size_t size() const = 0;
  // Returns the number of training passes if the workload states it, and not the run.
  virtual std::optional<int> passes() const { return std::nullopt; }
  // Says what it trains: runs of workloads with equal words do equal work in a training pass, and only these
  // are compared.
  virtual std::string work() const = 0;
  // Returns whether a dialect has rules for this workload.
  virtual bool runs_by(const Dialect& dialect) const { return !dialect.only_traces; }

  // Adds to the machine of a run what the workload's own description says of it.
  virtual void complete(Machine& /*machine*/) const {}
  // Makes the result's program and machine, and checks that they fit the memory of devices. Throws
  // InputError.
  virtual void prepare(const RunSpec& spec, RunResult& result, Warnings& warnings) const = 0;
  // Works out what follows from the recording. It is called when the run has been simulated.
  virtual void conclude(const RunSpec& /*spec*/, RunResult& /*result*/) const {}

  // Returns whether measured runs tell how far off what is predicted of a run may be.
  virtual bool has_measured_kin(const RunSpec& /*spec*/) const { return false; }

  // The following functions are for a concluded run. By default their results follow from program, machine
  // and recording.
  virtual Summary summary(const RunSpec& spec, const RunResult& result) const;
  // Returns the table with a line per part, under the name of its file. It has no rows where all ranks do the
  // same. It may refer to both parameters.
  virtual NamedRows parts_table(const RunResult& result, const Summary& summary) const;
  // Returns the work that the times of computations come from. Null: nothing is known about them. It may
  // refer to both parameters.
  virtual std::unique_ptr<ComputedWork> computed_work(const RunSpec& spec, const RunResult& result) const;
  // Returns what the devices of each part keep in memory when. It is empty where that is not known.
  virtual std::vector<PartMemory> memory_history(const RunResult& /*result*/) const { return {}; }
  // Explains to people how the run was simulated, and what takes how long.
  virtual std::string explanation(const RunSpec& spec, const RunResult& result) const;
};

}  // namespace orrery::core
