// One run of a program whose ranks do different things.
//
// One rank of each part is simulated, as all do the same at the same times. Collectives of a part run as on a
// machine all of whose ranks are in step; messages travel from the lowest rank of a part to that of the
// other. In the analytical network they share links with each other and with those of the ranks that do the
// same; on a network of links they queue for them, those of the lowest ranks alone. Collectives take what
// they take alone. So this is exact where collectives and messages do not meet, on a network of links for
// parts of one rank each.
#pragma once

#include "simulate/machine.hpp"
#include "simulate/recording.hpp"
#include "simulate/simulation.hpp"
#include "workload/parallel_program.hpp"

namespace orrery {

// The recording of a part's lowest rank.
struct PartRecording {
  std::vector<Interval> operations;           // by id in the graph
  std::vector<ExecutionGraph::Id> completed;  // by completion
  ChunkRecords chunks;
  std::vector<Bytes> payload;  // bytes its collectives sent, per dimension of the topology
  Time finish;                 // when its program ended
};

struct ParallelRecording {
  std::vector<PartRecording> parts;
  std::vector<LinkUse> links;  // links with the load of messages between parts, the busiest first
  std::uint64_t messages = 0;  // number over the simulated ranks
  std::uint64_t events = 0;
  Time without_communication;  // when the run would end if communication took no time

  Time end() const;
};

// Throws InputError when the machine is not one that this can run.
void check_parallel(const ParallelProgram& program, const Machine& machine);

// Throws what check_parallel() throws, and StallError when ranks wait for ever.
ParallelRecording simulate_parallel(const ParallelProgram& program, const Machine& machine,
                                    const ProgressListener& progress = {});

}  // namespace orrery
