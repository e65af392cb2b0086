// One run of execution traces, as ASTRA-sim 2's flags and files describe it.
#pragma once

#include <optional>
#include <string>

#include "base/files/file_loader.hpp"
#include "base/progress.hpp"
#include "study/run/run_spec.hpp"
#include "workload/chakra/program/trace_program.hpp"

namespace orrery::core {

struct TraceFiles {
  std::string traces;                           // prefix: NPU i reads <prefix>.<i>.et; or one file for all
  std::string system, network, memory, groups;  // the last two may be empty
  std::string logical_topology;                 // with the dimensions of a graph; empty: none
  double injection_scale = 1;
  int queues_per_dimension = 1;
  bool rendezvous = false;
  // Also runs what ASTRA-sim 2 does not run; as trees, unless the system file says otherwise.
  bool real_collectives = false;
  // Library whose closed forms carry out collectives, such as "nccl"; empty: none.
  std::string library;
  TraceOrder order = TraceOrder::dependencies;
  std::optional<NetworkModel> model = {};  // none: the model that suits the network
};

// Reads the network, the system and what belongs to them; the traces are read while the run is built, one
// after the other. Then errors in nodes go to `fault`, and if there is none, they are thrown. `told` is
// called for each trace that has been read. Throws InputError.
RunSpec read_trace_run(const TraceFiles& files, const FileLoader& load, Warnings& warnings,
                       const TraceProgramBuilder::Fault& fault = {}, const StepListener& told = {});

}  // namespace orrery::core
