// The programs of a machine whose ranks do not all do the same: an execution graph for each class of ranks,
// such as the stages of a pipeline, or a parameter server and its workers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "workload/execution_graph.hpp"

namespace orrery {

// Ranks of a part run its graph in step: collectives are among them, and messages go to the ranks at the same
// place of another part, so one rank stands for all.
struct ProgramPart {
  std::string name;  // "stage 0", "worker 3"
  ExecutionGraph graph;
  std::vector<std::uint32_t> ranks;    // ascending
  double micro_batches_in_flight = 0;  // most activations it keeps at a time; 0: says nothing
};

struct ParallelProgram {
  std::vector<ProgramPart> parts;  // by their lowest ranks; messages name them by their number
  SourceLocation where;            // where the user asks for it
  bool parts_train_alike = false;  // each goes through all layers, so that one can be ahead of another
};

// Throws InputError at `where` if a program of so many operations needs too much memory, before it is built.
// `what` is what makes them, such as "16000000 micro-batches".
void require_program_fits(double operations, const SourceLocation& where, const std::string& what,
                          const std::string& what_to_do);

}  // namespace orrery
