// Execution traces, which say for each rank what it computes, sends and exchanges (docs/inputs/traces.md).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "memory/remote_memory.hpp"
#include "study/astra2/system_json.hpp"
#include "study/workload.hpp"
#include "workload/chakra/trace_program.hpp"

namespace orrery {

// The keys of an experiment that only traces have.
struct TraceSettings {
  SourceLocation where;           // place where the traces are named
  std::vector<RankTrace> traces;  // by rank, or one for all
  TraceRules rules;               // rules of the nodes; groups and algorithms depend on the machine
  double memory_gb_per_s = 0;     // rate at which reductions read and write; 0: they cost nothing
  RemoteMemory memory;
  std::string groups, groups_file;  // text of the file with communicator groups, and its name; empty: none
  SystemFileNames algorithms;       // algorithms of collectives that are traces themselves
};

class TraceWorkload final : public Workload {
 public:
  explicit TraceWorkload(TraceSettings settings) : settings_(std::move(settings)) {}

  RunKind kind(const RunSpec& /*spec*/) const override { return RunKind::traces; }
  std::size_t size() const override;
  std::string work() const override { return settings_.traces.front().file; }
  bool runs_by(const Dialect& dialect) const override;
  void prepare(const RunSpec& spec, RunResult& result, Warnings& warnings) const override;
  std::vector<PartMemory> memory_history(const RunResult& result) const override;

 private:
  void check_ranks(int npus) const;
  void describe_machine(const RunSpec& spec, Machine& machine) const;
  TraceRules rules_for(const RunSpec& spec, Machine& machine, Warnings& warnings) const;

  TraceSettings settings_;
};

}  // namespace orrery
