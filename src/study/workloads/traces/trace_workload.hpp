// Execution traces, which say for each rank what it computes, sends and exchanges (docs/inputs/traces.md).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/files/file_loader.hpp"
#include "memory/remote_memory.hpp"
#include "study/astra2/system_json.hpp"
#include "study/run/run.hpp"
#include "study/run/workload.hpp"
#include "workload/chakra/program/trace_program.hpp"

namespace orrery::core {

// Calls `add` with the trace of each rank of a machine, one after the other.
using TraceReader = std::function<void(const Machine& machine, Warnings& warnings,
                                       const std::function<void(const RankTrace&)>& add)>;

// Holds all that a description of traces says besides the network and the system.
struct TraceSettings {
  explicit TraceSettings(FileLoader loader) : load(std::move(loader)) {}

  SourceLocation where;           // place where the traces are named
  std::vector<RankTrace> traces;  // by rank, or one for all
  TraceReader read;  // reads them while the run is built, in place of `traces`; null: it does not
  TraceRules rules;  // rules of the nodes; groups and algorithms depend on the machine
  std::optional<double> memory_gb_per_s;  // rate at which reductions read and write; 0: they cost nothing
  RemoteMemory memory;
  std::string groups, groups_file;  // text of the file with communicator groups, and its name; empty: none
  SystemFileNames algorithms;       // algorithms of collectives that are traces themselves
  FileLoader load;                  // loads these algorithms while the run is built
  bool keeps_facts = false;         // also where memory is not tracked
};

// The traces' facts about a run's program, and the rules of their nodes.
struct TraceDetail final : RunDetail {
  TraceRules rules;
  std::vector<TraceFacts> facts;       // by part
  std::vector<std::uint32_t> part_of;  // by rank
};

class TraceWorkload final : public Workload {
 public:
  // Errors of nodes go to `fault`; null: they are thrown.
  explicit TraceWorkload(TraceSettings settings, TraceProgramBuilder::Fault fault = {})
      : settings_(std::move(settings)), fault_(std::move(fault)) {}

  RunKind kind(const RunSpec& /*spec*/) const override { return RunKind::traces; }
  std::size_t size() const override;
  std::string work() const override {
    return settings_.traces.empty() ? settings_.where.file : settings_.traces.front().file;
  }
  bool runs_by(const Dialect& dialect) const override;
  void complete(Machine& machine) const override;
  void prepare(const RunSpec& spec, RunResult& result, Warnings& warnings) const override;
  Summary summary(const RunSpec& spec, const RunResult& result) const override;
  std::vector<PartMemory> memory_history(const RunResult& result) const override;

 private:
  void check_ranks(int npus) const;
  TraceRules rules_for(const RunSpec& spec, Machine& machine, Warnings& warnings) const;

  void read_traces(const Machine& machine, Warnings& warnings,
                   const std::function<void(const RankTrace&)>& add) const;

  TraceSettings settings_;
  TraceProgramBuilder::Fault fault_;
};

// Throws InputError at `where` when, by a rough estimate, the ranks need too much memory for this many nodes
// each, and for their queues.
void require_memory_for(const Machine& machine, std::size_t nodes_of_rank, const SourceLocation& where);

// Return what the traces of a run say about its program. The run has to have kept that
// (TraceSettings::keeps_facts).
const TraceDetail& trace_detail(const RunResult& result);
TraceView traces_of(const RunResult& result);

}  // namespace orrery::core
